// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/listed_items.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

#include "core/analysis/item_attributes.h"
#include "core/analysis/item_numbers.h"

namespace dubito {
namespace {

/// The items that are left while the conditions of a query are applied.
class ListedRows {
 public:
  ListedRows(std::int64_t first_row, std::span<std::uint8_t> listed)
      : first_(static_cast<std::size_t>(first_row)), listed_(listed) {}

  /// Keeps item i where keeps(values[i]).
  template <class T, class Keeps>
  void filter(std::span<const T> values_of_part, const Keeps& keeps) const {
    const T* const values = values_of_part.data() + first_;
    std::uint8_t* const listed = listed_.data();
    for (std::size_t i = 0; i < listed_.size(); ++i) {
      listed[i] = static_cast<std::uint8_t>(listed[i] & (keeps(values[i]) ? 1 : 0));
    }
  }
  /// Keeps the rows that are left for which keeps(row).
  template <class Keeps>
  void filterRows(const Keeps& keeps) const {
    for (std::size_t i = 0; i < listed_.size(); ++i) {
      if (listed_[i] != 0 && !keeps(static_cast<std::int64_t>(first_ + i))) {
        listed_[i] = 0;
      }
    }
  }
  void clear() const { std::ranges::fill(listed_, std::uint8_t{0}); }

 private:
  std::size_t first_;
  std::span<std::uint8_t> listed_;
};

void filterByGroup(const Analysis& analysis, GroupFilter wanted, std::int32_t part,
                   const ListedRows& rows) {
  if (wanted == GroupFilter::kAll || part > 0) {
    if (wanted != GroupFilter::kAll && wanted != GroupFilter::kOod) {
      rows.clear();
    }
    return;
  }
  const Run& run = *analysis.in().run;
  const std::int64_t* const labels = run.labels.data();
  const std::int64_t* const predictions = run.predictions.data();
  rows.filterRows([&](std::int64_t row) {
    return labels[row] >= 0 && wanted != GroupFilter::kOod &&
           (labels[row] == predictions[row]) == (wanted == GroupFilter::kCorrect);
  });
}

void filterByClass(const AnalysisPart& part, const ItemQuery& query, bool is_ood,
                   const ListedRows& rows) {
  const auto isClass = [](std::int64_t k) {
    return [k](std::int64_t value) { return value == k; };
  };
  if ((query.label || query.cell) && is_ood) {
    rows.clear();  // its labels mean nothing
    return;
  }
  if (query.predicted) {
    rows.filter(part.run->predictions.values(), isClass(*query.predicted));
  }
  if (query.label) {
    rows.filter(part.run->labels.values(), isClass(*query.label));
  }
  if (query.cell) {
    rows.filter(part.run->labels.values(), isClass(query.cell->label));
    rows.filter(part.run->predictions.values(), isClass(query.cell->predicted));
  }
}

void filterByRange(const AnalysisPart& part, const MeasureRange& wanted, const ListedRows& rows) {
  const Array<double>& values = part.values(wanted.measure);
  if (values.empty()) {
    rows.clear();
    return;
  }
  rows.filter(values.values(), [low = wanted.range.low, high = wanted.range.high](double value) {
    return (value >= low) & (value <= high);
  });
}

void filterByAttribute(const AnalysisPart& part, const AttributeFilter& filter,
                       const ListedRows& rows) {
  const Attribute* const attribute = findAttribute(part, filter.name);
  rows.filterRows([&](std::int64_t row) {
    if (const auto* const range = std::get_if<Interval>(&filter.wanted)) {
      const double number =
          attribute == nullptr ? std::nan("") : attributeNumber(part, *attribute, row);
      return number >= range->low && number <= range->high;
    }
    const std::string text =
        attribute == nullptr ? std::string() : attributeText(part, *attribute, row);
    return text == std::get<std::string>(filter.wanted);
  });
}

void filterByReliabilityBin(const AnalysisPart& part, const ReliabilityBinFilter& filter,
                            bool is_ood, const ListedRows& rows) {
  rows.filterRows([&](std::int64_t row) {
    const auto judged = assessedItem(*part.run, row, is_ood, filter.options);
    return judged && (filter.is_last || judged->probability <= filter.range.high) &&
           (filter.bin == 0 || judged->probability > filter.range.low);
  });
}

void filterByPick(const Analysis& analysis, const std::vector<bool>& picked, std::int32_t part,
                  const ListedRows& rows) {
  const ItemNumbers numbers(analysis);
  rows.filterRows([&](std::int64_t row) {
    const auto item = static_cast<std::size_t>(numbers.of({part, row}));
    return item < picked.size() && picked[item];
  });
}

}  // namespace

void markListed(const Analysis& analysis, const ItemQuery& query, ItemRef first,
                std::span<std::uint8_t> listed) {
  std::ranges::fill(listed, std::uint8_t{1});
  const AnalysisPart& part = analysis.partOf(first);
  const bool is_ood = first.part > 0;
  const ListedRows rows(first.row, listed);
  filterByGroup(analysis, query.group, first.part, rows);
  filterByClass(part, query, is_ood, rows);
  if (query.range) {
    filterByRange(part, *query.range, rows);
  }
  if (query.attribute) {
    filterByAttribute(part, *query.attribute, rows);
  }
  if (query.picked) {
    filterByPick(analysis, *query.picked->rows, first.part, rows);
  }
  if (query.reliability_bin) {
    filterByReliabilityBin(part, *query.reliability_bin, is_ood, rows);
  }
}

bool isListed(const Analysis& analysis, const ItemQuery& query, ItemRef item) {
  std::uint8_t listed = 0;
  markListed(analysis, query, item, {&listed, 1});
  return listed != 0;
}

}  // namespace dubito
