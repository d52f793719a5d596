// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/run_context.h"

namespace dubito {

/// Combines the progress of several stages over several datasets into one total, in items.
class WholeProgress {
 public:
  /// `total` items in all stages. Reports to the progress callback of `context`.
  WholeProgress(const RunContext& context, std::int64_t total);

  /// The context for the next stage, shown as `name`, which passes over datasets of these sizes in
  /// turn. Reports of anything else (a comparison of data, points of a search, bytes) do not
  /// advance the total. Remaining items of earlier stages count as done.
  [[nodiscard]] RunContext stage(const std::string& name, const std::vector<std::int64_t>& sizes);

 private:
  struct State;
  RunContext context_;
  std::shared_ptr<State> state_;
};

}  // namespace dubito
