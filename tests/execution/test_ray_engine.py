"""A real Ray cluster of two nodes on loopback; the second one is lost in the middle of a run."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from g2milp.errors import UnavailableError, UsageError
from g2milp.execution.engines import run_on
from g2milp.execution.ledger import read
from g2milp.execution.task import Done, Failed, Failure, Task
from g2milp.problems.registry import make_many
from g2milp.solvers.labelling import Plan, label

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="ray is not installed")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start_node(*options: str) -> subprocess.Popen[bytes]:
    ray = Path(sys.executable).with_name("ray")
    return subprocess.Popen(
        [ray, "start", "--block", "--num-cpus=1", "--node-ip-address=127.0.0.1", *options],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def end_node(node: subprocess.Popen[bytes]) -> None:
    """Kill everything the node has started, as a power cut would."""
    for group in {node.pid, *groups_below(node.pid)}:
        try:
            os.killpg(group, signal.SIGKILL)
        except ProcessLookupError:
            continue
    node.wait()


def groups_below(pid: int) -> set[int]:
    found = set()
    for child in children_of(pid):
        try:
            found.add(os.getpgid(child))
        except ProcessLookupError:
            continue
        found |= groups_below(child)
    return found


def children_of(pid: int) -> list[int]:
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    except OSError:
        return []
    return [int(word) for word in text.split()]


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Its address, and the node that the driver is not on."""
    folder = Path(f"/tmp/g2milp-ray-{secrets.token_hex(3)}")  # sockets want a short path
    port = free_port()
    token = secrets.token_hex(16)
    for name, value in {
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": token,
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
        "PYTHONPATH": str(HERE),
        "PYTHONWARNINGS": "ignore",
    }.items():
        monkeypatch.setenv(name, value)
    head = start_node(
        "--head",
        f"--port={port}",
        "--include-dashboard=false",
        f"--temp-dir={folder}",
        "--object-store-memory=80000000",
    )
    address = f"127.0.0.1:{port}"
    wait_for_port(port)
    other = start_node(f"--address={address}", "--object-store-memory=80000000")
    try:
        yield address, other
    finally:
        end_node(other)
        end_node(head)
        shutil.rmtree(folder, ignore_errors=True)


def labels(path: Path, **where: str) -> list[dict[str, object]]:
    """The ledger's lines without the seconds."""
    milps = list(make_many("setcover", 2, 0, n_rows=20, n_cols=30, density=0.12))
    label(milps, path, Plan(seeds=(0,)), **where)  # type: ignore[arg-type]
    timeless = [
        {key: value for key, value in record.items() if "seconds" not in key}
        for record in read(path)
    ]
    return sorted(timeless, key=lambda record: str(record["instance"]))


def wait_for_port(port: int) -> None:
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    pytest.fail("the head node did not start")


@needs_ray
@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.filterwarnings("ignore")
def test_nothing_is_lost_with_a_node(
    cluster: tuple[str, subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    import ray
    from tests_execution_tasks import nap

    address, other = cluster
    ray.init(address=address, log_to_driver=False, logging_level="error")
    try:
        deadline = time.monotonic() + 60
        while ray.cluster_resources().get("CPU", 0) < 2 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert ray.cluster_resources()["CPU"] == 2
        tasks = [Task(k, k) for k in range(11)] + [Task("dies", "dies")]
        found = []
        for result in run_on("ray", tasks, nap, address=address):
            found.append(result)
            if len(found) == 3:
                end_node(other)
        assert sorted(str(r.task.key) for r in found) == sorted(str(t.key) for t in tasks)
        assert {r.task.key: r.value for r in found if isinstance(r, Done)} == {
            k: 2 * k for k in range(11)
        }
        (failed,) = [r for r in found if isinstance(r, Failed)]
        assert failed.failure is Failure.CRASHED
        assert "exited with code 3" in failed.reason
        while sum(node["Alive"] for node in ray.nodes()) > 1 and time.monotonic() < deadline + 60:
            time.sleep(0.2)
        assert sum(node["Alive"] for node in ray.nodes()) == 1
        assert labels(tmp_path / "ray", engine="ray", address=address) == labels(tmp_path / "here")
    finally:
        ray.shutdown()


def test_without_ray_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    monkeypatch.setenv("RAY_AUTH_TOKEN", "secret")
    with pytest.raises(UnavailableError, match="Ray is not installed"):
        list(run_on("ray", [], time.sleep))


def test_an_open_cluster_is_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAY_AUTH_MODE", raising=False)
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.warns(UserWarning, match="RAY_AUTH_MODE=token"), pytest.raises(UnavailableError):
        list(run_on("ray", [], time.sleep, address="192.0.2.1:6379"))


@needs_ray
@pytest.mark.parametrize("how", ["argument", "environment"])
def test_an_address_where_nobody_listens_is_refused_at_once(
    monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    monkeypatch.setenv("RAY_AUTH_TOKEN", "secret")
    address = f"127.0.0.1:{free_port()}"
    monkeypatch.setenv("RAY_ADDRESS", address if how == "environment" else "192.0.2.1:9")
    began = time.monotonic()
    with pytest.raises(UnavailableError, match=f"answers at {address}: Connection refused"):
        list(run_on("ray", [], time.sleep, address=address if how == "argument" else None))
    assert time.monotonic() - began < 10


@needs_ray
def test_an_unsafe_ray_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Old:
        __version__ = "2.51.1"

    monkeypatch.setitem(sys.modules, "ray", Old())
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    monkeypatch.setenv("RAY_AUTH_TOKEN", "secret")
    with pytest.raises(UnavailableError, match=r"2\.51\.1"):
        list(run_on("ray", [], time.sleep))


def test_engines_are_named() -> None:
    with pytest.raises(UsageError, match="no engine"):
        run_on("slurm", [], time.sleep)
    with pytest.raises(UsageError, match="belongs to the engine ray"):
        run_on("local", [], time.sleep, address="x:1")
