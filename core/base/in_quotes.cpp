// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/in_quotes.h"

#include <algorithm>

namespace dubito {
namespace {

constexpr std::size_t kMaxShownBytes = 80;

/// Length in bytes of the UTF-8 character that `text` begins with; 0 if it is not valid. Overlong
/// forms and surrogates pass: the text is shown, not interpreted.
std::size_t characterLength(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  if (length == 0 || length > text.size()) {
    return 0;
  }
  const bool continues = std::all_of(text.begin() + 1, text.begin() + length, [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
  });
  return continues ? length : 0;
}

/// Whether a character is a control character of Latin-1, or one that reorders what follows, so
/// that a text reads otherwise than it is.
bool isControl(std::string_view character) {
  const auto byte = [character](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) {
    return byte(0) < 0x20 || byte(0) == 0x7F;
  }
  if (character.size() == 2) {
    return byte(0) == 0xC2 && byte(1) < 0xA0;
  }
  const bool embeds = byte(0) == 0xE2 && byte(1) == 0x80 && byte(2) >= 0xAA && byte(2) <= 0xAE;
  const bool isolates = byte(0) == 0xE2 && byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9;
  return embeds || isolates;
}

}  // namespace

std::string shownText(std::string_view text, std::size_t max_bytes) {
  std::string out;
  std::size_t position = 0;
  while (position < text.size()) {
    const std::string_view rest = text.substr(position);
    const std::size_t length = characterLength(rest);
    if (position + std::max<std::size_t>(length, 1) > max_bytes) {
      return out + "...";
    }
    const bool shown = length > 0 && !isControl(rest.substr(0, length));
    out += shown ? rest.substr(0, length) : "?";
    position += std::max<std::size_t>(length, 1);
  }
  return out;
}

std::string inQuotes(std::string_view text) {
  return "'" + shownText(text, kMaxShownBytes) + "'";
}

std::string inQuotes(std::span<const std::string> names) {
  constexpr std::size_t kMaxShown = 8;
  std::string list;
  for (const std::string& name : names.first(std::min(names.size(), kMaxShown))) {
    list += (list.empty() ? "" : ", ") + inQuotes(name);
  }
  return names.size() > kMaxShown
             ? list + " and " + std::to_string(names.size() - kMaxShown) + " more"
             : list;
}

}  // namespace dubito
