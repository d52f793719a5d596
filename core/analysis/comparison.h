// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/same_items.h"
#include "core/metrics/across_seeds.h"

namespace dubito {

/// One method of one network on the same datasets, with one or several seeds.
struct ComparedRun {
  std::string name;    ///< "MC dropout, 50 draws"
  std::string detail;  ///< "3 seeds · MNIST test, Fashion-MNIST"
  std::vector<AnalysisPtr> seeds;
  /// For each of `seeds`: its position in the compared list.
  std::vector<std::size_t> positions;
};

/// Groups analyses that differ only in the seed, in order of first appearance. `given` as in
/// distinctNames.
[[nodiscard]] std::vector<ComparedRun> compareRuns(const std::vector<AnalysisPtr>& analyses,
                                                   const std::vector<std::string>& given = {});

/// One metric for all compared runs.
struct ComparedMetric {
  std::string name;  ///< "AUROC in vs OOD fashion (entropy)"
  std::string explanation;
  std::optional<bool> high_is_good;     ///< nullopt: neither direction is better
  bool is_fraction = false;             ///< shown in per cent
  std::string topic;                    ///< key of its MetricInfo
  std::vector<SeedStatistics> of_runs;  ///< one per compared run
  /// For each run, the number of its set of items. Only values with equal numbers were evaluated on
  /// the same items and can be compared.
  std::vector<int> items_of_runs;
};

/// For each run, the number of its set of in-distribution items, counted from 0 in order of first
/// appearance.
[[nodiscard]] std::vector<int> itemGroups(const std::vector<ComparedRun>& runs);

/// The metrics available for at least one run.
[[nodiscard]] std::vector<ComparedMetric> compareMetrics(const std::vector<ComparedRun>& runs);

}  // namespace dubito
