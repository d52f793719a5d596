// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/small_text.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "core/io/csv.h"

namespace dubito {

namespace fs = std::filesystem;

std::optional<std::string> smallText(const std::string& path) {
  constexpr std::uintmax_t kMaxBytes = std::uintmax_t{1} << 20;
  std::error_code error;
  if (fs::is_symlink(path, error) || !fs::is_regular_file(path, error) ||
      fs::file_size(path, error) > kMaxBytes || error) {
    return std::nullopt;
  }
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  if (file.peek() != std::ifstream::traits_type::eof()) {
    text << file.rdbuf();
  }
  return text ? std::optional(std::move(text).str()) : std::nullopt;
}

std::vector<std::string_view> trimmedLines(std::string_view text) {
  constexpr std::size_t kMaxLines = 100'000;
  std::vector<std::string_view> lines;
  while (!text.empty() && lines.size() < kMaxLines) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    line.remove_suffix(line.ends_with('\r') ? 1 : 0);
    lines.push_back(trimmed(line));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string unquoted(std::string_view text) {
  text = trimmed(text);
  const bool quoted = text.size() > 1 && (text.front() == '"' || text.front() == '\'') &&
                      text.back() == text.front();
  return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

}  // namespace dubito
