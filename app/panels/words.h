// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/analysis/analysis.h"
#include "core/analysis/item_query.h"
#include "widgets/number_text.h"
#include "widgets/theme.h"

namespace dubito {

/// "mutual information".
[[nodiscard]] QString measureName(Measure measure);
/// "nats", or empty.
[[nodiscard]] QString measureUnit(Measure measure);
/// What it is, in a line: "H − E[H]: what the draws disagree about".
[[nodiscard]] QString measureFormula(Measure measure);

/// "misclassified", and the colour that stands for it.
[[nodiscard]] QString groupName(ItemGroup group);
[[nodiscard]] ColorRole groupColor(ItemGroup group);

/// What an item is called: its name in the dataset, or its id.
[[nodiscard]] QString itemName(const Analysis& analysis, ItemRef item);
/// Names and values of the attributes that an item has.
[[nodiscard]] std::vector<std::pair<QString, QString>> attributeTexts(const AnalysisPart& part,
                                                                      std::int64_t row);
/// Name of class `k` of the analysed run; empty for -1.
[[nodiscard]] QString className(const Analysis& analysis, std::int64_t k);
/// Name of the true class of an item; empty where there is none (OOD classes are not the model's).
[[nodiscard]] QString trueClassName(const Analysis& analysis, ItemRef item);
/// Of a label of the dataset's own, -1 where it is not known.
[[nodiscard]] QString className(const Dataset& dataset, std::int64_t label);

/// "3–20", "≥ 3", "≤ 20".
[[nodiscard]] QString rangeText(Interval range);

/// What a list shows, for the line under its title: "178 misclassified · by mutual information,
/// descending".
[[nodiscard]] QString describeQuery(const ItemQuery& query, std::int64_t count);

}  // namespace dubito
