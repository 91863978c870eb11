"""Training killed with SIGKILL at random moments and taken up again: the same bytes of weights.

``python benchmarks/resume.py [--kills 20]`` trains once undisturbed and once with kills, through
the command line, and compares ``model.safetensors``. After each kill the checkpoints are looked at:
none may be damaged.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from g2milp.problems.registry import make_many
from harness import record

SETTINGS = (
    "embedding=8",
    "hidden=8",
    "latent=8",
    "depth=3",
    "checkpoint_every=10",
    "validate_every=20",
)


def train(data: Path, run: Path, steps: int) -> subprocess.Popen[bytes]:
    """The command of a user, in a process group of its own."""
    options = [part for setting in SETTINGS for part in ("--set", setting)]
    code = "import sys; from g2milp.cli.app import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "train", str(data), "-o", str(run)]
    return subprocess.Popen(
        [*command, "--preset", "auto", "--steps", str(steps), *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )


def finish(process: subprocess.Popen[bytes]) -> None:
    _, errors = process.communicate()
    if process.returncode != 0:
        raise SystemExit(f"training failed with {process.returncode}: {errors.decode()[-800:]}")


def digest(run: Path) -> str:
    return hashlib.sha256((run / "model.safetensors").read_bytes()).hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--steps", type=int, default=200)
    given = parser.parse_args()
    chance = random.Random(0)
    with tempfile.TemporaryDirectory() as where:
        folder = Path(where)
        data = folder / "data"
        data.mkdir()
        from g2milp.instance.io.files import write_file

        for number, milp in enumerate(make_many("mis", 10, 0, n_nodes=60)):
            write_file(milp, data / f"{number}.mps")
        start = time.monotonic()
        finish(train(data, folder / "whole", given.steps))
        seconds = time.monotonic() - start
        run = folder / "killed"
        moments, reached = [], []
        for _ in range(given.kills):
            process = train(data, run, given.steps)
            moment = chance.uniform(0.0, seconds * 0.9)
            deadline = time.monotonic() + moment
            while time.monotonic() < deadline and process.poll() is None:
                time.sleep(0.01)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            moments.append(round(moment, 2))
            steps = [int(p.stem[5:]) for p in (run / "checkpoints").glob("step-*.json")]
            reached.append(max(steps, default=0))
            print(f"killed after {moment:.1f} s, newest checkpoint {reached[-1]}")
            if reached[-1] >= given.steps:
                (run / "checkpoints").rename(folder / f"done-{len(moments)}")
                for path in (run / "metrics.jsonl", run / "MANIFEST.json"):
                    path.unlink(missing_ok=True)
        finish(train(data, run, given.steps))
        left = [p.name for p in run.rglob("*") if p.name.endswith(".tmp")]
        same = digest(run) == digest(folder / "whole")
        metrics = [(r / "metrics.jsonl").read_text().splitlines() for r in (run, folder / "whole")]
        results = {
            "kills": given.kills,
            "steps": given.steps,
            "seconds_undisturbed": round(seconds, 1),
            "killed_after_seconds": moments,
            "newest_checkpoint_after_each_kill": reached,
            "same_weights": same,
            "same_metrics": metrics[0] == metrics[1],
            "temporary_files_left": left,
            "sha256": digest(run),
        }
    command = f"python benchmarks/resume.py --kills {given.kills} --steps {given.steps}"
    print(record("resume", command, results), results)
    if not same:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
