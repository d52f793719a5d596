// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/base/spreadsheet_cell.h"

namespace dubito {
namespace {

tl::unexpected<Error> malformedCsv(const std::string& path, const std::string& reason) {
  return fail(ErrorCode::kMalformed, path + ": " + reason);
}

/// The most frequent separator of the first line outside of quotes.
char guessSeparator(std::string_view text) {
  constexpr std::string_view kSeparators = ",;\t";
  std::int64_t counts[kSeparators.size()] = {};
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '\n' || c == '\r')) {
      break;
    } else if (const std::size_t i = kSeparators.find(c); !quoted && i != std::string_view::npos) {
      ++counts[i];
    }
  }
  return kSeparators[static_cast<std::size_t>(std::ranges::max_element(counts) - counts)];
}

template <class T>
std::optional<T> parse(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+') && !text.starts_with("+-")) {
    text.remove_prefix(1);
  }
  T value{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  // A number too small for a double is 0, not an error.
  if constexpr (std::is_floating_point_v<T>) {
    if (error == std::errc::result_out_of_range && rest == end) {
      return text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos
                 ? std::optional<T>(T{0})
                 : std::nullopt;
    }
  }
  return error == std::errc() && rest == end ? std::optional<T>(value) : std::nullopt;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t start = std::min(text.find_first_not_of(" \t"), text.size());
  return text.substr(start, text.find_last_not_of(" \t") + 1 - start);
}

std::optional<double> parseNumber(std::string_view text) {
  return parse<double>(text);
}

std::optional<std::int64_t> parseInteger(std::string_view text) {
  return parse<std::int64_t>(text);
}

Expected<CsvReader> CsvReader::open(const std::string& path) {
  auto file = MappedFile::open(path);
  if (!file) {
    return failWith(file);
  }
  CsvReader reader;
  reader.path_ = path;
  reader.file_ = std::move(*file);
  const ByteSpan bytes = reader.file_->bytes();
  reader.text_ = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  if (reader.text_.starts_with("\xEF\xBB\xBF")) {
    reader.text_.remove_prefix(3);
  }
  // UTF-16 is full of NUL bytes, and so are nearly all files that are not text.
  if (reader.text_.find('\0') != std::string_view::npos) {
    return malformedCsv(path, "is not UTF-8 text (it contains NUL bytes); save it as CSV in UTF-8");
  }
  reader.separator_ = guessSeparator(reader.text_);
  std::vector<std::string_view> names;
  const Expected<bool> any = reader.readRecord(names);
  if (!any) {
    return failWith(any);
  }
  if (!*any) {
    return malformedCsv(path, "is empty; a CSV file starts with a line of column names");
  }
  for (const std::string_view name : names) {
    reader.header_.emplace_back(trimmed(name));
  }
  return reader;
}

Expected<bool> CsvReader::next(std::vector<std::string_view>& fields) {
  Expected<bool> any = readRecord(fields);
  if (any && *any && fields.size() != header_.size()) {
    return malformedCsv(path_,
                        fmt::format("line {} has {} values, but the header has {} names; fix "
                                    "the line or the header",
                                    row_line_, fields.size(), header_.size()));
  }
  return any;
}

Expected<bool> CsvReader::readRecord(std::vector<std::string_view>& fields) {
  fields.clear();
  unquoted_.clear();
  // Empty lines, mostly at the end, are not rows.
  while (position_ < text_.size() && (text_[position_] == '\n' || text_[position_] == '\r')) {
    line_ += text_[position_] == '\n' ? 1 : 0;
    ++position_;
  }
  row_line_ = line_;
  if (position_ == text_.size()) {
    return false;
  }
  for (;;) {
    const Expected<std::string_view> field = readField();
    if (!field) {
      return failWith(field);
    }
    fields.push_back(*field);
    if (position_ == text_.size()) {
      return true;
    }
    const char end = text_[position_++];
    if (end == separator_) {
      continue;
    }
    if (end == '\r' && position_ < text_.size() && text_[position_] == '\n') {
      ++position_;
    }
    ++line_;
    return true;
  }
}

Expected<std::string_view> CsvReader::readField() {
  if (position_ < text_.size() && text_[position_] == '"') {
    return readQuotedField();
  }
  const std::size_t start = position_;
  while (position_ < text_.size() && text_[position_] != separator_ && text_[position_] != '\n' &&
         text_[position_] != '\r') {
    ++position_;
  }
  return withoutApostrophe(text_.substr(start, position_ - start));
}

Expected<std::string_view> CsvReader::readQuotedField() {
  const std::size_t start = ++position_;
  bool doubled = false;
  for (;; ++position_) {
    if (position_ == text_.size()) {
      return malformedCsv(path_,
                          fmt::format("the quote opened in the row at line {} is never closed; "
                                      "close it",
                                      row_line_));
    }
    line_ += text_[position_] == '\n' ? 1 : 0;
    if (text_[position_] != '"') {
      continue;
    }
    if (position_ + 1 == text_.size() || text_[position_ + 1] != '"') {
      break;
    }
    doubled = true;
    ++position_;
  }
  const std::string_view inside = text_.substr(start, position_ - start);
  ++position_;
  if (position_ < text_.size() && text_[position_] != separator_ && text_[position_] != '\n' &&
      text_[position_] != '\r') {
    return malformedCsv(path_, fmt::format("a quoted value is followed by more text in line {}; "
                                           "double the quotes inside it",
                                           line_));
  }
  if (!doubled) {
    return withoutApostrophe(inside);
  }
  auto& text = unquoted_.emplace_back(std::make_unique<std::string>());
  for (std::size_t i = 0; i < inside.size(); ++i) {
    text->push_back(inside[i]);
    i += inside[i] == '"' ? 1U : 0U;
  }
  return withoutApostrophe(*text);
}

std::string csvField(const std::string& text) {
  const std::string cell = spreadsheetCell(text);
  if (cell.find_first_of(",\"\r\n") == std::string::npos) {
    return cell;
  }
  std::string result = "\"";
  for (const char c : cell) {
    result += c == '"' ? "\"\"" : std::string(1, c);
  }
  return result + '"';
}

}  // namespace dubito
