"""The metrics file after kills."""

from __future__ import annotations

import json

from g2milp.training.metrics_log import MetricsLog


def test_steps_after_the_checkpoint_and_half_a_line_are_cut(tmp_path) -> None:
    path = tmp_path / "metrics.jsonl"
    log = MetricsLog(path)
    for step in (10, 20, 30):
        log.add({"step": step, "loss": 1 / 3, "bad": float("nan")})
    with path.open("ab") as file:
        file.write(b'{"step": 2')
    log.cut_after(20)
    log.add({"step": 30, "loss": 2.0})
    records = [json.loads(line) for line in path.read_text().splitlines()]
    assert [record["step"] for record in records] == [10, 20, 30]
    assert records[0] == {"step": 10, "loss": 0.3333333, "bad": None}


def test_without_a_path_nothing_is_kept() -> None:
    log = MetricsLog(None)
    log.add({"step": 1})
    log.cut_after(0)
