# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits a + b x^p to measured times (or memory): a is what does not depend on x, such as the start of the process.

a, b >= 0 and p minimise the sum of squared relative errors. The spread of p is half the range that it has if any one point
is left out. If the largest value is not so many times the least, a and p cannot be separated, and there is no fit.
"""
import math
from dataclasses import dataclass

TIME = (3, 1.3)  # least growth, and that of the third largest value: two alone do not tell how they grow
MEMORY = (1.3, 1.05)  # memory hardly varies from run to run
GRID = [index / 200 for index in range(20, 801)]


@dataclass
class Fit:
    fixed: float
    factor: float
    exponent: float
    lowest: float  # exponent without any one of the points
    spread: float

    def at(self, x):
        return self.fixed + self.factor * x ** self.exponent

    def largest(self, bound):
        """The largest x whose value is within the bound."""
        return ((bound - self.fixed) / self.factor) ** (1 / self.exponent) if bound > self.fixed else 0.0


def solved(points, exponent):
    """The best a, b >= 0 for this exponent and the squared relative error."""
    u = [1 / value for _, value in points]
    v = [x ** exponent / value for x, value in points]
    uu, vv, uv = sum(a * a for a in u), sum(b * b for b in v), sum(a * b for a, b in zip(u, v))
    su, sv = sum(u), sum(v)
    determinant = uu * vv - uv * uv
    fixed = (su * vv - sv * uv) / determinant if determinant > 0 else 0.0
    factor = (sv * uu - su * uv) / determinant if determinant > 0 else 0.0
    if fixed <= 0 or factor <= 0:
        fixed, factor = max(((0.0, sv / vv), (su / uu, 0.0)), key=lambda pair: pair[0] * su + pair[1] * sv)
    return fixed, factor, sum((fixed * a + factor * b - 1) ** 2 for a, b in zip(u, v))


def best(points, exponents=GRID):
    return min(((*solved(points, exponent), exponent) for exponent in exponents), key=lambda found: found[2])


def fitted(points, least):
    """The fit to [(x, value)], or None if there are too few values or they grow too little."""
    values = sorted(value for _, value in points)
    if len(points) < 4 or values[-1] < least[0] * values[0] or values[-3] < least[1] * values[0]:
        return None
    fixed, factor, _, exponent = best(points)
    if factor <= 0:
        return None
    others = [exponent] + [best(points[:index] + points[index + 1:])[3] for index in range(len(points))]
    return Fit(fixed, factor, exponent, min(others), (max(others) - min(others)) / 2)


def within(points, low, high):
    """The best fit with low <= p <= high, for sizes far above the measured ones; None if nothing grows."""
    fixed, factor, _, exponent = best(points, [p for p in GRID if low <= p <= high])
    return Fit(fixed, factor, exponent, exponent, 0.0) if factor > 0 else None


def expected(points, x, theory):
    """What x would take: what grows, by the slope of the last two points or at most by that of the theory."""
    fixed, (last_x, last) = min(value for _, value in points), points[-1]
    slope = min(theory, 1.5)  # two small sizes tell little; a run that takes too long is ended anyway
    if len(points) > 2 and last > 2 * fixed and points[-2][1] > 1.2 * fixed:
        before_x, before = points[-2]
        slope = min(max(math.log((last - fixed) / (before - fixed)) / math.log(last_x / before_x) + 0.1, 0.5), theory + 0.2)
    return fixed + (last - fixed) * (x / last_x) ** slope
