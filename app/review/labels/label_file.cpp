// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/labels/label_file.h"

#include <QDateTime>
#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <span>
#include <utility>

#include "app/review/labels/label_update.h"
#include "app/review/labels/reservation_holder.h"
#include "app/session/error_text.h"
#include "core/data/sources/dataset_fingerprint.h"

namespace dubito {
namespace {

constexpr int kPollMilliseconds = 2000;
constexpr std::chrono::minutes kReservedFor{3};
/// A server that does not answer must not keep the window open.
constexpr std::chrono::milliseconds kReleaseWait{500};

/// Newest entries of a store that were read.
struct Known {
  std::int64_t sequence = 0;       ///< newest entry of the journal
  std::int64_t remark_number = 0;  ///< newest remark
};

/// Adds what others have recorded and remarked since.
Expected<LabelUpdate> withNews(Expected<LabelUpdate> update, LabelStore& store,
                               const std::string& annotator, const Known& known) {
  if (update) {
    update = withOthers(*std::move(update), store, annotator, known.sequence);
  }
  if (!update) {
    return update;
  }
  auto remarks = store.remarks(known.remark_number);
  if (!remarks) {
    return failWith(remarks);
  }
  update->remarks = *std::move(remarks);
  return update;
}

/// Ends the reservations of windows on this machine that have crashed. They would end by themselves
/// after some minutes, so a failure does no harm.
void releaseLeftOver(LabelStore& store) {
  for (const Reserved& reserved : store.reserved().value_or(std::vector<Reserved>())) {
    if (isLeftOver(reserved.holder)) {
      (void)store.release(reserved.holder);
    }
  }
}

}  // namespace

LabelFile::LabelFile(QObject* parent)
    : QObject(parent), job_(thread_), export_job_(export_thread_) {
  connect(&job_, &Job::delivered, this, &LabelFile::startNext);
  poll_.setInterval(kPollMilliseconds);
  connect(&poll_, &QTimer::timeout, this, &LabelFile::lookForChanges);
}

LabelFile::~LabelFile() {
  releaseReserved();
}

const PresentLabel* LabelFile::labelOf(std::int64_t item) const {
  const auto found = labels_.find(item);
  return found == labels_.end() ? nullptr : &found->second;
}

std::vector<Remark> LabelFile::commentsOn(std::int64_t item) const {
  const auto found = comments_.find(item);
  return found == comments_.end() ? std::vector<Remark>() : found->second;
}

std::vector<std::int64_t> LabelFile::examplesOf(std::int64_t class_id) const {
  std::vector<const Remark*> found;
  for (const auto& [item, remark] : examples_) {
    const auto of_class = classOfExample(remark.text);
    if (of_class && mergedClass(classes_, *of_class) == class_id) {
      found.push_back(&remark);
    }
  }
  std::ranges::sort(found, std::greater(), &Remark::number);
  std::vector<std::int64_t> items;
  for (const Remark* const remark : found) {
    items.push_back(remark->about);
  }
  return items;
}

QString LabelFile::guidelineOf(std::int64_t class_id) const {
  const auto found = guidelines_.find(class_id);
  return found == guidelines_.end() ? QString() : QString::fromStdString(found->second.text);
}

void LabelFile::open(const QString& place, const LabelledDataset& dataset,
                     const std::vector<std::string>& class_names, StoreMode mode) {
  close();
  struct Opened {
    StorePtr store;
    LabelUpdate update;
  };
  job_.restart<Opened>(
      tr("Opening labels"), JobSettings(),
      [place = place.toStdString(), dataset = LabelledDataset(dataset), class_names, mode,
       annotator = annotator_.toStdString()](RunContext& context) mutable -> Expected<Opened> {
        auto store = LabelStore::open(place, mode);
        if (!store) {
          return failWith(store);
        }
        if (dataset.fingerprint.empty()) {
          dataset.fingerprint = datasetFingerprint(dataset.spec, context).value_or("");
        }
        if (const Status belongs = (*store)->belongTo(dataset, class_names); !belongs) {
          return failWith(belongs);
        }
        releaseLeftOver(**store);
        auto update = withNews(readAll(**store, annotator), **store, annotator, {});
        if (!update) {
          return failWith(update);
        }
        return Opened{std::move(*store), std::move(*update)};
      },
      this,
      [this, place](Expected<Opened> opened) {
        if (!opened) {
          if (opened.error().code != ErrorCode::kCancelled) {
            Q_EMIT failed(errorText(opened.error()));
          }
          return;
        }
        store_ = opened->store;
        place_ = place;
        notes_ = store_->notes();
        apply(opened->update);
        poll_.start();
        Q_EMIT this->opened();
      });
}

void LabelFile::close() {
  job_.abandon();  // also one that is opening a store
  waiting_.clear();
  unwritten_ = 0;
  poll_.stop();
  if (store_ == nullptr) {
    return;
  }
  releaseReserved();
  store_.reset();
  place_.clear();
  notes_.clear();
  classes_.clear();
  labels_.clear();
  newest_.clear();
  others_.clear();
  comments_.clear();
  guidelines_.clear();
  examples_.clear();
  remark_number_ = 0;
  sequence_ = 0;
  Q_EMIT opened();
}

void LabelFile::decide(std::vector<Decision> decisions, Complete complete) {
  std::vector<std::int64_t> items;
  items.reserve(decisions.size());
  const std::int64_t now = QDateTime::currentMSecsSinceEpoch();
  const bool by_model = !decisions.empty() && decisions.front().origin == LabelOrigin::kModel;
  for (Decision& decision : decisions) {
    decision.annotator = annotator_.toStdString();
    decision.time_ms = now;
    items.push_back(decision.item);
  }
  postWrite(
      tr("Saving decision"),
      [decisions = std::move(decisions), items, complete = std::move(complete),
       annotator = annotator_.toStdString()](LabelStore& store) mutable -> Expected<LabelUpdate> {
        if (complete) {
          complete(decisions);
        }
        if (const auto step = store.decide(decisions); !step) {
          return failWith(step);
        }
        return readItems(store, annotator, items);
      },
      [this, by_model](const LabelUpdate& update) {
        Q_EMIT recorded(update.items);
        if (by_model) {
          Q_EMIT modelLabelsChanged();
        }
      });
}

void LabelFile::undo() {
  postRevert(tr("Undoing"), true);
}

void LabelFile::redo() {
  postRevert(tr("Redoing"), false);
}

void LabelFile::postRevert(const QString& title, bool undo) {
  postWrite(
      title,
      [annotator = annotator_.toStdString(), undo](LabelStore& store) {
        return revertStep(store, annotator, undo);
      },
      [this](const LabelUpdate& update) {
        Q_EMIT reverted(update.reverted);
        if (update.items.empty()) {
          Q_EMIT changed();
        } else {
          Q_EMIT stepReverted(update.items);
        }
        if (update.by_model) {
          Q_EMIT modelLabelsChanged();
        }
      });
}

void LabelFile::postChange(const QString& title, std::function<Status(LabelStore&)> change) {
  postWrite(
      title,
      [change = std::move(change),
       annotator = annotator_.toStdString()](LabelStore& store) -> Expected<LabelUpdate> {
        if (const Status done = change(store); !done) {
          return failWith(done);
        }
        return readAll(store, annotator);
      },
      [this](const LabelUpdate&) { Q_EMIT changed(); });
}

void LabelFile::setAnnotator(const QString& name) {
  releaseReserved();  // under the name before
  annotator_ = name;
  if (isOpen()) {
    postChange(tr("Reading labels"), [](LabelStore&) { return Status(); });
  }
}

void LabelFile::addClass(const QString& name) {
  postChange(tr("Adding class"),
             [name = name.toStdString(), annotator = annotator_.toStdString()](LabelStore& store) {
               const auto added = store.addClass(name, annotator);
               return added ? Status() : Status(failWith(added));
             });
}

void LabelFile::changeClass(const LabelClass& changed) {
  postChange(tr("Changing class"),
             [changed, annotator = annotator_.toStdString()](LabelStore& store) {
               return store.changeClass(changed, annotator);
             });
}

void LabelFile::mergeClass(std::int64_t id, std::int64_t into) {
  postChange(tr("Merging classes"),
             [id, into, annotator = annotator_.toStdString()](LabelStore& store) {
               return store.mergeClass(id, into, annotator);
             });
}

void LabelFile::remark(RemarkSubject subject, std::int64_t about, const QString& text) {
  postWrite(
      tr("Saving comment"),
      [remark = Remark{.subject = subject,
                       .about = about,
                       .annotator = annotator_.toStdString(),
                       .text = text.trimmed().toStdString()},
       annotator = annotator_.toStdString()](LabelStore& store) -> Expected<LabelUpdate> {
        if (const Status done = store.setRemarks(std::span(&remark, 1)); !done) {
          return failWith(done);
        }
        return readItems(store, annotator, {});
      },
      [](const LabelUpdate&) {});
}

void LabelFile::setExample(std::int64_t item, std::optional<std::int64_t> class_id) {
  remark(RemarkSubject::kExample, item,
         class_id ? QString::fromStdString(exampleText(*class_id)) : QString());
}

void LabelFile::takeClassList(const QString& path) {
  const auto changes = std::make_shared<ClassListChanges>();
  postWrite(
      tr("Reading classes"),
      [changes, path = path.toStdString(),
       annotator = annotator_.toStdString()](LabelStore& store) -> Expected<LabelUpdate> {
        const auto list = readClassList(path);
        auto applied = list ? applyClassList(store, list->classes, annotator) : failWith(list);
        if (!applied) {
          return failWith(applied);
        }
        *changes = *std::move(applied);
        changes->notes.insert(changes->notes.begin(), list->notes.begin(), list->notes.end());
        return readAll(store, annotator);
      },
      [this, changes, path](const LabelUpdate&) {
        Q_EMIT classListTaken(path, *changes);
        Q_EMIT changed();
      });
}

void LabelFile::reserve(std::vector<std::int64_t> items, std::int64_t count) {
  has_reserved_ = true;
  struct Answer {
    std::vector<std::int64_t> granted;
    std::vector<Reserved> others;
  };
  const auto answer = std::make_shared<Answer>();
  post(
      tr("Reserving images"),
      [answer, items, count, holder = holder(),
       annotator = annotator_.toStdString()](LabelStore& store) -> Expected<LabelUpdate> {
        auto granted = store.reserve(items, count, holder, kReservedFor);
        auto others = granted ? store.reserved() : failWith(granted);
        if (!others) {
          return failWith(others);
        }
        std::erase_if(*others,
                      [&holder](const Reserved& reserved) { return reserved.holder == holder; });
        *answer = {*std::move(granted), *std::move(others)};
        // Somebody else may have decided them since.
        return readItems(store, annotator, answer->granted);
      },
      [this, answer, items](const LabelUpdate&) {
        others_ = answer->others;
        Q_EMIT reserved(items, answer->granted);
      });
}

void LabelFile::copyTo(const QString& path) {
  post(
      tr("Copying labels"),
      [path = path.toStdString(),
       annotator = annotator_.toStdString()](LabelStore& store) -> Expected<LabelUpdate> {
        if (const Status done = store.copyTo(path); !done) {
          return failWith(done);
        }
        return readItems(store, annotator, {});
      },
      [this, path](const LabelUpdate&) { Q_EMIT copied(path); });
}

void LabelFile::readOpinions(std::int64_t item) {
  const auto opinions = std::make_shared<std::vector<Decision>>();
  post(
      tr("Reading opinions"),
      [opinions, item,
       annotator = annotator_.toStdString()](LabelStore& store) -> Expected<LabelUpdate> {
        auto read = store.opinions(item);
        if (!read) {
          return failWith(read);
        }
        *opinions = *std::move(read);
        return readItems(store, annotator, {item});
      },
      [this, opinions, item](const LabelUpdate&) { Q_EMIT opinionsRead(item, *opinions); });
}

std::string LabelFile::holder() const {
  return reservationHolder(annotator_, this);
}

void LabelFile::releaseReserved() {
  if (store_ == nullptr || !std::exchange(has_reserved_, false)) {
    return;
  }
  const auto released = std::make_shared<std::promise<void>>();
  std::future<void> done = released->get_future();
  thread_.post(std::make_shared<RunControl>(), [released, store = store_, holder = holder()] {
    (void)store->release(holder);  // otherwise they end by themselves
    released->set_value();
  });
  (void)done.wait_for(kReleaseWait);
}

void LabelFile::exportTo(const LabelFormat& format, const QString& path,
                         const ItemsUnderReview& reviewed, const ExportChoices& choices) {
  if (store_ == nullptr) {
    return;
  }
  const bool started = export_job_.start<WrittenExport>(
      tr("Exporting labels"), JobSettings(),
      [place = place_.toStdString(), &format, path = path.toStdString(), reviewed,
       choices](RunContext& context) {
        return exportStore(place, format, path, reviewed, choices, context);
      },
      this,
      [this, path](const Expected<WrittenExport>& written) {
        if (!written) {
          if (written.error().code != ErrorCode::kCancelled) {
            Q_EMIT failed(errorText(written.error()));
          }
          return;
        }
        QStringList notes;
        for (const LabelNote& note : written->file.notes) {
          notes << QString::fromStdString(toText(note));
        }
        Q_EMIT exported(path, written->counts, notes);
      });
  if (!started) {
    Q_EMIT failed(
        tr("%1: another export is being written; try again when it has finished").arg(path));
  }
}

void LabelFile::post(const QString& title, Call call, Deliver deliver) {
  waiting_.push_back({title, std::move(call), std::move(deliver), false});
  startNext();
}

void LabelFile::postWrite(const QString& title, Call call, Deliver deliver) {
  ++unwritten_;
  waiting_.push_back({title, std::move(call), std::move(deliver), true});
  startNext();
}

void LabelFile::startNext() {
  if (waiting_.empty() || store_ == nullptr || isActive(job_.state())) {
    return;
  }
  Waiting next = std::move(waiting_.front());
  waiting_.pop_front();
  job_.start<LabelUpdate>(
      next.title, JobSettings(),
      [store = store_, call = std::move(next.call), annotator = annotator_.toStdString(),
       known = Known{sequence_, remark_number_}](RunContext&) {
        return withNews(call(*store), *store, annotator, known);
      },
      this,
      [this, deliver = std::move(next.deliver),
       writes = next.writes](Expected<LabelUpdate> update) {
        unwritten_ -= writes ? 1 : 0;
        if (!update) {
          // The steps after a failed one were meant for another state.
          waiting_.clear();
          unwritten_ = 0;
          Q_EMIT failed(errorText(update.error()));
          return;
        }
        apply(*update);
        deliver(*update);
      });
}

void LabelFile::apply(LabelUpdate& update) {
  if (update.all) {
    labels_.swap(update.labels);
  } else {
    for (const auto* const items : {&update.items, &update.others}) {
      for (const std::int64_t item : *items) {
        labels_.erase(item);
      }
    }
    labels_.merge(update.labels);
  }
  if (update.classes) {
    classes_ = *update.classes;
  }
  newest_ = update.newest;
  sequence_ = update.sequence;
  takeRemarks(update.remarks);
  if (update.all) {
    Q_EMIT reloaded();
  } else {
    std::vector<std::int64_t> items = update.items;
    items.insert(items.end(), update.others.begin(), update.others.end());
    Q_EMIT updated(items);
  }
}

void LabelFile::takeRemarks(const std::vector<Remark>& remarks) {
  for (const Remark& remark : remarks) {
    remark_number_ = std::max(remark_number_, remark.number);
    if (remark.subject == RemarkSubject::kClass) {
      guidelines_[remark.about] = remark;
      continue;
    }
    if (remark.subject == RemarkSubject::kExample) {
      examples_[remark.about] = remark;
      continue;
    }
    std::vector<Remark>& comments = comments_[remark.about];
    std::erase_if(comments,
                  [&](const Remark& earlier) { return earlier.annotator == remark.annotator; });
    if (!remark.text.empty()) {
      comments.push_back(remark);
    }
    if (comments.empty()) {
      comments_.erase(remark.about);
    }
  }
  if (!remarks.empty()) {
    Q_EMIT remarked();
  }
}

void LabelFile::lookForChanges() {
  if (busy()) {
    return;
  }
  job_.start<std::optional<LabelUpdate>>(
      tr("Reading labels"), JobSettings(),
      [store = store_, known = Known{sequence_, remark_number_},
       annotator = annotator_.toStdString()](RunContext&) -> Expected<std::optional<LabelUpdate>> {
        const auto sequence = store->newestSequence();
        const auto remarks = sequence ? store->remarks(known.remark_number) : failWith(sequence);
        if (!remarks) {
          return failWith(remarks);
        }
        if (*sequence == known.sequence && remarks->empty()) {
          return std::nullopt;
        }
        return withNews(readItems(*store, annotator, {}), *store, annotator, known);
      },
      this,
      [this](Expected<std::optional<LabelUpdate>> update) {
        // A place that cannot be read now reports it with the next decision.
        if (update && *update) {
          apply(**update);
          Q_EMIT changed();
        }
      });
}

}  // namespace dubito
