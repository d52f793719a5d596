// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/plot_values.h"

namespace dubito {

// Agreement between annotators beyond chance. Ratings are class ids; a negative one is missing.

/// Agreement of two annotators (Cohen 1960).
struct CohenAgreement {
  std::int64_t items = 0;     ///< rated by both
  std::int64_t left_out = 0;  ///< rated by one of them or by neither
  double observed = 0.0;      ///< share of items with equal ratings; 0 without items
  double expected = 0.0;      ///< the same for independent annotators with the same class counts
  /// (observed - expected) / (1 - expected), <= 1. Empty if it is not defined (0/0): both use the
  /// same single class, or have no item in common.
  std::optional<double> kappa;
  /// Asymptotic variance of kappa (Fleiss, Cohen and Everitt 1969); empty together with kappa.
  std::optional<double> variance;
  /// kappa -/+ 1.96 standard deviations, not clipped; empty together with kappa.
  std::optional<Interval> interval95;
};

/// Compares the ratings [N] of two annotators over the items that both rated. Throws
/// std::invalid_argument for different lengths.
[[nodiscard]] CohenAgreement cohenAgreement(std::span<const std::int64_t> first,
                                            std::span<const std::int64_t> second);

/// Agreement about one class: Fleiss' kappa of "this class or another one" (Fleiss 1971).
struct ClassAgreement {
  std::int64_t rating = 0;
  std::int64_t count = 0;       ///< ratings with this class
  std::optional<double> kappa;  ///< empty if all ratings are this class
};

/// Agreement of several annotators (Fleiss 1971).
struct FleissAgreement {
  std::int64_t ratings_per_item = 0;  ///< m; 0 if no item has two ratings
  std::int64_t items = 0;             ///< with exactly m ratings
  std::int64_t left_out = 0;          ///< all others
  double observed = 0.0;              ///< mean share of equal pairs of ratings of an item
  double expected = 0.0;              ///< the same for independent annotators
  /// (observed - expected) / (1 - expected), <= 1. Empty if it is not defined (0/0): all ratings
  /// are the same class, or no item has two ratings.
  std::optional<double> kappa;
  /// kappa -/+ 1.96 standard deviations of the jackknife over items, not clipped. Empty together
  /// with kappa, and if kappa is not defined without one of the items.
  std::optional<Interval> interval95;
  std::vector<ClassAgreement> by_class;  ///< of the ratings used, ascending
};

/// Compares annotators, ratings[annotator][item]. Fleiss' kappa requires the same number m of
/// ratings for every item, by whichever annotators: m >= 2 is the number that most items have
/// (ties: the larger), and items with any other number are left out. Throws std::invalid_argument
/// for different lengths.
[[nodiscard]] FleissAgreement fleissAgreement(
    const std::vector<std::vector<std::int64_t>>& ratings);

}  // namespace dubito
