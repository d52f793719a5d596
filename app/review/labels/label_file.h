// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/jobs/job.h"
#include "app/jobs/worker_thread.h"
#include "app/review/labels/decision_text.h"
#include "app/review/labels/label_export.h"
#include "core/labels/label_store.h"
#include "core/review/formats/class_list.h"
#include "core/review/formats/label_format.h"

namespace dubito {

struct LabelUpdate;

/// The label store of the window: reads and writes on a separate thread, and keeps the present
/// labels in memory. A decision counts only once it is on the disk. GUI thread only.
class LabelFile : public QObject {
  Q_OBJECT
 public:
  explicit LabelFile(QObject* parent = nullptr);
  ~LabelFile() override;

  /// Opens or creates the store for this dataset; the one open before is closed. `mode`: whether it
  /// may be created. Emits opened() or failed().
  void open(const QString& place, const LabelledDataset& dataset,
            const std::vector<std::string>& class_names, StoreMode mode = StoreMode::kOpenOrCreate);
  void close();
  [[nodiscard]] bool isOpen() const { return store_ != nullptr; }
  /// Whether a call has not been answered yet.
  [[nodiscard]] bool busy() const { return isActive(job_.state()) || !waiting_.empty(); }
  /// Whether a decision, an undo or the like is not on the disk yet; decide() must wait for it.
  [[nodiscard]] bool writing() const { return unwritten_ > 0; }
  [[nodiscard]] const QString& place() const { return place_; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  [[nodiscard]] const std::vector<LabelClass>& classes() const { return classes_; }
  /// By item.
  [[nodiscard]] const std::unordered_map<std::int64_t, PresentLabel>& labels() const {
    return labels_;
  }
  /// nullptr if the item is undecided.
  [[nodiscard]] const PresentLabel* labelOf(std::int64_t item) const;
  /// The newest entry of the journal that labels() takes into account.
  [[nodiscard]] std::int64_t sequence() const { return sequence_; }
  /// Comments of all persons on an item, in the order of time.
  [[nodiscard]] std::vector<Remark> commentsOn(std::int64_t item) const;
  /// By item; none is empty.
  [[nodiscard]] const std::unordered_map<std::int64_t, std::vector<Remark>>& comments() const {
    return comments_;
  }
  /// How a class is recognised, in somebody's words; empty if nothing is written.
  [[nodiscard]] QString guidelineOf(std::int64_t class_id) const;
  /// Items that somebody has made examples of a class, the newest first.
  [[nodiscard]] std::vector<std::int64_t> examplesOf(std::int64_t class_id) const;
  /// Who else had reserved items when this window did so last.
  [[nodiscard]] const std::vector<Reserved>& others() const { return others_; }
  /// The newest decisions of this annotator, newest first.
  [[nodiscard]] const std::vector<RecordedDecision>& newest() const { return newest_; }

  /// Who decides from now on. Emits changed() if a store is open: newest() are theirs then.
  void setAnnotator(const QString& name);
  [[nodiscard]] const QString& annotator() const { return annotator_; }

  /// Fills in what takes time to find out; called on the store's thread.
  using Complete = std::function<void(std::vector<Decision>& decisions)>;
  /// Records the decisions as one step; annotator and time are filled in, then `complete` is
  /// called. Emits recorded() once they are on the disk, or failed().
  void decide(std::vector<Decision> decisions, Complete complete = {});
  /// Emits reverted(), then stepReverted() or, if there are no decisions in the step, changed(); or
  /// failed().
  void undo();
  void redo();
  /// Sets this annotator's comment on an item, or what is written about a class; an empty text
  /// removes it. Emits remarked(), or failed().
  void remark(RemarkSubject subject, std::int64_t about, const QString& text);
  /// Makes an item an example of a class for everybody; nothing: of none any more. Emits
  /// remarked(), or failed().
  void setExample(std::int64_t item, std::optional<std::int64_t> class_id);
  // --- Changes of the classes: steps of the journal. Emit changed(), or failed(); takeClassList()
  // emits classListTaken() before.
  void addClass(const QString& name);
  /// Sets name, colour and key of the class with this id.
  void changeClass(const LabelClass& changed);
  void mergeClass(std::int64_t id, std::int64_t into);
  /// Adds the classes of a file (readClassList()) that are missing, and takes keys and colours.
  void takeClassList(const QString& path);
  /// Reserves the first `count` of these items that nobody else has reserved, for some minutes;
  /// earlier reservations of other items stay. Emits reserved(), or failed().
  void reserve(std::vector<std::int64_t> items, std::int64_t count);
  /// Reads what each person has said about an item (LabelStore::opinions()). Emits opinionsRead(),
  /// or failed().
  void readOpinions(std::int64_t item);
  /// Copies everything into a new label file. Emits copied(), or failed().
  void copyTo(const QString& path);
  /// Writes the labels in a format of allLabelFormats(), with the images without a decision as
  /// `choices` say. Emits exported(), or failed().
  void exportTo(const LabelFormat& format, const QString& path, const ItemsUnderReview& reviewed,
                const ExportChoices& choices);

 Q_SIGNALS:
  /// A store was opened or closed.
  void opened();
  /// Classes changed, or others have changed labels.
  void changed();
  /// All labels were read again; one of the other signals follows.
  void reloaded();
  /// The labels of these items were read again, whoever has changed them; one of the other signals
  /// follows.
  void updated(const std::vector<std::int64_t>& items);
  void recorded(const std::vector<std::int64_t>& items);
  /// Of the requested items, those now reserved for this window, in the same order.
  void reserved(const std::vector<std::int64_t>& requested,
                const std::vector<std::int64_t>& granted);
  /// Comments or texts about classes changed, by whomever.
  void remarked();
  void copied(const QString& path);
  void classListTaken(const QString& path, const dubito::ClassListChanges& changes);
  void opinionsRead(std::int64_t item, const std::vector<dubito::Decision>& opinions);
  /// Result of undo() or redo(), also if there was nothing to do.
  void reverted(const dubito::RevertedStep& step);
  /// A step with these items was undone or redone.
  void stepReverted(const std::vector<std::int64_t>& items);
  /// Follows recorded() or stepReverted() for a step of labels of the model.
  void modelLabelsChanged();
  /// `counts`: of what the file holds. `notes`: what the format cannot hold, and which files were
  /// left out.
  void exported(const QString& path, const dubito::DecisionCounts& counts,
                const QStringList& notes);
  void failed(const QString& message);

 private:
  using StorePtr = std::shared_ptr<LabelStore>;
  using Call = std::function<Expected<LabelUpdate>(LabelStore&)>;
  using Deliver = std::function<void(const LabelUpdate&)>;
  /// Runs `call` on the store's thread after the calls before it.
  void post(const QString& title, Call call, Deliver deliver);
  /// The same for calls that writing() reports.
  void postWrite(const QString& title, Call call, Deliver deliver);
  void postRevert(const QString& title, bool undo);
  /// Runs `change` and reads everything anew.
  void postChange(const QString& title, std::function<Status(LabelStore&)> change);
  void startNext();
  /// Takes the labels out of `update`.
  void apply(LabelUpdate& update);
  void takeRemarks(const std::vector<Remark>& remarks);
  /// Reads what other programs have recorded in the meantime.
  void lookForChanges();
  /// Who reserves items: this window, as others do not see it twice.
  [[nodiscard]] std::string holder() const;
  void releaseReserved();

  struct Waiting {
    QString title;
    Call call;
    Deliver deliver;
    bool writes;
  };

  // The threads outlive the jobs on them.
  WorkerThread thread_;
  WorkerThread export_thread_;
  Job job_;
  Job export_job_;
  std::deque<Waiting> waiting_;
  int unwritten_ = 0;
  QTimer poll_;
  StorePtr store_;  ///< used on thread_ only
  QString place_;
  QString annotator_;
  std::vector<std::string> notes_;
  std::vector<LabelClass> classes_;
  std::unordered_map<std::int64_t, PresentLabel> labels_;
  std::vector<RecordedDecision> newest_;
  std::vector<Reserved> others_;
  std::unordered_map<std::int64_t, std::vector<Remark>> comments_;
  std::unordered_map<std::int64_t, Remark> guidelines_;  ///< by class
  std::unordered_map<std::int64_t, Remark> examples_;    ///< by item
  std::int64_t remark_number_ = 0;                       ///< of the newest one known
  std::int64_t sequence_ = 0;
  bool has_reserved_ = false;
};

}  // namespace dubito
