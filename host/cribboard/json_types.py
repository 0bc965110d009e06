"""The types of a value that JSON can hold, and the version of what --json prints."""

from collections.abc import Mapping

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
JsonObject = dict[str, Json]

FORMAT = 1  # of what --json prints; another one where a key goes or means something else


def versioned(entry: Mapping[str, object]) -> dict[str, object]:
    """An object as --json prints it: with its version."""
    return {**entry, "format": FORMAT}
