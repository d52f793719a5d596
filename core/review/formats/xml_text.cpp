// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/xml_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "core/review/formats/parsed_json.h"
#include "core/review/formats/utf8_text.h"

namespace dubito {

std::string xmlText(const std::string& text) {
  const std::string valid = isUtf8(text) ? text : utf8WithReplacements(text);
  std::string result;
  for (const char c : valid) {
    const auto code = static_cast<unsigned char>(c);
    result += code < 0x20 && c != '\t' && c != '\n' && c != '\r' ? std::string("\xEF\xBF\xBD")
                                                                 : std::string(1, c);
  }
  return result;
}

pugi::xml_document newXml() {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "utf-8";
  return document;
}

std::string textOfXml(const pugi::xml_document& document) {
  std::ostringstream text;
  document.save(text, "  ");
  return std::move(text).str();
}

Status parseXml(std::string_view text, const std::string& path, const std::string& remedy,
                pugi::xml_document& document) {
  const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size());
  if (parsed) {
    return {};
  }
  return fail(
      ErrorCode::kMalformed,
      fmt::format(
          "{}: {}: {}; {}", path,
          lineAndColumn(text, static_cast<std::size_t>(std::max<std::ptrdiff_t>(parsed.offset, 0))),
          parsed.description(), remedy));
}

}  // namespace dubito
