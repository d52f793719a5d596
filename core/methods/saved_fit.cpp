// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/methods/saved_fit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/json_text.h"

namespace dubito {

MethodFitPtr SavedFit::report(std::vector<std::string> notes) const {
  return std::make_shared<const MethodFit>(MethodFit{jsonText(json, -1), std::move(notes)});
}

double SavedFit::number(const char* key) const {
  const nlohmann::json value = json.value(key, nlohmann::json());
  const double number = value.is_number() ? value.get<double>() : NAN;
  return std::isfinite(number) ? number : NAN;
}

std::optional<std::vector<double>> SavedFit::numbers(const char* key) const {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array() ||
      !std::ranges::all_of(*found, [](const auto& value) { return value.is_number(); })) {
    return std::nullopt;
  }
  return found->get<std::vector<double>>();
}

bool hasNoFit(const SavedFit& saved) {
  return saved.json.is_null();
}

}  // namespace dubito
