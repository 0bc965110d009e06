"""What is typed at `cribboard play`, and what it answers."""

from __future__ import annotations

from rigs.typed import Typed

TWO = ("Ann", "Bob")
KEPT = "The game is kept; `cribboard play` resumes it."


def lines(typed: Typed, *keyed: str, words: tuple[str, ...] = ()) -> list[str]:
    """All that is said when these lines are typed, with cards as codes."""
    return typed("play", "--codes", *words, given="".join(f"{line}\n" for line in keyed)).stdout.splitlines()


def answers(output: list[str]) -> list[str]:
    """What is said, without questions and what was typed."""
    asked = [*(line.startswith(">") for line in output[1:]), False]  # what stands above a line that is typed
    return [line for line, question in zip(output, asked, strict=True) if not line.startswith(">") and not question]
