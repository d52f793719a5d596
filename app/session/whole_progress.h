// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/run_context.h"

namespace dubito {

/// One progress, in items, for a job that passes over several datasets: what each stage reports
/// counts towards the total of all.
class WholeProgress {
 public:
  /// `total` items in all stages. Reports to what `context` reports to.
  WholeProgress(const RunContext& context, std::int64_t total);

  /// The context for the next stage, shown as `name`, which passes over datasets of these sizes one
  /// after the other. Reports of anything else (a comparison of data, points of a search, bytes)
  /// are shown without progress. What an earlier stage left open counts as done.
  [[nodiscard]] RunContext stage(const std::string& name, const std::vector<std::int64_t>& sizes);

 private:
  struct State;
  RunContext context_;
  std::shared_ptr<State> state_;
};

}  // namespace dubito
