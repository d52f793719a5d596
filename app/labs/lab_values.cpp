// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/lab_values.h"

#include <cmath>
#include <limits>
#include <utility>

namespace dubito {

QStringList toTexts(const std::vector<std::string>& texts) {
  QStringList list;
  for (const std::string& text : texts) {
    list << QString::fromStdString(text);
  }
  return list;
}

QString captionOf(QStringList parts) {
  parts.removeAll({});
  return parts.join(QStringLiteral(" · "));
}

CurvePlotValue linePlot(const QString& x_label, const QString& y_label) {
  CurvePlotValue value;
  value.kind = CurvePlotValue::Kind::kGeneric;
  value.x_is_share = false;
  value.y_is_share = false;
  value.x_label = x_label;
  value.y_label = y_label;
  return value;
}

StyledCurve styledCurve(const QString& name, int run, int dash, Curve points) {
  points.name = name.toStdString();
  points.summary = std::numeric_limits<double>::quiet_NaN();
  return {std::move(points), run, dash};
}

CompareTableValue::Cell numberCell(double value, int digits) {
  return {shortText(value, digits), value, exactText(value)};
}

CompareTableValue::Cell finiteCell(double value, int digits) {
  return std::isfinite(value) ? numberCell(value, digits) : emptyCell();
}

CompareTableValue::Cell emptyCell() {
  return {QStringLiteral("–")};
}

}  // namespace dubito
