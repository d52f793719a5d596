// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"

namespace dubito {

/// A chosen method and its options.
template <class Info, class Method>
struct ChosenMethod {
  const Info* info = nullptr;
  std::shared_ptr<Method> method;
};

/// [{"method": key, "options": {...}}, ...].
template <class Info, class Method>
[[nodiscard]] nlohmann::json methodsToJson(const std::vector<ChosenMethod<Info, Method>>& methods) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& chosen : methods) {
    list.push_back(
        {{"method", chosen.info->key}, {"options", fieldsToJson(chosen.method->fields())}});
  }
  return list;
}

/// Reads that list; `find` returns the Info of a key, or null. kMalformed for unknown methods, else
/// the errors of fieldsFromJson() and check().
template <class Info, class Method>
[[nodiscard]] Status methodsFromJson(const nlohmann::json& list,
                                     const Info* (*find)(std::string_view key),
                                     std::vector<ChosenMethod<Info, Method>>& methods) {
  for (const nlohmann::json& entry : list) {
    const auto key = entry.at("method").get<std::string>();
    const Info* const info = find(key);
    if (info == nullptr) {
      return fail(ErrorCode::kMalformed, "unknown method " + key);
    }
    std::shared_ptr<Method> method = info->make();
    if (Status set = fieldsFromJson(entry.at("options"), method->fields()); !set) {
      return set;
    }
    if (Status checked = method->check(); !checked) {
      return checked;
    }
    methods.push_back({info, std::move(method)});
  }
  return {};
}

}  // namespace dubito
