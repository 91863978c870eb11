"""Make the models that ship with the package: ``mis-v1``, ``setcover-v1``, ``mik-v1``.

    python benchmarks/pretrain.py [mis] [setcover] [mik]

Learns from instances of the problem (seed 0) with the preset best and exports the model, without
instances, into ``src/g2milp/pretrained``. The run stays in ``build/pretrain``; the same command
continues it.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import NamedTuple

import torch

sys.path.insert(0, str(Path(__file__).resolve().parent))
from g2milp.datasets.dataset import Dataset
from g2milp.generation.export import export
from g2milp.generation.folder import CARD
from g2milp.generation.g2milp import G2MILP
from g2milp.generation.integrity import MANIFEST_NAME, read_json_object, write_integrity
from g2milp.instance.io.atomic import write_bytes
from g2milp.problems.registry import make_many
from g2milp.training.gain import carries
from harness import environment

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "pretrain"
SHIPPED = ROOT / "src" / "g2milp" / "pretrained"
VERSION = 1
SEED = 0


class Plan(NamedTuple):
    """What a model learns from, and how long."""

    title: str
    instances: int
    steps: int


PLANS = {
    "mis": Plan("maximum independent set (500 nodes)", 200, 300),
    "setcover": Plan("set cover (500 × 1,000, density 0.05)", 100, 60),
    "mik": Plan("mixed-integer knapsacks (look-alikes of Atamtürk's)", 80, 40),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(PLANS))
    for name in parser.parse_args().names:
        pretrain(name, PLANS[name])


def pretrain(name: str, plan: Plan) -> None:
    torch.set_num_threads(1)
    data = Dataset.from_milps(list(make_many(name, plan.instances, SEED)))
    run, target = WORK / name, SHIPPED / f"{name}-v{VERSION}"
    generator = G2MILP(seed=SEED, preset="best", settings={"training.steps": plan.steps})
    start = time.monotonic()
    generator.fit(data, run_dir=run, progress=lambda now: print(now.step, now.losses, flush=True))
    minutes = (time.monotonic() - start) / 60
    generator.save(run, templates=False, overwrite=True)
    done = export(run, target, G2MILP, overwrite=True)
    card = _card(name, plan, generator, minutes, done.disclosure)
    write_bytes(target / CARD, card.encode(), overwrite=True)
    write_integrity(target, read_json_object(target / MANIFEST_NAME)["files"], kind=generator.kind)
    size = sum(path.stat().st_size for path in target.iterdir())
    print(f"{target}: {size:,} bytes")


def _card(
    name: str, plan: Plan, generator: G2MILP, minutes: float, disclosure: tuple[str, ...]
) -> str:
    config, gain = generator.model.config, generator.judge_gain_
    assert generator.invariants_ is not None
    assert generator.structure_ is not None
    rules = [*generator.invariants_.describe(), *generator.structure_.describe()]
    parameters = sum(p.numel() for p in generator.model.parameters())
    asked = "is asked" if carries(gain) else "is not asked: exchanges are as likely as originals"
    machine = environment()
    kept = "" if generator.degrees_ else " and the degrees"
    return f"""---
library_name: g2milp
license: mit
tags: [milp, instance-generation, {name}]
---
# {name}-v{VERSION}: {plan.title}

Rewrites a share of the constraints of an instance by exchanges that keep what all instances of the
family have in common, judged by a graph network that tells real from exchanged arrangements.

```
g2milp generate {name}-v{VERSION} -n 100 -o new/ --mask-ratio 0.1
```

| | |
|---|---|
| learned from | {plan.instances} instances of `g2milp problems make {name}`, seed {SEED} |
| made by | `python benchmarks/pretrain.py {name}` |
| preset, steps, parameters | {config.preset}, {config.training.steps}, {parameters:,} |
| training | {minutes:.1f} minutes, one thread, {machine["processor"]} |
| judge on held-out instances | {gain[0]:.4f} ± {gain[1]:.4f} of log 2 nats gained; {asked} |
| templates | not part of the folder; `generate` makes fresh ones, or give `--templates` |

## What it keeps

{"".join(f"- {rule}{chr(10)}" for rule in rules)}
## What this discloses

{"".join(f"- {line}{chr(10)}" for line in disclosure)}
## Limits

Meant for instances of this family; templates whose numbers lie outside the training data are
refused. Generated instances have the sizes{kept} of their templates.
"""


if __name__ == "__main__":
    main()
