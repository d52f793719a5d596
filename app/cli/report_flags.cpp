// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report_flags.h"

#include <fmt/format.h>

#include "core/base/json_text.h"
#include "core/io/atomic_file.h"

namespace dubito::cli {

void ReportFlags::declareJson(CLI::App& app) {
  app.add_option("--json", json, "JSON file, or - to print JSON instead of text")
      ->expected(0, 1)
      ->default_str("-");
}

void ReportFlags::declare(CLI::App& app, const std::string& csv_help) {
  declareJson(app);
  app.add_option("--csv", csv, csv_help);
}

Status ReportFlags::report(const nlohmann::json& object, const std::string& text) const {
  const std::string written = jsonText(object, 2) + "\n";
  if (json == "-") {
    fmt::print("{}", written);
    return {};
  }
  fmt::print("{}", text);
  return json.empty() ? Status() : writeFileAtomically(json, written);
}

}  // namespace dubito::cli
