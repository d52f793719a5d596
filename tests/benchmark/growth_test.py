#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests the fits and tables of growth.py on invented points."""
import random
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from growth_parts import fit, report  # noqa: E402  the folder is known only now

SIZES = [1e3, 1e4, 1e5, 3e5, 1e6, 3e6, 1e7]


def points(fixed, factor, exponent, noise=0.0, sizes=SIZES):
    rng = random.Random(1)
    return [(x, (fixed + factor * x ** exponent) * (1 + noise * rng.uniform(-1, 1))) for x in sizes]


def data(exponent):
    """Points of evaluate in K."""
    return {"points": [["evaluate", "Dubito", "K", x, seconds, 100 + x / 10]
                       for x, seconds in points(0.02, 1e-4, exponent, sizes=[2, 10, 100, 300, 1000, 3000, 10000])],
            "left_out": [], "shares": []}


class Fits(unittest.TestCase):
    def test_separates_the_start_from_the_growth(self):
        for exponent in (0.8, 1.0, 1.5, 2.0):
            found = fit.fitted(points(0.5, 100 / SIZES[-1] ** exponent, exponent), fit.TIME)
            self.assertAlmostEqual(found.exponent, exponent, delta=0.006)  # the step of the grid
            self.assertAlmostEqual(found.fixed, 0.5, delta=0.01)
            self.assertAlmostEqual(found.largest(found.at(1e9)) / 1e9, 1, delta=1e-6)

    def test_takes_noise_into_the_spread(self):
        found = fit.fitted(points(0.5, 1e-6, 1.0, noise=0.1), fit.TIME)
        self.assertLess(abs(found.exponent - 1.0), found.spread + 0.05)

    def test_does_not_fit_what_hardly_grows(self):
        self.assertIsNone(fit.fitted(points(0.5, 1e-8, 1.0), fit.TIME))
        self.assertIsNone(fit.fitted(points(0.5, 1e-6, 1.0)[:3], fit.TIME))
        self.assertIsNone(fit.fitted([(1, 1), (2, 1), (4, 1), (8, 1), (16, 1.01), (32, 9)], fit.TIME))

    def test_keeps_to_the_exponents_of_theory_on_paper(self):
        self.assertEqual(fit.within(points(0.5, 1e-6, 0.7), 1, 1.1).exponent, 1)
        self.assertEqual(fit.within(points(0.5, 1e-6, 1.3), 1, 1).exponent, 1)

    def test_expects_more_of_what_has_begun_to_grow(self):
        measured = points(0.5, 1e-6, 1.0)[:5]
        self.assertAlmostEqual(fit.expected(measured, 3e6, 1), 3.5, delta=0.8)
        self.assertLess(fit.expected([(1e3, 0.5)], 1e7, 1), 1)


class Tables(unittest.TestCase):
    def test_flag_what_is_above_theory(self):
        flag = 7
        self.assertIsNone(report.exponents(data(1.0))[0][flag])
        self.assertEqual(report.exponents(data(1.2))[0][flag], "time")

    def test_extrapolate_to_a_million_classes(self):
        (row,) = report.of_classes(data(1.0))
        self.assertEqual(row[1:], ["100 s", "100 GB", "640 000, memory"])

    def test_write_sizes_and_times_in_words(self):
        self.assertEqual([report.rough(value) for value in (0.123, 12, 1234567, 3.5e9)], ["0.12", "12", "1 200 000", "3.5e9"])
        self.assertEqual([report.duration(value) for value in (0.01, 90, 600, 10000, 3e5, 1e9)],
                         ["10 ms", "90 s", "10 min", "2.8 h", "3.5 days", "32 years"])


if __name__ == "__main__":
    unittest.main()
