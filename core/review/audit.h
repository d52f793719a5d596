// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/base/plot_values.h"
#include "core/labels/decision.h"
#include "core/labels/label_class.h"
#include "core/labels/label_store.h"

namespace dubito {

/// Checks labels of the model on a random sample that persons decide.
struct AuditOptions {
  /// Number of labels of the model in the sample.
  std::int64_t sample = 100;
  /// Guaranteed share of right labels.
  double target = 0.99;
  /// Confidence of the interval of the precision.
  double confidence = 0.95;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

/// Verdict of persons on a label of the model.
enum class AuditOutcome : std::uint8_t {
  kOpen,     ///< not decided yet, skipped or flagged
  kRight,    ///< the same class
  kWrong,    ///< another class, or none of the classes
  kUnclear,  ///< ambiguous: counts neither as right nor as wrong
};

/// Verdict of the interval of the precision on the guarantee.
enum class GuaranteeVerdict : std::uint8_t {
  kOpen,    ///< the interval contains the target
  kKept,    ///< the whole interval is at or above the target
  kBroken,  ///< the whole interval is below the target
};
/// "right"; "broken".
[[nodiscard]] std::string_view keyOf(AuditOutcome outcome);
[[nodiscard]] std::string_view keyOf(GuaranteeVerdict verdict);

/// One item of the sample.
struct AuditedItem {
  std::int64_t item = 0;
  std::int64_t class_id = 0;  ///< by the model, after merges
  AuditOutcome outcome = AuditOutcome::kOpen;
};

/// Result of an audit.
struct Audit {
  std::int64_t labelled = 0;  ///< items labelled by the model
  /// In the order in which to decide them: after any number of them, those decided so far are a
  /// random sample.
  std::vector<AuditedItem> sample = {};
  std::int64_t right = 0;  ///< of the sample; the same below
  std::int64_t wrong = 0;
  std::int64_t unclear = 0;
  std::int64_t open = 0;
  /// right / (right + wrong); empty if both are 0.
  std::optional<double> precision = {};
  /// Exact two-sided interval of the precision (Clopper and Pearson).
  Interval interval = {0.0, 1.0};
  GuaranteeVerdict verdict = GuaranteeVerdict::kOpen;
};

/// Draws the sample from the items that a model labelled and no person had decided before, and
/// compares it with what persons have decided since. The sample is keyed by seed and item: it does
/// not depend on the order of the journal, and a larger one contains it. `journal` and `labels` are
/// those of one store. kInvalidArgument for options out of range.
[[nodiscard]] Expected<Audit> auditLabels(std::span<const RecordedDecision> journal,
                                          std::span<const PresentLabel> labels,
                                          std::span<const LabelClass> classes,
                                          const AuditOptions& options, std::uint64_t seed);

/// The same sample with the present labels of its items, which may have changed; `labels` in any
/// order, items without one are undecided.
[[nodiscard]] Audit reassessed(const Audit& audit, std::span<const PresentLabel> labels,
                               const AuditOptions& options);

/// How many further items of the sample must be right, and none wrong, for the guarantee to be
/// kept; 0 if it is. nullopt if it is broken, or the target is 1.
[[nodiscard]] std::optional<std::int64_t> rightAnswersNeeded(const Audit& audit,
                                                             const AuditOptions& options);

/// The same for a store; its errors.
[[nodiscard]] Expected<Audit> auditLabels(LabelStore& store, const AuditOptions& options,
                                          std::uint64_t seed);

}  // namespace dubito
