"""Many tasks on a Ray cluster: for those who outgrow one machine. No scheduler of our own.

A Ray task hands its work to a supervised worker process of the node it runs on, so limits and
crashes are dealt with exactly as on one machine. What Ray adds is the loss of a whole node: its
tasks are run again elsewhere. Ray runs any code that is sent to its ports, so versions before 2.52
are refused and a cluster needs ``RAY_AUTH_MODE=token``.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
import warnings
from typing import TYPE_CHECKING, Any

from g2milp.errors import UnavailableError
from g2milp.execution.local import run
from g2milp.execution.task import DEFAULT_LIMITS, Failed, Failure, Task, address_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from g2milp.execution.task import Result, WorkerLimits

OLDEST_RAY = (2, 52)
KNOCK_SECONDS = 10.0
LARGEST_PORT = 65535
_NODE_LOSSES = 10
"""So often may the node under one task be lost before the task is given up."""


def run_on_ray(
    tasks: Iterable[Task],
    function: Callable[[Any], Any],
    *,
    jobs: int | None = None,
    limits: WorkerLimits = DEFAULT_LIMITS,
    address: str | None = None,
) -> Iterator[Result]:
    """Call `function` on the payload of every task somewhere in the cluster at `address`.

    Without an address and without ``RAY_ADDRESS``, Ray is started on this machine for as long as it
    takes.
    """
    address_of(function)
    address = address or os.environ.get("RAY_ADDRESS") or None
    _protect(address)
    ray = _library()
    started_here = not ray.is_initialized()
    if started_here:
        _knock(address)
        _connect(ray, address)
    try:
        yield from _results(ray, tasks, function, jobs, limits)
    finally:
        if started_here:
            ray.shutdown()


def _protect(address: str | None) -> None:
    """Ray started by us takes calls with a secret token only; a cluster should, too."""
    if address is None:
        os.environ.setdefault("RAY_AUTH_MODE", "token")
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
    elif os.environ.get("RAY_AUTH_MODE") != "token":
        warnings.warn(
            "this Ray cluster runs what anybody on its network sends: start its nodes and this "
            "command with RAY_AUTH_MODE=token",
            stacklevel=3,
        )


def _library() -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
            import ray
    except ImportError as missing:
        raise UnavailableError(
            "Ray is not installed", hint="pip install 'g2milp[ray]'"
        ) from missing
    if tuple(int(part) for part in ray.__version__.split(".")[:2]) < OLDEST_RAY:
        raise UnavailableError(
            f"Ray {ray.__version__} lets anybody on the network run code",
            hint="Install ray>=2.52 and set RAY_AUTH_MODE=token.",
        )
    return ray


def _knock(address: str | None) -> None:
    """Refuse an address where nobody listens at once: Ray would try for minutes."""
    host, _, port = (address or "").removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit() or int(port) > LARGEST_PORT:
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), KNOCK_SECONDS).close()
    except OSError as failure:
        raise _unreachable(address, failure.strerror or str(failure)) from failure


def _unreachable(address: str | None, reason: str) -> UnavailableError:
    return UnavailableError(
        f"no Ray cluster answers at {address or 'this machine'}: {reason}",
        hint="Start one with `ray start --head`, then give the address it prints.",
    )


def _connect(ray: Any, address: str | None) -> None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ray.init(
                address=address or "local",  # None would join what others have started here
                include_dashboard=False if address is None else None,
                log_to_driver=False,
                logging_level=logging.ERROR,
            )
    except (ConnectionError, ValueError, RuntimeError) as failure:
        raise _unreachable(address, str(failure)) from failure


def _results(
    ray: Any,
    tasks: Iterable[Task],
    function: Callable[[Any], Any],
    jobs: int | None,
    limits: WorkerLimits,
) -> Iterator[Result]:
    remote = ray.remote(num_cpus=1, max_retries=_NODE_LOSSES)(_on_node)
    waiting = iter(tasks)
    running: dict[Any, Task] = {}
    exhausted = False
    while True:
        most = jobs if jobs is not None else max(1, int(ray.cluster_resources().get("CPU", 1)))
        while not exhausted and len(running) < 2 * most:
            task = next(waiting, None)
            if task is None:
                exhausted = True
            else:
                running[remote.remote(task, function, limits)] = task
        if not running:
            return
        ready, _ = ray.wait(list(running), num_returns=1)
        for reference in ready:
            task = running.pop(reference)
            try:
                yield _with_task(ray.get(reference), task)
            except ray.exceptions.RayError as failure:
                reason = f"Ray lost it: {str(failure).splitlines()[0]}"
                yield Failed(task, Failure.CRASHED, reason)


def _with_task(result: Result, task: Task) -> Result:
    """The result with the caller's own task: the cluster need not send the payload back."""
    from dataclasses import replace

    return replace(result, task=task)


def _on_node(task: Task, function: Callable[[Any], Any], limits: WorkerLimits) -> Result:
    """Run one task under local supervision; this is what Ray calls."""
    from dataclasses import replace

    (result,) = run([task], function, limits=limits)
    return replace(result, task=Task(task.key, None))
