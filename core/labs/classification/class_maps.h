// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/plot_values.h"
#include "core/labs/classification/class_method.h"

namespace dubito {

/// A quantity over the plane, for lists.
struct ClassMapInfo {
  const char* key = nullptr;          ///< "epistemic"; also the key in JSON
  const char* name = nullptr;         ///< "Epistemic"
  const char* unit = nullptr;         ///< "nats", or empty
  const char* explanation = nullptr;  ///< what high values mean, one sentence
  /// Why some predictions do not have it, as a few words; empty: all have it.
  const char* missing = nullptr;
  /// Whether its colours follow the logarithm.
  bool is_logarithmic = false;
  /// Values [M]; nullopt if the prediction does not have it.
  std::optional<Array<double>> (*values)(const ClassPrediction& prediction) = nullptr;
  /// Range of the colours for K classes, the same for all methods.
  Interval (*range)(std::int64_t classes) = nullptr;
};

/// All maps, in the order of lists: largest probability, entropy, aleatoric, epistemic, variance
/// and precision of the Dirichlet (theory, section 2).
[[nodiscard]] const std::vector<ClassMapInfo>& classMaps();
/// nullptr if there is no such map.
[[nodiscard]] const ClassMapInfo* findClassMap(std::string_view key);

}  // namespace dubito
