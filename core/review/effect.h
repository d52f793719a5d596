// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"
#include "core/labels/label_records.h"
#include "core/review/class_progress.h"
#include "core/review/person_summary.h"
#include "core/review/ratings.h"
#include "core/review/review_pace.h"
#include "core/review/suggested_labels.h"

namespace dubito {

/// Stands for "none of the classes" where a class id is expected.
inline constexpr std::int64_t kNoneOfClasses = -2;

/// An item with a given label that a person has decided.
struct ReviewedItem {
  std::int64_t row = 0;
  std::int64_t given = 0;     ///< class id, after merges
  std::int64_t reviewed = 0;  ///< class id, or kNoneOfClasses
};

/// Of a run, measured against labels.
struct LabelScores {
  std::int64_t items = 0;
  double accuracy = 0.0;  ///< NaN without items
  double ece = 0.0;       ///< 15 bins, equal width, L1, top-label; NaN without items
};

/// The same items with their given and with their reviewed labels.
struct ScoresBeforeAfter {
  LabelScores given = {};
  LabelScores reviewed = {};
};

/// Where the expected number of errors in random order comes from.
enum class BaselineSource : std::uint8_t {
  kNone,
  kRandomOrder,        ///< items reviewed in random order
  kConfidentLearning,  ///< LabelErrors::estimated
};

/// Label errors found against items reviewed, in the order of the review.
struct FoundErrors {
  // [points], from (0, 0); x items with a given label, y those whose label was wrong.
  std::vector<std::int64_t> reviewed = {};
  std::vector<std::int64_t> found = {};
  /// Share of wrong labels among all items, so also among those reviewed in random order.
  double share_at_random = 0.0;
  BaselineSource baseline = BaselineSource::kNone;
};

/// Decisions with or without the network's answer in view.
struct VisibilityEffect {
  std::int64_t decisions = 0;  ///< with a class or "none of the classes", and a known suggestion
  std::int64_t agreeing = 0;   ///< that chose the suggested class
  std::int64_t judged = 0;     ///< decisions about items with a majority of at least three persons
  std::int64_t wrong = 0;      ///< of these, that differ from the majority
};

/// A tenth of the run's items by uncertainty.
struct DecileEffect {
  std::int64_t decisions = 0;  ///< with a known duration of at most a minute
  double median_ms = 0.0;      ///< NaN without decisions
  std::int64_t rated = 0;      ///< items rated by at least two persons
  /// Share of equal pairs of ratings of these items; NaN without items.
  double agreement = 0.0;
};

/// Effect and course of a review.
struct ReviewEffect {
  std::int64_t items = 0;                   ///< of the run
  std::int64_t given = 0;                   ///< with a given label
  std::int64_t reviewed = 0;                ///< decided by persons
  std::int64_t unclear = 0;                 ///< of these, ambiguous
  std::int64_t unclear_given = 0;           ///< of these, with a given label
  std::int64_t by_model = 0;                ///< labelled by a model
  std::vector<ReviewedItem> compared = {};  ///< ascending rows; without the ambiguous
  std::int64_t changed = 0;                 ///< of these, with another label
  /// Class ids that occur in `compared`, ascending; kNoneOfClasses comes last.
  std::vector<std::int64_t> classes = {};
  Array<std::int64_t> changes = {};  ///< [C, C] of `classes`, given by reviewed
  ScoresBeforeAfter all = {};        ///< over all given labels, reviewed where they are
  ScoresBeforeAfter compared_only = {};
  FoundErrors found = {};
  VisibilityEffect shown = {};
  VisibilityEffect hidden = {};
  /// Ten, the most certain items first; empty if the run has no uncertainty.
  std::vector<DecileEffect> deciles = {};
  std::vector<std::uint8_t> decile_of_row = {};  ///< [N], 0 to 9; empty likewise
  ReviewPace pace = {};
  SuggestedLabels suggested = {};
  Ratings ratings = {};  ///< for agreement
  std::vector<PersonSummary> persons = {};
  std::vector<ClassProgress> progress = {};  ///< by given label
};

/// Compares the labels of persons with the given labels of a run. Undone decisions do not count.
/// Uncertainty is the entropy, or 1 - confidence for runs without probabilities. kCancelled.
[[nodiscard]] Expected<ReviewEffect> reviewEffect(const Run& run, const std::string& name,
                                                  const LabelRecords& records, RunContext& context);

}  // namespace dubito
