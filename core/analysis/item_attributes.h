// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/base/plot_values.h"

namespace dubito {

/// Values of one attribute over the items of an analysis.
struct AttributeSummary {
  static constexpr std::size_t kMaxValues = 200;

  std::string name;
  bool numeric = false;  ///< whether the attribute is numeric in every part that has it
  Interval range;        ///< of the finite numbers; {0, 0} for texts
  /// The distinct values in order, as used by AttributeFilter; empty if there are more than
  /// kMaxValues.
  std::vector<std::string> values;
  bool has_missing_values = false;  ///< whether some items have no value
};

/// All attributes of the datasets of `analysis`, in the order of the first part that has each.
[[nodiscard]] std::vector<AttributeSummary> attributesOf(const Analysis& analysis);

/// Whether any part of `analysis` has the attribute.
[[nodiscard]] bool hasAttribute(const Analysis& analysis, const std::string& name);

/// The attribute of a part's dataset; null if there is none of that name.
[[nodiscard]] const Attribute* findAttribute(const AnalysisPart& part, const std::string& name);

/// The value of an item as displayed; empty if it has none.
[[nodiscard]] std::string attributeText(const AnalysisPart& part, const Attribute& attribute,
                                        std::int64_t row);
/// The numeric value of an item; NaN if it has none or the attribute is text.
[[nodiscard]] double attributeNumber(const AnalysisPart& part, const Attribute& attribute,
                                     std::int64_t row);

/// [part][row]: sort keys by an attribute, NaN for items without a value. Numeric order if all
/// parts have numbers, else order of the texts.
[[nodiscard]] std::vector<std::vector<double>> attributeSortKeys(const Analysis& analysis,
                                                                 const std::string& name);

}  // namespace dubito
