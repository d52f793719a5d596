// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QSettings>
#include <QString>
#include <deque>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "app/jobs/newest_job.h"
#include "app/jobs/worker_thread.h"
#include "app/review/item_hashes.h"
#include "app/review/label_file.h"
#include "app/session/session.h"
#include "core/review/queue.h"

namespace dubito {

/// Reviews the items of the shown run one after the other: which queue, which item, and what a
/// decision about it does. Only the in-distribution items are reviewed. GUI thread only.
class Reviewer : public QObject {
  Q_OBJECT
 public:
  /// Both must outlive this. Labels are kept in the folder that `settings` names as
  /// review/folder, else in the user's data folder.
  Reviewer(Session& session, QSettings& settings, QObject* parent = nullptr);
  ~Reviewer() override;

  [[nodiscard]] LabelFile& file() { return file_; }
  [[nodiscard]] QSettings& settings() { return settings_; }

  /// The run under review: the one shown on the other pages, if it is over the dataset that the
  /// review was started for; else null.
  [[nodiscard]] const AnalysisPtr& analysis() const { return analysis_; }
  /// Why the shown run cannot be reviewed; empty: it can.
  [[nodiscard]] QString obstacle() const;
  /// Opens the label file of the shown run's dataset and builds the queue.
  void start();
  /// Folder that the item names are relative to; empty: the items are no files.
  [[nodiscard]] QString imageFolder() const;
  /// True between start() and the end of the review (another dataset, or the run was closed).
  [[nodiscard]] bool active() const { return analysis_ != nullptr && file_.isOpen(); }
  /// True while labels are written or a queue is built.
  [[nodiscard]] bool busy() const { return file_.busy() || queue_job_.busy(); }

  /// Key of the chosen kind of queue. Until one is chosen: suspected label errors if the items have
  /// labels, because uncertainty alone finds wrong labels no better than chance; else entropy.
  [[nodiscard]] const std::string& queueKey() const { return queue_key_; }
  /// Builds the queue anew from the undecided items.
  void setQueue(const std::string& key);
  /// The other open runs over the same items, for queues that compare two runs.
  [[nodiscard]] std::vector<AnalysisPtr> otherRuns() const;
  /// The run that such queues compare with; null: the first of otherRuns().
  void setOtherRun(AnalysisPtr other);
  [[nodiscard]] AnalysisPtr otherRun() const;
  /// Only these rows of the run, from a selection on another page; empty: all.
  void setOnlyRows(std::vector<std::int64_t> rows);
  [[nodiscard]] const std::vector<std::int64_t>& onlyRows() const { return only_rows_; }
  [[nodiscard]] const Queue& queue() const { return queue_; }
  /// Counts the queues that were built: tells whether queue() is another one.
  [[nodiscard]] std::int64_t queueNumber() const { return queue_number_; }
  /// Position in the queue; -1: the queue is empty or finished.
  [[nodiscard]] std::int64_t position() const { return position_; }
  /// Items of the queue that other windows have reserved.
  [[nodiscard]] std::int64_t takenCount() const { return static_cast<std::int64_t>(taken_.size()); }
  /// Items of the queue that are decided.
  [[nodiscard]] std::int64_t decidedCount() const {
    return static_cast<std::int64_t>(decided_items_.size());
  }
  [[nodiscard]] const std::unordered_set<std::int64_t>& decidedItems() const {
    return decided_items_;
  }
  /// Row of the item shown; nothing if there is none.
  [[nodiscard]] std::optional<std::int64_t> row() const;
  /// Row of an item; nothing if the run lacks it.
  [[nodiscard]] std::optional<std::int64_t> rowOf(std::int64_t item) const;
  [[nodiscard]] std::int64_t itemAt(std::int64_t position) const {
    return queue_.ids[static_cast<std::size_t>(position)];
  }
  /// The label of the item shown; nullptr if it is undecided.
  [[nodiscard]] const PresentLabel* label() const;
  /// Class that the network suggests for the item shown; -1 if there is none.
  [[nodiscard]] std::int64_t suggestion() const;
  /// The dataset's label of the item shown; -1 if there is none.
  [[nodiscard]] std::int64_t givenLabel() const;
  /// Whether the suggestion is hidden for the item shown.
  [[nodiscard]] bool hidesSuggestion() const;
  /// The same for an undecided item that is not shown.
  [[nodiscard]] bool hidesSuggestionOf(std::int64_t /*item*/) const { return blind_; }

  void setBlind(bool blind);
  void setAdvances(bool advances) { advances_ = advances; }

  // --- Navigation: never decides anything.
  void move(std::int64_t steps);
  /// To the next (`direction` 1) or previous (-1) undecided item.
  void moveToUndecided(int direction);
  /// To an item of the run. One that is not in the queue is shown until the next move.
  void showItem(std::int64_t item);
  /// The same item; decisions wait until it has been painted again.
  void showAgain();

  // --- Decisions about the item shown. Ignored while the last one is not yet on the disk or the
  // item has not been painted.
  /// The suggested class is right. Refused while the suggestion is hidden.
  void accept();
  void choose(std::int64_t class_id);
  /// An action without a class.
  void mark(LabelAction action);
  /// Several items of the run, which were shown together, have this class: one step, which is not
  /// about the item shown. `spent_ms` is the time for each of them.
  void chooseAll(const std::vector<std::int64_t>& rows, std::int64_t class_id, qint64 spent_ms);
  void undo();
  void redo();

  /// The view has painted the item shown: decisions are taken from now on. No class can be chosen
  /// for an item that cannot be read.
  void itemPainted(bool readable = true);
  /// Hashes these rows of the run, for chooseAll().
  void hashItems(const std::vector<std::int64_t>& rows);
  /// Whether a decision would be taken now.
  [[nodiscard]] bool takesDecisions() const { return painted_ && active() && !busy(); }

  /// Decisions a minute in this review; nothing before the third decision.
  [[nodiscard]] std::optional<double> decisionsPerMinute() const;

 Q_SIGNALS:
  /// The run, the label file or the queue changed.
  void stateChanged();
  /// Another item is shown, or the label of the item shown changed.
  void itemChanged();
  void failed(const QString& message);
  void noticed(const QString& message);

 private:
  [[nodiscard]] QString usualPlace(const Dataset& dataset) const;
  void showAnalysis();
  void buildQueue();
  void takeQueue(Expected<Queue> queue);
  void decide(LabelAction action, std::optional<std::int64_t> class_id);
  [[nodiscard]] Decision decisionAbout(std::int64_t row, LabelAction action,
                                       std::optional<std::int64_t> class_id) const;
  void record(std::vector<Decision> decisions);
  void countDecided();
  void updateDecided(const std::vector<std::int64_t>& items);
  void setPosition(std::int64_t position);
  /// Position of the next (`direction` 1) or previous (-1) undecided item.
  [[nodiscard]] std::optional<std::int64_t> undecided(int direction) const;
  void recorded(const std::vector<std::int64_t>& items);
  /// Whether a label settles its item for this queue: one that shows decided items again counts
  /// only what was decided since it was built.
  [[nodiscard]] bool settlesHere(const PresentLabel& label) const;
  [[nodiscard]] bool isDecided(std::int64_t position) const;
  /// Reserves the next undecided items, so that other windows do not show them meanwhile.
  void reserveAhead();
  void takeReserved(const std::vector<std::int64_t>& asked,
                    const std::vector<std::int64_t>& granted);

  Session& session_;
  QSettings& settings_;
  LabelFile file_;
  WorkerThread queue_thread_;  ///< outlives the job
  ItemHashes hashes_;
  NewestJob queue_job_;
  AnalysisPtr analysis_;
  std::string queue_key_;
  std::vector<std::int64_t> only_rows_;
  Queue queue_;
  std::unordered_map<std::int64_t, std::int64_t> position_of_;  ///< by item
  std::int64_t position_ = -1;
  std::optional<std::int64_t> visited_row_;         ///< shown, but not in the queue
  std::unordered_set<std::int64_t> decided_items_;  ///< of the queue
  bool revisits_ = false;                           ///< the queue shows decided items again
  std::int64_t queue_sequence_ = 0;                 ///< of the journal when the queue was built
  AnalysisPtr other_run_;
  std::unordered_set<std::int64_t> reserved_;  ///< items reserved for this window
  std::unordered_set<std::int64_t> taken_;     ///< items that others have reserved
  QElapsedTimer reserved_at_;
  bool led_here_ = false;  ///< the queue chose the item shown, not the person
  bool blind_ = false;
  bool advances_ = true;
  bool painted_ = false;
  bool readable_ = true;
  std::int64_t queue_number_ = 0;
  QElapsedTimer shown_;                ///< since the item shown was painted
  QElapsedTimer clock_;                ///< since the review started
  std::deque<qint64> decision_times_;  ///< on clock_, of the newest decisions
};

}  // namespace dubito
