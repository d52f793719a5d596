// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/item_attributes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/base/nan.h"

namespace dubito {
namespace {

/// Position of a row in the dataset, -1 if missing.
std::int64_t indexOf(const AnalysisPart& part, std::int64_t row) {
  const auto at = static_cast<std::size_t>(row);
  return at < part.dataset_index.size() ? part.dataset_index[at] : -1;
}

bool isNumeric(const Analysis& analysis, const std::string& name) {
  return std::all_of(analysis.parts.begin(), analysis.parts.end(), [&](const AnalysisPart& part) {
    const Attribute* const attribute = findAttribute(part, name);
    return attribute == nullptr || attribute->numbers() != nullptr;
  });
}

/// Calls visit(part, attribute, row) for each item of the parts that have the attribute.
template <class Visit>
void forEachItem(const Analysis& analysis, const std::string& name, Visit visit) {
  for (std::size_t p = 0; p < analysis.parts.size(); ++p) {
    const AnalysisPart& part = analysis.parts[p];
    const Attribute* const attribute = findAttribute(part, name);
    for (std::int64_t row = 0; attribute != nullptr && row < part.run->itemCount(); ++row) {
      visit(p, *attribute, row);
    }
  }
}

void summariseNumbers(const Analysis& analysis, AttributeSummary& summary) {
  std::set<double> distinct;
  bool any = false;
  forEachItem(analysis, summary.name,
              [&](std::size_t part, const Attribute& attribute, std::int64_t row) {
                const double number = attributeNumber(analysis.parts[part], attribute, row);
                summary.has_missing_values = summary.has_missing_values || std::isnan(number);
                if (std::isfinite(number)) {
                  summary.range = any ? Interval{std::min(summary.range.low, number),
                                                 std::max(summary.range.high, number)}
                                      : Interval{number, number};
                  any = true;
                }
                if (!std::isnan(number) && distinct.size() <= AttributeSummary::kMaxValues) {
                  distinct.insert(number);
                }
              });
  for (const double number : distinct) {
    summary.values.push_back(Attribute{{}, NumberColumn{number}}.text(0));
  }
}

void summariseTexts(const Analysis& analysis, AttributeSummary& summary) {
  std::set<std::string> distinct;
  forEachItem(analysis, summary.name,
              [&](std::size_t part, const Attribute& attribute, std::int64_t row) {
                std::string text = attributeText(analysis.parts[part], attribute, row);
                summary.has_missing_values = summary.has_missing_values || text.empty();
                if (!text.empty() && distinct.size() <= AttributeSummary::kMaxValues) {
                  distinct.insert(std::move(text));
                }
              });
  summary.values.assign(distinct.begin(), distinct.end());
}

}  // namespace

const Attribute* findAttribute(const AnalysisPart& part, const std::string& name) {
  if (!part.dataset) {
    return nullptr;
  }
  const std::span<const Attribute> attributes = part.dataset->attributes();
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&name](const Attribute& other) { return other.name == name; });
  return found == attributes.end() ? nullptr : &*found;
}

bool hasAttribute(const Analysis& analysis, const std::string& name) {
  return std::any_of(
      analysis.parts.begin(), analysis.parts.end(),
      [&name](const AnalysisPart& part) { return findAttribute(part, name) != nullptr; });
}

std::string attributeText(const AnalysisPart& part, const Attribute& attribute, std::int64_t row) {
  const std::int64_t index = indexOf(part, row);
  return index < 0 ? std::string() : attribute.text(index);
}

double attributeNumber(const AnalysisPart& part, const Attribute& attribute, std::int64_t row) {
  const std::int64_t index = indexOf(part, row);
  const NumberColumn* const numbers = attribute.numbers();
  return index < 0 || numbers == nullptr ? kNaN : (*numbers)[static_cast<std::size_t>(index)];
}

std::vector<AttributeSummary> attributesOf(const Analysis& analysis) {
  std::vector<AttributeSummary> summaries;
  std::set<std::string> seen;
  for (const AnalysisPart& part : analysis.parts) {
    for (const Attribute& attribute :
         part.dataset ? part.dataset->attributes() : std::span<const Attribute>()) {
      if (!seen.insert(attribute.name).second) {
        continue;
      }
      AttributeSummary summary;
      summary.name = attribute.name;
      summary.numeric = isNumeric(analysis, attribute.name);
      if (summary.numeric) {
        summariseNumbers(analysis, summary);
      } else {
        summariseTexts(analysis, summary);
      }
      if (summary.values.size() > AttributeSummary::kMaxValues) {
        summary.values.clear();
      }
      summaries.push_back(std::move(summary));
    }
  }
  return summaries;
}

std::vector<std::vector<double>> attributeSortKeys(const Analysis& analysis,
                                                   const std::string& name) {
  std::vector<std::vector<double>> keys;
  for (const AnalysisPart& part : analysis.parts) {
    keys.emplace_back(static_cast<std::size_t>(part.run->itemCount()), kNaN);
  }
  if (isNumeric(analysis, name)) {
    forEachItem(analysis, name,
                [&](std::size_t part, const Attribute& attribute, std::int64_t row) {
                  keys[part][static_cast<std::size_t>(row)] =
                      attributeNumber(analysis.parts[part], attribute, row);
                });
    return keys;
  }
  std::map<std::string, double> rank;
  forEachItem(analysis, name, [&](std::size_t part, const Attribute& attribute, std::int64_t row) {
    rank.emplace(attributeText(analysis.parts[part], attribute, row), 0.0);
  });
  double next = 0.0;
  for (auto& [text, number] : rank) {
    number = text.empty() ? kNaN : next++;
  }
  forEachItem(analysis, name, [&](std::size_t part, const Attribute& attribute, std::int64_t row) {
    keys[part][static_cast<std::size_t>(row)] =
        rank.at(attributeText(analysis.parts[part], attribute, row));
  });
  return keys;
}

}  // namespace dubito
