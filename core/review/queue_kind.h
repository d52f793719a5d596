// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/required.h"
#include "core/base/run_context.h"
#include "core/base/small_image.h"
#include "core/io/run.h"
#include "core/labels/decision.h"
#include "core/metrics/measure.h"

namespace dubito {

/// A kind of review queue, by its position in allQueueKinds().
enum class QueueId : std::uint8_t {};

/// The heading under which a queue is listed.
enum class QueueGroup : std::uint8_t { kRecommended, kUnsure, kLabels, kPeople, kAnything };

/// In the order of lists.
[[nodiscard]] std::span<const QueueGroup> allQueueGroups();
/// "Recommended".
[[nodiscard]] const char* nameOf(QueueGroup group);

/// Requirements of a queue in addition to predictions.
struct QueueNeeds {
  bool given_labels = false;
  bool draws = false;      ///< draws, or a distribution of the probabilities
  bool other_run = false;  ///< a second run over the same items
  bool features = false;
  bool labels = false;  ///< labels of persons
  bool images = false;  ///< the images themselves
};

/// Inputs of queues. Runs and arrays must outlive its use.
struct QueueInputs {
  std::string name = "run";    ///< of the run, for messages
  const Run* other = nullptr;  ///< joined on ids; null: none
  std::string other_name = "other run";
  const RealArray* features = nullptr;  ///< [N, D] of the run's items; null: none
  /// The small image of a row; nothing if it cannot be read. Null: the images are not known.
  std::function<std::optional<SmallImage>(std::int64_t row)> small_image = nullptr;
  /// Rule of the queue "label-errors" (LabelErrorOptions::rule).
  std::string rule = "prune-by-noise-rate";
  /// Ids of items that are not queued, in any order: those already decided.
  std::span<const std::int64_t> settled_ids = {};
  /// The present labels of the label store, in any order.
  std::span<const PresentLabel> labels = {};
  std::string annotator = {};  ///< who is going to decide
  /// Rows that can be queued; empty: all.
  std::span<const std::int64_t> only_rows = {};
};

/// The input of a queue's score function.
struct QueueSource {
  const Run& run;
  const QueueInputs& inputs;
  std::span<const std::uint8_t> can_queue;  ///< [N], 1 or 0; empty: all can
  std::int64_t limit = 0;                   ///< items that are wanted; 0: all
};

/// One score per item.
struct QueueScores {
  Array<double> values;  ///< [N], shown to the user; NaN: the item is left out
  /// [N], the order, if it is finer than that of the values; empty: they give the order.
  Array<double> order = {};
  /// [N], 1 for the items of QueueKind::first_part, which come first; empty: there is none.
  std::vector<std::uint8_t> in_first_part = {};
  std::vector<std::string> notes = {};  ///< what a user should know about these scores
};

/// Description of a kind of queue, used wherever queues are offered or built.
struct QueueKind {
  std::string key = {};   ///< for files, flags and JSON: "variation-ratio"
  std::string name = {};  ///< as an annotator calls it: "unsure first"
  std::string why = {};   ///< what comes first and why, one sentence
  /// The same for a run of kLabelsMethod, whose scores are those of a program; empty: `why`.
  std::string why_of_labels = {};
  Required<QueueGroup> group;
  /// What the first items are, if others follow that the queue is not about: "suspected label
  /// errors"; empty: all are alike.
  std::string first_part = {};
  QueueNeeds needs = {};
  std::string needs_text = {};  ///< the same in words: "probabilities and given labels"
  std::string left_out = {};    ///< what items without score lack: "without a given label"
  bool high_first = true;       ///< order of the scores; ties: the lowest item id first
  bool follows_rows = false;    ///< depends on the order of the run's rows
  bool revisits = false;        ///< shows decided items again: settled_ids has no effect
  /// The measure whose values are the scores, if they are.
  std::optional<Measure> measure = {};
  /// kInvalidArgument, naming the run, if it lacks what is needed; kCancelled.
  std::function<Expected<QueueScores>(const QueueSource&, RunContext&)> compute = {};
};

/// Whether every member is set.
[[nodiscard]] bool isComplete(const QueueKind& kind);

/// All kinds in the order of lists: one for every measure of (un)certainty, also for those added
/// with addMeasure(), then the others.
[[nodiscard]] const std::vector<QueueId>& allQueueKinds();
[[nodiscard]] const QueueKind& describe(QueueId id);
[[nodiscard]] std::optional<QueueId> queueOfKey(std::string_view key);
[[nodiscard]] std::vector<std::string> queueKeys();

/// Adds a custom kind. Call before threads are started. Throws std::invalid_argument for a
/// duplicate key and a missing member.
QueueId addQueueKind(const QueueKind& kind);

}  // namespace dubito
