// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/methods/mc_dropout/mc_dropout_options.h"
#include "core/models/model.h"

namespace dubito {

/// What a network returns for several inputs.
struct NetworkOutputs {
  Array<float> rows;        ///< [T, N, K]
  bool are_logits = false;  ///< false: probabilities
};

/// Output rows of the network for inputs [N, ...] (as preprocess() returns them) that are changed
/// versions of the item `id`. With `dropout`, draw t has the same masks for all of them, those of a
/// run with the seed of the context; null: T = 1, without dropout. Errors of planDropout() and of
/// the network; kOutOfMemory if the rows do not fit into the budget; kCancelled.
[[nodiscard]] Expected<NetworkOutputs> networkOutputs(const Model& model,
                                                      const Array<float>& inputs, std::int64_t id,
                                                      const McDropoutOptions* dropout,
                                                      RunContext& context);

}  // namespace dubito
