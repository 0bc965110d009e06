"""The API of the trainer: a question, and how good an answer is. The phone keeps its answers; the kiosk does not."""

from __future__ import annotations

import asyncio
import random
import secrets
from datetime import UTC, datetime
from typing import TypedDict

from starlette.requests import Request
from starlette.routing import Route

from cribboard.json_types import Json
from cribboard.learning import BY_NAME, COUNTING, SKILLS, AnswerError, Graded, KeptEntry, Progress, question
from cribboard.referee.wording import in_words
from cribboard.web.help import need_no_tournament
from cribboard.web.json_body import route
from cribboard.web.kiosk import Kiosk
from cribboard.web.problem import Problem
from cribboard_core.cards import card_name

SETS = {"count": COUNTING, "play": ("play",), "muggins": ("muggins",), "discard": ("discard",), "all": SKILLS}
MOST_ANSWERS = 150  # that a phone sends
MOST_SEED = 2**32
MOST_TYPED = 40
MOST_SECONDS = 3600


class QuestionEntry(TypedDict):
    """A question, `asks` without its cards, with its lesson; `new` is whether the phone has not had this skill yet."""

    skill: str
    seed: int
    text: str
    asks: str
    cards: list[str]
    title: str
    lesson: list[str]
    new: bool
    streak: int


class GradedEntry(TypedDict):
    """How good an answer is, in lines of words."""

    right: bool
    lines: list[str]
    kept: KeptEntry


class Learn:
    """The endpoints of the trainer."""

    def __init__(self, kiosk: Kiosk) -> None:
        self._kiosk = kiosk

    def routes(self) -> list[Route]:
        """The routes."""
        return [
            route("POST", "/api/learn/question", self.question),
            route("POST", "/api/learn/answer", self.answer),
        ]

    async def question(self, request: Request) -> QuestionEntry:
        """What to ask next, after the answers that this phone has kept, with the skill's lesson."""
        need_no_tournament(self._kiosk, self._kiosk.who(request))
        match await self._kiosk.entry(request):
            case {"set": str(name), "answers": list(answers), **rest} if not rest and name in SETS:
                known = _known(answers)
            case _:
                raise Problem(
                    400, "learn", "this does not ask for a question", f"send set, one of {', '.join(SETS)}, and answers"
                )
        return await asyncio.to_thread(_question, SETS[name], known)

    async def answer(self, request: Request) -> GradedEntry:
        """Whether an answer is right, what there is to say about it, and the answer as the phone is to keep it."""
        need_no_tournament(self._kiosk, self._kiosk.who(request))
        match await self._kiosk.entry(request):
            case {"skill": str(skill), "seed": int(seed), "typed": str(typed), "seconds": int(seconds), **rest} if (
                not rest
                and skill in SKILLS
                and type(seed) is int
                and 0 <= seed < MOST_SEED
                and len(typed) <= MOST_TYPED
                and type(seconds) is int
                and 0 <= seconds <= MOST_SECONDS
            ):
                pass
            case _:
                raise Problem(400, "learn", "this is no answer", "send skill, seed, typed and the seconds that it took")
        try:
            graded = await asyncio.to_thread(_graded, skill, seed, typed)
        except AnswerError as error:
            raise Problem(400, "answer", str(error)) from error
        kept = Progress().answered(skill, graded.right, seconds, datetime.now(UTC))
        return {"right": graded.right, "lines": [in_words(line.strip(), ()) for line in graded.lines], "kept": kept}


def _known(answers: list[Json]) -> Progress:
    known = [one for one in answers if isinstance(one, dict)]
    if len(answers) > MOST_ANSWERS or len(known) < len(answers):
        raise Problem(400, "learn", "these are not answers", f"send the newest {MOST_ANSWERS}, as they were given")
    now = datetime.now(UTC).isoformat()
    return Progress.of(one for one in known if one.get("skill") in SKILLS and _is_past(one.get("at"), now))


def _is_past(at: object, now: str) -> bool:
    return isinstance(at, str) and at[10:11] == "T" and at.endswith("+00:00") and at <= now


def _question(skills: tuple[str, ...], known: Progress) -> QuestionEntry:
    skill = known.next_of(skills, datetime.now(UTC))
    seed = secrets.randbelow(MOST_SEED)
    asked, lesson = question(skill, random.Random(seed)), BY_NAME[skill]  # noqa: S311 (the phone sends it back)
    return {
        "skill": skill,
        "seed": seed,
        "text": in_words(asked.text, ()),
        "asks": asked.asks,
        "cards": [card_name(card) for card in asked.cards],
        "title": lesson.title,
        "lesson": [in_words(line, ()) for line in lesson.says],
        "new": skill not in known.due,
        "streak": known.streak,
    }


def _graded(skill: str, seed: int, typed: str) -> Graded:
    return question(skill, random.Random(seed)).graded(typed)  # noqa: S311
