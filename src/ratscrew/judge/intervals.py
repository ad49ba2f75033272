"""Bounds of a quantile, a proportion and a slope from a sample, at a one-sided confidence.

Each function gives `(low, high)`, or None if the sample is too small for bounds. `z` is the standard normal quantile of
the confidence (3.1: about 1 in 1,000 on each side). Quantiles assume no distribution.

Sources: order statistics for quantiles (Conover, *Practical Nonparametric Statistics*, 3.2); Wilson's score interval
for proportions; least squares for a slope.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, sqrt


def quantile_bounds(values: Sequence[float], share: float, z: float) -> tuple[float, float] | None:
    """Bounds of the quantile `share` (0 to 1), from order statistics."""
    ranked, middle = sorted(values), len(values) * share
    reach = z * sqrt(len(values) * share * (1 - share))
    low, high = floor(middle - reach), ceil(middle + reach)
    if low < 0 or high >= len(ranked):
        return None
    return ranked[low], ranked[high]


def wilson_bounds(many: int, of: int, z: float) -> tuple[float, float] | None:
    """Bounds of a proportion (0 to 1) of which `many` out of `of` were observed: Wilson's score interval."""
    if of == 0:
        return None
    seen, spread = many / of, z * z / of
    middle = (seen + spread / 2) / (1 + spread)
    reach = z * sqrt(seen * (1 - seen) / of + spread / of / 4) / (1 + spread)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def slope_bounds(pairs: Sequence[tuple[float, float]], z: float) -> tuple[float, float] | None:
    """Bounds of the least-squares slope of the second value over the first; None if the first never changes."""
    if len(pairs) < 3:
        return None
    mean_x, mean_y = (sum(each) / len(pairs) for each in zip(*pairs, strict=True))
    square = sum((x - mean_x) ** 2 for x, _ in pairs)
    if square == 0:
        return None
    slope = sum((x - mean_x) * (y - mean_y) for x, y in pairs) / square
    rest = sum((y - mean_y - slope * (x - mean_x)) ** 2 for x, y in pairs) / (len(pairs) - 2)
    reach = z * sqrt(rest / square)
    return slope - reach, slope + reach
