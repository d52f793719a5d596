// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"
#include "core/base/note.h"
#include "core/base/run_context.h"
#include "core/metrics/across_seeds.h"
#include "core/study/labelling.h"
#include "core/study/retraining.h"
#include "core/study/seed_bootstrap.h"
#include "core/study/study_plan.h"

namespace dubito {

/// A column of the table of a study.
struct StudyColumn {
  const char* key;    ///< "ece_with_ood"
  const char* title;  ///< "ECE with OOD"
  const char* tex;    ///< likewise, for LaTeX
  bool high_is_good;
  /// The value in an object of `evaluate --json`; nullopt if it has none. Columns against OOD are
  /// means over the OOD sets.
  std::optional<double> (*value)(const nlohmann::json& evaluation, const StudySpec& spec);
};
[[nodiscard]] const std::vector<StudyColumn>& studyColumns();
/// Position of the column with a key, which must exist.
[[nodiscard]] std::size_t studyColumnIndex(std::string_view key);

/// Metrics of single items, whose differences are tested.
inline constexpr std::array<const char*, 3> kStudyDifferences{"accuracy", "brier", "nll"};

/// The labelling of a rule at a guarantee, over seeds.
struct StudyLabelling {
  LabellingRule rule = LabellingRule::kSource;
  double guaranteed = 0.0;
  SeedStatistics share = {};  ///< of the target that is labelled
  SeedStatistics kept = {};   ///< share of right labels, over the seeds with any
  double effective_items = 0.0;
};

/// Retraining after a rule at a guarantee, over seeds.
struct StudyRetraining {
  LabellingRule rule = LabellingRule::kSource;
  double guaranteed = 0.0;
  SeedStatistics labels = {};  ///< number of automatic labels
  SeedStatistics before = {};  ///< accuracies, see RetrainedAccuracy
  SeedStatistics automatic = {};
  SeedStatistics random = {};
  SeedStatistics uncertain = {};
};

/// The runs that one seed was evaluated with.
struct StudyCellRuns {
  std::uint64_t seed = 0;
  std::string target;                 ///< path
  std::vector<std::string> ood = {};  ///< paths, as StudySpec::ood
  /// Notes of these runs; those that only some of them have begin with the name of their set.
  std::vector<Note> notes = {};
};

/// A row of the table on one target.
struct StudyCell {
  std::size_t row = 0;
  std::size_t target = 0;
  std::vector<std::uint64_t> seeds = {};         ///< those with a result
  std::vector<nlohmann::json> evaluations = {};  ///< per seed, as `evaluate --json`
  std::vector<StudyCellRuns> runs = {};          ///< per seed
  std::vector<SeedStatistics> columns = {};      ///< as studyColumns(); n = 0: no value
  std::vector<BootstrappedMean> differences =
      {};  ///< to the baseline, as kStudyDifferences; or empty
  std::vector<StudyLabelling> labelling = {};
  std::vector<StudyRetraining> retraining = {};
};

struct StudyResults {
  std::vector<StudyCell> cells;  ///< by target, then row; without those that have no result
};

/// Reads the results of a plan that are there and compares each row with the baseline, seed by
/// seed and item by item. kMalformed, naming the file, for a damaged result; kCancelled.
[[nodiscard]] Expected<StudyResults> collectResults(const StudySpec& spec, const StudyPlan& plan,
                                                    RunContext& context);

}  // namespace dubito
