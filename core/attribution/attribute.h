// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/attribution/attribution_options.h"
#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/methods/method_options.h"
#include "core/models/model.h"

namespace dubito {

/// The pixels that matter for a number that a network computes from an image.
struct Attribution {
  /// [H, W] of the network's input, summed over the channels. Positive: the pixel increases the
  /// number.
  Array<float> map;
  std::string method;  ///< key of the method used, which may not be the one requested
  double value = 0.0;  ///< the number for the image
  double sum = 0.0;    ///< of the map
  /// The number for the image minus that for the baseline.
  double difference = 0.0;
  /// |sum - difference| / |difference| of a method whose map should sum to the difference; absent
  /// for others and if the difference is 0.
  std::optional<double> completeness_gap = std::nullopt;
  std::vector<std::string> notes;  ///< what a reader of the map should know, as sentences
};

/// Attributes `target` to the pixels of the item at `index`. The number explained is the centred
/// logit of the class, log p_k minus its mean over the classes (theory, section 16), in nats; for
/// AttributionTarget::spread, the population standard deviation of p_k over the draws; for
/// AttributionTarget::mutual_information, the mutual information in nats. Draws are those of
/// `method` with the masks of a run with the seed of `context`; posteriors over weights and
/// scalings of logits do not take part.
///
/// If a method needs gradients and the network has none, occlusion takes its place, and a note
/// gives the reason. The network is not changed: nothing but the image gets gradients.
///
/// kInvalidArgument for unknown classes, draws or options and for draws of a method without;
/// kUnsupported for items that are not images; errors of reading and of the network; kCancelled.
[[nodiscard]] Expected<Attribution> attribute(const Model& model, const Dataset& dataset,
                                              std::int64_t index, const MethodOptions& method,
                                              const AttributionTarget& target,
                                              const AttributionOptions& options,
                                              RunContext& context);

}  // namespace dubito
