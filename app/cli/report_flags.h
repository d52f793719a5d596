// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/base/expected.h"

namespace dubito::cli {

/// Where a command writes its results: --json [FILE|-] and --csv FILE.
struct ReportFlags {
  std::string json;  ///< "-": standard output instead of the text
  std::string csv;

  void declare(CLI::App& app, const std::string& csv_help);
  /// Only --json.
  void declareJson(CLI::App& app);
  /// Prints `text` and, if --json names a file, writes `object` to it; with --json -, prints
  /// `object` instead of `text`.
  [[nodiscard]] Status report(const nlohmann::json& object, const std::string& text) const;
};

}  // namespace dubito::cli
