// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/jobs/newest_job.h"
#include "app/jobs/worker_thread.h"
#include "app/review/labels/label_file.h"
#include "app/review/queue/item_filter.h"
#include "app/session/session.h"
#include "core/review/queue.h"

namespace dubito {

/// Features [N, D] of a run's items.
using FeaturesPtr = std::shared_ptr<const RealArray>;

/// Key of the kind whose first items the network is unsure about; it needs no labels.
inline constexpr const char* kUnsureQueue = "entropy";

/// A queue of given items.
struct ItemQueue {
  std::string key = {};   ///< stored with each decision: "audit"
  std::string name = {};  ///< for lists
  std::string why = {};   ///< one sentence
  std::vector<std::int64_t> ids = {};
};

/// The items under review in their order: which kind of queue, built on a separate thread. It
/// stays unchanged while labels change. A choice takes effect at once if the labels are open.
/// GUI thread only.
class ReviewQueue : public QObject {
  Q_OBJECT
 public:
  /// Both must outlive this.
  ReviewQueue(Session& session, const LabelFile& file, QObject* parent = nullptr);

  // --- What is reviewed; takes effect with refresh().
  /// The run whose items are queued; null: none, at once. Features of another run are forgotten,
  /// unless those of this one are the same, and with them a choice that needs them.
  void setRun(AnalysisPtr analysis, bool has_same_features = false);
  /// Chooses the usual kind unless one was chosen.
  void chooseUsual();
  /// Builds the queue anew from the undecided items. A kind that is not possible with this run is
  /// replaced by one that is, and the sentence of the queue says why. Emits refreshed(), and in
  /// time built(); after a failure failed() and built() with an empty queue. Without open labels,
  /// nothing happens.
  void refresh();

  // --- Choices.
  /// Key of the chosen kind, or of the one that takes its place because this run does not allow it.
  [[nodiscard]] const std::string& key() const { return used_key_.empty() ? key_ : used_key_; }
  /// `limit`: largest number of items; 0: all. Emits featuresNeeded() instead if the kind needs
  /// features that are not there.
  void choose(const std::string& key, std::int64_t limit = 0);
  /// These items in this order. Items labelled by the model count as undecided, because a person
  /// checks them; items that the run lacks are left out.
  void setItems(const ItemQueue& items);
  /// Only these rows of the run, from a selection on another page; empty: all.
  void setOnlyRows(std::vector<std::int64_t> rows);
  [[nodiscard]] const std::vector<std::int64_t>& onlyRows() const { return only_rows_; }
  /// Only images that fit, in the order of the queue; ItemFilter(): all. Those that are decided are
  /// shown again. Ends a queue of given items.
  void setFilter(const ItemFilter& filter);
  [[nodiscard]] const ItemFilter& filter() const { return filter_; }
  /// Whether the queue was made for a purpose: given items, or a limited number of them.
  [[nodiscard]] bool isPartial() const { return given_.has_value() || limit_ > 0; }
  /// Leaves such a queue for all images, unsure ones first.
  void leavePartial();
  /// Whether the queue was made of some images only, so that its end is not that of the review.
  [[nodiscard]] bool isOfSome() const {
    return isPartial() || !only_rows_.empty() || filter_ != ItemFilter();
  }
  /// Replaces the sentence that says what the queue is for.
  void setText(const std::string& why);
  /// The other open runs over the same items, for queues that compare two runs.
  [[nodiscard]] std::vector<AnalysisPtr> otherRuns() const;
  /// The run that such queues compare with; null: the first of otherRuns().
  void setOtherRun(AnalysisPtr other);
  [[nodiscard]] AnalysisPtr otherRun() const;

  /// For queues that need features of the run's items.
  void setFeatures(FeaturesPtr features) { features_ = std::move(features); }
  [[nodiscard]] bool hasFeatures() const { return features_ != nullptr; }

  [[nodiscard]] bool busy() const { return job_.busy(); }

  [[nodiscard]] const Queue& queue() const { return queue_; }
  /// Number of queues built so far: differs if queue() is another one.
  [[nodiscard]] std::int64_t number() const { return number_; }
  /// The queue that decisions about its items record.
  [[nodiscard]] std::string recordedKey() const;
  /// Position of a row of the run; nothing if it is not in the queue.
  [[nodiscard]] std::optional<std::int64_t> positionOf(std::int64_t row) const;
  /// Whether a label settles its item for this queue: one that shows decided items again counts
  /// only what was decided since it was built, and one of given items not what the model said.
  [[nodiscard]] bool settles(const PresentLabel& label) const;
  /// What a label answers to this queue, final or put off since it was built; nothing if it is no
  /// answer.
  [[nodiscard]] std::optional<LabelAction> answerOf(const PresentLabel& label) const;

 Q_SIGNALS:
  /// The queue is built anew, or was at once.
  void refreshed();
  void built();
  void textChanged();
  /// A queue of this kind needs setFeatures() first; then it can be chosen again.
  void featuresNeeded(const std::string& key);
  void failed(const QString& message);

 private:
  struct Built;
  /// Whether a kind needs features that are not there.
  [[nodiscard]] bool lacksFeatures(const std::string& key) const;
  void build();
  [[nodiscard]] bool isToCheck(const PresentLabel& label) const;
  void take(Expected<Built> built);
  /// No image fits the filter.
  [[nodiscard]] static Built emptyQueue(const std::string& key, std::int64_t items);
  /// Why a kind that this run does not allow is replaced, without the full stop.
  [[nodiscard]] QString obstacleText(const QueueKind& kind) const;
  /// The queue of given_.
  [[nodiscard]] Queue givenQueue() const;

  Session& session_;
  const LabelFile& file_;
  WorkerThread thread_;  ///< outlives the job
  NewestJob job_;
  AnalysisPtr analysis_;
  std::string key_;       ///< chosen
  std::string used_key_;  ///< of the queue that was built last; empty: as chosen
  std::int64_t limit_ = 0;
  std::vector<std::int64_t> only_rows_;
  ItemFilter filter_;
  std::optional<ItemQueue> given_;  ///< the queue, if it is one of given items
  AnalysisPtr other_run_;
  FeaturesPtr features_;
  Queue queue_;
  std::vector<std::int64_t> positions_;  ///< in the queue, by row; -1: not in it
  bool revisits_ = false;                ///< the queue shows decided items again
  std::int64_t sequence_ = 0;            ///< of the journal when the queue was built
  std::int64_t number_ = 0;
};

}  // namespace dubito
