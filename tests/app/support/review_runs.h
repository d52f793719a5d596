// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/analysis/analysis.h"

namespace dubito::test {

/// A run over `items` pictures of three classes. The more uncertain an item is, the more often its
/// prediction is wrong; `skill` is the scale of the logits. Runs of the same seed are over the same
/// items.
struct ReviewRun {
  std::string name = "pictures";
  std::int64_t items = 1500;
  unsigned seed = 1;
  std::string method = "map";
  std::string role = "test";
  bool labelled = true;
  double skill = 8.0;
};
[[nodiscard]] AnalysisPtr reviewRun(const ReviewRun& options);

}  // namespace dubito::test
