"""The tile game, held against a count that tries all sets and a judge that looks at the whole board."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from cribboard.errors import ArgumentError
from cribboard.tiles import WAYS, Board, Game, Row, Tile, check_supply, parse_tiles

PIPS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]


def brute(ranks):
    """The points of a row of ranks by trying every set of tiles, and whether each tile is in one that scores."""
    places = range(len(ranks))
    sets = [chosen for size in range(2, len(ranks) + 1) for chosen in combinations(places, size)]
    scoring = [(2, chosen) for chosen in sets if sum(PIPS[ranks[at]] for at in chosen) == 15]
    scoring += [(2, chosen) for chosen in sets if len(chosen) == 2 and ranks[chosen[0]] == ranks[chosen[1]]]
    runs = []
    for chosen in sets:
        low = min(ranks[at] for at in chosen)
        if len(chosen) > 2 and sorted(ranks[at] for at in chosen) == list(range(low, low + len(chosen))):
            runs.append(chosen)
    longest = max(map(len, runs), default=0)
    scoring += [(longest, chosen) for chosen in runs if len(chosen) == longest]
    return sum(points for points, _ in scoring), {at for _, chosen in scoring for at in chosen} == set(places)


def row(text):
    return Row(parse_tiles(text, shades=False))


def test_every_row_of_two_to_five_counts_as_all_its_sets_do():
    rng = random.Random(1)
    rows = [[rng.randrange(13) for _ in range(size)] for size in (2, 3, 4, 5) for _ in range(1500)]
    rows += [[rank] * size for rank in range(13) for size in (2, 3, 4, 5)]
    good = 0
    for ranks in rows:
        points, whole = brute(ranks)
        try:
            counted = Row([Tile(rank, rng.choice("LD")) for rank in ranks])
        except ArgumentError as error:
            assert not whole, ranks
            assert error.hint == "every tile of a row must score"
            continue
        assert whole, ranks
        assert counted.points == points, ranks
        assert counted.points == sum(points for _, points, _ in counted.parts)
        good += 1
    assert good > 500


@pytest.mark.parametrize(
    ("text", "points", "aloud"),
    [
        ("8 8", 2, "a pair for two"),
        ("8 8 8", 6, "a pair royal for six"),
        ("8 8 8 8", 12, "a double pair royal for twelve"),
        ("8 8 8 8 8", 20, "five alike for twenty"),
        ("3 3 3 3 3", 22, "fifteen two, and five alike for twenty-two"),
        ("A 3 2", 3, "a run of three for three"),
        ("4 3 5 6 7", 9, "fifteen two, fifteen four, and a run of five for nine"),
        ("6 9", 2, "fifteen two"),
        ("10 T", 2, "a pair for two"),
        ("2 3 J J 5", 10, "fifteen two, fifteen four, fifteen six, fifteen eight, and a pair for ten"),
        (
            "7 8 7 6 8",
            24,
            "fifteen two, fifteen four, fifteen six, fifteen eight, and a double double run for twenty-four",
        ),
    ],
)
def test_a_row_is_counted_and_said(text, points, aloud):
    assert (row(text).points, row(text).aloud) == (points, aloud)


def test_five_fives_are_ten_fifteens_and_five_alike():
    assert row("5 5 5 5 5").points == 40
    assert row("5 5 5 5 5").aloud.endswith("fifteen twenty, and five alike for forty")


@pytest.mark.parametrize("text", ["J Q", "K A", "Q K A", "4 5 6 8", "7 8 2", "A 2"])
def test_a_row_with_an_idle_tile_is_none(text):
    with pytest.raises(ArgumentError, match="every tile of a row must score"):
        row(text)


@pytest.mark.parametrize(
    ("text", "why"), [("5", "two to five"), ("", "two to five"), ("5 5 5 5 J Q", "more than five")]
)
def test_a_row_has_two_to_five_tiles(text, why):
    with pytest.raises(ArgumentError, match=why):
        row(text)


@pytest.mark.parametrize(
    ("text", "bonus"),
    [("2L3LJLJL5L", 10), ("7D8D7D6D8D", 10), ("2L3LJLJL5D", 0), ("5L5LJL", 0), ("2 3 J J 5", 0)],
)
def test_five_of_one_shade_have_a_bonus(text, bonus):
    assert row(text).bonus == bonus


def test_a_six_and_a_nine_are_one_sort():
    check_supply(parse_tiles("6L 9L 6L 9L"), 2)
    with pytest.raises(ArgumentError, match="5 of 6/9 light"):
        check_supply(parse_tiles("6L 9L 6L 9L 9L"), 2)
    with pytest.raises(ArgumentError, match="3 of K dark"):
        check_supply(parse_tiles("KD KD KD"), 2)


def judged(before, placed):
    """The points of a play by looking at the whole board after it, or None when it breaks a rule."""
    board = {**before, **placed}
    if not before and len(placed) < 2:
        return None
    start = next(iter(board))
    joined, waiting = {start}, [start]
    while waiting:
        x, y = waiting.pop()
        for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if near in board and near not in joined:
                joined.add(near)
                waiting.append(near)
    if len(joined) < len(board):
        return None
    points = 10 * (not before) + 10 * (len(placed) == 5)
    for turned in (False, True):
        for line in range(13):
            squares = [(line, at) if turned else (at, line) for at in range(13)]
            text = "".join("#" if square in board else " " for square in squares)
            end = 0
            for part in text.split():
                begin = text.index(part, end)
                end = begin + len(part)
                laid = squares[begin:end]
                tiles = [board[square] for square in laid]
                if len(laid) == 1:
                    continue
                counted, whole = brute([tile.rank for tile in tiles])
                if len(laid) > 5 or not whole:
                    return None
                if set(laid) & set(placed):
                    points += counted + 10 * (len(laid) == 5 and len({tile.shade for tile in tiles}) == 1)
    return points


def test_plays_are_taken_refused_and_paid_as_a_judge_of_the_whole_board_says():
    taken = refused = several = 0
    for seed in range(100):
        rng = random.Random(seed)
        game = Game(["Ann", "Bob"], copies=20)
        for _ in range(60):
            if game.board.tiles:
                x, y = rng.choice(list(game.board.tiles))
                at = (x + rng.randint(-2, 2), y + rng.randint(-2, 2))
            else:
                at = (6, 6)
            tiles = [
                Tile(rng.choice((4, 4, 9, 10, 4, 5, 6, 7, 8)), rng.choice("LLLD")) for _ in range(rng.randint(1, 5))
            ]
            way = rng.choice(list(WAYS))
            try:
                placed = Board.squares(game.board, at, WAYS[way], tiles)
            except ArgumentError:
                continue
            points = judged(game.board.tiles, placed)
            act = {
                "act": "play",
                "at": f"{'ABCDEFGHIJKLM'[at[0]]}{at[1] + 1}",
                "way": way,
                "tiles": "".join(map(str, tiles)),
            }
            before = list(game.scores), dict(game.board.tiles), game.turn, game.bag
            try:
                result = game.do(act)
            except ArgumentError:
                assert points is None, act
                assert before == (game.scores, game.board.tiles, game.turn, game.bag)
                refused += 1
                continue
            assert result.entry["points"] == points, act
            assert game.scores[before[2]] == before[0][before[2]] + points
            taken += 1
            several += len(result.entry["rows"]) > 1
    assert min(taken, refused, several) > 100


def play(game, at, tiles, **more):
    return game.do({"act": "play", "at": at, "tiles": tiles, **more})


def test_the_bag_refills_hands_to_five_while_it_lasts():
    game = Game(["Ann", "Bob"], copies=1)
    play(game, "G7", "5L 5D JL")
    assert (game.bag, game.hands) == (13, [5, 5])
    game.do({"act": "exchange", "number": 5})
    assert (game.bag, game.hands) == (13, [5, 5])


def test_the_game_ends_when_nobody_can_play_and_the_bag_is_empty():
    game = Game(["Ann", "Bob"], copies=1)
    game.bags = [1]
    play(game, "G7", "5L 5D JL")
    assert (game.bag, game.hands) == (0, [3, 5])
    with pytest.raises(ArgumentError, match="the bag has 0 tiles, too few to exchange 1"):
        game.do({"act": "exchange", "number": 1})
    game.do({"act": "pass"})
    assert not game.over
    game.do({"act": "pass"})
    assert game.over
    with pytest.raises(ArgumentError, match="the game is over"):
        play(game, "H6", "TL")


def test_passes_count_only_when_the_bag_is_empty_and_nobody_plays_between():
    game = Game(["Ann", "Bob"])
    for _ in range(4):
        game.do({"act": "pass"})
    assert not game.over
    game.bags = [0]
    game.do({"act": "pass"})
    play(game, "G7", "5L 5D JL")
    game.do({"act": "pass"})
    assert not game.over


def test_the_bonus_of_the_first_play_is_for_whoever_plays_first():
    game = Game(["Ann", "Bob"])
    game.do({"act": "exchange", "number": 5})
    assert play(game, "G7", "8L 8D").entry["points"] == 12


def over(*names):
    game = Game(names, copies=1, joker=True)
    game.bags = [0]
    play(game, "G7", "5L 5D JL", claim=0)
    for _ in names:
        game.do({"act": "pass"})
    return game


@pytest.mark.parametrize(
    ("player", "tiles", "why"),
    [
        ("Bob", "KL", "Bob has 5 tiles left, not 1"),
        ("Bob", "KL KD QL QD JL", "that makes 2 of J light"),
        ("Cleo", "KL", "nobody here is called 'Cleo'"),
        ("Bob", "KL KL", "Bob has 5 tiles left, not 2"),
    ],
)
def test_left_overs_that_cannot_be_are_refused(player, tiles, why):
    with pytest.raises(ArgumentError, match=why):
        over("Ann", "Bob").do({"act": "left", "player": player, "tiles": tiles})


def test_left_overs_are_deducted_at_face_value_and_once():
    game = over("Ann", "Bob")
    game.do({"act": "left", "player": "Bob", "tiles": "AL 9D KL QD 2L"})
    assert game.scores == [0, -32]
    with pytest.raises(ArgumentError, match="Bob has no tiles left"):
        game.do({"act": "left", "player": "Bob", "tiles": "AL"})
    with pytest.raises(ArgumentError, match="that makes 2 of A light"):
        game.do({"act": "left", "player": "Ann", "tiles": "AL 2D"})
    result = game.do({"act": "left", "player": "ann", "tiles": "AD 2D"})
    assert result.lines[1:] == ["Ann wins with -3.", "Ann -3, Bob -32."]
    assert game.ended
    with pytest.raises(ArgumentError, match="the game is over"):
        game.do({"act": "joker", "player": "Bob"})


def test_equal_scores_are_said():
    game = over("Ann", "Bob")
    game.scores = [10, 35]
    game.do({"act": "left", "player": "Bob", "tiles": "AL 9D KL QD 2L"})
    assert game.do({"act": "left", "player": "Ann", "tiles": "AD 6D"}).lines[1] == "Ann and Bob are equal with 3."


@pytest.mark.parametrize(
    ("names", "more", "why"),
    [
        (["Ann"], {}, "2 to 4 players, not 1"),
        (list("abcde"), {}, "2 to 4 players, not 5"),
        (["Ann", "ann"], {}, "two sides cannot both be called"),
        (list("abcd"), {"copies": 0}, "not enough for all hands"),
    ],
)
def test_a_game_that_cannot_be_is_refused(names, more, why):
    with pytest.raises(ArgumentError, match=why):
        Game(names, **more)


def test_a_board_may_have_another_size():
    board = Board(5)
    assert board.parse_square("E5") == (4, 4)
    for text in ("F5", "E6", "E0", "5E", "E", ""):
        with pytest.raises(ArgumentError, match="A1 to E5"):
            board.parse_square(text)


def test_a_play_has_one_to_five_tiles():
    for number in (0, 6):
        with pytest.raises(ArgumentError, match="one to five tiles"):
            Board().squares((6, 6), (1, 0), [Tile(4, "L")] * number)


def test_in_a_solitaire_light_plays_against_dark_each_from_its_own_bag():
    game = Game(["Light", "Dark"], solitaire=True)
    assert game.bag == 47
    with pytest.raises(ArgumentError, match="the 5D is dark"):
        game.do({"act": "play", "at": "G7", "tiles": "5L 5D"})
    game.do({"act": "play", "at": "G7", "tiles": "5L TL JL"})
    assert (game.name, game.bag) == ("Dark", 47)
    with pytest.raises(ArgumentError, match="the 5L is light"):
        game.do({"act": "play", "at": "G8", "tiles": "5L"})
    game.do({"act": "play", "at": "G8", "tiles": "TD"})
    assert (game.name, game.bag) == ("Light", 44)
    game.do({"act": "exchange", "number": 3})
    assert (game.name, game.bag) == ("Dark", 46)
