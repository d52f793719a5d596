// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/io/atomic_file.h"
#include "core/models/model.h"
#include "core/train/head/backbone_features.h"

namespace dubito {

/// Output of a new head for features [n, Q] float32.
struct ExpectedLogits {
  at::Tensor logits;  ///< [n, K] double
  double size =
      1.0;  ///< largest sum of the sizes of the terms of a logit: rounding is relative to it
};
using HeadFunction = std::function<ExpectedLogits(const at::Tensor& features)>;

/// Writes the archive of a backbone with a new head, opens it again, compares its logits on some of
/// the items with `head` of their features, and commits the file. kUnsupported if they differ;
/// kCancelled.
[[nodiscard]] Status saveCheckedHead(AtomicFile file, const std::string& archive,
                                     const Model& backbone, const Dataset& dataset,
                                     const BackboneFeatures& features, const HeadFunction& head,
                                     RunContext& context);

}  // namespace dubito
