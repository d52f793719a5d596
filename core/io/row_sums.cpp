// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/row_sums.h"

#include <algorithm>
#include <cmath>

#include "core/io/row_tolerance.h"
#include "core/io/run_check.h"

namespace dubito {
namespace {

constexpr int kMaxDecimals = 6;
/// Pairs of columns are tried only in tables of few classes.
constexpr std::size_t kMaxForPairs = 40;

/// The largest number of decimals of a column, from 2 to 7; 7: more than six.
int decimalsOf(const CsvColumn& column) {
  int decimals = 2;
  for (const double value : column.numbers) {
    while (decimals <= kMaxDecimals) {
      const double scaled = value * std::pow(10.0, decimals);
      if (!(std::abs(scaled - std::nearbyint(scaled)) > 1e-9 * std::max(1.0, std::abs(scaled)))) {
        break;
      }
      ++decimals;
    }
  }
  return decimals;
}

/// Sums of the rows of a set of columns.
class Sums {
 public:
  Sums(const CsvTable& table, const std::vector<std::size_t>& columns) : table_(table) {
    sums_.assign(static_cast<std::size_t>(table.rows()), 0.0);
    for (const std::size_t c : columns) {
      add(c, 1.0);
    }
  }

  void add(std::size_t column, double sign) {
    const std::vector<double>& numbers = table_.columns[column].numbers;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      sums_[i] += sign * numbers[i];
    }
  }

  [[nodiscard]] bool near(double total, double below, double above) const {
    return std::ranges::all_of(
        sums_, [=](double sum) { return sum >= total - below && sum <= total + above; });
  }

 private:
  const CsvTable& table_;
  std::vector<double> sums_;
};

/// Whether the sums of these columns fit; `sums` are theirs.
bool fits(const CsvTable& table, const std::vector<std::size_t>& columns, const Sums& sums) {
  bool whole = true;
  for (const std::size_t c : columns) {
    if (!(table.columns[c].least() >= 0.0)) {
      return false;
    }
    whole = whole && table.columns[c].whole;
  }
  const auto classes = static_cast<double>(columns.size());
  const double base = kRowSumTolerance * (1.0 + 1e-9);
  if (sums.near(1.0, base, base) || sums.near(100.0, 100.0 * base, 100.0 * base)) {
    return true;
  }
  if (whole) {
    const double low = std::min(classes, 100.0);
    return sums.near(255.0, low, classes / 2.0) ||
           sums.near(100.0, std::min(classes / 2.0, 50.0), std::min(classes / 2.0, 50.0));
  }
  if (!sums.near(1.0, kMaxRounding, kMaxRounding) && !sums.near(100.0, 50.0, 50.0)) {
    return false;
  }
  int decimals = 2;
  for (const std::size_t c : columns) {
    decimals = std::max(decimals, decimalsOf(table.columns[c]));
  }
  if (decimals > kMaxDecimals) {
    return false;
  }
  const double rounding =
      std::min(kMaxRounding, classes * 0.5 * std::pow(10.0, -decimals)) * (1.0 + 1e-9);
  return sums.near(1.0, rounding, rounding) || sums.near(100.0, rounding, rounding);
}

std::vector<std::size_t> without(std::vector<std::size_t> columns,
                                 std::initializer_list<std::size_t> removed) {
  std::erase_if(columns, [&removed](std::size_t c) {
    return std::ranges::find(removed, c) != removed.end();
  });
  return columns;
}

}  // namespace

bool sumToTotal(const CsvTable& table, const std::vector<std::size_t>& columns) {
  return columns.size() >= 2 && fits(table, columns, Sums(table, columns));
}

std::optional<std::vector<std::size_t>> withoutOthers(const CsvTable& table,
                                                      const std::vector<std::size_t>& columns) {
  std::vector<std::size_t> kept = columns;
  // Whole numbers other than 0 and 1 next to fractions are no probabilities.
  std::erase_if(kept, [&table](std::size_t c) {
    const CsvColumn& column = table.columns[c];
    return !column.isNumbers() || column.countsRows() ||
           std::ranges::any_of(column.numbers, [](double v) { return std::isnan(v); }) ||
           (column.whole && (!(column.least() >= 0.0) || column.largest() > 1.0));
  });
  if (kept.size() < 2) {
    return std::nullopt;
  }
  if (kept.size() < columns.size() && sumToTotal(table, kept)) {
    return kept;
  }
  Sums sums(table, kept);
  std::vector<std::vector<std::size_t>> found;
  for (std::size_t i = 0; i < kept.size() && kept.size() > 2; ++i) {
    const std::vector<std::size_t> rest = without(kept, {kept[i]});
    sums.add(kept[i], -1.0);
    if (fits(table, rest, sums)) {
      found.push_back(rest);
    }
    sums.add(kept[i], 1.0);
  }
  for (std::size_t i = 0;
       i < kept.size() && found.empty() && kept.size() > 3 && kept.size() <= kMaxForPairs; ++i) {
    sums.add(kept[i], -1.0);
    for (std::size_t j = i + 1; j < kept.size(); ++j) {
      const std::vector<std::size_t> rest = without(kept, {kept[i], kept[j]});
      sums.add(kept[j], -1.0);
      if (fits(table, rest, sums)) {
        found.push_back(rest);
      }
      sums.add(kept[j], 1.0);
    }
    sums.add(kept[i], 1.0);
  }
  return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

}  // namespace dubito
