// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/labels/decision.h"
#include "core/labels/label_class.h"
#include "core/labels/sql/sql_connection.h"

namespace dubito {

/// Reads the columns of one row in turn. A value of another type, as in a file that somebody has
/// edited, is read as 0 or empty and makes isValid() false.
class RowReader {
 public:
  explicit RowReader(const SqlRow& row) : row_(row) {}

  [[nodiscard]] std::int64_t integer();
  [[nodiscard]] std::optional<std::int64_t> optionalInteger();
  [[nodiscard]] std::string text();  ///< NULL is empty
  [[nodiscard]] LabelAction action();
  [[nodiscard]] LabelOrigin origin();
  [[nodiscard]] std::optional<LabelOrigin> optionalOrigin();
  [[nodiscard]] std::vector<float> floats();
  [[nodiscard]] bool isValid() const { return valid_; }

 private:
  const SqlValue& next() { return row_.at(column_++); }

  const SqlRow& row_;
  std::size_t column_ = 0;
  bool valid_ = true;
};

/// Records decisions with the parameters of decisionRow().
extern const SqlInsert kInsertDecision;
[[nodiscard]] SqlRow decisionRow(const Decision& decision, std::int64_t sequence,
                                 std::int64_t step);
/// Columns of the journal that recordedDecision() reads.
extern const char* const kDecisionColumns;
[[nodiscard]] RecordedDecision recordedDecision(RowReader& reader);

/// Columns of the view present_label that presentLabel() reads.
extern const char* const kPresentColumns;
[[nodiscard]] PresentLabel presentLabel(RowReader& reader);

/// Columns of the view label_class that labelClass() reads.
extern const char* const kClassColumns;
[[nodiscard]] LabelClass labelClass(RowReader& reader);

/// Text as databases accept it: valid UTF-8 without NUL characters. Names of files can be anything.
[[nodiscard]] std::string storableText(std::string_view text);

}  // namespace dubito
