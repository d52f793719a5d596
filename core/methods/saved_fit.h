// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/io/run.h"
#include "core/methods/method_traits.h"

namespace dubito {

/// The fit of a method as recorded in a run.
struct SavedFit {
  const RunMeta& meta;
  const nlohmann::json& json;         ///< value of "fitted" in the run's options; null if absent
  const std::string& posterior_path;  ///< path of the posterior file; empty: none

  /// The stored fit, with `notes` as its notes.
  [[nodiscard]] MethodFitPtr report(std::vector<std::string> notes = {}) const;
  /// The number under `key`; NaN if absent or not a finite number.
  [[nodiscard]] double number(const char* key) const;
  /// The numbers under `key`; nullopt if absent or not a list of numbers.
  [[nodiscard]] std::optional<std::vector<double>> numbers(const char* key) const;
};

}  // namespace dubito
