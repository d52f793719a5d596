// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/lab_method_numbers.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "widgets/number_text.h"
#include "widgets/plot_table.h"

namespace dubito {
namespace {

/// How a number of LabDiagnostics is shown on a card.
struct ShownNumber {
  std::string_view key;
  const char* text;  ///< %1: the number
  QString (*write)(double value);
};

QString nats(double value) {
  return shortText(value, 4);
}
QString ratio(double value) {
  return shortText(value, 4);
}
QString percent(double value) {
  return shortText(100.0 * value, 2);
}
QString count(double value) {
  return std::isfinite(value) ? countText(std::llround(value)) : shortText(value, 2);
}

constexpr ShownNumber kShownNumbers[] = {
    {"log_evidence", QT_TRANSLATE_NOOP("Labs", "evidence %1 nats"), nats},
    {"elbo", QT_TRANSLATE_NOOP("Labs", "ELBO %1 nats"), nats},
    {"rhat", QT_TRANSLATE_NOOP("Labs", "R-hat %1"), ratio},
    {"ess", QT_TRANSLATE_NOOP("Labs", "ESS %1"), count},
    {"acceptance", QT_TRANSLATE_NOOP("Labs", "acceptance %1 %"), percent},
    {"divergences", QT_TRANSLATE_NOOP("Labs", "%1 divergences"), count}};
constexpr ShownNumber kLoss{"loss", QT_TRANSLATE_NOOP("Labs", "loss %1"), nats};

std::optional<QString> textOf(const ShownNumber& shown, const LabDiagnostics& diagnostics) {
  const auto found = std::ranges::find(diagnostics.numbers, shown.key, &LabDiagnostic::key);
  if (found == diagnostics.numbers.end()) {
    return std::nullopt;
  }
  return QCoreApplication::translate("Labs", shown.text).arg(shown.write(found->value));
}

}  // namespace

QStringList methodNumbers(const LabDiagnostics& diagnostics) {
  QStringList texts;
  for (const ShownNumber& shown : kShownNumbers) {
    if (auto text = textOf(shown, diagnostics)) {
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

}  // namespace dubito
