// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"
#include "core/io/mapped_file.h"

namespace dubito {

/// Reads a text table line by line (RFC 4180: quoted fields may contain separators, doubled quotes
/// and line breaks; LF or CRLF; a byte order mark is skipped). The first line names the columns;
/// the separator is the comma, semicolon or tab, whichever is most frequent in it. Empty lines are
/// skipped.
class CsvReader {
 public:
  /// Reads the first line. kMalformed for an empty file, NUL bytes or UTF-16; else the errors of
  /// MappedFile::open.
  [[nodiscard]] static Expected<CsvReader> open(const std::string& path);

  [[nodiscard]] const std::vector<std::string>& header() const { return header_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] char separator() const { return separator_; }

  /// Reads the next row into `fields`, one per column; false at the end. The views are valid until
  /// the next call. kMalformed, naming the line, for an unclosed quote or a row whose number of
  /// values differs from that of the column names.
  [[nodiscard]] Expected<bool> next(std::vector<std::string_view>& fields);

  /// Line, counted from 1, in which the most recent row began.
  [[nodiscard]] std::int64_t line() const { return row_line_; }
  /// Bytes read so far, and size of the file in bytes.
  [[nodiscard]] std::int64_t bytesRead() const { return static_cast<std::int64_t>(position_); }
  [[nodiscard]] std::int64_t bytesTotal() const { return static_cast<std::int64_t>(text_.size()); }

 private:
  CsvReader() = default;
  [[nodiscard]] Expected<bool> readRecord(std::vector<std::string_view>& fields);
  [[nodiscard]] Expected<std::string_view> readField();
  [[nodiscard]] Expected<std::string_view> readQuotedField();

  std::string path_;
  std::shared_ptr<const MappedFile> file_;
  std::string_view text_;
  std::size_t position_ = 0;
  std::int64_t line_ = 1;
  std::int64_t row_line_ = 1;
  char separator_ = ',';
  std::vector<std::string> header_;
  /// Contents of fields in which doubled quotes were replaced; the views refer to them.
  std::vector<std::unique_ptr<std::string>> unquoted_;
};

/// Parses a number; nullopt if `text` is anything else. Surrounding spaces are ignored; "nan" and
/// "inf" are numbers.
[[nodiscard]] std::optional<double> parseNumber(std::string_view text);
/// Parses a 64-bit decimal integer ("7", "-1"); nullopt for anything else, such as "7.0".
[[nodiscard]] std::optional<std::int64_t> parseInteger(std::string_view text);
/// `text` without leading and trailing spaces and tabs.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// Converts a text to a field of a CSV file: a spreadsheetCell(), in quotes if it contains a comma,
/// a quote or a line break.
[[nodiscard]] std::string csvField(const std::string& text);

}  // namespace dubito
