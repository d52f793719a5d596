// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/utf8_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/io/bytes.h"
#include "core/io/utf.h"

namespace dubito {

bool isUtf8(std::string_view text) {
  if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
    return true;
  }
  try {
    (void)nlohmann::json(text).dump();
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

std::string utf8WithReplacements(std::string_view text) {
  const std::string wide = utf32FromUtf8(text);
  return utf8FromUtf32(asBytes(wide), false);
}

void noteTextsNotUtf8(const LabelTable& table, std::vector<LabelNote>& notes) {
  std::set<std::string> invalid;
  const auto check = [&invalid](const std::string& text) {
    if (!isUtf8(text)) {
      invalid.insert(text);
    }
  };
  for (const LabelClass& each : table.classes) {
    check(each.name);
  }
  for (const LabelRow& row : table.rows) {
    if (row.present) {
      check(row.path);
      check(row.annotator);
    }
  }
  addNote(notes, "texts that are not UTF-8, written with replacement characters",
          std::vector<std::string>(invalid.begin(), invalid.end()));
}

}  // namespace dubito
