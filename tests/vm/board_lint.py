"""What Python has and the board has not, found in the syntax tree: one rule a row, each with the code that it catches.

The facts were run on CircuitPython 9.2.1 and 10.2.1 and on MicroPython 1.27. A dict has no order there: a line that
walks one and does not care says so with the comment `# in any order`, and a call that goes back to its caller once at
most with `# ends`. What only a run can show, such as a bytearray's
`del` and how deep the calls go, is left to the tests that run the code.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_WORDS = """
ANYWHERE: __future__ array atexit binascii collections errno gc hashlib io json math os random re select struct sys time
    traceback
HARDWARE: board digitalio keypad microcontroller neopixel neopixel_write pwmio storage supervisor usb_cdc usb_hid
    usb_midi watchdog wifi socketpool mdns
MEMBERS: random.shuffle random.sample random.Random collections.Counter collections.defaultdict collections.abc
    math.comb math.gcd math.isclose struct.Struct hashlib.sha256 os.path os.replace time.perf_counter
METHODS: zfill ljust rjust title capitalize casefold swapcase removeprefix removesuffix translate maketrans bit_count
    _replace _asdict _fields
BUILTINS: format ascii vars breakpoint aiter anext FileNotFoundError FileExistsError PermissionError RecursionError
    IsADirectoryError NotADirectoryError ModuleNotFoundError InterruptedError ProcessLookupError TimeoutError
    ExceptionGroup
"""
_LISTS = {part.split(":")[0]: frozenset(part.split(":")[1].split()) for part in re.split(r"\n(?=\w)", _WORDS.strip())}
ANYWHERE = _LISTS["ANYWHERE"]
HARDWARE = _LISTS["HARDWARE"]
MISSING_MEMBERS = _LISTS["MEMBERS"]
MISSING_METHODS = _LISTS["METHODS"]
MISSING_BUILTINS = _LISTS["BUILTINS"]
OURS = frozenset({"cribboard_core", "cribboard_fw", "trouble"})
HARDWARE_FILES = frozenset({"hardware.py", "radio.py", "boot.py", "code.py", "safemode.py", "trouble.py"})
# function or method: keywords that it does not take there
MISSING_KEYWORDS = {
    "print": {"flush"},
    "zip": {"strict"},
    "sum": {"start"},
    "dumps": {"indent", "sort_keys"},
    "dump": {"indent", "sort_keys"},
    "split": {"sep", "maxsplit"},
    "rsplit": {"sep", "maxsplit"},
    "deque": {"maxlen"},
    "from_bytes": {"signed", "byteorder", "bytes"},
    "to_bytes": {"signed", "byteorder", "length"},
    "namedtuple": {"defaults"},
}
GENERICS = frozenset({"list", "dict", "tuple", "set", "frozenset", "type"})
TYPES = GENERICS | {"int", "str", "bytes", "bytearray", "float", "bool", "object"}


@dataclass(frozen=True)
class Source:
    """One file as its rules see it."""

    name: str
    text: str

    @property
    def is_hardware(self) -> bool:
        return self.name in HARDWARE_FILES


@dataclass(frozen=True)
class Rule:
    """A sort of mistake: `matches` says of one node whether it makes it; `wrong` and `right` are examples."""

    name: str
    matches: Callable[[ast.AST, Source], bool]
    wrong: tuple[str, ...]
    right: tuple[str, ...] = ()


def _modules(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else []


def _missing_module(node: ast.AST, source: Source) -> bool:
    known = ANYWHERE | HARDWARE | OURS
    return any(name.split(".")[0] not in known or name in MISSING_MEMBERS for name in _modules(node))


def _hardware_elsewhere(node: ast.AST, source: Source) -> bool:
    return not source.is_hardware and any(name.split(".")[0] in HARDWARE for name in _modules(node))


def _missing_member(node: ast.AST, source: Source) -> bool:
    if isinstance(node, ast.ImportFrom):
        return any(f"{node.module}.{alias.name}" in MISSING_MEMBERS for alias in node.names)
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return False
    module = _modules_by_name(source.text).get(node.value.id, node.value.id)
    return f"{module}.{node.attr}" in MISSING_MEMBERS


@cache
def _modules_by_name(text: str) -> dict[str, str]:
    """What a module calls the modules that it imports under another name."""
    aliases = [alias for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import) for alias in node.names]
    return {alias.asname: alias.name for alias in aliases if alias.asname}


def _missing_method(node: ast.AST, source: Source) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in MISSING_METHODS


def _missing_builtin(node: ast.AST, source: Source) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in MISSING_BUILTINS


def _default_of_next(node: ast.AST, source: Source) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "next" and len(node.args) > 1


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _missing_keyword(node: ast.AST, source: Source) -> bool:
    if not isinstance(node, ast.Call):
        return False
    given = {keyword.arg for keyword in node.keywords}
    for spread in [keyword.value for keyword in node.keywords if keyword.arg is None]:
        if isinstance(spread, ast.Dict):
            given |= {key.value for key in spread.keys if isinstance(key, ast.Constant)}
        elif isinstance(spread, ast.Call) and _called(spread) == "dict":
            given |= {keyword.arg for keyword in spread.keywords}
    return not MISSING_KEYWORDS.get(_called(node), set()).isdisjoint(given)


def _tuple_of_prefixes(node: ast.AST, source: Source) -> bool:
    if not isinstance(node, ast.Call) or _called(node) not in ("startswith", "endswith") or not node.args:
        return False
    return isinstance(node.args[0], ast.Tuple)


def _step(node: ast.AST, source: Source) -> bool:
    return isinstance(node, ast.Slice) and node.step is not None


def _match(node: ast.AST, source: Source) -> bool:
    return isinstance(node, ast.Match)


def _positional_only(node: ast.AST, source: Source) -> bool:
    return isinstance(node, ast.arguments) and bool(node.posonlyargs)


def _star_in_display(node: ast.AST, source: Source) -> bool:
    if not isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return False
    loaded = isinstance(node, ast.Set) or isinstance(node.ctx, ast.Load)
    return loaded and any(isinstance(item, ast.Starred) for item in node.elts)


def _double_star_in_display(node: ast.AST, source: Source) -> bool:
    return isinstance(node, ast.Dict) and None in node.keys


def _parenthesised_with(node: ast.AST, source: Source) -> bool:
    if not isinstance(node, ast.With):
        return False
    first = node.items[0]
    line = source.text.splitlines()[node.lineno - 1][node.col_offset :]
    opened = line[len("with") :].lstrip().startswith("(") and first.context_expr.col_offset > node.col_offset + 5
    same_line = first.context_expr.lineno == node.lineno
    return (opened or not same_line) and (len(node.items) > 1 or first.optional_vars is not None)


def _nested_format(node: ast.AST, source: Source) -> bool:
    if not isinstance(node, ast.FormattedValue):
        return False
    nested = any(isinstance(inner, ast.JoinedStr) for inner in ast.walk(node.value))
    spec = node.format_spec
    return nested or (spec is not None and any(isinstance(part, ast.FormattedValue) for part in ast.walk(spec)))


def _brace_beside_format(node: ast.AST, source: Source) -> bool:
    if not isinstance(node, ast.JoinedStr):
        return False
    texts = [str(part.value) for part in node.values if isinstance(part, ast.Constant)]
    return any("{" in text or "}" in text for text in texts)


def _class_machinery(node: ast.AST, source: Source) -> bool:
    if isinstance(node, ast.ClassDef):
        return bool(node.keywords)
    return isinstance(node, ast.FunctionDef) and node.name == "__init_subclass__"


def _type_at_run_time(node: ast.AST, source: Source) -> bool:
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Name) and node.value.id in GENERICS
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.BitOr):
        return False
    return any(
        (isinstance(side, ast.Name) and side.id in TYPES) or (isinstance(side, ast.Constant) and side.value is None)
        for side in (node.left, node.right)
    )


def _too_new(node: ast.AST, source: Source) -> bool:
    return type(node).__name__ in ("TryStar", "TypeAlias", "AsyncFunctionDef", "Await")


def _delete_slice(node: ast.AST, source: Source) -> bool:
    if not isinstance(node, ast.Delete):
        return False
    return any(isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice) for target in node.targets)


def _float(node: ast.AST, source: Source) -> bool:
    if source.is_hardware:
        return False
    if isinstance(node, (ast.BinOp, ast.AugAssign)):
        return isinstance(node.op, ast.Div)
    return isinstance(node, ast.Constant) and isinstance(node.value, float)


ANY_ORDER = "# in any order"
VIEWS = frozenset({"items", "keys", "values"})
KEEPS_ORDER = frozenset({"list", "tuple", "enumerate", "iter", "zip", "map", "filter", "join", "next"})


def _last_name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _is_dict(node: ast.AST | None) -> bool:
    """Whether it is one on sight: a display, a comprehension, dict(), a view of one, or set and its like."""
    if isinstance(node, ast.Call):
        return _called(node) in ("dict", "set", "frozenset") or (_called(node) in VIEWS and not node.args)
    return isinstance(node, (ast.Dict, ast.DictComp, ast.Set, ast.SetComp))


@cache
def _dicts(text: str) -> frozenset[str]:
    """The names that a module gives to dicts and sets."""
    names = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and _is_dict(node.value):
            names |= {
                _last_name(target) for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            }
    return frozenset(names - {""})


def _order_of_dict(node: ast.AST, source: Source) -> bool:
    walked: list[ast.expr] = []
    if isinstance(node, (ast.For, ast.comprehension)):
        walked = [node.iter]
    elif isinstance(node, ast.Call) and _called(node) in KEEPS_ORDER:
        walked = node.args
    elif isinstance(node, ast.Call) and _called(node) == "popitem":
        return ANY_ORDER not in source.text.splitlines()[node.lineno - 1]
    return any(
        (_is_dict(one) or _last_name(one) in _dicts(source.text))
        and ANY_ORDER not in source.text.splitlines()[one.lineno - 1]
        for one in walked
    )


def _unstable_sort(node: ast.AST, source: Source) -> bool:
    """A key is fine when what it is the key of comes in last, so that no two are equal."""
    if not isinstance(node, ast.Call) or _called(node) not in ("sort", "sorted"):
        return False
    for key in [keyword.value for keyword in node.keywords if keyword.arg == "key"]:
        if not isinstance(key, ast.Lambda):
            return True
        last = key.body
        if isinstance(last, ast.Tuple) and last.elts:
            last = last.elts[-1]
        elif isinstance(last, ast.BinOp) and isinstance(last.op, ast.Add):
            last = last.right
        if not isinstance(last, ast.Name) or last.id != key.args.args[0].arg:
            return True
    return False


ENDS = "# ends"


@cache
def _calls(text: str) -> dict[tuple[int, str], set[tuple[int, str]]]:
    """What each function of a module calls in it: f() in the module (0), self.f() in its class (the class's line)."""
    calls = {}
    lines = text.splitlines()
    tree = ast.parse(text)
    homes = [(0, tree)] + [(node.lineno, node) for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    for home, scope in homes:
        for function in [node for node in scope.body if isinstance(node, ast.FunctionDef)]:
            called = set()
            for inner in ast.walk(function):
                if isinstance(inner, ast.Call) and ENDS not in lines[inner.lineno - 1]:
                    owner, _, name = ast.unparse(inner.func).rpartition(".")
                    if owner in ("", "self"):
                        called.add((home if owner else 0, name))
            calls[home, function.name] = called
    return calls


def _calls_itself(node: ast.AST, source: Source) -> bool:
    """Whether calls lead from a function back to it, over others of its module too."""
    if not isinstance(node, ast.FunctionDef):
        return False
    calls = _calls(source.text)
    own = {one for one in calls if one[1] == node.name}
    if not own:  # a function within another
        return any(isinstance(one, ast.Call) and ast.unparse(one.func) == node.name for one in ast.walk(node))
    for start in own:
        reached: set[tuple[int, str]] = set()
        waiting = list(calls[start])
        while waiting:
            one = waiting.pop()
            if one not in reached:
                reached.add(one)
                waiting += calls.get(one, ())
        if start in reached:
            return True
    return False


RULES = (
    Rule(
        "a module that the board has not",
        _missing_module,
        (
            "import typing",
            "from dataclasses import dataclass",
            "from collections.abc import Iterator",
            "import itertools",
            "import os.path",
        ),
        ("import json", "from binascii import crc32", "from collections import OrderedDict"),
    ),
    Rule(
        "hardware outside hardware.py and radio.py",
        _hardware_elsewhere,
        ("import board", "from watchdog import WatchDogMode", "import wifi"),
        ("import time",),
    ),
    Rule(
        "a name that the module has not",
        _missing_member,
        (
            "random.shuffle(cards)",
            "from collections import deque, defaultdict",
            "os.path.exists('a')",
            "math.gcd(4, 6)",
            "import random as r\nr.shuffle(a)",
        ),
        ("random.randint(0, 1)", "os.urandom(4)", "from collections import namedtuple"),
    ),
    Rule(
        "a method that the type has not",
        _missing_method,
        ("'5'.zfill(2)", "name.removeprefix('GP')", "mask.bit_count()", "point._replace(x=1)"),
        ("name.strip()", "mask.to_bytes(2, 'little')"),
    ),
    Rule(
        "a builtin or exception that is not there",
        _missing_builtin,
        ("format(5, 'x')", "try:\n    pass\nexcept FileNotFoundError:\n    pass", "raise RecursionError"),
        ("'{}'.format(5)", "raise NotImplementedError", "raise OSError(2)"),
    ),
    Rule(
        "a keyword that the call does not take",
        _missing_keyword,
        (
            "print(1, flush=True)",
            "print(1, **{'flush': True})",
            "print(1, **dict(flush=True))",
            "zip(a, b, strict=True)",
            "sum(a, start=[])",
            "json.dumps(a, sort_keys=True)",
            "'a b'.split(sep=' ')",
            "int.from_bytes(b, 'little', signed=True)",
            "deque((), maxlen=3)",
        ),
        (
            "print(1, end='')",
            "json.dumps(a, separators=(',', ':'))",
            "int.from_bytes(b, 'little')",
            "'a b'.split(' ', 1)",
        ),
    ),
    Rule("next with a default", _default_of_next, ("next(rows, None)",), ("next(rows)",)),
    Rule(
        "startswith or endswith with a tuple",
        _tuple_of_prefixes,
        ("name.startswith(('GP', 'LED'))", "name.endswith(('.py', '.toml'))"),
        ("name.startswith('GP')",),
    ),
    Rule("a slice with a step", _step, ("text[::-1]", "data[0:10:2]"), ("data[0:10]", "data[:-1]")),
    Rule("match", _match, ("match kind:\n    case 1:\n        pass",), ("match = 5",)),
    Rule("positional-only arguments", _positional_only, ("def f(a, /): pass",), ("def f(a, *, b): pass",)),
    Rule(
        "a star inside a list, tuple or set",
        _star_in_display,
        ("[*a, *b]", "def f():\n    return 1, *x", "{*a}"),
        ("f(*a)", "first, *rest = row", "[a for a in b]"),
    ),
    Rule("two stars inside a dict", _double_star_in_display, ("{**a, 'b': 1}",), ("a | {'b': 1}", "f(**a)")),
    Rule(
        "a with in parentheses",
        _parenthesised_with,
        ("with (open('a') as a, open('b') as b):\n    pass", "with (\n    open('a') as a,\n):\n    pass"),
        ("with open('a') as a, open('b') as b:\n    pass", "with (a or b):\n    pass"),
    ),
    Rule(
        "an f-string inside another",
        _nested_format,
        ("f'{f\"{a}\"}'", "f'{a:{width}}'"),
        ("f'{a:08x} {b!r}'", "f'{a}' f'{b}'"),
    ),
    Rule("braces as text in an f-string", _brace_beside_format, ("f'{a}' '{b}'", "f'{{{a}}}'"), ("'{}'", "f'{a}'")),
    Rule(
        "a metaclass or __init_subclass__",
        _class_machinery,
        ("class A(metaclass=B): pass", "class A:\n    def __init_subclass__(cls): pass"),
        ("class A(B): pass",),
    ),
    Rule(
        "a type expression that is evaluated",
        _type_at_run_time,
        ("Cards = list[int]", "Found = int | None", "isinstance(a, int | str)"),
        ("def f(a: list[int] | None) -> dict[str, int] | None: pass", "a: list[int] = []", "flags = low | high"),
    ),
    Rule("syntax newer than the board's", _too_new, ("async def f(): pass",), ("def f(): pass",)),
    Rule(
        "the order of a dict or a set",
        _order_of_dict,
        (
            "for key in {'a': 1, 'b': 2}:\n    pass",
            "for key, value in table.items():\n    pass",
            "TABLE = {}\nnames = [name for name in TABLE]",
            "class A:\n    def f(self):\n        self.used = {}\n        return list(self.used)",
            "', '.join({'a', 'b'})",
            "first = next(iter(table.values()))",
            "table.popitem()",
        ),
        (
            "TABLE = {}\nfor name in sorted(TABLE):\n    pass",
            "total = sum(table.values())",
            "for key in table.keys():  # in any order\n    pass",
            "from collections import OrderedDict\ntable = OrderedDict()\nfor name in table:\n    pass",
            "known = {}\nfor name in names:\n    known[name] = 1",
        ),
    ),
    Rule(
        "a sort that must be stable",
        _unstable_sort,
        (
            "cards.sort(key=rank_of)",
            "sorted(cards, key=lambda card: card >> 2)",
            "sorted(rows, key=lambda r: (r[1], r[0]))",
        ),
        (
            "cards.sort()",
            "sorted(cards, reverse=True)",
            "sorted(cards, key=lambda card: (card >> 2, card))",
            "tracks.sort(key=lambda track: light[track] * 8 + track)",
        ),
    ),
    Rule(
        "a function that calls itself",
        _calls_itself,
        (
            "def f(a):\n    return f(a - 1)",
            "class A:\n    def f(self):\n        self.f()",
            "def f():\n    g()\ndef g():\n    f()",
            "class A:\n    def f(self):\n        self.g()\n    def g(self):\n        self.f()",
            "def f():\n    def g():\n        g()",
        ),
        (
            "class A:\n    def f(self):\n        self.g()\n        self.other.f()",
            "def f():\n    return g()",
            "def f():\n    g()\ndef g():\n    h()",
            "def f():\n    g()\ndef g():\n    f()  # ends there",
            "class A:\n    def f(self):\n        f()\ndef f():\n    pass",
            "class A:\n    def f(self):\n        self.g()\nclass B:\n    def g(self):\n        self.f()",
        ),
    ),
    Rule("del of a slice", _delete_slice, ("del data[0:3]",), ("del table['a']", "data = data[3:]")),
    Rule("a float", _float, ("half = 0.5", "half = a / 2", "a /= 2"), ("half = a // 2", "'a/b'")),
)


def nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Every node that the board evaluates: no annotations, and nothing under `if TYPE_CHECKING`."""
    yield tree
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns"):
            continue
        if name == "body" and isinstance(tree, ast.If) and getattr(tree.test, "id", "") == "TYPE_CHECKING":
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from nodes(child)


def mistakes(text: str, name: str = "module.py") -> list[str]:
    """What is wrong in a source text, as `name:line: rule`."""
    source = Source(name, text)
    messages = []
    for node in nodes(ast.parse(text)):
        line = getattr(node, "lineno", 0)
        messages += [f"{name}:{line}: {rule.name}" for rule in RULES if rule.matches(node, source)]
    return messages


def imported(start: Path, lib: Path, without: str = "") -> set[Path]:
    """Every file of ours that a program imports, itself included; imports that are put off count too.

    What one module alone leads to may be left out.
    """
    modules: set[Path] = set()
    waiting = [start]
    while waiting:
        path = waiting.pop()
        if path not in modules:
            modules.add(path)
            waiting += [file for name, file in _imports(path, lib) if not without or not name.startswith(without)]
    return modules


@cache
def _imports(path: Path, lib: Path) -> list[tuple[str, Path]]:
    """The files of ours that a module itself imports, by the names that it uses."""
    files: list[tuple[str, Path]] = []
    for node in nodes(ast.parse(path.read_text("utf-8"))):
        names = _modules(node)
        if isinstance(node, ast.ImportFrom):
            names += [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            packages = [lib.joinpath(*parts[:depth], "__init__.py") for depth in range(1, len(parts) + 1)]
            files += [(name, file) for file in [*packages, lib.joinpath(*parts).with_suffix(".py")] if file.is_file()]
    return files
