// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/reviewer.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <algorithm>
#include <utility>

#include "core/analysis/same_items.h"
#include "core/data/sources/dataset_spec.h"
#include "core/review/formats/file_names.h"

namespace dubito {
namespace {

/// Threads that sort a queue.
constexpr int kThreads = 2;
/// Of the dataset's name in that of its label file.
constexpr int kMaxNameLength = 60;
constexpr const char* kQueueOfLabelled = "label-errors";
constexpr const char* kQueueOfUnlabelled = "entropy";
/// The rate is that of the newest decisions: people speed up, and take breaks.
constexpr std::size_t kRatedDecisions = 30;
/// A longer gap between two decisions is a break and does not count.
constexpr qint64 kBreakMilliseconds = 60'000;

}  // namespace

Reviewer::Reviewer(Session& session, const QSettings& settings, QObject* parent)
    : QObject(parent), session_(session), settings_(settings), queue_job_(queue_thread_) {
  connect(&session_, &Session::activeAnalysisChanged, this, &Reviewer::showAnalysis);
  connect(&file_, &LabelFile::failed, this, [this](const QString& message) {
    painted_ = true;  // the item is still shown: the person can decide again
    Q_EMIT failed(message);
  });
  connect(&file_, &LabelFile::opened, this, [this] {
    if (file_.isOpen()) {
      for (const std::string& note : file_.notes()) {
        Q_EMIT noticed(QString::fromStdString(note));
      }
      buildQueue();
    }
    Q_EMIT stateChanged();
  });
  connect(&file_, &LabelFile::changed, this, &Reviewer::itemChanged);
  connect(&file_, &LabelFile::reloaded, this, &Reviewer::countDecided);
  connect(&file_, &LabelFile::recorded, this, &Reviewer::recorded);
  connect(&file_, &LabelFile::stepReverted, this, [this](const std::vector<std::int64_t>& items) {
    updateDecided(items);
    showItem(items.front());
  });
}

Reviewer::~Reviewer() = default;

QString Reviewer::placeOf(const Dataset& dataset) const {
  if (active() && analysis_->in().dataset.get() == &dataset) {
    return file_.place();
  }
  const QString folder =
      settings_
          .value(QStringLiteral("review/folder"),
                 QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
                     QStringLiteral("/labels"))
          .toString();
  // Datasets of the same name differ in their specification.
  const QByteArray hash = QCryptographicHash::hash(QByteArray::fromStdString(dataset.info().spec),
                                                   QCryptographicHash::Sha1);
  return QStringLiteral("%1/%2-%3.labels")
      .arg(folder, QString::fromStdString(fileNameOf(dataset.info().name)).left(kMaxNameLength),
           QString::fromLatin1(hash.toHex().left(8)));
}

QString Reviewer::obstacle() const {
  const AnalysisPtr analysis = session_.activeAnalysis();
  if (!analysis) {
    return tr(
        "Open images and a model, then press Compute: the labels of the images can then be "
        "reviewed here, the most doubtful first.");
  }
  if (!analysis->in().dataset) {
    return tr("The images of this run are not open. Open the dataset %1 to review its labels.")
        .arg(QString::fromStdString(analysis->in().run->meta.dataset_name));
  }
  return {};
}

void Reviewer::start() {
  if (!obstacle().isEmpty()) {
    return;
  }
  analysis_ = givenOf(session_.activeAnalysis());
  const AnalysisPart& part = analysis_->in();
  std::vector<std::string> classes;
  for (std::int64_t k = 0; k < part.run->classCount(); ++k) {
    classes.push_back(part.run->className(k));
  }
  if (queue_key_.empty()) {
    queue_key_ = part.labelled ? kQueueOfLabelled : kQueueOfUnlabelled;
  }
  clock_.start();
  decision_times_.clear();
  const DatasetInfo& info = part.dataset->info();
  const QString place = placeOf(*part.dataset);
  QDir().mkpath(QFileInfo(place).path());
  file_.open(place, {.name = info.name, .spec = info.spec, .fingerprint = {}}, classes);
}

QString Reviewer::imageFolder() const {
  if (!analysis_) {
    return {};
  }
  const auto spec = parseDatasetSpec(analysis_->in().dataset->info().spec);
  if (!spec) {
    return {};
  }
  const QFileInfo location(QString::fromStdString(spec->location));
  return location.isDir() ? location.filePath() : location.path();
}

void Reviewer::showAnalysis() {
  const AnalysisPtr shown = givenOf(session_.activeAnalysis());
  if (shown && shown == analysis_) {
    return;  // with other labels: the review uses the given ones
  }
  const bool same_items = analysis_ && shown && shown->in().dataset == analysis_->in().dataset;
  if (same_items) {
    analysis_ = shown;
    buildQueue();
  } else {
    analysis_ = nullptr;
    queue_ = Queue();
    position_of_.clear();
    only_rows_.clear();
    setPosition(-1);
    file_.close();
  }
  Q_EMIT stateChanged();
}

void Reviewer::setQueue(const std::string& key) {
  queue_key_ = key;
  buildQueue();
}

void Reviewer::setOnlyRows(std::vector<std::int64_t> rows) {
  only_rows_ = std::move(rows);
  buildQueue();
}

void Reviewer::buildQueue() {
  if (!active()) {
    return;
  }
  std::vector<std::int64_t> settled;
  for (const auto& [item, label] : file_.labels()) {
    if (settles(label.action)) {
      settled.push_back(item);
    }
  }
  JobSettings settings;
  settings.threads = kThreads;
  queue_job_.submit<Queue>(
      tr("Sorting the images"), settings,
      [run = analysis_->in().run, key = queue_key_, settled = std::move(settled),
       only_rows = only_rows_](RunContext& context) {
        return dubito::buildQueue(*run, {.by = key},
                                  {.settled_ids = settled, .only_rows = only_rows}, context);
      },
      this, [this](Expected<Queue> queue) { takeQueue(std::move(queue)); });
  Q_EMIT stateChanged();
}

void Reviewer::takeQueue(Expected<Queue> queue) {
  if (!queue) {
    if (queue.error().code != ErrorCode::kCancelled) {
      Q_EMIT failed(QString::fromStdString(queue.error().message));
    }
    return;
  }
  queue_ = std::move(*queue);
  position_of_.clear();
  position_of_.reserve(queue_.ids.size());
  for (std::int64_t at = 0; at < queue_.length(); ++at) {
    position_of_[itemAt(at)] = at;
  }
  countDecided();
  setPosition(queue_.length() > 0 ? 0 : -1);
  Q_EMIT stateChanged();
}

std::optional<std::int64_t> Reviewer::row() const {
  if (visited_row_) {
    return visited_row_;
  }
  return position_ < 0 ? std::nullopt
                       : std::optional(queue_.rows[static_cast<std::size_t>(position_)]);
}

std::optional<std::int64_t> Reviewer::rowOf(std::int64_t item) const {
  return analysis_ ? rowOfId(analysis_->in(), item) : std::nullopt;
}

const PresentLabel* Reviewer::label() const {
  const auto row = this->row();
  return row ? file_.labelOf(analysis_->in().run->ids.data()[*row]) : nullptr;
}

std::int64_t Reviewer::suggestion() const {
  const auto row = this->row();
  return row && analysis_ ? analysis_->in().run->predictions.data()[*row] : -1;
}

std::int64_t Reviewer::givenLabel() const {
  const auto row = this->row();
  return row && analysis_ ? analysis_->in().run->labels.data()[*row] : -1;
}

bool Reviewer::hidesSuggestion() const {
  const PresentLabel* const known = label();
  return blind_ && (known == nullptr || !settles(known->action));
}

void Reviewer::setBlind(bool blind) {
  blind_ = blind;
  Q_EMIT itemChanged();
}

bool Reviewer::isDecided(std::int64_t position) const {
  const PresentLabel* const known = file_.labelOf(itemAt(position));
  return known != nullptr && settles(known->action);
}

void Reviewer::countDecided() {
  decided_items_.clear();
  for (const auto& [item, label] : file_.labels()) {
    if (settles(label.action) && position_of_.contains(item)) {
      decided_items_.insert(item);
    }
  }
}

void Reviewer::updateDecided(const std::vector<std::int64_t>& items) {
  for (const std::int64_t item : items) {
    const auto found = position_of_.find(item);
    if (found != position_of_.end() && isDecided(found->second)) {
      decided_items_.insert(item);
    } else {
      decided_items_.erase(item);
    }
  }
}

void Reviewer::setPosition(std::int64_t position) {
  position_ = position;
  visited_row_.reset();
  showAgain();
}

void Reviewer::showAgain() {
  painted_ = false;
  Q_EMIT itemChanged();
}

void Reviewer::itemPainted() {
  if (!painted_) {
    painted_ = true;
    shown_.start();
  }
}

void Reviewer::move(std::int64_t steps) {
  if (queue_.length() > 0) {
    setPosition(std::clamp<std::int64_t>(position_ + steps, 0, queue_.length() - 1));
  }
}

std::optional<std::int64_t> Reviewer::undecided(int direction) const {
  for (std::int64_t at = position_ + direction; at >= 0 && at < queue_.length(); at += direction) {
    if (!isDecided(at)) {
      return at;
    }
  }
  return std::nullopt;
}

void Reviewer::moveToUndecided(int direction) {
  if (const auto position = undecided(direction)) {
    setPosition(*position);
  }
}

void Reviewer::showItem(std::int64_t item) {
  if (const auto found = position_of_.find(item); found != position_of_.end()) {
    setPosition(found->second);
  } else if (const auto row = rowOf(item)) {
    visited_row_ = row;
    showAgain();
  }
}

void Reviewer::accept() {
  if (!hidesSuggestion()) {
    decide(LabelAction::kAccept, suggestion());
  }
}

void Reviewer::choose(std::int64_t class_id) {
  decide(class_id == suggestion() ? LabelAction::kAccept : LabelAction::kCorrect, class_id);
}

void Reviewer::mark(LabelAction action) {
  decide(action, {});
}

void Reviewer::decide(LabelAction action, std::optional<std::int64_t> class_id) {
  const auto row = this->row();
  if (!row || !takesDecisions()) {
    return;
  }
  const AnalysisPart& part = analysis_->in();
  const Run& run = *part.run;
  Decision decision;
  decision.item = run.ids.data()[*row];
  decision.action = action;
  decision.class_id = class_id;
  const std::int64_t index = part.dataset_index[static_cast<std::size_t>(*row)];
  if (index >= 0) {
    decision.item_name = part.dataset->itemName(index);
  }
  if (const PresentLabel* const before = label()) {
    decision.previous_class = before->class_id;
    decision.previous_origin = before->origin;
  } else if (const std::int64_t given = run.labels.data()[*row]; given >= 0) {
    decision.previous_class = given;
    decision.previous_origin = LabelOrigin::kDataset;
  }
  decision.spent_ms = shown_.elapsed();
  decision.prediction_shown = !hidesSuggestion();
  decision.queue = queue_.key;
  decision.run = analysis_->name;
  for (std::int64_t k = 0; k < run.classCount(); ++k) {
    decision.probs.push_back(static_cast<float>(run.prob(*row, k)));
  }
  painted_ = false;
  file_.decide({std::move(decision)});
}

void Reviewer::recorded(const std::vector<std::int64_t>& items) {
  updateDecided(items);
  decision_times_.push_back(clock_.elapsed());
  if (decision_times_.size() > kRatedDecisions) {
    decision_times_.pop_front();
  }
  if (!advances_) {
    showAgain();
  } else {
    // An item that is not in the queue is followed by the one where the queue was left.
    setPosition(visited_row_ ? position_ : undecided(1).value_or(position_));
  }
}

void Reviewer::undo() {
  if (active() && !busy()) {
    file_.undo();
  }
}

void Reviewer::redo() {
  if (active() && !busy()) {
    file_.redo();
  }
}

std::optional<double> Reviewer::decisionsPerMinute() const {
  qint64 milliseconds = 0;
  int gaps = 0;
  for (std::size_t i = 1; i < decision_times_.size(); ++i) {
    const qint64 gap = decision_times_[i] - decision_times_[i - 1];
    if (gap <= kBreakMilliseconds) {
      milliseconds += gap;
      ++gaps;
    }
  }
  return gaps < 2 ? std::nullopt
                  : std::optional(60'000.0 * gaps /
                                  static_cast<double>(std::max<qint64>(milliseconds, 1)));
}

}  // namespace dubito
