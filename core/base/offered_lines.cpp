// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/offered_lines.h"

#include "core/base/json_text.h"

namespace dubito {
namespace {

constexpr const char* kLines = "offered_lines";

}  // namespace

std::string offeringLines(const std::string& lines, const std::string& details) {
  return jsonText({{kLines, lines}, {"details", details}}, -1);
}

std::string offeredLines(const Error& error) {
  const nlohmann::json context =
      nlohmann::json::parse(error.context, nullptr, /*allow_exceptions=*/false);
  const bool offers =
      context.is_object() && context.contains(kLines) && context[kLines].is_string();
  return offers ? context[kLines].get<std::string>() : std::string();
}

}  // namespace dubito
