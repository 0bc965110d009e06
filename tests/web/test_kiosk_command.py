"""`cribboard kiosk` as a program: its start, its words, its end."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import httpx2
import pytest
from web.rig import PATIENCE_S, new_key, wait_until

from cribboard.cli import kiosk as command
from cribboard.cli.main import cli
from cribboard.files import STARTING, locked
from cribboard.hardware.description import load
from cribboard.hardware.shape import Layout
from hardware.boards import HARDWARE

SCRIPT = Path(sys.executable).with_name("cribboard")
END_S = 10.0  # after which systemd would kill it; on an idle machine it takes half a second


@pytest.fixture
def environment(tmp_path):
    return {**os.environ, "CRIBBOARD_HOME": str(tmp_path / "home")}


@pytest.fixture
def start(environment) -> Iterator:
    """Starts kiosks that say in JSON where they are."""
    started = []

    def start(*options):
        command = [SCRIPT, "kiosk", "--json", "--web-port", "0", "--host", "127.0.0.1", "--virtual", "one", *options]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        started.append((process, []))
        line = process.stdout.readline()
        assert line, process.stderr.read()
        info = json.loads(line)
        client = httpx2.Client(base_url=info["local"], headers={"Origin": info["local"]}, timeout=PATIENCE_S)
        started[-1][1].append(client)
        wait_until(lambda: client.get("/api/boards/1").json()["board"]["away"] is None)
        return process, client, info

    yield start
    for process, clients in started:
        for client in clients:
            client.close()
        if process.poll() is None:
            process.kill()
        process.communicate()


def run(environment, *arguments):
    return subprocess.run(
        [SCRIPT, "kiosk", *arguments], env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )


def join(client, info):
    assert client.post("/api/staff", json={"pin": info["pin"]}).status_code == 200


def peg(client, key=None):
    return client.post("/api/boards/1/orders", json={"key": key or new_key(), "do": "peg", "side": 1, "points": 3})


def test_a_signal_ends_it_soon_though_pages_are_open_and_nothing_is_lost(start):
    done, pin = [], ""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, None):
        process, client, info = start()
        assert ("pin" in info) == (not pin)
        pin = pin or info["pin"]
        assert client.post("/api/staff", json={"pin": pin}).status_code == 200
        for key, rev in done:
            assert peg(client, key).json()["rev"] == rev
        assert client.get("/api/boards/1").json()["sides"][0]["front"] == 3 * len(done)
        if number is None:
            return
        with client.stream("GET", "/api/boards/1/live") as page:
            lines = page.iter_lines()
            next(lines)
            key = new_key()
            done.append((key, peg(client, key).json()["rev"]))
            began = time.monotonic()
            process.send_signal(number)
            assert [*lines]
            assert process.wait(PATIENCE_S) == 0
            assert time.monotonic() - began < END_S
        assert process.stderr.read() == ""


def test_boards_are_drawn_as_the_house_has_described_them(start, environment):
    oval = HARDWARE / "boards" / "oval.toml"
    _, client, _ = start("--board", str(oval))
    assert client.get("/api/boards/1/drawing").json()["size"] == pytest.approx(Layout(load(oval)).size, abs=0.01)
    failed = run(environment, "--board", "none.toml")
    assert (failed.returncode, "none.toml" in failed.stderr, "Traceback" in failed.stderr) == (1, True, False)


def test_it_says_in_words_where_it_is_and_keeps_the_pin_out_of_logs(environment, tmp_path):
    command = [SCRIPT, "kiosk", "--web-port", "0", "--host", "127.0.0.1", "--virtual", "one"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline().startswith("On this computer: http://localhost:")
        assert process.stderr.readline().startswith("Phones cannot reach it: with this --host, only this computer")
        assert process.stderr.readline() == "There is no staff PIN yet: `cribboard kiosk --new-pin` makes one.\n"
    finally:
        process.terminate()
    assert process.communicate() == ("", "")


def test_it_says_where_phones_find_it(environment):
    command = [SCRIPT, "kiosk", "--web-port", "0", "--host", "127.0.0.1", "--virtual", "one", "--address", "crib.pub"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline().startswith("On this computer: http://localhost:")
        assert process.stdout.readline().startswith("On the network:   http://crib.pub:")
    finally:
        process.terminate()
        process.communicate()


def test_on_a_terminal_it_shows_the_pin_once_and_a_code_to_join(environment):
    def seen():
        master, slave = os.openpty()
        command = [
            SCRIPT,
            "kiosk",
            "--web-port",
            "0",
            "--host",
            "127.0.0.1",
            "--virtual",
            "one",
            "--address",
            "crib.pub",
        ]
        process = subprocess.Popen(command, env=environment, stdout=slave, stderr=slave)
        os.close(slave)
        said = ""
        while "\u2588" not in said or said.count("\n") < 15:
            said += os.read(master, 65536).decode()
        process.terminate()
        assert process.wait(PATIENCE_S) == 0
        os.close(master)
        return said

    first, second = seen(), seen()
    assert "Staff PIN:" in first
    assert "Staff PIN:" not in second
    assert "/table/1" in second


def test_a_port_that_is_taken_is_said(environment):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = run(environment, "--host", "127.0.0.1", "--web-port", port)
    assert done.returncode == 1
    assert done.stderr == (
        f"Error: port {port} is in use by another program\n  close it, or choose another port with --web-port\n"
    )


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["--host", "203.0.113.77"], 1, "not an address of this computer"),
        (["--host", "no such host"], 1, "not an address of this computer"),
        (["--web-port", "70000"], 2, "--web-port is a whole number from 0 to 65535"),
        (["--web-port", "0", "--virtual", "../x"], 1, "cannot name a virtual board"),
        (["--web-port", "0", "--database", "nonsense"], 1, "not a database URL"),
        (["--forget", "7"], 2, "there is no table 7"),
    ],
)
def test_what_cannot_be_is_said_in_words(tmp_path, monkeypatch, capsys, arguments, status, words):
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path / "home"))
    with pytest.raises(SystemExit) as end:
        cli(["kiosk", *arguments], prog_name="cribboard")
    said = capsys.readouterr()
    assert (end.value.code, said.out) == (status, "")
    assert words in said.err
    assert "Traceback" not in said.err


def test_a_port_without_a_board_is_waited_for_on_a_page_that_says_so(start):
    _, client, _ = start("--port", "/dev/nothing")
    wait_until(lambda: "missing" in client.get("/api/boards").json())
    boards = client.get("/api/boards").json()
    assert boards["missing"]["text"] == "there is no port /dev/nothing"
    assert [state["board"]["number"] for state in boards["boards"]] == [1]


def test_a_new_pin_counts_while_the_kiosk_runs(start, environment):
    _, client, info = start()
    join(client, info)
    made = run(environment, "--new-pin")
    pin = made.stdout.removeprefix("Staff PIN: ").strip()
    assert len(pin) == 6
    assert client.get("/api/me").json()["role"] != "staff"
    assert client.post("/api/staff", json={"pin": pin}).status_code == 200
    assert len(json.loads(run(environment, "--new-pin", "--json").stdout)["pin"]) == 6


def test_a_table_that_is_no_more_is_forgotten(start, environment):
    process, _, _ = start("--virtual", "two")
    process.terminate()
    process.wait(PATIENCE_S)
    assert run(environment, "--forget", "1").stdout == "Table 1 is forgotten.\n"
    process, client, _ = start("--virtual", "two")
    assert [state["board"]["number"] for state in client.get("/api/boards").json()["boards"]] == [1, 2]


def test_commands_use_its_board_from_the_moment_it_starts(environment, tmp_path):
    home = tmp_path / "home"
    command = [SCRIPT, "kiosk", "--web-port", "0", "--host", "127.0.0.1", "--virtual", "one"]
    kiosk = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        wait_until((home / STARTING).exists)
        pegged = subprocess.run([SCRIPT, "peg", "1", "2"], env=environment, capture_output=True, text=True, check=True)
        assert pegged.stdout == "Orange pegs 2, now at 2.\n"
        assert [folder.name for folder in (home / "sim").glob("[!.]*")] == ["one"]
        assert kiosk.stdout.readline()
        with locked(home / STARTING):  # it is let go
            assert kiosk.poll() is None
    finally:
        kiosk.terminate()
        kiosk.communicate()


def test_tables_are_one_kiosks(start, environment):
    process, client, _ = start("--virtual", "two")
    for arguments in (["--forget", "1"], ["--web-port", "0", "--virtual", "three"]):
        done = run(environment, *arguments)
        assert (done.returncode, done.stdout) == (3, "")
        assert done.stderr == "Error: a kiosk with these tables is already running\n  close it and try again\n"
    assert len(client.get("/api/boards").json()["boards"]) == 2
    process.kill()
    process.wait(PATIENCE_S)
    assert run(environment, "--forget", "1").returncode == 0


def test_without_the_extra_it_says_how_to_install_it(environment):
    program = (
        "import sys\n"
        "for name in ('segno', 'itsdangerous'): sys.modules[name] = None\n"
        "from importlib import util\n"
        "find_spec = util.find_spec\n"
        "util.find_spec = lambda name: None if name in ('segno', 'itsdangerous') else find_spec(name)\n"
        "sys.argv = ['cribboard', 'kiosk']\n"
        "from cribboard.cli.main import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    said, hint = done.stderr.splitlines()
    assert said == "Error: the kiosk also needs segno, itsdangerous"
    assert hint == "  in the project's folder: pip install -e '.[kiosk]'"


def test_it_backs_the_history_up_into_the_folder_that_is_named(start, tmp_path):
    stick = tmp_path / "stick"
    stick.mkdir()
    process, client, info = start("--backup-to", str(stick))
    join(client, info)
    wait_until(lambda: client.get("/api/house").json()["backup"]["newest"])
    assert len([*stick.glob("history-*.db")]) == 1
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE_S) == 0


def test_a_folder_for_backups_that_is_not_there_stops_no_kiosk(start, tmp_path):
    process, client, info = start("--backup-to", str(tmp_path / "stick"))
    join(client, info)
    wait_until(lambda: "is not there" in client.get("/api/house").json()["backup"]["warnings"][0])
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE_S) == 0
    assert "could not be backed up: the folder" in process.stderr.read()
    assert not (tmp_path / "stick").exists()


def test_what_was_missed_before_the_start_is_in_the_history_then(start, environment, tmp_path):
    process, client, info = start()
    join(client, info)
    uid = client.get("/api/boards/1").json()["board"]["uid"]
    history = sqlite3.connect(tmp_path / "home" / "kiosk.db", isolation_level=None)
    history.execute("ALTER TABLE events RENAME TO away")  # a lock would be waited for
    assert peg(client).json()["kept"] is False
    wait_until(lambda: [*(tmp_path / "home" / "unwritten" / uid).glob("*.jsonl")])
    process.kill()
    process.wait(PATIENCE_S)
    history.execute("ALTER TABLE away RENAME TO events")
    history.close()
    process, client, _ = start()
    (game,) = client.get("/api/games").json()["games"]
    events = client.get(f"/api/games/{game['id']}").json()["events"]
    assert [(event["kind"], event["by"][:5]) for event in events] == [("peg", "staff")]  # a journal knows no names
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE_S) == 0
    assert f"the history has what was missed of the board {uid}" in process.stderr.read()


def told(capsys, monkeypatch, columns="80", **others):
    """What the kiosk says at its start on a terminal, and beside it."""
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    keys = SimpleNamespace(now=SimpleNamespace(pin=others.pop("pin", "")), new_pin=lambda: "195591")
    there = {"is_alone": lambda network: False, "is_closed": False, "tables": SimpleNamespace(services={1: None})}
    links = {"local": "http://localhost:8121", "url": lambda: "http://192.0.2.2:8121"}
    made = SimpleNamespace(
        **{**there, **links, **others}, keys=keys, invitation=lambda table: ("http://192.0.2.2/#k", 1)
    )
    command._tell(made, False, False)
    return capsys.readouterr()


def test_at_a_terminal_the_start_has_the_pin_once_and_a_code_that_fits(capsys, monkeypatch):
    first = told(capsys, monkeypatch).out
    assert "On the network:   http://192.0.2.2:8121/" in first and "Staff PIN:        195591" in first
    assert "/table/1 always shows a fresh code" in " ".join(first.split()) and "█" in first
    assert "Staff PIN" not in told(capsys, monkeypatch, pin="195591").out
    narrow = told(capsys, monkeypatch, columns="24").out
    assert "█" not in narrow and "shows a code to scan" in " ".join(narrow.split())


def test_at_a_terminal_the_start_says_why_phones_cannot_come(capsys, monkeypatch):
    alone = told(capsys, monkeypatch, is_alone=lambda network: True)
    assert "is not on a network" in alone.err and "192.0.2.2:8121" not in alone.out
    closed = told(capsys, monkeypatch, is_closed=True)
    assert "Leave out --host" in " ".join(closed.err.split()) and "█" not in closed.out
