"""The experiments by name; each is a module of this room with ``run(lab) -> Outcome``."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Literal, TypeAlias

from g2milp.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from g2milp.experiments.finding import Outcome
    from g2milp.experiments.lab import Lab

Run: TypeAlias = "Callable[[Lab], Outcome]"

NUMBERS = {
    "tab. sim-datasets": "Table 1",
    "tab. sim-results": "Table 2",
    "tab. gurobi-time": "Table 3",
    "tab. gurobi-nnodes": "Table 4",
    "tab. stats": "Table 6",
    "tab. optimal-value-prediction": "Table 8",
    "tab. ps-results": "Table 9",
    "tab. g2sat": "Table 10",
    "tab. additional-results-v": "Table 11",
    "tab. additional-order": "Table 12",
    "tab. additional-sim-results": "Table 13",
    "tab. additional-sim-results-v": "Table 14",
    "tab. dataset-size": "Table 15",
    "fig. pred_results": "Figure 2",
    "fig. tsne": "Figure 3",
    "fig. ablation-eta": "Figure 4",
    "fig. additional-tsne": "Figure 5",
}
"""How the paper's labels are numbered in print; the others describe features and statistics."""


@dataclass(frozen=True)
class Experiment:
    """One table or figure.

    Attributes
    ----------
    name, module
        Its name on the command line, and the module that makes it.
    paper
        Where it stands in the paper, by its labels; empty for what the paper does not have.
    real_data
        It works on real files and needs ``--data``.
    """

    name: str
    module: str
    kind: Literal["table", "figure"]
    paper: str
    title: str
    real_data: bool = False

    @property
    def printed(self) -> str:
        """Where it stands in the printed paper, such as ``Table 3``; empty where it does not."""
        places = []
        for label in filter(None, self.paper.split(", ")):
            known = next(k for k in NUMBERS if label == k or label.startswith(f"{k} "))
            places.append(NUMBERS[known] + label.removeprefix(known))
        return ", ".join(places)

    @property
    def reads_data(self) -> bool:
        """Whether real files decide a part of what it shows."""
        return self.real_data or self.name == "datasets"

    def load(self) -> Run:
        """The function that makes it."""
        run: Run = import_module(f"g2milp.experiments.{self.module}").run
        return run


EXPERIMENTS: dict[str, Experiment] = {
    e.name: e
    for e in (
        Experiment("datasets", "datasets", "table", "tab. stats", "Sizes of the data sets"),
        Experiment(
            "similarity-between",
            "similarity_between",
            "table",
            "tab. sim-datasets",
            "Similarity between each pair of data sets",
        ),
        Experiment(
            "similarity",
            "similarity",
            "table",
            "tab. sim-results",
            "Similarity of generated instances to the training sets",
        ),
        Experiment(
            "similarity-14",
            "similarity_14",
            "table",
            "tab. additional-sim-results",
            "The same with 14 statistics",
        ),
        Experiment(
            "solving-time",
            "solving_time",
            "table",
            "tab. gurobi-time",
            "Solving time of generated instances",
        ),
        Experiment(
            "branching-nodes",
            "branching_nodes",
            "table",
            "tab. gurobi-nnodes",
            "Branching nodes of generated instances",
        ),
        Experiment(
            "optimal-value",
            "optimal_value",
            "table",
            "fig. pred_results, tab. optimal-value-prediction",
            "Predicting the optimal value with generated instances added",
        ),
        Experiment(
            "nurse-value",
            "nurse_value",
            "table",
            "tab. optimal-value-prediction (nurse)",
            "Predicting the optimal value, nurse scheduling",
            real_data=True,
        ),
        Experiment(
            "predict-and-search",
            "predict_and_search",
            "table",
            "tab. ps-results",
            "Predict-and-search with generated instances added",
        ),
        Experiment("g2sat", "g2sat", "table", "tab. g2sat", "G2SAT on independent sets"),
        Experiment(
            "scopes",
            "scopes",
            "table",
            "tab. additional-results-v, tab. additional-sim-results-v",
            "Masking variables, constraints, or both",
        ),
        Experiment(
            "mask-ratio",
            "mask_ratio",
            "figure",
            "fig. ablation-eta",
            "Similarity and hardness over the mask ratio",
        ),
        Experiment(
            "mask-ratio-value",
            "mask_ratio_value",
            "figure",
            "fig. ablation-eta (b)",
            "Predicting the optimal value over the mask ratio",
        ),
        Experiment(
            "orders", "orders", "table", "tab. additional-order", "Orders of masked constraints"
        ),
        Experiment(
            "dataset-size",
            "dataset_size",
            "table",
            "tab. dataset-size",
            "Optimal values: sizes of the training set and shares of generated instances",
        ),
        Experiment(
            "t-sne", "t_sne", "figure", "fig. tsne, fig. additional-tsne", "Maps of representations"
        ),
        Experiment(
            "two-sample",
            "two_sample",
            "table",
            "",
            "Can generated instances be told from real ones?",
        ),
        Experiment(
            "best-against-rewire",
            "best_against_rewire",
            "table",
            "",
            "Our default against the rewire, at equal realised change",
        ),
        Experiment(
            "best-against-random",
            "best_against_random",
            "table",
            "",
            "Our default against Random",
        ),
        Experiment(
            "redundant-rows",
            "redundant_rows",
            "table",
            "",
            "Repeated and dominated rows",
        ),
        Experiment(
            "feasibility",
            "feasibility",
            "table",
            "",
            "Feasible and bounded, with and without proof",
        ),
        Experiment(
            "few-instances", "few_instances", "table", "", "Training on 1, 2, 5, 10, 50 instances"
        ),
        Experiment(
            "mik-files",
            "mik_files",
            "table",
            "",
            "Real files of MIK",
            real_data=True,
        ),
        Experiment(
            "series",
            "series",
            "table",
            "",
            "Real series whose objective or bounds vary",
            real_data=True,
        ),
        Experiment("nurse", "nurse", "table", "", "Nurse scheduling, a case study", real_data=True),
    )
}


def experiment(name: str) -> Experiment:
    """The experiment of that name."""
    if name not in EXPERIMENTS:
        near = get_close_matches(name, EXPERIMENTS, n=1)
        meant = f"Did you mean {near[0]!r}? " if near else ""
        raise UsageError(
            f"there is no experiment {name!r}", hint=f"{meant}Known are: {', '.join(EXPERIMENTS)}."
        )
    return EXPERIMENTS[name]
