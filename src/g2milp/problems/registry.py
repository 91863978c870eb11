"""The textbook families by name: make one instance, or a stream of them, from a seed.

Instance k of a seed is drawn from ``SeedSequence(seed, spawn_key=(k,))`` alone, so it does not
depend on how many are made, in which order, or in which process.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from g2milp.instance.milp import Milp
    from g2milp.problems.parameters import Parameters


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One family: its name, what it is, and the module that makes it.

    Every module defines `PARAMETERS` (a `Parameters` class) and ``make(parameters, rng) -> Milp``.
    """

    name: str
    title: str
    source: str

    @property
    def parameters(self) -> type[Parameters]:
        """The frozen dataclass of this family's parameters, defaults as published."""
        kind: type[Parameters] = import_module(f"g2milp.problems.{self.name}").PARAMETERS
        return kind

    @property
    def make(self) -> Callable[[Parameters, np.random.Generator], Milp]:
        """The function that draws one instance."""
        function: Callable[[Parameters, np.random.Generator], Milp] = import_module(
            f"g2milp.problems.{self.name}"
        ).make
        return function


PROBLEMS = {
    problem.name: problem
    for problem in (
        Problem(
            name="mis",
            title="maximum independent set, clique rows, Barabási–Albert graphs",
            source="Bergman et al. 2016; Gasse et al. 2019",
        ),
        Problem(
            name="setcover",
            title="set covering with random incidence",
            source="Balas and Ho 1980; Gasse et al. 2019",
        ),
        Problem(
            name="mik",
            title="mixed-integer knapsack sets (look-alikes of Atamtürk's)",
            source="Atamtürk 2003",
        ),
        Problem(
            name="auction",
            title="combinatorial auctions, arbitrary relationships",
            source="Leyton-Brown et al. 2000; Gasse et al. 2019",
        ),
        Problem(
            name="facility",
            title="capacitated facility location",
            source="Cornuéjols et al. 1991; Gasse et al. 2019",
        ),
        Problem(
            name="gisp",
            title="generalised independent set",
            source="Colombi et al. 2017; Chmiela et al. 2021",
        ),
    )
}


def problem(name: str) -> Problem:
    """The family called `name`; unknown names are refused with the nearest known one."""
    if name not in PROBLEMS:
        near = difflib.get_close_matches(name.lower(), PROBLEMS, n=1, cutoff=0.5)
        hint = f"Did you mean {near[0]!r}? " if near else ""
        raise UsageError(
            f"there is no problem called {name!r}", hint=f"{hint}Known: {', '.join(PROBLEMS)}."
        )
    return PROBLEMS[name]


def make(name: str, seed: int, **params: Any) -> Milp:
    """The first instance of a seed; `params` are the family's parameters."""
    return make_nth(name, seed, 0, problem(name).parameters.of(**params))


def make_many(name: str, n: int, seed: int, **params: Any) -> Iterator[Milp]:
    """The first `n` instances of a seed, one after the other."""
    if n < 0:
        raise UsageError(f"n must not be negative, not {n}")
    parameters = problem(name).parameters.of(**params)
    return (make_nth(name, seed, k, parameters) for k in range(n))


def make_nth(name: str, seed: int, k: int, parameters: Parameters) -> Milp:
    """Instance number `k` (from 0) of a seed, called ``family-sizes.k+1``."""
    if seed < 0:
        raise UsageError(f"seed must not be negative, not {seed}")
    stream = np.random.SeedSequence(seed, spawn_key=(k,))
    milp = problem(name).make(parameters, np.random.Generator(np.random.PCG64(stream)))
    return replace(milp, name=f"{milp.name}.{k + 1}")


def parse_settings(name: str, settings: list[str]) -> dict[str, Any]:
    """``["n_nodes=100", …]``, as ``--set`` gives them, as checked keyword arguments."""
    kind = problem(name).parameters
    parsed: dict[str, Any] = {}
    for setting in settings:
        key, equals, text = setting.partition("=")
        key = key.strip().replace("-", "_")
        if not equals or not key:
            raise UsageError(f"--set {setting!r} is not of the form key=value")
        if key in parsed:
            raise UsageError(f"--set gives {key!r} twice")
        parsed[key] = kind.parse(key, text.strip())
    kind.of(**parsed)
    return parsed
