// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractSpinBox>
#include <cstdint>
#include <limits>
#include <optional>

namespace dubito {

/// A spin box for 64-bit integers or doubles. It accepts any text, so that a form can explain
/// invalid input instead of rejecting keys. Only stepping enforces the range.
class NumberBox : public QAbstractSpinBox {
  Q_OBJECT
 public:
  enum class Kind { kInteger, kReal };

  explicit NumberBox(Kind kind, QWidget* parent = nullptr);

  void setRange(double min, double max);
  void setInteger(std::int64_t value);
  /// Shows the shortest text that is read back as exactly `value`.
  void setReal(double value);
  void clearNumber();
  void setPlaceholderText(const QString& text);

  // The number in the box; nullopt if the text is not a number (for integer(): not an integer).
  [[nodiscard]] std::optional<std::int64_t> integer() const;
  [[nodiscard]] std::optional<double> real() const;

  void stepBy(int steps) override;
  /// Wide enough for a number with a few digits: "0.(" would look like another one.
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  /// Typing or stepping changed the text.
  void edited();

 protected:
  [[nodiscard]] StepEnabled stepEnabled() const override;

 private:
  Kind kind_;
  double min_ = -std::numeric_limits<double>::infinity();
  double max_ = std::numeric_limits<double>::infinity();
};

}  // namespace dubito
