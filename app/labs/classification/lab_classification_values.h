// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "app/labs/classification/classification_runner.h"
#include "core/labs/classification/class_maps.h"
#include "widgets/class_map_plot.h"
#include "widgets/compare_table.h"
#include "widgets/curve_plot.h"

namespace dubito {

/// The map of one method. Without a picture, with invalid data, or if the method does not have this
/// map, only the points are shown.
[[nodiscard]] ClassMapValue classMapOf(const ClassificationRunner& runner, std::size_t entry,
                                       const ClassMapInfo& map, bool with_functions);

/// Why the method has no such map, as a sentence; empty: it has one, or none has been computed yet.
[[nodiscard]] QString missingMapText(const ClassificationRunner& runner, std::size_t entry,
                                     const ClassMapInfo& map);

/// What the map shows and how far the method is: "entropy 0 to 1.39 nats · step 20 of 600 · 200
/// points".
[[nodiscard]] QString classMapCaption(const ClassificationRunner& runner, std::size_t entry,
                                      const ClassMapInfo& map);

/// Texts at the ends of the colours of a map.
struct ScaleTexts {
  QString low;
  QString high;
};
[[nodiscard]] ScaleTexts scaleTextsOf(const ClassMapInfo& map, std::int64_t classes);

/// Scores of all methods, one row per method.
[[nodiscard]] CompareTableValue classificationTable(const ClassificationRunner& runner);
/// How far the largest probability of each method can be trusted, at the points of the scores: one
/// curve per method, with its ECE. The rows of the table say which is whose.
[[nodiscard]] CurvePlotValue classReliability(const ClassificationRunner& runner);
/// What the scores refer to.
[[nodiscard]] QString classificationTableCaption(const ClassificationRunner& runner);

}  // namespace dubito
