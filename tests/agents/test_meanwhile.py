"""Installing while another program, which locks as Claude Code does, writes the same settings all the time."""

import json
import subprocess
import sys
from pathlib import Path

from anchormem.agents import table
from anchormem.agents.install import Wish, install, uninstall

WISH = Wish(table.CLAUDE, hooks="edits", status_line=True)
WRITES = 20
OTHER = """
import json, os, sys, time
from pathlib import Path
path = Path(sys.argv[1])
lock = path.with_name(path.name + ".lock")
for number in range(int(sys.argv[2])):
    while True:
        try:
            lock.mkdir()
            break
        except FileExistsError:
            time.sleep(0.001)
    found = json.loads(path.read_text("utf-8"))
    found[f"theirs {number}"] = number
    other = path.with_name("other")
    other.write_text(json.dumps(found, indent=2), "utf-8")
    other.replace(path)
    lock.rmdir()
    print(number, flush=True)
    time.sleep(0.03)
"""


def test_no_change_of_another_program_is_lost_while_ours_come_and_go(home: Path) -> None:
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text("{}", "utf-8")
    with subprocess.Popen(
        [sys.executable, "-c", OTHER, str(path), str(WRITES)], stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout
        assert other.stdout.readline() == "0\n"
        rounds = 0
        while other.poll() is None:
            told = [*install(WISH), *uninstall(WISH, everywhere=False)]
            assert not [one for one in told if one.mark == "fail"]
            rounds += 1
        other.stdout.read()
    assert other.returncode == 0
    assert rounds > 1
    assert json.loads(path.read_text("utf-8")) == {f"theirs {number}": number for number in range(WRITES)}
