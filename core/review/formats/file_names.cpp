// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/file_names.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace dubito {
namespace {

constexpr std::string_view kEmptyName = "%_";

bool mustEscape(char c, bool leading) {
  const auto code = static_cast<unsigned char>(c);
  return code < 0x20 || code == 0x7F || c == '/' || c == '\\' || c == '%' || (leading && c == '.');
}

/// The byte of "2F", or nothing.
std::optional<char> byteOfHex(std::string_view digits) {
  unsigned value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, value, 16);
  return digits.size() == 2 && error == std::errc() && rest == end
             ? std::optional(static_cast<char>(value))
             : std::nullopt;
}

template <class Convert>
std::string convertComponents(std::string_view path, const Convert& convert) {
  std::string result;
  for (;;) {
    const std::size_t slash = path.find('/');
    result += convert(path.substr(0, slash));
    if (slash == std::string_view::npos) {
      return result;
    }
    result += '/';
    path.remove_prefix(slash + 1);
  }
}

}  // namespace

std::string fileNameOf(std::string_view text) {
  if (text.empty()) {
    return std::string(kEmptyName);
  }
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (mustEscape(text[i], i == 0)) {
      name += fmt::format("%{:02X}", static_cast<unsigned char>(text[i]));
    } else {
      name += text[i];
    }
  }
  return name;
}

std::string textOfFileName(std::string_view name) {
  if (name == kEmptyName) {
    return {};
  }
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const std::optional<char> byte =
        name[i] == '%' ? byteOfHex(name.substr(i + 1, 2)) : std::nullopt;
    // Only what fileNameOf() escapes: another program's "100%25ab" could mean anything else.
    if (byte && mustEscape(*byte, i == 0)) {
      text += *byte;
      i += 2;
    } else {
      text += name[i];
    }
  }
  return text;
}

std::string containedPath(std::string_view path) {
  return convertComponents(path, fileNameOf);
}

std::string pathOfContained(std::string_view contained) {
  return convertComponents(contained, textOfFileName);
}

}  // namespace dubito
