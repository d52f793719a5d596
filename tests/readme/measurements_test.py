#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests resources/measurements.py on a small repository in a temporary folder."""
import copy
import json
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "resources"))
import measurements  # noqa: E402  the folder is known only now

PAGE = {"title": "Figures", "text": ["Words."], "groups": ["glance", "window"]}
GLANCE = {"title": "At a glance", "tables": [{"name": "results", "columns": [{"name": "result"}], "rows": [["99.50 %"], ["[4 s](#x)"]]}]}
WINDOW = """{
  "title": "The window",
  "machine": "two cores",
  "tables": [
    {
      "name": "steps",
      "title": "Steps",
      "command": "benchmark",
      "steps": {"large": {"scroll anywhere": "scrolling"}, "small": {"scroll anywhere": "scrolling", "open": "opening"}},
      "columns": [
        {"name": "step"},
        {"name": "large"},
        {"name": "small"}
      ],
      "rows": [
        ["scrolling", "1 ms", "2 ms"],
        ["opening", "3 ms", null]
      ]
    },
    {
      "name": "scores",
      "title": "all scores",
      "columns": [
        {"name": "method"},
        {"name": "gain", "unit": "points", "signed": true},
        {"name": "ECE, with OOD", "join": ", "}
      ],
      "rows": [
        ["map", [7.60, 5.9], [[0.10, 0.01], [0.250, 0.02]]],
        ["dropout", -0.10, [0.3]]
      ],
      "page": {"columns": ["method", "gain"], "where": {"method": ["dropout"]}}
    }
  ]
}
"""
README = "# Program\n\n## Results\n\n| result |\n| --- |\n| [4 s](docs/figures.md#x) |\n\n[All](docs/measurements.md)\n\n## Code\n\n| a |\n"


class Repository(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.data = self.root / "docs" / "measurements"
        self.data.mkdir(parents=True)
        self.store("page", PAGE)
        self.store("glance", GLANCE)
        (self.data / "window.json").write_text(WINDOW, encoding="utf-8")
        (self.root / "README.md").write_text(README, encoding="utf-8")
        self.measurements = measurements.Measurements(self.root)
        self.measurements.write()

    def store(self, name, value):
        (self.data / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")

    def page(self):
        return (self.root / "docs" / "measurements.md").read_text(encoding="utf-8")

    def take(self, value, place, column=None):
        file = self.root / "figures.json"
        file.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
        self.measurements.take(file, place, column)

    def rows(self, place):
        return self.measurements.table(place)[2]["rows"]

    def test_page_that_was_written_passes(self):
        self.assertEqual(self.measurements.complaints(), [])

    def test_changed_page_or_data_fails(self):
        written = self.page()
        (self.root / "docs" / "measurements.md").write_text(written.replace("1 ms", "0.1 ms"), encoding="utf-8")
        self.assertIn("run resources/measurements.py", self.measurements.complaints()[0])
        self.measurements.write()
        self.assertEqual(self.page(), written)
        changed = copy.deepcopy(GLANCE)
        changed["tables"][0]["rows"][0] = ["99.51 %"]
        self.store("glance", changed)
        self.assertEqual(len(self.measurements.complaints()), 1)

    def test_result_of_readme_without_data_fails(self):
        (self.root / "README.md").write_text(README.replace("4 s", "3 s"), encoding="utf-8")
        self.assertEqual(self.measurements.complaints(),
                         ["README.md: not a row of docs/measurements/glance.json: | [3 s](docs/figures.md#x) |"])

    def test_cells_keep_their_digits(self):
        table = self.measurements.table("window/scores")[2]
        self.assertEqual(measurements.table_lines(table["columns"], table["rows"]),
                         ["| method | gain (points) | ECE, with OOD |", "| --- | --- | --- |",
                          "| map | +7.60 ± 5.9 | 0.10 ± 0.01, 0.250 ± 0.02 |", "| dropout | -0.10 | 0.3 |"])

    def test_page_shows_the_chosen_part_and_links_the_rest(self):
        page = self.page()
        self.assertIn("| method | gain (points) |\n| --- | --- |\n| dropout | -0.10 |\n", page)
        self.assertNotIn("7.60", page)
        self.assertIn("[The data](measurements/window.json) has more: all rows and columns.", page)
        self.assertIn("Measured on two cores.", page)
        self.assertIn("Measured with `benchmark`.", page)
        self.assertIn("- [The window](#the-window)", page)

    def test_data_is_written_as_it_was_read(self):
        path = self.data / "window.json"
        self.assertEqual(json.loads(measurements.dump(measurements.load(path))), json.loads(WINDOW))
        text = measurements.dump(measurements.load(path))
        self.assertIn('["map", [7.60, 5.9], [[0.10, 0.01], [0.250, 0.02]]]', text)

    def test_files_of_the_repository_are_written_as_they_are_read(self):
        for path in sorted((ROOT / "docs" / "measurements").glob("*.json")):
            self.assertEqual(measurements.dump(measurements.load(path)) + "\n", path.read_text(encoding="utf-8"), path.name)

    def test_takes_a_table(self):
        self.take('{"columns": [{"name": "method"}, {"name": "NLL"}], "rows": [["map", 0.50]], "date": "2026-01-02", '
                  '"page": null}', "window/scores")
        self.assertEqual(self.rows("window/scores"), [["map", "0.50"]])
        self.assertIn("| map | 0.50 |", self.page())
        self.assertIn("Recorded 2026-01-02.", self.page())

    def test_takes_steps_of_a_benchmark(self):
        steps = {"steps": [{"name": "scroll anywhere", "count": 3, "median_ms": 0.61, "p95_ms": 1234.0},
                           {"name": "open", "ms": 98.76}, {"name": "empty window"}]}
        self.take(steps, "window/steps", "small")
        self.assertEqual(self.rows("window/steps"), [["scrolling", "1 ms", "median 0.61 ms, 95 % below 1.23 s"],
                                                     ["opening", "3 ms", "98.8 ms"]])
        self.take(steps, "window/steps")
        self.assertEqual(self.rows("window/steps")[0][1], "median 0.61 ms, 95 % below 1.23 s")
        self.assertEqual(self.measurements.complaints(), [])

    def test_refuses_what_has_no_place(self):
        for value, place, column, words in [
                ({"steps": []}, "window/steps", "small", "none of the steps"),
                ({"steps": []}, "window/steps", "medium", "large, small"),
                ({"steps": []}, "window/scores", None, "steps of a benchmark: none"),
                ({"rows": []}, "window/none", None, "no such table"),
                ({"rows": [["map"]]}, "window/scores", None, "1 cells for 3 columns"),
                ({"columns": [{"name": "a"}], "rows": [["map"]]}, "window/scores", None, "page names gain, method"),
                ({"figures": []}, "window/scores", None, "neither a table"),
                ("{", "window/scores", None, "figures.json")]:
            with self.subTest(words), self.assertRaisesRegex(measurements.Invalid, words):
                self.take(value, place, column)
            self.assertEqual((self.data / "window.json").read_text(encoding="utf-8"), WINDOW)

    def test_invalid_data_is_named(self):
        for change, words in [({"rowz": []}, "window/steps: unknown keys rowz"), ({"rows": [["a"]]}, "1 cells for 3"),
                              ({"page": {"where": {"step": ["a"]}}}, "window/steps: page.where allows no row"),
                              ({"page": {"columns": ["colour"]}}, "window/steps: page names colour"),
                              ({"columns": [{"name": "step"}] * 3}, "two columns")]:
            group = json.loads(WINDOW)
            group["tables"][0].update(change)
            self.store("window", group)
            with self.subTest(words), self.assertRaisesRegex(measurements.Invalid, words):
                self.measurements.rendered()

    def test_every_file_is_on_the_page(self):
        self.store("forgotten", GLANCE)
        with self.assertRaisesRegex(measurements.Invalid, "forgotten"):
            self.measurements.rendered()


if __name__ == "__main__":
    unittest.main()
