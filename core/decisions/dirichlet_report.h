// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/base/run_context.h"
#include "core/decisions/run_dirichlets.h"
#include "core/io/run.h"
#include "core/measures/top_k.h"

namespace dubito {

/// Options of a Dirichlet report.
struct DirichletOptions {
  /// One of RunDirichlets::sources().
  std::string source = "auto";
  /// The members of TopKRule.
  double threshold = TopKRule().threshold;
  std::int64_t max_classes = TopKRule().max_classes;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
  [[nodiscard]] TopKRule rule() const { return {threshold, max_classes}; }
};

/// Statistics of the Dirichlet of one item.
struct ItemDirichlet {
  std::int64_t prediction = 0;    ///< class with the largest alpha (ties: the lowest)
  double precision = 0.0;         ///< alpha_0
  double probability = 0.0;       ///< mean of the predicted class
  double lower = 0.0;             ///< quantile of its Beta marginal at threshold / 2
  double upper = 0.0;             ///< quantile at 1 - threshold / 2
  double mean_variance = 0.0;     ///< variance of a probability, mean over the classes
  std::vector<std::int64_t> set;  ///< topK, most likely class first
};
[[nodiscard]] ItemDirichlet describeItem(std::span<const double> alpha, const TopKRule& rule);

/// Mean variance of the items predicted as one class.
struct ClassVariance {
  std::int64_t items = 0;
  double mean_variance = 0.0;  ///< mean of ItemDirichlet::mean_variance; NaN if there are no items
};

/// How often the condition of proposition 1 holds (checkProposition1) for the bridge applied to the
/// uncentred Gaussians.
struct Proposition1Shares {
  double of_classes = 0.0;            ///< share of all classes of all items
  double of_predicted_classes = 0.0;  ///< share of the items for whose predicted class it holds
};

/// Statistics of all Dirichlets of a run (theory, sections 6 and 7).
struct DirichletReport {
  std::string source;  ///< RunDirichlets::describe
  std::int64_t items = 0;
  std::int64_t labelled = 0;
  std::vector<std::int64_t> set_sizes;  ///< number of items by set size, from 0 to the maximum
  std::int64_t covered = 0;             ///< labelled items whose set contains the true class
  /// [K], entry r: number of labelled items with r classes more likely than the true one.
  std::vector<std::int64_t> label_ranks;
  std::vector<ClassVariance> by_prediction;     ///< [K]
  std::optional<Proposition1Shares> fulfilled;  ///< only for runs with Gaussians over logits

  [[nodiscard]] double meanSetSize() const;
  /// Share of the labelled items whose set contains the true class; NaN if there are none.
  [[nodiscard]] double accuracyOfSets() const;
  /// Share of the labelled items whose true class is among the `k` most likely ones; NaN if there
  /// are none. A fractional part of k adds one more class for that share of the items, so
  /// topAccuracy(meanSetSize()) is the accuracy of plain top-k sets of the same mean size.
  [[nodiscard]] double topAccuracy(double k) const;
};

/// Computes the statistics of `run`; `name` is used in messages. Memory does not grow with the
/// number of items. Errors of DirichletOptions::check and RunDirichlets::of; kCancelled.
[[nodiscard]] Expected<DirichletReport> reportDirichlets(const Run& run, const std::string& name,
                                                         const DirichletOptions& options,
                                                         RunContext& context);

}  // namespace dubito
