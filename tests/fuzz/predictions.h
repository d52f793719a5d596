// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

#include "core/io/run.h"
#include "tests/fuzz/expect.h"

namespace dubito::fuzz {

/// What every run promises, wherever it came from.
inline void expectSound(const Run& run) {
  const std::int64_t items = run.itemCount();
  expect(run.labels.size() == items && run.ids.size() == items && run.confidence.size() == items &&
             run.predictions.size() == items,
         "the columns of a run have one length");
  for (std::int64_t i = 0; i < items; ++i) {
    expect(run.labels.data()[i] >= -1, "a label is a class or unknown");
    expect(run.predictions.data()[i] >= 0, "a prediction is a class");
    expect(std::isfinite(run.confidence.data()[i]), "a confidence is a number");
    if (!run.probs) {
      continue;
    }
    double sum = 0.0;
    for (std::int64_t k = 0; k < run.classCount(); ++k) {
      sum += run.prob(i, k);
    }
    expect(std::abs(sum - 1.0) <= 2e-3, "probabilities sum to one");
    expect(run.labels.data()[i] < run.classCount(), "a label is one of the classes");
  }
}

}  // namespace dubito::fuzz
