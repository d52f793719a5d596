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

/// How the Dirichlets of a run are read.
struct DirichletOptions {
  /// Of RunDirichlets::sources().
  std::string source = "auto";
  /// TopKRule.
  double threshold = TopKRule().threshold;
  std::int64_t most = TopKRule().most;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
  [[nodiscard]] TopKRule rule() const { return {threshold, most}; }
};

/// What the Dirichlet of one item says.
struct ItemDirichlet {
  std::int64_t prediction = 0;    ///< class of the largest alpha (ties: the lowest)
  double precision = 0.0;         ///< alpha_0
  double probability = 0.0;       ///< mean of the predicted class
  double lower = 0.0;             ///< its Beta marginal's quantile at threshold / 2
  double upper = 0.0;             ///< and at 1 - threshold / 2
  double mean_variance = 0.0;     ///< of the probabilities, mean over the classes
  std::vector<std::int64_t> set;  ///< topK, likeliest first
};
[[nodiscard]] ItemDirichlet describeItem(std::span<const double> alpha, const TopKRule& rule);

/// The items that are predicted as one class.
struct ClassVariance {
  std::int64_t items = 0;
  double mean_variance = 0.0;  ///< mean of ItemDirichlet::mean_variance; NaN without items
};

/// Shares for which the condition of proposition 1 is fulfilled (checkProposition1), by the bridge
/// of the Gaussians as they are.
struct Proposition1Shares {
  double of_classes = 0.0;            ///< of all classes of all items
  double of_predicted_classes = 0.0;  ///< of the items, by their likeliest class
};

/// What the Dirichlets of a run say together (theory, sections 6 and 7).
struct DirichletReport {
  std::string source;  ///< RunDirichlets::describe
  std::int64_t items = 0;
  std::int64_t labelled = 0;
  std::vector<std::int64_t> lengths;  ///< [most + 1]: items by the number of classes in their set
  std::int64_t covered = 0;           ///< labelled items whose set holds the true class
  /// [K]: labelled items by how many classes are likelier than the true one.
  std::vector<std::int64_t> label_ranks;
  std::vector<ClassVariance> by_prediction;     ///< [K]
  std::optional<Proposition1Shares> fulfilled;  ///< of runs with Gaussians over logits

  [[nodiscard]] double meanLength() const;
  /// Accuracies over the labelled items; NaN if there are none.
  [[nodiscard]] double accuracyOfSets() const;
  /// Of the `k` likeliest classes. A fraction takes one class more for that share of the items, so
  /// that topAccuracy(meanLength()) is of plain sets of the same mean size.
  [[nodiscard]] double topAccuracy(double k) const;
};

/// Memory does not grow with the items. Errors of check() and RunDirichlets::of; kCancelled.
[[nodiscard]] Expected<DirichletReport> reportDirichlets(const Run& run, const std::string& name,
                                                         const DirichletOptions& options,
                                                         RunContext& context);

}  // namespace dubito
