// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/number_box.h"

#include <QLineEdit>
#include <algorithm>
#include <cmath>

#include "widgets/plot_table.h"

namespace dubito {
namespace {

/// A tenth of the power of ten at or below `value`: 0.05 steps by 0.01/10 = 0.001, 50 by 1.
double stepOf(double value) {
  if (value == 0.0) {
    return 0.1;
  }
  return std::pow(10.0, std::floor(std::log10(std::abs(value)) + 1e-12) - 1.0);
}

/// The text without the spaces that group the digits of counts elsewhere in the window, from which
/// numbers are copied.
QString ungrouped(const QLineEdit& edit) {
  QString text = edit.text().trimmed();
  for (const QChar space : {QChar(0x2009), QChar(0x202F), QChar(0x00A0)}) {
    text.remove(space);
  }
  return text;
}

}  // namespace

NumberBox::NumberBox(Kind kind, QWidget* parent) : QAbstractSpinBox(parent), kind_(kind) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  lineEdit()->setValidator(nullptr);
  connect(lineEdit(), &QLineEdit::textEdited, this, &NumberBox::edited);
}

void NumberBox::setRange(double min, double max) {
  min_ = min;
  max_ = max;
}

void NumberBox::setInteger(std::int64_t value) {
  lineEdit()->setText(QString::number(static_cast<qlonglong>(value)));
}

void NumberBox::setReal(double value) {
  lineEdit()->setText(exactText(value));
  // Show the start of a long number: its end alone would look like another number.
  lineEdit()->setCursorPosition(0);
}

void NumberBox::clearNumber() {
  lineEdit()->clear();
}

void NumberBox::setPlaceholderText(const QString& text) {
  lineEdit()->setPlaceholderText(text);
}

std::optional<std::int64_t> NumberBox::integer() const {
  bool fine = false;
  const qlonglong value = ungrouped(*lineEdit()).toLongLong(&fine);
  return fine ? std::optional<std::int64_t>(value) : std::nullopt;
}

std::optional<double> NumberBox::real() const {
  bool fine = false;
  const double value = ungrouped(*lineEdit()).toDouble(&fine);
  return fine && !std::isnan(value) ? std::optional<double>(value) : std::nullopt;
}

void NumberBox::stepBy(int steps) {
  if (kind_ == Kind::kInteger) {
    const std::int64_t value = integer().value_or(0);
    std::int64_t next = 0;
    if (__builtin_add_overflow(value, std::int64_t{steps}, &next)) {
      return;
    }
    if (static_cast<double>(next) < min_ || static_cast<double>(next) > max_) {
      next = static_cast<std::int64_t>(steps > 0 ? std::min(max_, 9e18) : std::max(min_, -9e18));
    }
    setInteger(next);
  } else {
    const double value = real().value_or(std::clamp(0.0, min_, max_));
    const double step = stepOf(value);
    // Snap to multiples of the step, so that ten steps of 0.1 give 1, not 0.9999999999999999.
    const double next = (std::round(value / step) + steps) * step;
    setReal(std::clamp(QString::number(next, 'g', 12).toDouble(), min_, max_));
  }
  Q_EMIT edited();
}

QSize NumberBox::minimumSizeHint() const {
  // The base class knows no values, so it has only room for the frame and the buttons.
  QSize size = QAbstractSpinBox::minimumSizeHint();
  size.rwidth() += fontMetrics().horizontalAdvance(QStringLiteral("0.05"));
  return size;
}

QAbstractSpinBox::StepEnabled NumberBox::stepEnabled() const {
  StepEnabled enabled = StepNone;
  const double value = real().value_or(0.0);
  if (value < max_) {
    enabled |= StepUpEnabled;
  }
  if (value > min_) {
    enabled |= StepDownEnabled;
  }
  return enabled;
}

}  // namespace dubito
