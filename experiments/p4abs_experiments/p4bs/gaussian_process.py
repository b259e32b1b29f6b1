"""Regression by a Gaussian process in one dimension (Rasmussen and Williams 2006, section 2.2).

The prior has mean 0, variance 1 and the covariance exp(-(x - x')^2 / (2 l^2)); observations have
noise.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

_Rows = list[list[float]]


@dataclass(frozen=True, slots=True)
class GaussianProcess:
    """The posterior of observations at `points`.

    `factor` is L of their covariance K = L L^T, `weights` are K^-1 y.
    """

    points: Sequence[float]
    length_scale: float
    factor: _Rows
    weights: Sequence[float]

    @classmethod
    def of(
        cls,
        points: Sequence[float],
        values: Sequence[float],
        length_scale: float,
        noise_variance: float,
    ) -> Self:
        """Of values y that were observed; `noise_variance` is positive."""
        covariance = [[_covariance(one, other, length_scale) for other in points] for one in points]
        for row, line in enumerate(covariance):
            line[row] += noise_variance
        factor = _cholesky(covariance)
        weights = _backward(factor, _forward(factor, values))
        return cls(points, length_scale, factor, weights)

    def at(self, point: float) -> tuple[float, float]:
        """Mean and standard deviation, without the noise of an observation."""
        covariances = [_covariance(point, each, self.length_scale) for each in self.points]
        explained = _forward(self.factor, covariances)
        variance = max(0.0, 1 - _dot(explained, explained))
        return _dot(covariances, self.weights), math.sqrt(variance)


def expected_improvement(mean: float, deviation: float, best: float) -> float:
    """Of a normal variable over `best` (Jones, Schonlau and Welch 1998, section 4.1)."""
    gain = mean - best
    if deviation <= 0:
        return max(0.0, gain)
    standardised = gain / deviation
    density = math.exp(-(standardised**2) / 2) / math.sqrt(2 * math.pi)
    return gain * (1 + math.erf(standardised / math.sqrt(2))) / 2 + deviation * density


def _covariance(one: float, other: float, length_scale: float) -> float:
    return math.exp(-(((one - other) / length_scale) ** 2) / 2)


def _cholesky(matrix: _Rows) -> _Rows:
    """The lower triangle L of a positive definite matrix L L^T, by rows."""
    factor: _Rows = []
    for row, line in enumerate(matrix):
        lower: list[float] = []
        for column in range(row):
            known = _dot(lower, factor[column][:column])
            lower.append((line[column] - known) / factor[column][column])
        lower.append(math.sqrt(line[row] - _dot(lower, lower)))
        factor.append(lower)
    return factor


def _forward(factor: _Rows, values: Sequence[float]) -> list[float]:
    solved: list[float] = []
    for line, value in zip(factor, values, strict=True):
        solved.append((value - _dot(solved, line[:-1])) / line[-1])
    return solved


def _backward(factor: _Rows, values: Sequence[float]) -> list[float]:
    solved = list(values)
    for row in reversed(range(len(solved))):
        solved[row] /= factor[row][row]
        for column in range(row):
            solved[column] -= factor[row][column] * solved[row]
    return solved


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(left * right for left, right in zip(one, other, strict=True))
