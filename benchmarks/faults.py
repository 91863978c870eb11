"""Nothing lost, nothing double: 2,000 solves while workers and the parent are killed.

One worker in a hundred tasks dies of SIGKILL at a random moment; the parent dies of SIGKILL twice
and is started again. The ledger must hold every solve once, and say the same as an undisturbed one.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from harness import record

TASKS = 2000
VARYING = ("seconds", "first_incumbent_seconds")


def child(ledger: Path) -> None:
    from g2milp.solvers.base import Limits
    from g2milp.solvers.labelling import Plan, label
    from labels import tiny

    milps = [tiny(seed, badly_scaled=False) for seed in range(TASKS)]
    label(milps, ledger, Plan(seeds=(0,), limits=Limits(seconds=60)), jobs=2)


def workers_of(pid: int) -> list[int]:
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    except OSError:
        return []
    return [int(word) for word in text.split()]


def is_alive(pid: int) -> bool:
    """A zombie is dead: only its number is left, until the init process asks for it."""
    try:
        return (
            Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
            != "Z"
        )
    except OSError:
        return False


def lines_of(ledger: Path) -> list[dict[str, Any]]:
    lines = []
    for file in sorted(ledger.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            content = json.loads(line)
            lines.append({k: v for k, v in content.items() if k not in VARYING})
    return sorted(lines, key=lambda line: line["instance_hash"])


def start(ledger: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, __file__, "--child", str(ledger)])


def count(ledger: Path) -> int:
    return sum(file.read_bytes().count(b"\n") for file in ledger.glob("*.jsonl"))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--child", type=Path)
    parser.add_argument("--dry", action="store_true")
    options = parser.parse_args()
    if options.child:
        child(options.child)
        return
    chance = random.Random(0)
    with tempfile.TemporaryDirectory() as folder:
        calm, wild = Path(folder) / "calm", Path(folder) / "wild"
        start(calm).wait()
        unique = len({line["instance_hash"] for line in lines_of(calm)})
        worker_kills = parent_kills = 0
        moments = sorted(chance.randrange(1, unique) for _ in range(unique // 100))
        parents = [unique // 3, 2 * unique // 3]
        parent = start(wild)
        while parent.poll() is None:
            time.sleep(0.0005)
            done = count(wild) if wild.is_dir() else 0
            if parents and done >= parents[0]:
                parents.pop(0)
                orphans = workers_of(parent.pid)
                os.kill(parent.pid, signal.SIGKILL)
                parent.wait()
                parent_kills += 1
                time.sleep(0.2)
                assert not any(is_alive(pid) for pid in orphans), "orphans"
                with next(wild.glob("*.jsonl")).open("ab") as file:
                    file.write(b'{"instance":"torn')  # the worst that a kill leaves
                parent = start(wild)
            elif moments and done >= moments[0] and workers_of(parent.pid):
                moments.pop(0)
                os.kill(chance.choice(workers_of(parent.pid)), signal.SIGKILL)
                worker_kills += 1
        lines = lines_of(wild)
        results = {
            "tasks": TASKS,
            "different_instances": unique,
            "worker_kills": worker_kills,
            "parent_kills": parent_kills,
            "exit_code": parent.returncode,
            "lines": len(lines),
            "lost": unique - len({line["instance_hash"] for line in lines}),
            "double": len(lines) - len({line["instance_hash"] for line in lines}),
            "lines_that_differ_from_the_undisturbed_run": sum(
                a != b for a, b in zip(lines, lines_of(calm), strict=False)
            ),
        }
    print(results)
    if not options.dry:
        record("faults", "python benchmarks/faults.py", results)


if __name__ == "__main__":
    main()
