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
#include "core/review/opinion_queues.h"

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
/// Items reserved at a time, out of so many of the next ones; more are reserved when only a few are
/// left, or when the reservations are old.
constexpr std::int64_t kReserved = 16;
constexpr std::size_t kReserveFrom = 64;
constexpr std::size_t kFewReserved = 4;
constexpr qint64 kReservationAge = 60'000;  // milliseconds

}  // namespace

Reviewer::Reviewer(Session& session, QSettings& settings, QObject* parent)
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
  connect(&file_, &LabelFile::reserved, this, &Reviewer::takeReserved);
  connect(&file_, &LabelFile::stepReverted, this, [this](const std::vector<std::int64_t>& items) {
    updateDecided(items);
    showItem(items.front());
  });
}

Reviewer::~Reviewer() = default;

QString Reviewer::usualPlace(const Dataset& dataset) const {
  const QString folder =
      settings_
          .value(QStringLiteral("review/folder"),
                 QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
                     QStringLiteral("/labels"))
          .toString();
  QDir().mkpath(folder);
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
  analysis_ = session_.activeAnalysis();
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
  file_.open(usualPlace(*part.dataset), {.name = info.name, .spec = info.spec, .fingerprint = {}},
             classes);
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
  const AnalysisPtr shown = session_.activeAnalysis();
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
  const QueueKind& kind = describe(queueOfKey(queue_key_).value());
  std::vector<std::int64_t> settled;
  std::vector<PresentLabel> labels;
  for (const auto& [item, label] : file_.labels()) {
    if (settles(label.action)) {
      settled.push_back(item);
    }
    if (kind.needs.labels) {
      labels.push_back(label);
    }
  }
  const AnalysisPtr other = kind.needs.other_run ? otherRun() : nullptr;
  JobSettings settings;
  settings.threads = kThreads;
  queue_job_.submit<Queue>(
      tr("Sorting the images"), settings,
      [run = analysis_->in().run, name = analysis_->name, key = queue_key_, other,
       settled = std::move(settled), labels = std::move(labels),
       annotator = file_.annotator().toStdString(), only_rows = only_rows_](RunContext& context) {
        const QueueInputs inputs{.name = name,
                                 .other = other ? &*other->in().run : nullptr,
                                 .other_name = other ? other->name : std::string(),
                                 .settled_ids = settled,
                                 .labels = labels,
                                 .annotator = annotator,
                                 .only_rows = only_rows};
        return dubito::buildQueue(*run, {.by = key}, inputs, context);
      },
      this,
      [this, revisits = kind.revisits, sequence = file_.sequence()](Expected<Queue> queue) {
        revisits_ = revisits;
        queue_sequence_ = sequence;
        takeQueue(std::move(queue));
      });
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
  ++queue_number_;
  position_of_.clear();
  position_of_.reserve(queue_.ids.size());
  for (std::int64_t at = 0; at < queue_.length(); ++at) {
    position_of_[itemAt(at)] = at;
  }
  countDecided();
  reserved_.clear();
  taken_.clear();
  setPosition(queue_.length() > 0 ? 0 : -1);
  led_here_ = true;
  Q_EMIT stateChanged();
  reserveAhead();
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
  const PresentLabel* const known =
      row ? file_.labelOf(analysis_->in().run->ids.data()[*row]) : nullptr;
  // A second opinion is worth little to somebody who knows the first.
  const bool hidden = known != nullptr && queue_.key == kSecondOpinionQueue && !visited_row_ &&
                      !settlesHere(*known);
  return hidden ? nullptr : known;
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

bool Reviewer::settlesHere(const PresentLabel& label) const {
  return settles(label.action) && (!revisits_ || label.sequence > queue_sequence_);
}

bool Reviewer::isDecided(std::int64_t position) const {
  const PresentLabel* const known = file_.labelOf(itemAt(position));
  return known != nullptr && settlesHere(*known);
}

void Reviewer::countDecided() {
  decided_items_.clear();
  for (const auto& [item, label] : file_.labels()) {
    if (settlesHere(label) && position_of_.contains(item)) {
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
  led_here_ = false;
  visited_row_.reset();
  showAgain();
}

void Reviewer::showAgain() {
  painted_ = false;
  Q_EMIT itemChanged();
}

void Reviewer::itemPainted(bool readable) {
  if (!painted_) {
    painted_ = true;
    readable_ = readable;
    shown_.start();
    if (const auto row = this->row()) {
      hashItems({*row});
    }
  }
}

void Reviewer::move(std::int64_t steps) {
  if (queue_.length() > 0) {
    setPosition(std::clamp<std::int64_t>(position_ + steps, 0, queue_.length() - 1));
  }
}

std::optional<std::int64_t> Reviewer::undecided(int direction) const {
  for (std::int64_t at = position_ + direction; at >= 0 && at < queue_.length(); at += direction) {
    if (!isDecided(at) && !taken_.contains(itemAt(at))) {
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
  if (!row || !takesDecisions() || (assignsClass(action) && !readable_)) {
    return;
  }
  painted_ = false;
  record({decisionAbout(*row, action, class_id)});
}

void Reviewer::chooseAll(const std::vector<std::int64_t>& rows, std::int64_t class_id,
                         qint64 spent_ms) {
  if (!active() || rows.empty()) {
    return;
  }
  std::vector<Decision> decisions;
  decisions.reserve(rows.size());
  for (const std::int64_t row : rows) {
    const std::int64_t suggested =
        mergedClass(file_.classes(), analysis_->in().run->predictions.data()[row]);
    decisions.push_back(decisionAbout(
        row, suggested == class_id ? LabelAction::kAccept : LabelAction::kCorrect, class_id));
    decisions.back().spent_ms = spent_ms;
    decisions.back().prediction_shown = true;
  }
  record(std::move(decisions));
}

Decision Reviewer::decisionAbout(std::int64_t row, LabelAction action,
                                 std::optional<std::int64_t> class_id) const {
  const AnalysisPart& part = analysis_->in();
  const Run& run = *part.run;
  Decision decision;
  decision.item = run.ids.data()[row];
  decision.action = action;
  decision.class_id = class_id;
  const std::int64_t index = part.dataset_index[static_cast<std::size_t>(row)];
  if (index >= 0) {
    decision.item_name = part.dataset->itemName(index);
  }
  if (const PresentLabel* const before = file_.labelOf(decision.item)) {
    decision.previous_class = before->class_id;
    decision.previous_origin = before->origin;
  } else if (const std::int64_t given = run.labels.data()[row]; given >= 0) {
    decision.previous_class = given;
    decision.previous_origin = LabelOrigin::kDataset;
  }
  decision.spent_ms = shown_.elapsed();
  decision.prediction_shown = !hidesSuggestion();
  decision.queue = queue_.key;
  decision.run = analysis_->name;
  for (std::int64_t k = 0; k < run.classCount(); ++k) {
    decision.probs.push_back(static_cast<float>(run.prob(row, k)));
  }
  return decision;
}

void Reviewer::record(std::vector<Decision> decisions) {
  // Waits on the thread of the store: the hashes were started when the items were shown.
  file_.decide(std::move(decisions),
               [hashes = hashes_.pending()](std::vector<Decision>& completed) {
                 addContentHashes(hashes, completed);
               });
}

void Reviewer::recorded(const std::vector<std::int64_t>& items) {
  updateDecided(items);
  const auto row = this->row();
  if (!row || items != std::vector{analysis_->in().run->ids.data()[*row]}) {
    // A step about other items, which may include the one shown.
    if (const auto next =
            !visited_row_ && position_ >= 0 && isDecided(position_) ? undecided(1) : std::nullopt) {
      setPosition(*next);
      led_here_ = true;
    } else {
      showAgain();
    }
    reserveAhead();
    return;
  }
  decision_times_.push_back(clock_.elapsed());
  if (decision_times_.size() > kRatedDecisions) {
    decision_times_.pop_front();
  }
  if (!advances_) {
    showAgain();
  } else {
    // An item that is not in the queue is followed by the one where the queue was left.
    setPosition(visited_row_ ? position_ : undecided(1).value_or(position_));
    led_here_ = true;
  }
  reserveAhead();
}

void Reviewer::hashItems(const std::vector<std::int64_t>& rows) {
  std::vector<ItemHashes::Item> items;
  for (const std::int64_t row : rows) {
    const std::int64_t index = analysis_->in().dataset_index[static_cast<std::size_t>(row)];
    if (index >= 0) {
      items.push_back({analysis_->in().run->ids.data()[row], index});
    }
  }
  hashes_.start(analysis_->in().dataset, items);
}

void Reviewer::reserveAhead() {
  std::vector<std::int64_t> next;
  for (std::int64_t at = std::max<std::int64_t>(position_, 0);
       at < queue_.length() && next.size() < kReserveFrom; ++at) {
    if (!isDecided(at)) {
      next.push_back(itemAt(at));
    }
  }
  const std::size_t few = std::min(kFewReserved, next.size());
  const bool enough = std::all_of(next.begin(), next.begin() + static_cast<std::ptrdiff_t>(few),
                                  [this](std::int64_t item) { return reserved_.contains(item); });
  if (next.empty() || (enough && reserved_at_.elapsed() < kReservationAge)) {
    return;
  }
  reserved_at_.start();
  file_.reserve(std::move(next), kReserved);
}

void Reviewer::takeReserved(const std::vector<std::int64_t>& asked,
                            const std::vector<std::int64_t>& granted) {
  reserved_ = {granted.begin(), granted.end()};
  taken_.clear();
  for (const std::int64_t item : asked) {
    if (!granted.empty() && item == granted.back()) {
      break;  // those after it may be free
    }
    if (!reserved_.contains(item)) {
      taken_.insert(item);
    }
  }
  updateDecided(granted);
  const bool elsewhere = led_here_ && !visited_row_ && position_ >= 0 &&
                         (taken_.contains(itemAt(position_)) || isDecided(position_));
  if (const auto free = elsewhere ? undecided(1) : std::nullopt) {
    setPosition(*free);
    led_here_ = true;
  }
}

std::vector<AnalysisPtr> Reviewer::otherRuns() const {
  std::vector<AnalysisPtr> others;
  for (const AnalysisPtr& other : session_.analyses()) {
    if (analysis_ && other != analysis_ && other->in().dataset == analysis_->in().dataset &&
        other->in().run->classCount() == analysis_->in().run->classCount()) {
      others.push_back(other);
    }
  }
  return others;
}

AnalysisPtr Reviewer::otherRun() const {
  const std::vector<AnalysisPtr> others = otherRuns();
  if (std::ranges::find(others, other_run_) != others.end()) {
    return other_run_;
  }
  return others.empty() ? nullptr : others.front();
}

void Reviewer::setOtherRun(AnalysisPtr other) {
  other_run_ = std::move(other);
  buildQueue();
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
