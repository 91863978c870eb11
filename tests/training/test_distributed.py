"""Two processes under torchrun train together."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
import torch

from g2milp.instance.io.files import write_file
from g2milp.training.distributed import Group, own_gpu

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


def test_each_process_takes_the_gpu_of_its_number(monkeypatch) -> None:
    taken: list[int] = []
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.cuda, "set_device", taken.append)
    for rank, gpu in (("0", 0), ("1", 1), ("3", 1)):
        monkeypatch.setenv("LOCAL_RANK", rank)
        assert own_gpu() == torch.device("cuda", gpu)
    monkeypatch.delenv("LOCAL_RANK")
    assert own_gpu() == torch.device("cuda", 0)
    assert taken == [0, 1, 1, 0]


def test_votes_lie_where_the_processes_compute(monkeypatch) -> None:
    """NCCL refuses tensors of the CPU."""
    seen: list[str] = []

    def sent(tensor: torch.Tensor, **_: object) -> None:
        seen.append(tensor.device.type)
        raise InterruptedError

    monkeypatch.setattr(torch.distributed, "all_reduce", sent)
    for device in ("cpu", "meta"):
        with pytest.raises(InterruptedError):
            Group(0, 2, device).any(True)
    assert seen == ["cpu", "meta"]


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
