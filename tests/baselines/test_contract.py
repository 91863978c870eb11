"""Every baseline keeps the generator contract, check by check."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from g2milp.baselines.bowly.generator import Bowly
from g2milp.baselines.controls import Copy, Perturb
from g2milp.baselines.g2sat.generator import G2SAT
from g2milp.baselines.random_refill import Random, RandomMarginal
from g2milp.baselines.rewire import Rewire
from g2milp.generation.conformance import CHECKS, Case
from g2milp.testing import check_generator, training_milps

if TYPE_CHECKING:
    from collections.abc import Callable

    from g2milp.generation.contract import Generator

MAKERS: dict[str, Callable[[], Generator]] = {
    "random": Random,
    "random-marginal": RandomMarginal,
    "bowly": Bowly,
    "bowly-integer": lambda: Bowly(integer_valued=True),
    "g2sat": lambda: G2SAT(training_pairs=64),
    "rewire": Rewire,
    "rewire-untyped": lambda: Rewire(typed=False, simple=False),
    "copy": Copy,
    "perturb": lambda: Perturb(noise=0.2),
}


@pytest.fixture(scope="module")
def cases() -> dict[str, Case]:
    data = training_milps()
    return {name: Case(make, data, make().fit(data)) for name, make in MAKERS.items()}


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_contract(cases: dict[str, Case], name: str, check: Callable[[Case], None]) -> None:
    check(cases[name])


def test_the_contract_has_teeth() -> None:
    """A generator that draws from NumPy's global state is caught."""
    import numpy as np

    class Sloppy(Perturb):
        def _redraw(self, drafts, options):
            for draft in drafts:
                draft.rng.bit_generator.advance(np.random.randint(100))  # noqa: NPY002
            return super()._redraw(drafts, options)

    assert len(CHECKS) >= 20
    with pytest.raises(AssertionError, match=r"same_seed|number_k|numpy"):
        check_generator(lambda: Sloppy(noise=0.2))
