// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"

namespace dubito::cli {

/// Lets `lab` (with done(), total() and advance()) work to its end in about a hundred parts, so
/// that progress is shown. `stage`: what it does.
template <class Lab>
[[nodiscard]] Status runToEnd(Lab& lab, const std::string& stage, RunContext& context) {
  const std::int64_t units = std::max(lab.total() / 100, std::int64_t{1});
  while (lab.done() < lab.total()) {
    if (Status advanced = lab.advance(units, context); !advanced) {
      return advanced;
    }
    if (context.step(stage, lab.done(), lab.total()) == Step::kCancel) {
      return cancelled();
    }
  }
  return {};
}

}  // namespace dubito::cli
