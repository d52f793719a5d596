// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/agreement.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "core/metrics/percentile.h"

namespace dubito {
namespace {

/// Counts of the pairs of ratings of two annotators, and of each annotator's classes.
struct PairCounts {
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> pairs;
  std::map<std::int64_t, std::int64_t> of_first;
  std::map<std::int64_t, std::int64_t> of_second;
};

std::int64_t countOf(const std::map<std::int64_t, std::int64_t>& counts, std::int64_t key) {
  const auto found = counts.find(key);
  return found == counts.end() ? 0 : found->second;
}

double kappaVariance(const PairCounts& counts, double kappa, double expected, double items) {
  const auto share = [items](std::int64_t count) { return static_cast<double>(count) / items; };
  double equal = 0.0;
  double unequal = 0.0;
  for (const auto& [classes, count] : counts.pairs) {
    const auto& [first, second] = classes;
    // Crossed: how often the first annotator says what the second did, and the reverse.
    const double crossed =
        share(countOf(counts.of_second, first) + countOf(counts.of_first, second));
    if (first == second) {
      equal += share(count) * std::pow(1.0 - crossed * (1.0 - kappa), 2);
    } else {
      unequal += share(count) * crossed * crossed;
    }
  }
  const double mean = kappa - expected * (1.0 - kappa);
  const double sum = equal + std::pow(1.0 - kappa, 2) * unequal - mean * mean;
  return std::max(0.0, sum) / (items * std::pow(1.0 - expected, 2));
}

/// Ratings of one item by class, for Fleiss' kappa.
using ItemCounts = std::map<std::int64_t, std::int64_t>;

/// Ordered pairs of equal ratings of an item.
std::int64_t equalPairs(const ItemCounts& counts) {
  std::int64_t pairs = 0;
  for (const auto& [rating, count] : counts) {
    pairs += count * (count - 1);
  }
  return pairs;
}

/// Sums over items, from which Fleiss' kappa is computed.
struct FleissSums {
  std::int64_t items = 0;
  std::int64_t equal_pairs = 0;
  std::map<std::int64_t, std::int64_t> of_class;

  /// Adds an item (`sign` 1), or takes it away (-1).
  void add(const ItemCounts& counts, std::int64_t sign) {
    items += sign;
    equal_pairs += sign * equalPairs(counts);
    for (const auto& [rating, count] : counts) {
      of_class[rating] += sign * count;
    }
  }
  [[nodiscard]] double observed(std::int64_t ratings_per_item) const {
    return static_cast<double>(equal_pairs) /
           static_cast<double>(ratings_per_item * (ratings_per_item - 1) * items);
  }
  [[nodiscard]] double expected(std::int64_t ratings_per_item) const {
    const auto all = static_cast<double>(ratings_per_item * items);
    double sum = 0.0;
    for (const auto& [rating, count] : of_class) {
      sum += std::pow(static_cast<double>(count) / all, 2);
    }
    return sum;
  }
  /// Empty if it is not defined.
  [[nodiscard]] std::optional<double> kappa(std::int64_t ratings_per_item) const {
    const auto used =
        std::ranges::count_if(of_class, [](const auto& one) { return one.second > 0; });
    if (items == 0 || used < 2) {
      return std::nullopt;
    }
    const double by_chance = expected(ratings_per_item);
    return (observed(ratings_per_item) - by_chance) / (1.0 - by_chance);
  }
};

std::optional<Interval> jackknife95(const std::vector<ItemCounts>& items, FleissSums sums,
                                    std::int64_t ratings_per_item, double kappa) {
  std::vector<double> without;
  for (const ItemCounts& counts : items) {
    sums.add(counts, -1);
    const auto rest = sums.kappa(ratings_per_item);
    sums.add(counts, 1);
    if (!rest) {
      return std::nullopt;
    }
    without.push_back(*rest);
  }
  const auto n = static_cast<double>(without.size());
  double mean = 0.0;
  for (const double value : without) {
    mean += value / n;
  }
  double squares = 0.0;
  for (const double value : without) {
    squares += std::pow(value - mean, 2);
  }
  const double half = normalQuantile(0.975) * std::sqrt(squares * (n - 1.0) / n);
  return Interval{kappa - half, kappa + half};
}

std::vector<ClassAgreement> agreementByClass(const std::vector<ItemCounts>& items,
                                             const FleissSums& sums,
                                             std::int64_t ratings_per_item) {
  std::map<std::int64_t, std::int64_t> unequal;  // pairs of this rating and another, by rating
  for (const ItemCounts& counts : items) {
    for (const auto& [rating, count] : counts) {
      unequal[rating] += count * (ratings_per_item - count);
    }
  }
  const auto all = static_cast<double>(ratings_per_item * sums.items);
  std::vector<ClassAgreement> result;
  for (const auto& [rating, count] : sums.of_class) {
    const double share = static_cast<double>(count) / all;
    ClassAgreement agreement{.rating = rating, .count = count, .kappa = {}};
    if (count < ratings_per_item * sums.items) {
      const double by_chance =
          all * static_cast<double>(ratings_per_item - 1) * share * (1.0 - share);
      agreement.kappa = 1.0 - static_cast<double>(unequal[rating]) / by_chance;
    }
    result.push_back(agreement);
  }
  return result;
}

}  // namespace

CohenAgreement cohenAgreement(std::span<const std::int64_t> first,
                              std::span<const std::int64_t> second) {
  if (first.size() != second.size()) {
    throw std::invalid_argument("cohenAgreement: the annotators have different numbers of items");
  }
  CohenAgreement result;
  PairCounts counts;
  std::int64_t equal = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] < 0 || second[i] < 0) {
      ++result.left_out;
      continue;
    }
    ++result.items;
    ++counts.pairs[{first[i], second[i]}];
    ++counts.of_first[first[i]];
    ++counts.of_second[second[i]];
    equal += first[i] == second[i] ? 1 : 0;
  }
  if (result.items == 0) {
    return result;
  }
  const auto items = static_cast<double>(result.items);
  double expected = 0.0;
  for (const auto& [rating, count] : counts.of_first) {
    expected += static_cast<double>(count) * static_cast<double>(countOf(counts.of_second, rating));
  }
  result.observed = static_cast<double>(equal) / items;
  result.expected = expected / (items * items);
  // The expected agreement is 1 only if both annotators use the same single class.
  if (counts.of_first.size() == 1 && counts.of_second.size() == 1 && equal == result.items) {
    return result;
  }
  const double kappa = (result.observed - result.expected) / (1.0 - result.expected);
  result.kappa = kappa;
  result.variance = kappaVariance(counts, kappa, result.expected, items);
  const double half = normalQuantile(0.975) * std::sqrt(*result.variance);
  result.interval95 = Interval{kappa - half, kappa + half};
  return result;
}

FleissAgreement fleissAgreement(const std::vector<std::vector<std::int64_t>>& ratings) {
  const std::size_t items = ratings.empty() ? 0 : ratings.front().size();
  if (std::ranges::any_of(ratings,
                          [items](const auto& of_one) { return of_one.size() != items; })) {
    throw std::invalid_argument("fleissAgreement: the annotators have different numbers of items");
  }
  std::vector<std::int64_t> number_of_ratings(items);
  for (const std::vector<std::int64_t>& of_one : ratings) {
    for (std::size_t i = 0; i < items; ++i) {
      number_of_ratings[i] += of_one[i] >= 0 ? 1 : 0;
    }
  }
  std::map<std::int64_t, std::int64_t> items_with;
  for (const std::int64_t number : number_of_ratings) {
    if (number >= 2) {
      ++items_with[number];
    }
  }
  FleissAgreement result;
  for (const auto& [number, count] : items_with) {
    if (count >= result.items) {
      result.ratings_per_item = number;
      result.items = count;
    }
  }
  result.left_out = static_cast<std::int64_t>(items) - result.items;
  if (result.items == 0) {
    return result;
  }
  std::vector<ItemCounts> rated;
  FleissSums sums;
  for (std::size_t i = 0; i < items; ++i) {
    if (number_of_ratings[i] != result.ratings_per_item) {
      continue;
    }
    ItemCounts& counts = rated.emplace_back();
    for (const std::vector<std::int64_t>& of_one : ratings) {
      if (of_one[i] >= 0) {
        ++counts[of_one[i]];
      }
    }
    sums.add(counts, 1);
  }
  result.observed = sums.observed(result.ratings_per_item);
  result.expected = sums.expected(result.ratings_per_item);
  result.kappa = sums.kappa(result.ratings_per_item);
  result.by_class = agreementByClass(rated, sums, result.ratings_per_item);
  if (result.kappa) {
    result.interval95 = jackknife95(rated, sums, result.ratings_per_item, *result.kappa);
  }
  return result;
}

}  // namespace dubito
