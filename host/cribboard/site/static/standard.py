"""What the referee and the computer use of Python's standard library, for MicroPython, which has it not or otherwise.

`install` puts the modules where they are imported from. What must agree with CPython to the last bit does.
"""

import sys


class Named:
    """An object with these attributes: a module."""

    def __init__(self, **named):
        for name in named:
            setattr(self, name, named[name])


def ordered(values, key=None, reverse=False):
    """sorted, which keeps the order of equals."""
    listed = list(values)
    keys = [key(value) for value in listed] if key else listed
    step = -1 if reverse else 1
    places = [(keys[at], step * at) for at in range(len(listed))]
    places.sort(reverse=reverse)
    return [listed[step * place[1]] for place in places]


def sort(values, key=None, reverse=False):
    """list.sort"""
    values[:] = ordered(values, key, reverse)


def stepped(values, first, end, step):
    """values[first:end:step] as a list, for steps upwards."""
    return [values[at] for at in range(first or 0, len(values) if end is None else end, step)]


def printable(text):
    """str.isprintable, of control characters alone: MicroPython does not know what others are."""
    return not [char for char in text if char < " " or "\x7f" <= char < "\xa0"]


def merged(*parts):
    """The dict of all of these."""
    whole = {}
    for part in parts:
        whole.update(part)
    return whole


class Field:
    """A field of a dataclass, with its name once the class is made."""

    def __init__(self, default=None, default_factory=None, metadata=None, compare=True, kw_only=False):
        self.name = None
        self.compare = compare
        self.default = default
        self.factory = default_factory
        self.metadata = metadata

    def value(self):
        return self.factory() if self.factory else self.default


def dataclass(cls=None, frozen=False):
    """A class with these fields; the translator has left their names in `__fields__`."""
    if cls is None:
        return dataclass
    names = cls.__fields__
    made = []
    for name in names:
        given = getattr(cls, name, None)
        field = given if isinstance(given, Field) else Field(given)
        field.name = name
        made.append(field)

    def init(self, *values, **named):
        for at in range(len(names)):
            name = names[at]
            setattr(self, name, values[at] if at < len(values) else named[name] if name in named else made[at].value())
        if hasattr(self, "__post_init__"):
            self.__post_init__()

    cls.__init__ = init
    cls.__eq__ = lambda self, other: type(other) is cls and _compared(self) == _compared(other)
    cls._fields_ = made
    return cls


def named_tuple(cls):
    """A NamedTuple, as far as it is one here: its fields by name and in their order."""
    cls = dataclass(cls)
    cls._replace = replace
    cls.__iter__ = lambda self: iter(_values(self))
    cls.__getitem__ = lambda self, at: _values(self)[at]
    return cls


def _values(record):
    return tuple([getattr(record, field.name) for field in record._fields_])


def _compared(record):
    return [getattr(record, field.name) for field in record._fields_ if field.compare]


def replace(record, **changes):
    values = {field.name: getattr(record, field.name) for field in record._fields_}
    values.update(changes)
    return type(record)(**values)


def fields(record):
    return record._fields_


def asdict(value):
    if hasattr(value, "_fields_"):
        return {field.name: asdict(getattr(value, field.name)) for field in value._fields_}
    return value


def cast(kind, value):
    return value


def cache(function):
    known = {}

    def asked(*values):
        if values not in known:
            known[values] = function(*values)
        return known[values]

    return asked


def cached_property(function):
    name = "_" + function.__name__ + "_"

    def value(self):
        if not hasattr(self, name):
            setattr(self, name, function(self))
        return getattr(self, name)

    return property(value)


def combinations(values, number):
    return _chosen(tuple(values), number, 1)


def combinations_with_replacement(values, number):
    return _chosen(tuple(values), number, 0)


def _chosen(values, number, step):
    """A loop, since generators that ask each other take far longer."""
    last = len(values) - 1
    at = [step * place for place in range(number)]
    if at and at[-1] > last:
        return
    while True:
        yield tuple([values[one] for one in at])
        place, most = number - 1, last
        while place >= 0 and at[place] == most:
            place, most = place - 1, most - step
        if place < 0:
            return
        first = at[place] + 1
        at[place:] = [first + step * more for more in range(number - place)]


def product(*pools):
    if not pools:
        yield ()
        return
    for value in pools[0]:
        for rest in product(*pools[1:]):
            yield (value,) + rest


def accumulate(values):
    total = 0
    for value in values:
        total += value
        yield total


def starmap(function, values):
    return [function(*each) for each in values]


def comb(many, number):
    ways = 1
    for at in range(number):
        ways = ways * (many - at) // (at + 1)
    return ways if number <= many else 0


def bisect_right(values, wanted):
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if wanted < values[middle]:
            high = middle
        else:
            low = middle + 1
    return low


def install():
    """Put the modules where they are imported from."""
    sys.modules.update(
        {
            "bisect": Named(bisect_right=bisect_right),
            "collections": Named(Counter=None),
            "dataclasses": Named(dataclass=dataclass, field=Field, fields=fields, asdict=asdict, replace=replace),
            "functools": Named(cache=cache, cached_property=cached_property),
            "importlib.resources": Named(files=None),
            "itertools": Named(
                accumulate=accumulate,
                combinations=combinations,
                combinations_with_replacement=combinations_with_replacement,
                product=product,
                starmap=starmap,
            ),
            "math": Named(comb=comb),
            "operator": Named(add=lambda one, other: one + other, mul=lambda one, other: one * other),
            "random": Named(Random=None),
            "typing": Named(cast=cast),
        }
    )
