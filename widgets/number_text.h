// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>

namespace dubito {

// Number formats of the window and the report. Rates over items (accuracy, coverage, calibration
// error, mean confidence) are called shares and are shown as percentages in tables, tooltips and on
// axes. The probability or uncertainty of one item has three significant digits (shortText), a
// score has four decimals. Tooltips of tables and exported tables show exact values (exactText),
// with shares between 0 and 1.

/// A count: "20 000", with thin spaces between groups of three digits.
[[nodiscard]] QString countText(std::int64_t count);

/// A count in a sentence: `one` for 1, else `many`; both contain %1 where the count goes.
[[nodiscard]] QString countedText(std::int64_t count, const QString& one, const QString& many);

/// A share in [0, 1] as "98.22 %". Small shares have two significant digits ("0.0031 %"). NaN is
/// shown as a dash.
[[nodiscard]] QString shareText(double share);

/// The difference of two shares in percentage points: "+0.05 points", "−0.05 points". NaN is shown
/// as a dash.
[[nodiscard]] QString pointsText(double difference);

/// Title of an axis in percent: "accuracy (%)".
[[nodiscard]] QString percentTitle(const QString& name);

/// A score that is not a share (NLL, AUROC) as "0.9942". Small scores have three significant digits
/// ("1.25e-05"). NaN is shown as a dash.
[[nodiscard]] QString scoreText(double score);

/// A mean and its standard deviation or error, with the same number of decimals: as many as show
/// two digits of the spread, and at least `least_decimals`: "0.03248 ± 0.00062". Without a spread
/// (NaN) the mean alone.
[[nodiscard]] QString spreadText(double mean, double spread, int least_decimals);

}  // namespace dubito
