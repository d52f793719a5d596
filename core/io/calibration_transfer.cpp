// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/calibration_transfer.h"

#include <nlohmann/json.hpp>

namespace dubito {
namespace {

/// The options of a context run without what depends on its scenes.
nlohmann::json withoutScenes(const std::string& method_options) {
  auto options = nlohmann::json::parse(method_options, nullptr, /*allow_exceptions=*/false);
  if (options.is_object()) {
    options.erase("inference");
    options.erase("weight_from");
  }
  return options;
}

}  // namespace

bool sameNetwork(const RunMeta& a, const RunMeta& b) {
  return a.network_hash.empty() || b.network_hash.empty() ? a.model_name == b.model_name
                                                          : a.network_hash == b.network_hash;
}

bool calibrationTransfers(const RunMeta& a, const RunMeta& b) {
  if (a.method != b.method || !sameNetwork(a, b)) {
    return false;
  }
  if (a.method == "context") {
    return withoutScenes(a.method_options) == withoutScenes(b.method_options);
  }
  return a.method == "ensemble" || a.method_options == b.method_options;
}

}  // namespace dubito
