// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>

namespace dubito {

// How the window and the report write numbers: one function per kind. What is counted over items
// (an accuracy, a rate, a coverage, a calibration error, a mean confidence) is a share, in per cent
// in tables, tooltips and on axes; the probability or uncertainty of one item is a number in three
// digits (shortText), a score a number in four decimals. Exact values, shares from 0 to 1, are in
// tooltips of tables and in exported tables (exactText).

/// A number of things: "20 000", groups of three digits apart by thin spaces.
[[nodiscard]] QString countText(std::int64_t count);

/// A share in [0, 1] as "98.22 %", small ones with two digits ("0.0031 %"); a dash for NaN.
[[nodiscard]] QString shareText(double share);

/// The title of an axis of shares: "accuracy (%)".
[[nodiscard]] QString percentTitle(const QString& name);

/// A score that is no share (NLL, AUROC) as "0.9942", small ones with three digits ("1.25e-05"); a
/// dash for NaN.
[[nodiscard]] QString scoreText(double score);

}  // namespace dubito
