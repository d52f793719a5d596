// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/io/run.h"

namespace dubito::test {

/// A run of those probabilities, float32 as runs store them, without entropy or draws.
[[nodiscard]] Run runOf(const Array<float>& probs, std::vector<std::int64_t> labels,
                        const std::string& dataset_name);

/// N items over K classes: random logits times `scale`, labels by the model's own probabilities
/// where `labelled`, else all unknown. With entropy and mutual information when `with_draws`.
[[nodiscard]] Run randomRun(std::int64_t items, std::int64_t classes, double scale, unsigned seed,
                            bool labelled, bool with_draws);

/// The run with its confidences and predictions alone.
[[nodiscard]] Run confidenceOnly(Run run);

}  // namespace dubito::test
