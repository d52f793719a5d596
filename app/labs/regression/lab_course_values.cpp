// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/regression/lab_course_values.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <limits>

#include "app/labs/lab_method_table.h"

namespace dubito {
namespace {

/// "Loss" of "Loss of member 3", "Chain" of "Chain 2": what all traces of a method show.
QString quantityOf(const QString& trace) {
  static const QRegularExpression kNumber(QStringLiteral("( of member)? \\d+$"));
  return QString(trace).remove(kNumber);
}

}  // namespace

CurvePlotValue courseOf(const RegressionRunner::Entry& entry) {
  CurvePlotValue value;
  value.kind = CurvePlotValue::Kind::kGeneric;
  value.x_is_share = false;
  value.y_is_share = false;
  value.has_legend = false;
  value.x_label = QCoreApplication::translate("Labs", "step");
  if (!entry.picture) {
    return value;
  }
  const std::vector<Curve>& traces = entry.picture->diagnostics.traces;
  for (const Curve& trace : traces) {
    const QString quantity = quantityOf(QString::fromStdString(trace.name));
    if (value.curves.empty()) {
      value.y_label = quantity;
      value.y_short = quantity == QLatin1String("log evidence")
                          ? QCoreApplication::translate("Labs", "log ev.")
                          : quantity;
    } else if (quantity != value.y_label) {
      continue;  // of another unit
    }
    StyledCurve styled;
    styled.curve = trace;
    styled.curve.summary = std::numeric_limits<double>::quiet_NaN();
    styled.run = entry.style;
    styled.dash = dashOfStyle(entry.style);
    styled.is_thin = traces.size() > 1;
    value.curves.push_back(std::move(styled));
  }
  return value;
}

}  // namespace dubito
