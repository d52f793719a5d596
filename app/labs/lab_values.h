// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>
#include <QStringList>
#include <cstddef>
#include <string>
#include <vector>

#include "widgets/compare_table.h"
#include "widgets/curve_plot.h"
#include "widgets/number_text.h"

namespace dubito {

// What the values of all laboratories are built from.

/// The translation of a text that is marked with QT_TRANSLATE_NOOP("Labs", ...) or given here.
[[nodiscard]] inline QString labText(const char* text) {
  return QCoreApplication::translate("Labs", text);
}
[[nodiscard]] QStringList toTexts(const std::vector<std::string>& texts);
/// "5 games · round 3 of 20": the parts that are not empty.
[[nodiscard]] QString captionOf(QStringList parts);

/// A plot of lines whose axes have no percentages and follow the data.
[[nodiscard]] CurvePlotValue linePlot(const QString& x_label, const QString& y_label = {});
/// A curve without a number in the legend, in the colour `run` of Theme::runColor.
[[nodiscard]] StyledCurve styledCurve(const QString& name, int run, int dash, Curve points = {});
/// Dash of the curve or row `number`: colours repeat after four, and differ in dash before.
[[nodiscard]] constexpr int dashOf(std::size_t number) {
  return static_cast<int>((number + number / 4) % 4);
}

/// A number in a table with `digits` significant digits.
[[nodiscard]] CompareTableValue::Cell numberCell(double value, int digits = 3);
/// The same, but a dash unless it is finite.
[[nodiscard]] CompareTableValue::Cell finiteCell(double value, int digits = 3);
/// A cell of what was not computed.
[[nodiscard]] CompareTableValue::Cell emptyCell();

}  // namespace dubito
