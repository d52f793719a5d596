// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/csv_text.h"

#include <fmt/format.h>

#include <cmath>

namespace dubito::cli {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) {
    return text;
  }
  std::string result = "\"";
  for (const char c : text) {
    result += c == '"' ? "\"\"" : std::string(1, c);
  }
  return result + '"';
}

std::string number(double value) {
  return std::isnan(value) ? "" : fmt::format("{}", value);
}

}  // namespace dubito::cli
