// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>

namespace dubito {

// How the window and the report write numbers, one function per kind. Rates over items (accuracy,
// coverage, calibration error, mean confidence) are shares, shown in per cent in tables, tooltips
// and on axes. The probability or uncertainty of one item has three digits (shortText), a score
// four decimals. Exact values, with shares from 0 to 1, appear in table tooltips and in exported
// tables (exactText).

/// A count: "20 000", with thin spaces between groups of three digits.
[[nodiscard]] QString countText(std::int64_t count);

/// A share in [0, 1] as "98.22 %"; small ones with two significant digits ("0.0031 %"); a dash for
/// NaN.
[[nodiscard]] QString shareText(double share);

/// Axis title for shares: "accuracy (%)".
[[nodiscard]] QString percentTitle(const QString& name);

/// A score that is not a share (NLL, AUROC) as "0.9942"; small ones with three significant digits
/// ("1.25e-05"); a dash for NaN.
[[nodiscard]] QString scoreText(double score);

}  // namespace dubito
