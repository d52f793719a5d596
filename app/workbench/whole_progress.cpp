// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/whole_progress.h"

#include <algorithm>
#include <numeric>

#include "core/data/overlap/overlap_check.h"

namespace dubito {

struct WholeProgress::State {
  std::int64_t total = 0;
  std::int64_t before = 0;  ///< items of finished stages
  // Of the current stage:
  std::int64_t items = 0;
  std::vector<std::int64_t> sizes;
  std::int64_t passed = 0;  ///< items of its finished passes
  std::int64_t done = 0;    ///< items done in its current pass
  std::string pass;

  void begin(const std::vector<std::int64_t>& next_sizes) {
    before = std::min(total, before + items);
    sizes = next_sizes;
    items = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
    passed = 0;
    done = 0;
    pass.clear();
  }

  void take(const Progress& progress) {
    const bool counts = std::ranges::find(sizes, progress.total) != sizes.end() &&
                        progress.stage.find(kComparingStage) == std::string::npos;
    if (!counts) {
      return;
    }
    if (progress.stage != pass || progress.done < done) {
      passed += done;
      pass = progress.stage;
    }
    done = progress.done;
  }

  [[nodiscard]] std::int64_t allDone() const {
    return std::min(total, before + std::min(items, passed + done));
  }
};

WholeProgress::WholeProgress(const RunContext& context, std::int64_t total)
    : context_(context), state_(std::make_shared<State>()) {
  state_->total = total;
}

RunContext WholeProgress::stage(const std::string& name, const std::vector<std::int64_t>& sizes) {
  RunContext part = context_;
  state_->begin(sizes);
  if (!context_.on_progress) {
    return part;
  }
  part.on_progress = [report = context_.on_progress, state = state_,
                      name](const Progress& progress) {
    state->take(progress);
    report({name, state->allDone(), state->total});
  };
  part.on_progress({name, 0, 0});
  return part;
}

}  // namespace dubito
