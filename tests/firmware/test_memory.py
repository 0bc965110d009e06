"""The firmware's modules are strung up in the order of their imports, all of them, and nothing is left besides."""

from __future__ import annotations

import ast
import gc
import weakref
from importlib import import_module
from pathlib import Path
from types import ModuleType

from vm.board_lint import imported

from cribboard_fw.memory import collect, let_go, string_up

FIRMWARE = Path(__file__).parents[2] / "firmware"
LIB = FIRMWARE / "lib"
LET_GO = {f"cribboard_core.{name}" for name in ("mount", "gap")}  # once the app starts
LET_GO |= {"cribboard_fw.settings", "cribboard_fw.bring_up", "cribboard_fw.at_power_on"}
IN_A_NETWORK = ("network", "radio", "net", "phones", "hosts", "links")
LET_GO |= {f"cribboard_fw.{name}" for name in IN_A_NETWORK}

HARDWARE = ("cribboard_fw.hardware", "cribboard_fw.radio")


def board_modules() -> dict[str, Path]:
    """What the board imports, by name, but for the packages themselves, which hold nothing."""
    paths = [path for path in imported(FIRMWARE / "code.py", LIB) if LIB in path.parents and path.stem != "__init__"]
    return {".".join(path.relative_to(LIB).with_suffix("").parts): path for path in paths}


def imports_of(path: Path) -> set[str]:
    """What a module imports as it is imported itself: at its top."""
    modules = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            modules |= {str(node.module)} | {f"{node.module}.{alias.name}" for alias in node.names}
    return modules


def strung(names: list[str]) -> tuple[list[str], dict[str, object]]:
    """The names in the order in which they are strung up, and the table afterwards."""
    table: dict[str, object] = {name: ModuleType(name) for name in [*names, "neopixel", "cribboard_fw"]}
    string_up(table)
    order = []
    rest = table["strung"]
    while rest is not None:
        assert isinstance(rest, tuple)
        rest, module = rest
        order.append(module.__name__)
    return order, table


def test_every_module_of_the_board_is_strung_up_after_all_that_it_imports() -> None:
    modules = board_modules()
    order, _ = strung(list(modules))
    assert sorted(order) == sorted(set(modules) - LET_GO)
    for at, name in enumerate(order):
        assert imports_of(modules[name]) & set(modules) <= set(order[:at]), name


def test_what_refers_to_itself_is_collected() -> None:
    module = ModuleType("module")
    module.own = module  # type: ignore[attr-defined]
    left = weakref.ref(module)
    gc.disable()
    try:
        del module
        assert left() is not None
        collect()
        assert left() is None
    finally:
        gc.enable()


def test_a_board_imports_nothing_that_is_for_type_checkers_only() -> None:
    modules = [import_module(name) for name in board_modules() if name not in HARDWARE]
    asking = [module for module in modules if hasattr(module, "TYPE_CHECKING")]
    assert asking and not any(module.TYPE_CHECKING for module in asking)


def test_nothing_else_stays_in_the_table() -> None:
    assert list(strung(list(board_modules()))[1]) == ["strung"]


def test_a_module_that_is_let_go_is_neither_in_the_table_nor_in_its_package() -> None:
    package, module, other = ModuleType("package"), ModuleType("package.module"), ModuleType("package.other")
    package.module, package.other = module, other  # type: ignore[attr-defined]
    table = {made.__name__: made for made in (package, module, other)}
    let_go(table, ("package.module",))
    assert list(table) == ["package", "package.other"]
    assert not hasattr(package, "module") and package.other is other
