// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"

namespace dubito {

struct AttributionTask;

/// A method that divides a difference between two outputs of a network among the pixels of an
/// image. No member has a default, so that a new method cannot omit one.
struct AttributionMethod {
  std::string key;      ///< as in options: "integrated-gradients"
  std::string label;    ///< for choosers: "integrated gradients"
  std::string summary;  ///< what its map shows, in one sentence without a full stop
  bool needs_gradients;
  /// Whether the map sums to the difference of the outputs for image and baseline.
  bool is_complete;
  /// The attribution of every number of the input [C, H, W], or of every pixel [1, H, W].
  /// kUnsupported, with the reason, if it needs gradients and the network has none; kOutOfMemory,
  /// kCancelled and errors of the network.
  Expected<Array<double>> (*apply)(const AttributionTask& task);
};

/// All methods, in display order; never empty. The first without gradients replaces those that
/// need them if a network has none.
[[nodiscard]] const std::vector<AttributionMethod>& allAttributionMethods();
/// The method with this key; null if unknown.
[[nodiscard]] const AttributionMethod* findAttributionMethod(std::string_view key);

}  // namespace dubito
