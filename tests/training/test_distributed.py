"""Two processes under torchrun train together."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from g2milp.instance.io.files import write_file

SCRIPT = """
import sys
from pathlib import Path
from g2milp.datasets.dataset import Dataset
from g2milp.training.fit import fit
settings = {"embedding": 4, "hidden": 4, "latent": 2, "depth": 2, "batch": 4, "steps": 6,
            "validate_every": 3, "checkpoint_every": 3, "log_every": 1}
model = fit(Dataset.open(sys.argv[1]), Path(sys.argv[2]), "auto", settings)
print("%.9g" % sum(float(p.detach().double().abs().sum()) for p in model.parameters()))
"""


@pytest.mark.slow
def test_two_processes_write_one_run(tiny, tmp_path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    for name, milp in zip(tiny.names, tiny, strict=True):
        write_file(milp, data / f"{name}.mps")
    (tmp_path / "job.py").write_text(SCRIPT)
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    arguments = [str(tmp_path / "job.py"), str(data), str(tmp_path / "run")]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [*command, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    records = [json.loads(x) for x in (tmp_path / "run/metrics.jsonl").read_text().splitlines()]
    assert [r["step"] for r in records if "loss" in r] == [1, 2, 3, 4, 5, 6]
    assert len(list((tmp_path / "run" / "checkpoints").glob("step-*.safetensors"))) == 2
