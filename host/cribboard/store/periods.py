"""The periods of a leaderboard. A night ends at six in the morning, local time, and so does every longer period."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo

from cribboard.errors import ArgumentError
from cribboard_core.cards import quote

PERIODS = ("night", "week", "season", "ever")
MORNING = 6  # o'clock


def window(period: str, at: datetime, zone: tzinfo | None = None) -> tuple[datetime | None, datetime | None]:
    """The start and end of the night, week or season (a quarter) around a moment; None, None for ever."""
    if period not in PERIODS:
        raise ArgumentError(f"there is no period {quote(period)}", f"choose one of {', '.join(PERIODS)}")
    if period == "ever":
        return None, None
    day = (at.astimezone(zone) - timedelta(hours=MORNING)).replace(hour=0, minute=0, second=0, microsecond=0)
    day = day.replace(tzinfo=None)
    if period == "night":
        begin, end = day, day + timedelta(days=1)
    elif period == "week":
        begin = day - timedelta(days=day.weekday())
        end = begin + timedelta(days=7)
    else:
        begin = day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
        end = (begin + timedelta(days=95)).replace(day=1)
    return _morning(begin, zone), _morning(end, zone)


def _morning(day: datetime, zone: tzinfo | None) -> datetime:
    morning = day.replace(hour=MORNING)
    return (morning.astimezone() if zone is None else morning.replace(tzinfo=zone)).astimezone(UTC)
