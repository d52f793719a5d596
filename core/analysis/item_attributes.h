// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/base/plot_values.h"

namespace dubito {

/// What the items of an analysis have under one attribute name.
struct AttributeSummary {
  static constexpr std::size_t kMostValues = 200;

  std::string name;
  bool numeric = false;  ///< numbers in every part that has it
  Interval range;        ///< of the finite numbers; {0, 0} for texts
  /// The distinct values in order, as AttributeFilter takes them; empty if there are more than
  /// kMostValues.
  std::vector<std::string> values;
  bool some_lack_it = false;  ///< items without a value exist
};

/// Every attribute of the datasets of `analysis`, in the order of the first part that has it.
[[nodiscard]] std::vector<AttributeSummary> attributesOf(const Analysis& analysis);

/// Some part of `analysis` has it.
[[nodiscard]] bool hasAttribute(const Analysis& analysis, const std::string& name);

/// The attribute of a part's dataset; null if it has none of that name.
[[nodiscard]] const Attribute* findAttribute(const AnalysisPart& part, const std::string& name);

/// The value of an item for people; empty if it has none.
[[nodiscard]] std::string attributeText(const AnalysisPart& part, const Attribute& attribute,
                                        std::int64_t row);
/// The number of an item, NaN if it has none or the attribute is text.
[[nodiscard]] double attributeNumber(const AnalysisPart& part, const Attribute& attribute,
                                     std::int64_t row);

/// [part][row]: numbers that sort the items by an attribute, NaN if an item has none. Numbers sort
/// as such where all parts have numbers, else all sort by their texts.
[[nodiscard]] std::vector<std::vector<double>> attributeSortKeys(const Analysis& analysis,
                                                                 const std::string& name);

}  // namespace dubito
