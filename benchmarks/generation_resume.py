"""One run of `generate` in many ways: the same bytes in the end.

    python benchmarks/generation_resume.py [--kills 20] [--n 200]

With one job and with two, in three shardings (parts in reversed order), and killed with SIGKILL at
random moments, one and two jobs in turns, before it is taken up again: every file of the folder,
instances, certificates and manifest, must come out with the SHA-256 of the undisturbed run. The
model is trained for a few steps; rows are redrawn, `--distinct` and `--certify bounded` are on.
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

from g2milp.generation.g2milp import G2MILP
from g2milp.problems.registry import make_many
from harness import record

TINY = {"training.steps": 5, "training.batch": 4, "hidden": 8, "embedding": 8, "latent": 4}
MAIN = "import sys; from g2milp.cli.app import main; sys.exit(main(sys.argv[1:]))"
SHARDINGS = (2, 3, 5)


def start(model: Path, target: Path, n: int, *more: str) -> subprocess.Popen[bytes]:
    """The command of a user, in a process group of its own."""
    options = ["-n", str(n), "--distinct", "--certify", "bounded", "--mask-ratio", "0.1"]
    return subprocess.Popen(
        [sys.executable, "-c", MAIN, "generate", str(model), "-o", str(target), *options, *more],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )


def finish(process: subprocess.Popen[bytes]) -> None:
    _, errors = process.communicate()
    if process.returncode != 0:
        raise SystemExit(f"generate failed with {process.returncode}: {errors.decode()[-800:]}")


def digest(folder: Path) -> dict[str, str]:
    """SHA-256 of every file that the user sees."""
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.iterdir())
        if path.is_file()
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--n", type=int, default=200)
    given = parser.parse_args()
    chance = random.Random(0)
    with tempfile.TemporaryDirectory() as where:
        folder, n = Path(where), given.n
        model = folder / "model"
        data = list(make_many("mik", 6, 0, n_integers=30, n_continuous=6, n_knapsacks=5))
        G2MILP(settings=TINY).fit(data).save(model)
        began = time.monotonic()
        finish(start(model, folder / "one", n, "--jobs", "1"))
        seconds = time.monotonic() - began
        expected = digest(folder / "one")
        finish(start(model, folder / "two", n, "--jobs", "2"))
        same = {"two jobs": digest(folder / "two") == expected}
        for parts in SHARDINGS:
            target = folder / f"shards-{parts}"
            for part in range(parts, 0, -1):
                finish(start(model, target, n, "--shard", f"{part}/{parts}", "--jobs", "1"))
            same[f"{parts} shards"] = digest(target) == expected
        killed, left, rounds = folder / "killed", [], 0
        while len(left) < given.kills:
            jobs = str(1 + len(left) % 2)
            process = start(model, killed, n, "--jobs", jobs)
            time.sleep(chance.uniform(0.3, 1.0) * seconds)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                left.append(len(list((killed / ".generation" / "blocks").glob("*.jsonl"))))
                print(f"killed with {left[-1]} blocks done", flush=True)
                continue
            finish(process)
            same[f"killed, folder {rounds}"] = digest(killed) == expected
            rounds, killed = rounds + 1, folder / f"killed-{rounds + 1}"
        finish(start(model, killed, n, "--jobs", "2"))
        same[f"killed, folder {rounds}"] = digest(killed) == expected
        results = {
            "instances": n,
            "files": len(expected),
            "kills": given.kills,
            "blocks_done_after_each_kill": left,
            "seconds_undisturbed_one_job": round(seconds, 1),
            "same_bytes": same,
            "temporary_files_left": [p.name for p in killed.iterdir() if "tmp" in p.name],
            "sha256_of_manifest": expected["manifest.jsonl"],
        }
    command = f"python benchmarks/generation_resume.py --kills {given.kills} --n {n}"
    print(record("generation_resume", command, results), results)
    if not all(same.values()):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
