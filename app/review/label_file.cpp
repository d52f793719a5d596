// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/label_file.h"

#include <QDateTime>
#include <QDir>
#include <algorithm>
#include <optional>
#include <utility>

#include "core/review/formats/store_labels.h"

namespace dubito {
namespace {

constexpr int kPollMilliseconds = 2000;
constexpr std::int64_t kNewest = 30;
/// Up to this many items are read one by one after a step; beyond, all labels are read.
constexpr std::size_t kFewItems = 64;

std::vector<std::int64_t> itemsOf(const std::vector<RecordedDecision>& decisions) {
  std::vector<std::int64_t> items;
  items.reserve(decisions.size());
  for (const RecordedDecision& recorded : decisions) {
    items.push_back(recorded.decision.item);
  }
  return items;
}

}  // namespace

struct LabelFile::Update {
  std::int64_t sequence = 0;
  std::vector<RecordedDecision> newest;
  std::optional<std::vector<LabelClass>> classes;
  /// All labels, or only those of `items`.
  bool all = false;
  std::vector<std::int64_t> items;
  std::vector<PresentLabel> labels;
};

namespace {

template <class Update>
Status readNewest(LabelStore& store, const std::string& annotator, Update& update) {
  auto newest = store.newest(annotator, kNewest);
  if (!newest) {
    return failWith(newest);
  }
  update.newest = std::move(*newest);
  const auto sequence = store.newestSequence();
  if (!sequence) {
    return failWith(sequence);
  }
  update.sequence = *sequence;
  return {};
}

template <class Update>
Status readLabels(LabelStore& store, std::vector<std::int64_t> items, Update& update) {
  if (items.size() <= kFewItems) {
    for (const std::int64_t item : items) {
      const auto label = store.label(item);
      if (!label) {
        return failWith(label);
      }
      if (*label) {
        update.labels.push_back(**label);
      }
    }
    update.items = std::move(items);
    return {};
  }
  auto labels = store.labels();
  if (!labels) {
    return failWith(labels);
  }
  update.labels = std::move(*labels);
  update.items = std::move(items);
  update.all = true;
  return {};
}

template <class Update>
Status readAll(LabelStore& store, const std::string& annotator, Update& update) {
  auto classes = store.classes();
  if (!classes) {
    return failWith(classes);
  }
  update.classes = std::move(*classes);
  auto labels = store.labels();
  if (!labels) {
    return failWith(labels);
  }
  update.labels = std::move(*labels);
  update.all = true;
  return readNewest(store, annotator, update);
}

}  // namespace

LabelFile::LabelFile(QObject* parent)
    : QObject(parent), job_(thread_), export_job_(export_thread_) {
  connect(&job_, &Job::delivered, this, &LabelFile::startNext);
  poll_.setInterval(kPollMilliseconds);
  connect(&poll_, &QTimer::timeout, this, &LabelFile::lookForChanges);
}

LabelFile::~LabelFile() = default;

const PresentLabel* LabelFile::labelOf(std::int64_t item) const {
  const auto found = labels_.find(item);
  return found == labels_.end() ? nullptr : &found->second;
}

void LabelFile::setAnnotator(const QString& name) {
  annotator_ = name;
}

void LabelFile::open(const QString& place, const LabelledDataset& dataset,
                     const std::vector<std::string>& class_names) {
  close();
  struct Opened {
    StorePtr store;
    Update update;
  };
  job_.restart<Opened>(
      tr("Opening labels"), JobSettings(),
      [place = place.toStdString(), dataset, class_names,
       annotator = annotator_.toStdString()](RunContext&) -> Expected<Opened> {
        auto store = LabelStore::open(place, StoreMode::kOpenOrCreate);
        if (!store) {
          return failWith(store);
        }
        if (const Status belongs = (*store)->belongTo(dataset, class_names); !belongs) {
          return failWith(belongs);
        }
        Opened opened{std::move(*store), {}};
        if (const Status read = readAll(*opened.store, annotator, opened.update); !read) {
          return failWith(read);
        }
        return opened;
      },
      this,
      [this, place](Expected<Opened> opened) {
        if (!opened) {
          if (opened.error().code != ErrorCode::kCancelled) {
            Q_EMIT failed(QString::fromStdString(opened.error().message));
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
  if (store_ == nullptr) {
    return;
  }
  job_.abandon();
  waiting_.clear();
  poll_.stop();
  store_.reset();
  place_.clear();
  notes_.clear();
  classes_.clear();
  labels_.clear();
  newest_.clear();
  sequence_ = 0;
  Q_EMIT opened();
}

void LabelFile::decide(std::vector<Decision> decisions) {
  std::vector<std::int64_t> items;
  items.reserve(decisions.size());
  const std::int64_t now = QDateTime::currentMSecsSinceEpoch();
  for (Decision& decision : decisions) {
    decision.annotator = annotator_.toStdString();
    decision.time_ms = now;
    items.push_back(decision.item);
  }
  post(
      tr("Saving decision"),
      [decisions = std::move(decisions), items,
       annotator = annotator_.toStdString()](LabelStore& store) -> Expected<Update> {
        if (const auto step = store.decide(decisions); !step) {
          return failWith(step);
        }
        Update update;
        if (const Status read = readLabels(store, items, update); !read) {
          return failWith(read);
        }
        if (const Status read = readNewest(store, annotator, update); !read) {
          return failWith(read);
        }
        return update;
      },
      [this](const Update& update) { Q_EMIT recorded(update.items); });
}

void LabelFile::undo() {
  postStep(tr("Undoing"), &LabelStore::undo,
           [this](const Update& update) { Q_EMIT undone(update.items); });
}

void LabelFile::redo() {
  postStep(tr("Redoing"), &LabelStore::redo,
           [this](const Update& update) { Q_EMIT redone(update.items); });
}

void LabelFile::postStep(const QString& title, StepFunction function, Deliver deliver) {
  post(
      title,
      [annotator = annotator_.toStdString(), function](LabelStore& store) -> Expected<Update> {
        const auto step = (store.*function)(annotator);
        if (!step) {
          return failWith(step);
        }
        Update update;
        Status read;
        if (*step && (*step)->decisions.empty()) {
          read = readAll(store, annotator, update);
        } else {
          read = readLabels(
              store, *step ? itemsOf((*step)->decisions) : std::vector<std::int64_t>(), update);
          if (read) {
            read = readNewest(store, annotator, update);
          }
        }
        return read ? Expected<Update>(std::move(update)) : failWith(read);
      },
      std::move(deliver));
}

void LabelFile::addClass(const QString& name) {
  post(
      tr("Adding class"),
      [name = name.toStdString(),
       annotator = annotator_.toStdString()](LabelStore& store) -> Expected<Update> {
        if (const auto added = store.addClass(name, annotator); !added) {
          return failWith(added);
        }
        Update update;
        const Status read = readAll(store, annotator, update);
        return read ? Expected<Update>(std::move(update)) : failWith(read);
      },
      [](const Update&) {});
}

void LabelFile::exportTo(const LabelFormat& format, const QString& path, const QString& images) {
  if (store_ == nullptr) {
    return;
  }
  export_job_.start<LabelExport>(
      tr("Exporting labels"), JobSettings(),
      [place = place_.toStdString(), &format, path = path.toStdString(),
       images = images.toStdString()](RunContext& context) -> Expected<LabelExport> {
        // Another connection: decisions go on meanwhile.
        auto store = LabelStore::open(place, StoreMode::kReadOnly);
        if (!store) {
          return failWith(store);
        }
        const auto classes = (*store)->classes();
        const auto labels = classes ? (*store)->labels() : failWith(classes);
        const auto journal = labels ? (*store)->journal() : failWith(labels);
        if (!journal) {
          return failWith(journal);
        }
        return exportLabels(format, labelTable(*classes, *labels, *journal), path,
                            {.images = images}, context);
      },
      this,
      [this, path](Expected<LabelExport> written) {
        if (!written) {
          if (written.error().code != ErrorCode::kCancelled) {
            Q_EMIT failed(QString::fromStdString(written.error().message));
          }
          return;
        }
        QStringList notes;
        for (const LabelNote& note : written->notes) {
          notes << QString::fromStdString(toText(note));
        }
        Q_EMIT exported(path, written->labels, notes);
      });
}

void LabelFile::post(const QString& title, Call call, Deliver deliver) {
  waiting_.push_back({title, std::move(call), std::move(deliver)});
  startNext();
}

void LabelFile::startNext() {
  if (waiting_.empty() || store_ == nullptr || isActive(job_.state())) {
    return;
  }
  Waiting next = std::move(waiting_.front());
  waiting_.pop_front();
  job_.start<Update>(
      next.title, JobSettings(),
      [store = store_, call = std::move(next.call)](RunContext&) { return call(*store); }, this,
      [this, deliver = std::move(next.deliver)](Expected<Update> update) {
        if (!update) {
          // The steps after a failed one were meant for another state.
          waiting_.clear();
          Q_EMIT failed(QString::fromStdString(update.error().message));
          return;
        }
        apply(*update);
        deliver(*update);
      });
}

void LabelFile::apply(const Update& update) {
  if (update.all) {
    labels_.clear();
  }
  for (const std::int64_t item : update.items) {
    labels_.erase(item);
  }
  for (const PresentLabel& label : update.labels) {
    labels_[label.item] = label;
  }
  if (update.classes) {
    classes_ = *update.classes;
  }
  newest_ = update.newest;
  sequence_ = update.sequence;
  if (update.all) {
    Q_EMIT reloaded();
  }
  Q_EMIT changed();
}

void LabelFile::lookForChanges() {
  if (busy()) {
    return;
  }
  job_.start<std::optional<Update>>(
      tr("Reading labels"), JobSettings(),
      [store = store_, before = sequence_,
       annotator = annotator_.toStdString()](RunContext&) -> Expected<std::optional<Update>> {
        const auto sequence = store->newestSequence();
        if (!sequence) {
          return failWith(sequence);
        }
        if (*sequence == before) {
          return std::nullopt;
        }
        Update update;
        const Status read = readAll(*store, annotator, update);
        return read ? Expected<std::optional<Update>>(std::move(update)) : failWith(read);
      },
      this,
      [this](Expected<std::optional<Update>> update) {
        // A place that cannot be read now reports it with the next decision.
        if (update && *update) {
          apply(**update);
        }
      });
}

}  // namespace dubito
