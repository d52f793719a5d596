// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/run_context.h"

namespace dubito {

/// Combines the progress of several stages over several datasets into one overall progress in
/// items.
class WholeProgress {
 public:
  /// `total` is the number of items in all stages. Reports to the progress callback of `context`.
  WholeProgress(const RunContext& context, std::int64_t total);

  /// Starts the next stage, displayed as `name`, and returns the context for it. The stage makes
  /// one pass over each dataset; `sizes` are the numbers of items. Progress reports that do not
  /// count such items (data comparisons, search points, bytes) are ignored. All items of earlier
  /// stages count as done.
  [[nodiscard]] RunContext stage(const std::string& name, const std::vector<std::int64_t>& sizes);

 private:
  struct State;
  RunContext context_;
  std::shared_ptr<State> state_;
};

}  // namespace dubito
