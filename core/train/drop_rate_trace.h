// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace dubito {

/// Learned drop rates of one layer at the end of an epoch.
struct LayerDropRates {
  std::string layer;  ///< path of the dropout
  double mean = 0.0;
  double smallest = 0.0;
  double largest = 0.0;
  /// Of up to kTracedUnits units, evenly spaced, if each has its own rate.
  std::vector<double> units = {};
};

inline constexpr std::size_t kTracedUnits = 32;

/// The learned drop rates of all layers, by epoch; each epoch has the same layers and units. Empty
/// if no rates are learned.
using DropRateCourse = std::vector<std::vector<LayerDropRates>>;

/// The course of a training whose epochs have `drop_rates`.
template <class Epoch>
[[nodiscard]] DropRateCourse dropRateCourse(const std::vector<Epoch>& epochs) {
  DropRateCourse course;
  for (const Epoch& epoch : epochs) {
    if (!epoch.drop_rates.empty()) {
      course.push_back(epoch.drop_rates);
    }
  }
  return course;
}

/// [{"layer": "dropout1", "mean": 0.1, "smallest": 0.1, "largest": 0.1, "units": [...]}, ...];
/// "units" only if there are any.
[[nodiscard]] nlohmann::json toJson(const std::vector<LayerDropRates>& layers);
/// Throws nlohmann's exceptions if the structure is different.
[[nodiscard]] std::vector<LayerDropRates> dropRatesFromJson(const nlohmann::json& layers);

}  // namespace dubito
