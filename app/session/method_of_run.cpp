// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/method_of_run.h"

#include <nlohmann/json.hpp>

namespace dubito {

std::optional<MethodOptions> methodOf(const RunMeta& meta) {
  Expected<MethodOptions> method = methodFromName(meta.method);
  const auto options = nlohmann::json::parse(meta.method_options, nullptr, false);
  if (!method || !options.is_object() || options.contains("fitted") ||
      !fieldsFromJson(options, methodFields(*method))) {
    return std::nullopt;
  }
  const MethodNeeds needs = needsOf(*method);
  return needs.fit || needs.calibration ? std::nullopt : std::optional(*method);
}

}  // namespace dubito
