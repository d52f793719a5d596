// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/csv_field.h"

namespace dubito {

std::string csvField(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) {
    return text;
  }
  std::string result = "\"";
  for (const char c : text) {
    result += c == '"' ? "\"\"" : std::string(1, c);
  }
  return result + '"';
}

}  // namespace dubito
