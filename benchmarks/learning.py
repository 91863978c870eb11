"""What a model learns and how long it takes: training through the command line, from a preset.

    python benchmarks/learning.py mis -o RUN [--instances 300] [--steps 6000] [--threads 2]

Makes the instances (seed 0), trains with the authors' configuration ``code-<set>``, and keeps
losses, validation metrics and minutes. The run folder stays and is the model. A run that was taken
up again says after how many steps: its minutes are those of the last part only.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from harness import RESULTS, record

INSTANCES = {"mis": 300, "setcover": 100, "mik": 80}
CLI = "import sys; from g2milp.cli.app import main; sys.exit(main(sys.argv[1:]))"
CURVE = 24


def call(*arguments: str, threads: int) -> None:
    subprocess.run(
        [sys.executable, "-c", CLI, *arguments],
        check=True,
        env={**os.environ, "OMP_NUM_THREADS": str(threads)},
    )


def thinned(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """About `CURVE` lines, evenly spaced, the last among them."""
    stride = max(len(lines) // CURVE, 1)
    return lines[::-1][::stride][::-1]


def learn(name: str, run: Path, instances: int, steps: int, threads: int) -> dict[str, Any]:
    data = run.with_name(f"{run.name}-data")
    if not (data / "manifest.jsonl").exists():
        size = ("-n", str(instances), "--seed", "0")
        call("problems", "make", name, *size, "-o", str(data), threads=1)
    before = max(
        (int(p.stem.split("-")[-1]) for p in (run / "checkpoints").glob("step-*.json")), default=0
    )
    begun, used = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    preset = ("--preset", f"code-{name}", "--steps", str(steps))
    call("train", str(data), "-o", str(run), *preset, threads=threads)
    wall, spent = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    validated = [
        {"step": line["step"], **line["validation"]} for line in lines if "validation" in line
    ]
    return {
        "preset": f"code-{name}",
        "instances": instances,
        "steps": steps,
        "threads": threads,
        "resumed_after_steps": before,
        "minutes": round(wall / 60, 2),
        "processor_minutes": round(
            (spent.ru_utime + spent.ru_stime - used.ru_utime - used.ru_stime) / 60, 2
        ),
        "peak_mb": round(spent.ru_maxrss / 1024),
        "best": min(validated, key=lambda line: line["loss"]),
        "training": thinned([line for line in lines if "loss" in line]),
        "validation": thinned(validated),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=list(INSTANCES))
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--instances", type=int)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    number = given.instances or INSTANCES[given.name]
    found = learn(given.name, given.output, number, given.steps, given.threads)
    kept = RESULTS / "learning.json"
    others = json.loads(kept.read_text())["results"] if kept.exists() else {}
    command = (
        f"python benchmarks/learning.py {given.name} -o RUN --instances {number} "
        f"--steps {given.steps} --threads {given.threads}"
    )
    print(record("learning", command, {**others, given.name: {"command": command, **found}}))


if __name__ == "__main__":
    main()
