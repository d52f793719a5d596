// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/file_rows.h"

namespace dubito {

/// A column of a text table.
struct CsvColumn {
  std::string name;  ///< as in the header
  /// [N], NaN for cells that are not numbers; empty if less than half of the cells are.
  std::vector<double> numbers = {};
  std::int64_t first_text = -1;  ///< row of the first cell that is not a number; -1: none
  std::string first_text_cell = {};
  bool whole = true;  ///< every number is a whole number

  /// Most cells are numbers.
  [[nodiscard]] bool isNumeric() const { return !numbers.empty(); }
  /// All cells are numbers.
  [[nodiscard]] bool isNumbers() const { return isNumeric() && first_text < 0; }
  [[nodiscard]] double least() const;
  [[nodiscard]] double largest() const;
  [[nodiscard]] bool isConstant() const { return isNumbers() && least() == largest(); }
  /// The numbers 0 to N-1 or 1 to N in order, N >= 2.
  [[nodiscard]] bool countsRows() const;
};

/// A text table by columns.
struct CsvTable {
  FileRows file;
  std::vector<std::string> header;
  std::vector<CsvColumn> columns;
  std::vector<std::string> notes;  ///< decimal commas and per cent signs that were read

  [[nodiscard]] std::int64_t rows() const { return static_cast<std::int64_t>(file.lines.size()); }
  /// kMalformed, naming the first cell of the column that is not a number.
  [[nodiscard]] Status requireNumbers(std::size_t column) const;
};

/// Reads all numbers of a table. Cells may have a decimal comma if the separator is another
/// character, and a per cent sign ("62.8%" is 0.628). Errors of CsvReader; kMalformed without rows.
[[nodiscard]] Expected<CsvTable> readCsvTable(const std::string& path, RunContext& context);

/// The texts of some columns of the table at `path`, without surrounding spaces.
[[nodiscard]] Expected<std::vector<std::vector<std::string>>> readCsvTexts(
    const std::string& path, const std::vector<std::size_t>& columns, RunContext& context);

}  // namespace dubito
