// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/models/model.h"
#include "core/network/dropout_plan.h"

namespace dubito {

/// Some draws of a method.
struct DrawRange {
  std::int64_t first = 0;
  std::int64_t count = 1;
};

/// Takes the network's output rows [count * N, K] of draws first, first + 1, ..., grouped by draw.
using TakeDraws = std::function<Status(const at::Tensor& rows, std::int64_t first)>;

/// Runs the network on the inputs `x` [N, ...] of items with these ids, which may repeat, once per
/// draw. A plan without sites gives equal draws, those of the deterministic network. Errors of the
/// network and of `take`; kCancelled.
[[nodiscard]] Status forEachDraw(const Model& model, const at::Tensor& x,
                                 const std::vector<std::int64_t>& ids, const DropoutPlan& plan,
                                 const DrawRange& draws, RunContext& context,
                                 const TakeDraws& take);

}  // namespace dubito
