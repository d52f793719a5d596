// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>

namespace dubito {

// How the window and the report write numbers: one function per kind. Exact values are in tooltips
// and exported tables (exactText), measures of one item in three digits (shortText).

/// A number of things: "20 000", groups of three digits apart by thin spaces.
[[nodiscard]] QString countText(std::int64_t count);

/// A share in [0, 1] as "98.22 %", small ones with two digits ("0.0031 %"); a dash for NaN.
[[nodiscard]] QString shareText(double share);

/// A score that is no share (NLL, AUROC) as "0.9942", small ones with three digits ("1.25e-05"); a
/// dash for NaN.
[[nodiscard]] QString scoreText(double score);

}  // namespace dubito
