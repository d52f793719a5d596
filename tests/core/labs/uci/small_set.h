// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>

#include "core/labs/random/keyed_random.h"
#include "core/labs/uci/uci_data.h"

namespace dubito::test {

/// y = 4 sin(x1) + 3 x2 + 0.5 noise with a third input of no use; every sixth item is for the test.
struct SmallSet {
  explicit SmallSet(std::int64_t items) {
    set.key = "small";
    set.items = items;
    set.inputs = 3;
    set.hidden_units = 20;
    set.epochs = 40;
    set.splits = 1;
    set.taus = {1.0, 4.0, 16.0};
    data.set = &set;
    data.inputs.resize(static_cast<std::size_t>(3 * items));
    KeyedRandom(1, LabSite::kDataInputs).normals(0, data.inputs);
    std::vector<double> noise(static_cast<std::size_t>(items));
    KeyedRandom(1, LabSite::kDataNoise).normals(0, noise);
    UciRows rows;
    for (std::size_t i = 0; i < noise.size(); ++i) {
      data.targets.push_back(4.0 * std::sin(data.inputs[3 * i]) + 3.0 * data.inputs[3 * i + 1] +
                             0.5 * noise[i]);
      (i % 6 == 0 ? rows.test : rows.train).push_back(static_cast<std::int64_t>(i));
    }
    data.test_rows = {rows.test};
    problem = uciProblem(data, rows).value();
  }
  SmallSet(const SmallSet&) = delete;
  SmallSet& operator=(const SmallSet&) = delete;

  UciSetInfo set;
  UciData data;
  UciProblem problem;
};

}  // namespace dubito::test
