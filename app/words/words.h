// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/analysis/analysis.h"
#include "core/analysis/item_query.h"
#include "widgets/number_text.h"
#include "widgets/theme.h"

namespace dubito {

/// Display name: "mutual information".
[[nodiscard]] QString measureName(Measure measure);
/// Unit: "nats", or empty if dimensionless.
[[nodiscard]] QString measureUnit(Measure measure);
/// One-line definition: "H − E[H]: how much the draws disagree".
[[nodiscard]] QString measureFormula(Measure measure);

/// Display name of a column: "item number".
[[nodiscard]] QString columnName(ItemColumn column);
/// Display name of what a list is sorted by.
[[nodiscard]] QString sortName(const ItemQuery& query);
/// Message of a list without items.
[[nodiscard]] QString noItemsText();

/// Display name of a group ("misclassified") and its colour.
[[nodiscard]] QString groupName(ItemGroup group);
[[nodiscard]] ColorRole groupColor(ItemGroup group);

/// Name of the item in its dataset; its id if the dataset is not open.
[[nodiscard]] QString itemName(const Analysis& analysis, ItemRef item);
/// Names and values of an item's attributes.
[[nodiscard]] std::vector<std::pair<QString, QString>> attributeTexts(const AnalysisPart& part,
                                                                      std::int64_t row);
/// Name of class `k` of the run; empty for -1.
[[nodiscard]] QString className(const Analysis& analysis, std::int64_t k);
/// Name of the true class of an item; empty if unknown (OOD classes are not classes of the model).
[[nodiscard]] QString trueClassName(const Analysis& analysis, ItemRef item);
/// Name of class `label` in the dataset; -1 means unknown.
[[nodiscard]] QString className(const Dataset& dataset, std::int64_t label);

/// "reviewed labels (digits.labels, 132 of 10 000 changed)"; empty with the given labels.
[[nodiscard]] QString labelsText(const Analysis& analysis);
/// The line of a caption, which names reviewed labels first and their store last; unchanged with
/// the given labels.
[[nodiscard]] QString withLabels(const Analysis& analysis, const QString& line);

/// The range as text; infinite ends are omitted: "3–20", "≥ 3", "≤ 20".
[[nodiscard]] QString rangeText(Interval range);

/// Description of a list of `count` items: "178 misclassified · by mutual information, highest
/// first".
[[nodiscard]] QString describeQuery(const ItemQuery& query, std::int64_t count);

}  // namespace dubito
