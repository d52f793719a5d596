// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"

namespace dubito {

/// How the pixels that matter are found (theory, section 16).
struct AttributionOptions {
  std::string method = "integrated-gradients";  ///< key of an AttributionMethod
  /// Points on the path of integrated gradients.
  std::int64_t steps = 32;
  /// What an image without information is: "zero", network inputs of 0 (the mean colour if the
  /// preprocessing subtracts it), or "image-mean", the mean of each channel of the image.
  std::string baseline = "zero";
  /// Sides of the occluded window and distance between two windows, as shares of the image's sides;
  /// at least one pixel.
  double window = 0.2;
  double stride = 0.1;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
  friend bool operator==(const AttributionOptions&, const AttributionOptions&) = default;
};

/// What is attributed to the pixels: a number that the network computes.
struct AttributionTarget {
  std::int64_t class_number = 0;
  /// The draw of MC dropout to explain; empty: the network without dropout.
  std::optional<std::int64_t> draw = std::nullopt;
  /// Explain the standard deviation of the class probability over all draws instead of the class.
  bool spread = false;
  /// Explain the mutual information of class and draw, which all classes share: how much the draws
  /// disagree. `class_number` is not used.
  bool mutual_information = false;

  /// Whether the number depends on all draws, not on one pass.
  [[nodiscard]] bool isOfAllDraws() const { return spread || mutual_information; }

  friend bool operator==(const AttributionTarget&, const AttributionTarget&) = default;
};

}  // namespace dubito
