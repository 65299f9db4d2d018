# SPDX-License-Identifier: Apache-2.0
"""Latency and saturation from the routes alone, without a run (docs/predict.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Mapping, Optional, Union

from .errors import error_of
from .library import Failure, c, ffi
from .scenario import Path, Scenario, scenario_of


@dataclass(frozen=True)
class At:
    """The prediction for a load (flits per terminal and cycle). Times are means in cycles.

    latency is None beyond saturation. validated: the largest error of the latency, in percent, that was measured for
    such scenarios; 0: none was.
    """

    load: float
    latency: Optional[float]
    source_wait: Optional[float]
    validated: int


@dataclass(frozen=True)
class Prediction:
    """What the model says of a scenario. Loads are in flits per terminal and cycle.

    saturation: load at which the model saturates. channel_bound, bisection_bound: loads at which the busiest link, and
    the links between the halves of the network, are full (inf: nothing crosses them).
    """

    saturation: float
    channel_bound: float
    bisection_bound: float
    at: List[At]


def predict(scenario: Union[Scenario, Path, Mapping[str, Mapping[str, Any]]],
            loads: Optional[Iterable[float]] = None) -> Prediction:
    """Predicts for loads; None: for that of the scenario. Raises ArgumentError if the model does not reach so far."""
    scenario, failure = scenario_of(scenario), Failure()
    wanted = [scenario._c.traffic.load] if loads is None else [float(load) for load in loads]
    for load in wanted:
        if not 0 <= load <= 1:
            raise error_of(-1, f"load: found {load}, expected 0..1")
    predictor = ffi.new("struct anl_predictor *")
    failure.check(c.anl_predictor_create(scenario._c, predictor, failure.error))
    try:
        return Prediction(predictor.saturation, predictor.channel_bound, predictor.bisection_bound,
                          [_at(scenario, predictor, load) for load in wanted])
    finally:
        c.anl_predictor_free(predictor)


def _at(scenario: Scenario, predictor: Any, load: float) -> At:
    found = ffi.new("struct anl_prediction *")
    Failure().check(c.anl_predictor_at(predictor, load, found))
    part = load / predictor.saturation
    times: Dict[str, Optional[float]] = {"latency": None, "source_wait": None}
    if not found.saturated:
        times = {name: getattr(found, name) for name in times}
    return At(load, validated=c.anl_predict_validated(scenario._c, part), **times)
