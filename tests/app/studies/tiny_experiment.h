// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/studies/active_learning/study.h"

namespace dubito::test {

inline constexpr const char* kTinyTrain =
    "synthetic:glyphs?n=200&seed=1&characters=4&items=0:150&role=train";
inline constexpr const char* kTinyTest =
    "synthetic:glyphs?n=200&seed=1&characters=4&items=150:200&role=test";

/// Curves of four points each, a second of work: 8, 12, 16 and 20 labels.
[[nodiscard]] inline study::ActiveLearning tinyExperiment(const std::string& folder) {
  study::ActiveLearning tiny;
  tiny.train = kTinyTrain;
  tiny.test = kTinyTest;
  tiny.folder = folder;
  tiny.options.pool = 100;
  tiny.options.initial = 8;
  tiny.options.per_round = 4;
  tiny.options.draws = 4;
  tiny.options.steps = 6;
  tiny.options.training.width = 0.2;
  tiny.by = {"bald", "random"};
  tiny.labels = 20;
  tiny.seeds = 2;
  return tiny;
}

}  // namespace dubito::test
