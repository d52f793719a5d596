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

/// One method of one network on the same datasets, once or with several seeds.
struct ComparedRun {
  std::string name;    ///< "MC dropout T=50"
  std::string detail;  ///< "3 seeds · MNIST test, Fashion-MNIST"
  std::vector<AnalysisPtr> seeds;
  /// Of each of them in the list that was compared.
  std::vector<std::size_t> positions;
};

/// The runs in the order of the first of each; those that differ in the seed alone form one.
/// `given` as in distinctNames.
[[nodiscard]] std::vector<ComparedRun> compareRuns(const std::vector<AnalysisPtr>& analyses,
                                                   const std::vector<std::string>& given = {});

/// One metric of all compared runs.
struct ComparedMetric {
  std::string name;  ///< "AUROC in vs OOD fashion (entropy)"
  std::string explanation;
  std::optional<bool> high_is_good;  ///< nothing: neither way is better
  bool is_fraction = false;          ///< shown in per cent
  std::string topic;                 ///< key of its MetricInfo
  std::vector<SeedStatistics> of_runs;
  /// By run: equal for values that were evaluated on the same items, so that one can be better.
  std::vector<int> items_of_runs;
};

/// By run: which in-distribution items it is over, numbered from 0 in the order of the runs.
[[nodiscard]] std::vector<int> itemGroups(const std::vector<ComparedRun>& runs);

/// The metrics that at least one run has.
[[nodiscard]] std::vector<ComparedMetric> compareMetrics(const std::vector<ComparedRun>& runs);

}  // namespace dubito
