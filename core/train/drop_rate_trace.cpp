// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/drop_rate_trace.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace dubito {

nlohmann::json toJson(const std::vector<LayerDropRates>& layers) {
  nlohmann::json array = nlohmann::json::array();
  for (const LayerDropRates& rates : layers) {
    nlohmann::json layer{{"layer", rates.layer},
                         {"mean", rates.mean},
                         {"smallest", rates.smallest},
                         {"largest", rates.largest}};
    if (!rates.units.empty()) {
      layer["units"] = rates.units;
    }
    array.push_back(std::move(layer));
  }
  return array;
}

std::vector<LayerDropRates> dropRatesFromJson(const nlohmann::json& layers) {
  std::vector<LayerDropRates> all;
  for (const nlohmann::json& layer : layers) {
    all.push_back({layer.at("layer"), layer.at("mean"), layer.at("smallest"), layer.at("largest"),
                   layer.value("units", std::vector<double>())});
  }
  return all;
}

}  // namespace dubito
