// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/options.h"

namespace dubito {

/// The values of all options, in a LabPreset.
template <class Options>
[[nodiscard]] nlohmann::json labOptionsToJson(Options options) {
  return fieldsToJson(options.fields());
}

/// Reads what labOptionsToJson() gave; missing values keep those of `options`. If a value is
/// invalid, `options` do not change.
template <class Options>
[[nodiscard]] Status readLabOptions(const nlohmann::json& object, Options& options) {
  Options read = options;
  Status status = fieldsFromJson(object, read.fields());
  status = status ? read.check() : status;
  if (status) {
    options = std::move(read);
  }
  return status;
}

}  // namespace dubito
