// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QSettings>
#include <QString>
#include <QThreadPool>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "app/review/labels/label_file.h"
#include "app/review/labels/label_places.h"
#include "app/review/labels/reservations.h"
#include "app/review/labels/review_rate.h"
#include "app/review/queue/queue_progress.h"
#include "app/review/queue/review_queue.h"
#include "app/review/settings/review_choices.h"
#include "app/review/settings/review_keys.h"
#include "app/session/session.h"

namespace dubito {

/// Reviews the items of the shown run one after the other: which queue, which item, and what a
/// decision about it does. Only the in-distribution items are reviewed. GUI thread only.
class Reviewer : public QObject {
  Q_OBJECT
 public:
  /// Both must outlive this; `settings` as in LabelPlaces.
  Reviewer(Session& session, QSettings& settings, QObject* parent = nullptr);
  ~Reviewer() override;

  [[nodiscard]] LabelFile& file() { return file_; }
  [[nodiscard]] ReviewKeys& keys() { return keys_; }
  [[nodiscard]] const ReviewKeys& keys() const { return keys_; }
  [[nodiscard]] ReviewChoices& choices() { return choices_; }
  [[nodiscard]] Session& session() { return session_; }
  [[nodiscard]] QSettings& settings() { return settings_; }

  /// Where the labels of a dataset are: in the open store if it is theirs, else as in LabelPlaces.
  [[nodiscard]] QString placeOf(const Dataset& dataset) const;

  /// The run under review, with its given labels: the one shown on the other pages, if it is over
  /// the dataset that the review was started for; else null.
  [[nodiscard]] const AnalysisPtr& analysis() const { return analysis_; }
  /// Why the shown run cannot be reviewed; empty: it can.
  [[nodiscard]] QString obstacle() const;
  /// Opens the label file of the shown run's dataset and builds the queue. `store`: the file or
  /// server to continue in, which may be made if `mode` says so; empty: placeOf() the dataset.
  void start(const QString& store = {}, StoreMode mode = StoreMode::kOpen);
  /// Writes the labels in a format of allLabelFormats(), as ReviewChoices::exports() asks for.
  void exportTo(const LabelFormat& format, const QString& path);
  /// True between start() and the end of the review (another dataset, or the run was closed).
  [[nodiscard]] bool active() const { return analysis_ != nullptr && file_.isOpen(); }
  /// True while labels are written or a queue is built.
  [[nodiscard]] bool busy() const { return file_.busy() || queue_.busy(); }

  // --- The queue.
  [[nodiscard]] ReviewQueue& reviewQueue() { return queue_; }
  [[nodiscard]] const ReviewQueue& reviewQueue() const { return queue_; }
  /// The features of `next`, which is going to be shown, are those of the run under review.
  void keepFeaturesFor(const AnalysisPtr& next) { features_kept_for_ = next; }
  [[nodiscard]] const Queue& queue() const { return queue_.queue(); }
  /// Position in the queue; -1: the queue is empty or finished.
  [[nodiscard]] std::int64_t position() const { return position_; }
  /// Items of the queue that other windows have reserved.
  [[nodiscard]] std::int64_t takenCount() const { return reservations_.takenCount(); }
  /// Items of the queue that are decided.
  [[nodiscard]] std::int64_t decidedCount() const {
    return static_cast<std::int64_t>(decidedItems().size());
  }
  [[nodiscard]] const std::unordered_set<std::int64_t>& decidedItems() const {
    return progress_.decided();
  }
  [[nodiscard]] const QueueProgress& progress() const { return progress_; }
  [[nodiscard]] QueueStage stage() const;
  /// Row of the item shown; nothing if there is none.
  [[nodiscard]] std::optional<std::int64_t> row() const;
  /// Row of an item; nothing if the run lacks it.
  [[nodiscard]] std::optional<std::int64_t> rowOf(std::int64_t item) const;
  [[nodiscard]] std::int64_t itemAt(std::int64_t position) const {
    return queue().ids[static_cast<std::size_t>(position)];
  }
  /// The label of the item shown; nullptr if it is undecided.
  [[nodiscard]] const PresentLabel* label() const;
  /// Whether the suggestions are the labels of another program: no network has looked at the
  /// images.
  [[nodiscard]] bool suggestsLabels() const;
  /// Of labels: whether any has a score, and whether all have the scores of all classes.
  [[nodiscard]] bool hasScores() const;
  [[nodiscard]] bool hasAllScores() const;
  /// Class that the network or the program suggests for the item shown, after merges; -1 if there
  /// is none.
  [[nodiscard]] std::int64_t suggestion() const;
  /// Probabilities of the classes that the network knows for the item shown, after merges, by
  /// class; empty if the suggestion is hidden. Of a label with only one score, that of its class.
  [[nodiscard]] std::unordered_map<std::int64_t, double> classProbs() const;
  /// The dataset's label of the item shown, after merges; -1 if there is none.
  [[nodiscard]] std::int64_t givenLabel() const;
  /// Class that accept() takes for the item shown: the suggestion, or the given label if the
  /// suggestion is another class that is less likely than not; -1 if there is none.
  [[nodiscard]] std::int64_t proposal() const;
  /// Whether a person has decided about the item shown, as its queue asks.
  [[nodiscard]] bool isSettled() const;
  /// Items of the run with a final label, whether they are in the queue or not.
  [[nodiscard]] std::int64_t decidedInRun() const { return std::ssize(decided_in_run_); }
  /// Whether the suggestion is hidden for the item shown.
  [[nodiscard]] bool hidesSuggestion() const;
  /// The same for an undecided item that is not shown.
  [[nodiscard]] bool hidesSuggestionOf(std::int64_t item) const;

  /// Hides the suggestions of all items or shows them again; if they are hidden for a share of the
  /// items, shows or hides that of the item shown only.
  void toggleHidden();
  void setAdvances(bool advances) { advances_ = advances; }

  // --- Navigation: never decides anything.
  /// In the queue; before its first item come the decided items that are not in it, the newest
  /// nearest.
  void move(std::int64_t steps);
  /// Whether move(1) shows another item.
  [[nodiscard]] bool canMoveOn() const;
  /// To the next (`direction` 1) or previous (-1) undecided item.
  void moveToUndecided(int direction);
  /// To the first item of the queue that was put off; without one, nothing.
  void moveToPutOff();
  /// To an item of the run. One that is not in the queue is shown until the next move.
  void showItem(std::int64_t item);
  /// The same item; decisions wait until it has been painted again.
  void showAgain();

  // --- Decisions about the item shown. Ignored while the last one is not yet on the disk or the
  // item has not been painted.
  /// The proposal() is right; a decision that stands is kept, and the next item shown. Refused
  /// while the suggestion is hidden.
  void accept();
  /// The given label is right; nothing if there is none. Refused while the suggestion is hidden.
  void acceptGiven();
  void choose(std::int64_t class_id);
  /// An action without a class.
  void mark(LabelAction action);
  /// Several items of the run, which were shown together, have this class: one step, which is not
  /// about the item shown. `spent_ms` is the time for each of them.
  void chooseAll(const std::vector<std::int64_t>& rows, std::int64_t class_id, qint64 spent_ms);
  /// The same for an action without a class.
  void markAll(const std::vector<std::int64_t>& rows, LabelAction action, qint64 spent_ms);
  void undo();
  void redo();
  /// Result of undo() or redo(), until the next decision: "Undone: 0007.png was cat"; else empty.
  [[nodiscard]] const QString& revertedText() const { return reverted_text_; }

  /// The view has painted the item shown: decisions are taken from now on. No class can be chosen
  /// for an item that cannot be read.
  void itemPainted(bool readable = true);
  /// The suggestions for these rows of the run are shown together: later decisions know them.
  void suggestionsShown(const std::vector<std::int64_t>& rows);
  /// Whether a decision would be taken now.
  [[nodiscard]] bool takesDecisions() const {
    return painted_ && active() && !file_.writing() && !queue_.busy() && !waits_to_reserve_;
  }

  /// Decisions a minute in this review; nothing before the third decision.
  [[nodiscard]] std::optional<double> decisionsPerMinute() const { return rate_.perMinute(); }

 Q_SIGNALS:
  /// The run, the label file or the queue changed.
  void stateChanged();
  /// Another item is shown, or the label of the item shown changed.
  void itemChanged();
  void failed(const QString& message);
  void noticed(const QString& message);

 private:
  void showAnalysis();
  /// Lists the review that was opened among those to continue.
  void remember();
  void takeQueue();
  /// Position of an item in the queue; nothing if it is not in it.
  [[nodiscard]] std::optional<std::int64_t> positionOf(std::int64_t item) const;
  void decide(LabelAction action, std::optional<std::int64_t> class_id);
  /// Writes decisions about these rows, with their hashes.
  void write(std::vector<Decision> decisions, const std::vector<std::int64_t>& rows);
  [[nodiscard]] Decision decisionAbout(std::int64_t row, LabelAction action,
                                       std::optional<std::int64_t> class_id) const;
  void decideAll(const std::vector<std::int64_t>& rows, LabelAction action,
                 std::optional<std::int64_t> class_id, qint64 spent_ms);
  void countDecided();
  /// Decided items that are not in the queue, newest decision first.
  [[nodiscard]] const std::vector<std::int64_t>& past();
  /// Of the item shown in past(); nothing if it is not there.
  [[nodiscard]] std::optional<std::int64_t> positionInPast();
  /// Counts an item of the queue with its present label.
  void countItem(std::int64_t item);
  void updateDecided(const std::vector<std::int64_t>& items);
  void setPosition(std::int64_t position);
  /// Position of the next (`direction` 1) or previous (-1) undecided item.
  [[nodiscard]] std::optional<std::int64_t> undecided(int direction) const;
  void recorded(const std::vector<std::int64_t>& items);
  [[nodiscard]] bool isDecided(std::int64_t position) const;
  /// Reserves the next undecided items, so that other windows do not show them meanwhile. Nothing
  /// of a new queue can be decided before the answer, because all windows begin with its first
  /// item.
  void reserveAhead(bool new_queue = false);
  void takeReserved(const std::vector<std::int64_t>& requested,
                    const std::vector<std::int64_t>& granted);

  Session& session_;
  QSettings& settings_;
  ReviewKeys keys_;
  ReviewChoices choices_;
  LabelFile file_;
  LabelPlaces places_;
  ReviewQueue queue_;
  AnalysisPtr analysis_;
  std::weak_ptr<const Analysis> features_kept_for_;
  std::int64_t position_ = -1;
  std::optional<std::int64_t> visited_row_;  ///< shown, but not in the queue
  QueueProgress progress_;
  std::unordered_set<std::int64_t> decided_in_run_;
  std::optional<std::vector<std::int64_t>> past_;  ///< as past(); nothing: labels changed
  QString reverted_text_;
  Reservations reservations_;
  bool waits_to_reserve_ = false;                ///< other windows may have reserved the first item
  bool only_shown_ = false;                      ///< nothing in the queue was to be decided
  bool led_here_ = false;                        ///< the queue chose the item shown, not the person
  std::optional<bool> hides_here_;               ///< for the item shown; nothing: as chosen
  std::unordered_set<std::int64_t> seen_items_;  ///< painted with their suggestion
  bool advances_ = true;
  bool painted_ = false;
  bool readable_ = true;
  QElapsedTimer shown_;  ///< since the item shown was painted
  ReviewRate rate_;
};

}  // namespace dubito
