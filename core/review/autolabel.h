// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/base/plot_values.h"
#include "core/base/run_context.h"
#include "core/decisions/selection.h"
#include "core/io/run.h"
#include "core/labels/decision.h"
#include "core/metrics/measure.h"

namespace dubito {

/// Lets the model label the items whose prediction is reliable enough; persons label the others.
struct AutolabelOptions {
  /// How the threshold is chosen: the target is the share of the model's labels that must be right.
  SelectionOptions selection = {.target = 0.99, .delta = 0.05, .rule = "sgr"};
  /// Key of a Measure; items with a low uncertainty are labelled.
  std::string measure = "entropy";

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

/// The items to label. Arrays must outlive its use.
struct AutolabelInputs {
  std::string name = "run";                          ///< for messages
  std::string calibration_name = "calibration run";  ///< likewise
  /// The present labels of the store that the labels are meant for.
  std::span<const PresentLabel> labels = {};
};

/// Which items of a run the model labels. Each item is in exactly one of labelled(), decided,
/// labelled_before and queued.
struct Autolabel {
  Selection selection = {};             ///< on the calibration items
  std::vector<std::int64_t> rows = {};  ///< labelled by the model, ascending
  /// [N], NaN: without a value, never labelled.
  Array<double> uncertainty = {};
  std::int64_t items = 0;            ///< N
  std::int64_t decided = 0;          ///< settled by a person or the dataset
  std::int64_t labelled_before = 0;  ///< keep the label that a model gave them earlier
  std::int64_t queued = 0;           ///< left to persons
  /// If no threshold passes, alternativesText(); else empty.
  std::string advice = {};

  [[nodiscard]] std::int64_t labelled() const { return static_cast<std::int64_t>(rows.size()); }
  /// Upper bound on the expected number of wrong labels among labelled().
  [[nodiscard]] double expectedErrors() const {
    return selection.upper_error * static_cast<double>(labelled());
  }
};

/// Items on which a threshold is chosen, as selectThreshold takes them.
struct CalibrationItems {
  std::vector<double> uncertainty = {};  ///< [M], without NaN
  std::vector<std::uint8_t> error = {};  ///< [M], 1: the prediction is wrong
  double top = 1.0;                      ///< largest possible uncertainty
};

/// The labelled items of `calibration`. kInvalidArgument if it has no labels or lacks the measure;
/// kCancelled.
[[nodiscard]] Expected<CalibrationItems> calibrationItems(const Run& calibration,
                                                          const std::string& name, Measure measure,
                                                          const RunContext& context);

/// Share of the calibration items at or below a threshold (x) and share of those that are right
/// (y), for all thresholds, x ascending; at most `max_points` points. Empty without items.
[[nodiscard]] Curve accuracyByShare(const CalibrationItems& items, std::size_t max_points);

/// The errors of calibration items, the most certain item first; ties in their order.
[[nodiscard]] std::vector<std::uint8_t> errorsByUncertainty(const CalibrationItems& items);

/// Inputs of autolabel() in addition to the target: computed once for all targets.
struct AutolabelBasis {
  /// Actions that the present label of an item permits.
  enum class State : std::uint8_t {
    kFree,             ///< no label, or an unsettled one of a model
    kLabelledByModel,  ///< labelled by a model earlier
    kDecided,          ///< settled by a person or the dataset
    kLeft,             ///< skipped or flagged by a person
  };
  CalibrationItems calibration = {};
  Array<double> uncertainty = {};  ///< [N], NaN: unknown
  std::vector<State> states = {};  ///< [N]
};

/// Errors as for calibrationItems().
[[nodiscard]] Expected<AutolabelBasis> autolabelBasis(const Run& run, CalibrationItems calibration,
                                                      const AutolabelInputs& inputs,
                                                      Measure measure, const RunContext& context);
/// The items that a threshold selects.
[[nodiscard]] Autolabel withThreshold(const AutolabelBasis& basis, Selection selection);
/// Chooses the threshold and the items at or below it. O(M log M + N).
[[nodiscard]] Expected<Autolabel> autolabel(const AutolabelBasis& basis,
                                            const SelectionOptions& selection, RunContext& context);

/// Number of items that another rule would label with the same guarantee.
struct AlternativeRule {
  std::string rule;           ///< as SelectionOptions::rule
  std::int64_t labelled = 0;  ///< items
};

/// The other rules with a guarantee that label any item, the one with the most items first. Each
/// rule keeps its guarantee by itself: a rule that is chosen because it labels more than another
/// one on the same items misses it with a probability of up to delta for each rule tried.
/// kCancelled.
[[nodiscard]] Expected<std::vector<AlternativeRule>> alternativeRules(
    const AutolabelBasis& basis, const SelectionOptions& selection, RunContext& context);
/// "fixed-sequence would label 1000 items ..."; empty without rules.
[[nodiscard]] std::string alternativesText(const std::vector<AlternativeRule>& rules,
                                           const SelectionOptions& selection);

/// Labels the items of `run` whose uncertainty is at most a threshold chosen on the labelled items
/// of `calibration` (selectThreshold). If Selection::guaranteed, then with probability 1 - delta
/// over calibration items, the error rate of such items is at most Selection::upper_error. This
/// requires two runs of the same method over different items of the same distribution, which the
/// caller checks (findOverlap). Items about which a person has decided anything, and those labelled
/// by the dataset, are never labelled by the model.
///
/// kInvalidArgument if a run lacks the measure, `calibration` has no labels or another number of
/// classes; kCancelled.
[[nodiscard]] Expected<Autolabel> autolabel(const Run& run, const Run& calibration,
                                            const AutolabelInputs& inputs,
                                            const AutolabelOptions& options, RunContext& context);

/// Queue of the decisions that autolabel() leads to.
inline constexpr const char* kAutolabelQueue = "autolabel";

/// One decision of the model per labelled item, to be recorded as one step: accepts the prediction.
/// `annotator` is the person who lets the model label, and who can undo it.
[[nodiscard]] std::vector<Decision> autolabelDecisions(const Autolabel& autolabel, const Run& run,
                                                       const AutolabelInputs& inputs,
                                                       const std::string& annotator);

}  // namespace dubito
