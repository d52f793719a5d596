// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/place_head.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "core/base/lower_case.h"

namespace dubito {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";
constexpr std::array<std::string_view, 11> kImageEndings{
    ".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp", ".jfif", ".jp2", ".ppm", ".pgm"};

std::string_view withoutMark(std::string_view head) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  head.remove_prefix(head.starts_with(kMark) ? kMark.size() : 0);
  head.remove_prefix(std::min(head.find_first_not_of(kSpaces), head.size()));
  return head;
}

}  // namespace

std::string headOfFile(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    return {};  // reading from a pipe could wait forever
  }
  constexpr std::size_t kBytes = std::size_t{1} << 16;
  std::string head(kBytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  return head;
}

char firstCharacter(std::string_view head) {
  const std::string_view text = withoutMark(head);
  return text.empty() ? '\0' : text.front();
}

std::string_view firstLine(std::string_view head) {
  const std::string_view text = withoutMark(head);
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end == std::string_view::npos ? 0 : end);
  line.remove_suffix(line.ends_with('\r') ? 1 : 0);
  return line;
}

bool hasJsonKey(std::string_view head, std::string_view key) {
  const std::string quoted = '"' + std::string(key) + '"';
  for (std::size_t at = head.find(quoted); at != std::string_view::npos;
       at = head.find(quoted, at + 1)) {
    const std::size_t next = head.find_first_not_of(kSpaces, at + quoted.size());
    if (next != std::string_view::npos && head[next] == ':') {
      return true;
    }
  }
  return false;
}

bool hasImageEnding(std::string_view file) {
  const std::size_t dot = file.rfind('.');
  const std::string ending = lowerCase(std::string(file.substr(std::min(dot, file.size()))));
  return std::ranges::find(kImageEndings, ending) != kImageEndings.end();
}

}  // namespace dubito
