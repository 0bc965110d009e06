"""`cribboard play`: golden play-throughs that a person can read, and a real terminal that may be lost at any time.

The files in `games` show what is typed (behind `> `) and everything that is said. To write one anew, leave its first
line and what is typed, and run `python -m cli.test_play` in `tests`.
"""

from __future__ import annotations

import json
import re
import shlex
import tempfile
from pathlib import Path

import pytest
from cli.at_play import KEPT, TWO, answers, lines
from rigs.printed import printed
from rigs.typed import Typed

from cribboard.cli import play_printer
from cribboard.cli.play_printer import Printer
from cribboard.referee.pegs import pack_match
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard_core.match import Match

GAMES = Path(__file__).parent / "games"


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Typed:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    return Typed(tmp_path, monkeypatch)


def play_through(typed: Typed, script: str) -> str:
    """What a script that shows what is typed comes to, in the same form."""
    first, _, rest = script.partition("\n")
    keyed = [line[2:] for line in rest.splitlines() if line.startswith("> ")]
    result = typed(*shlex.split(first)[2:], given="\n".join(keyed) + "\n")
    return f"{first}\n{result.stdout}"


@pytest.mark.parametrize("path", sorted(GAMES.glob("*.txt")), ids=lambda path: path.stem)
def test_a_game_goes_as_the_file_tells(typed: Typed, path: Path) -> None:
    script = path.read_text("utf-8")
    players = re.search(r"^\$ cribboard play ((?:[A-Z]\w* )+)", script)
    assert players
    typed.play(len(players[1].split()))
    assert play_through(typed, script) == script


def test_a_game_is_left_and_gone_on_with(typed: Typed) -> None:
    assert answers(lines(typed, "Ann", "JS", "5C", words=TWO))[-1] == KEPT
    replies = answers(lines(typed, "TD"))
    assert replies == [
        "The game goes on.",
        "Last line: Bob plays 5C: five.",
        "Ann 2, Bob 0; the game is to 121.",
        "The crib is Ann's.",
        "It is Ann's turn to play.",
        "Ann plays TD: fifteen for two. Ann 4.",
        KEPT,
    ]
    assert typed.firmware.scores == [4, 0]


def test_cards_can_be_typed_in_words(typed: Typed) -> None:
    replies = answers(lines(typed, "Ann", "Jack of Spades", "the five of hearts", "10 diamonds", words=TWO))
    assert "The starter is JS." in replies
    assert "Bob plays 5H: five." in replies
    assert "Ann plays TD: fifteen for two. Ann 4." in replies


def test_a_name_that_is_a_card_in_words_stays_a_name(typed: Typed) -> None:
    replies = answers(lines(typed, "Ace of Clubs", "JS", words=("Ace of Clubs", "Bob")))
    assert "A jack: nibs for Ace of Clubs, two. Ace of Clubs 2." in replies


def test_cards_are_said_in_words_and_braille_displays_may_have_codes(typed: Typed) -> None:
    keyed = ("Ann", "JS", "5C", "TD", "F", "V", "JS", "x", "help")
    given = "".join(f"{line}\n" for line in keyed)
    heard = typed("play", *TWO, given=given).stdout
    for line in (
        "The starter is the jack of spades.",
        "Bob plays the five of clubs: five.",
        "Ann plays the ten of diamonds: fifteen for two. Ann 4.",
        "On the table: five of clubs, ten of diamonds; fifteen.",
        "The jack of spades is the starter",
        "'x' is not a card; type a card, like 5H, or go",
        "5H         play this card, or: five of hearts; 5H 2 also claims its points, if players count",
    ):
        assert line in heard
    read = typed("play", *TWO, "--new", "--codes", given=given).stdout
    for line in (
        "The starter is JS.",
        "Ann plays TD: fifteen for two. Ann 4.",
        "On the table: 5C, TD; fifteen.",
    ):
        assert line in read
    assert " of spades" not in read


def test_a_player_who_is_called_like_a_card_keeps_the_name(typed: Typed) -> None:
    output = typed("play", "TD", "Jack of Clubs", given="Jack of Clubs\nJS\nTH\n").stdout
    assert "TD plays the ten of hearts: ten." in output


def test_what_becomes_of_the_boards_own_game_is_said(typed: Typed) -> None:
    typed("peg", "1", "12")
    said = typed("play", *TWO, given="quit\n").stderr
    assert "The board still has a game: Orange 12, Blue 0. It goes on if you quit now, and ends when somebody" in said
    assert "undo" not in said
    assert typed.firmware.scores == [12, 0]
    output = lines(typed, "Ann", "undo", "quit", words=TWO)
    assert "Taken back: New game to 121: Ann deals first." in output
    assert typed.firmware.scores == [12, 0]


def test_a_game_that_is_on_is_not_thrown_away_by_a_slip(typed: Typed) -> None:
    lines(typed, "Ann", "JS", words=TWO)
    error = typed.error("play", "Cleo", "Dev", exit_code=2)
    assert "a game is on: Ann 2, Bob 0; the game is to 121." in error
    assert "--new starts another in its place" in error
    assert "A game to 121 between Cleo and Dev." in lines(typed, words=("Cleo", "Dev", "--new"))


def test_without_names_the_players_are_those_of_the_board(typed: Typed) -> None:
    assert lines(typed)[0] == "A game to 121 between Orange and Blue."
    typed("new", "Ann", "Bob", "--target", "61")
    assert lines(typed, words=("--new",))[0] == "A game to 61 between Ann and Bob."


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("Ann",), "name the others, like `cribboard play Ann Bob`, or add --computer"),
        (("--computer",), "others are named, like `cribboard play Ann --computer Bob`"),
        (("Ann", "Ann"), "two sides cannot both be called 'Ann'"),
        (("Ann", "Bob", "--teams", "2"), "2 players cannot make 2 teams"),
        (("Ann", "Bob", "-o", "mugins=on"), "there is no option 'mugins'"),
        (("Ann", "Bob", "--computer", "Cleo"), "there is no player 'Cleo'"),
    ],
)
def test_a_table_that_cannot_be_is_refused(typed: Typed, words: tuple[str, ...], why: str) -> None:
    assert why in typed.error("play", *words, exit_code=2)


def test_one_name_plays_against_the_computers_that_are_named(typed: Typed) -> None:
    two = lines(typed, words=("Ann", "--computer", "bob:club", "--seed", "1"))
    assert two[0] == "A game to 121 between Ann and bob."
    assert lines(typed, words=("Ann", "--computer", "--new"))[0] == "A game to 121 between Ann and Computer."
    three = lines(typed, words=("Ann", "--computer", "Bob", "--computer", "C:learner", "--new"))
    assert three[0] == "A game to 121 between Ann, Bob and C."
    assert "not 1" in typed.error("play", "Ann", "--computer", "ann", "--new", exit_code=2)


def test_the_options_are_listed_with_their_defaults(typed: Typed) -> None:
    output = typed.says("play", "--options").splitlines()
    assert len(output) == 16
    assert output[0].startswith("counting=auto  (auto or manual)  ")
    first = {"name": "counting", "default": "auto", "may_be": "auto or manual"}
    assert first.items() <= json.loads(typed.says("play", "--options", "--json").splitlines()[0]).items()
    assert typed.asked == []


def test_state_tells_the_options_of_a_refereed_game(typed: Typed) -> None:
    assert typed.entry("state")["referee"] is None
    lines(typed, "Ann", "JS", words=(*TWO, "-o", "counting=manual", "-o", "muggins=on"))
    assert "Refereed with counting=manual muggins=on; `cribboard play` resumes the game." in typed.says("state")
    referee = typed.entry("state")["referee"]
    assert (referee["options"]["muggins"], referee["options"]["steal"], referee["starter"]) == (True, False, "JS")
    typed("new")
    assert typed.entry("state")["referee"] is None
    assert "Refereed" not in typed.says("state")


def test_as_json_a_line_is_an_object(typed: Typed) -> None:
    entries = [printed(line) for line in lines(typed, "Ann", "JS", "JS", "c", words=(*TWO, "--json"))]
    assert all(set(entry) == {"said", "error", "state"} for entry in entries)
    assert entries[-3]["error"]["message"].startswith("JS is the starter")
    assert entries[-2]["said"] == ["The count is nought."]
    assert entries[-1]["state"]["scores"] == [2, 0]


def test_colours_are_seen_only_where_they_are_wanted(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    referee = Referee(Setup(TWO, (0, 1)), pack_match(Match()))
    monkeypatch.setattr(play_printer.click, "echo", shown.append)
    for plain, name, value in ((False, "", ""), (True, "", ""), (False, "NO_COLOR", "1"), (False, "TERM", "dumb")):
        with monkeypatch.context() as patch:
            patch.setenv("TERM", "xterm")
            if name:
                patch.setenv(name, value)
            Printer(plain=plain).tell([("Ann pegs.", 0), ("Hm.", -1)], referee)
    assert shown == ["\x1b[38;2;230;159;0mAnn pegs.\x1b[0m", "Hm.", *["Ann pegs.", "Hm."] * 3]


# A real terminal


def test_a_game_that_is_won_is_in_the_record_of_results_once(typed: Typed) -> None:
    words = ("Cleo", "Dev", "--target", "61", "--computer", "Cleo:learner", "--computer", "Dev:learner", "--seed", "5")
    lines(typed, words=words)
    lines(typed, "s")
    output = typed("sheet").stdout.splitlines()
    assert [line.split()[1:3] for line in output[1:]] == [["Cleo", "1"], ["Dev", "1"]]


if __name__ == "__main__":
    for path in GAMES.glob("*.txt"):
        with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            patch.setenv("CRIBBOARD_HOME", folder)
            typing = Typed(Path(folder), patch)
            script = path.read_text("utf-8")
            typing.play(len([word for word in script.splitlines()[0].split()[3:] if word[:1].isupper()]))
            path.write_text(play_through(typing, script), "utf-8")
