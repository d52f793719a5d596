// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/lab_method_values.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

namespace dubito {
namespace {

/// How a number of LabDiagnostics is shown on a card.
struct ShownNumber {
  std::string_view key;
  const char* text;  ///< %1: the number
  QString (*write)(double value);
};

QString fourDigits(double value) {
  return shortText(value, 4);
}
QString percent(double value) {
  return shortText(100.0 * value, 2);
}
QString count(double value) {
  return std::isfinite(value) ? countText(std::llround(value)) : shortText(value, 2);
}

constexpr ShownNumber kShownNumbers[] = {
    {"log_evidence", QT_TRANSLATE_NOOP("Labs", "evidence %1 nats"), fourDigits},
    {"elbo", QT_TRANSLATE_NOOP("Labs", "ELBO %1 nats"), fourDigits},
    {"rhat", QT_TRANSLATE_NOOP("Labs", "R-hat %1"), fourDigits},
    {"ess", QT_TRANSLATE_NOOP("Labs", "ESS %1"), count},
    {"acceptance", QT_TRANSLATE_NOOP("Labs", "acceptance %1 %"), percent},
    {"divergences", QT_TRANSLATE_NOOP("Labs", "%1 divergences"), count}};
constexpr ShownNumber kLoss{"loss", QT_TRANSLATE_NOOP("Labs", "loss %1"), fourDigits};

std::optional<QString> textOf(const ShownNumber& shown, const LabDiagnostics& diagnostics) {
  const auto found = std::ranges::find(diagnostics.numbers, shown.key, &LabDiagnostic::key);
  if (found == diagnostics.numbers.end()) {
    return std::nullopt;
  }
  return labText(shown.text).arg(shown.write(found->value));
}

}  // namespace

QStringList methodNumbers(const LabDiagnostics& diagnostics) {
  QStringList texts;
  for (const ShownNumber& shown : kShownNumbers) {
    if (const auto text = textOf(shown, diagnostics)) {
      texts << *text;
    }
  }
  // A lower bound or an evidence says more than the loss that leads to it.
  if (texts.isEmpty()) {
    if (auto loss = textOf(kLoss, diagnostics)) {
      texts << *loss;
    }
  }
  return texts;
}

CompareTableValue::Cell secondsCell(double seconds) {
  CompareTableValue::Cell cell = numberCell(seconds, 2);
  cell.text = QStringLiteral("%1 s").arg(cell.text);
  return cell;
}

}  // namespace dubito
