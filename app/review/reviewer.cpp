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
constexpr const char* kOfSelection = "-of-selection";
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

/// Positions in the queue, by row of the run.
std::vector<std::int64_t> positionsOf(const Queue& queue) {
  std::vector<std::int64_t> positions(static_cast<std::size_t>(queue.items), -1);
  for (std::int64_t at = 0; at < queue.length(); ++at) {
    positions[static_cast<std::size_t>(queue.rows[static_cast<std::size_t>(at)])] = at;
  }
  return positions;
}

}  // namespace

struct Reviewer::BuiltQueue {
  Queue queue;
  std::vector<std::int64_t> positions;  ///< as positions_
};

Reviewer::Reviewer(Session& session, QSettings& settings, QObject* parent)
    : QObject(parent),
      session_(session),
      settings_(settings),
      keys_(settings),
      choices_(settings),
      queue_job_(queue_thread_) {
  file_.setAnnotator(choices_.annotator());
  connect(&choices_, &ReviewChoices::annotatorChanged, &file_, &LabelFile::setAnnotator);
  connect(&choices_, &ReviewChoices::changed, this, [this] {
    hides_here_.reset();
    Q_EMIT itemChanged();
  });
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
  hashes_ = std::make_shared<ItemHashes>();
  const AnalysisPart& part = analysis_->in();
  std::vector<std::string> classes;
  for (std::int64_t k = 0; k < part.run->classCount(); ++k) {
    classes.push_back(part.run->className(k));
  }
  if (queue_key_.empty()) {
    queue_key_ = usualQueue();
  }
  clock_.start();
  decision_times_.clear();
  seen_items_.clear();
  const DatasetInfo& info = part.dataset->info();
  const QString place = placeOf(*part.dataset);
  QDir().mkpath(QFileInfo(place).path());
  file_.open(place, {.name = info.name, .spec = info.spec, .fingerprint = {}}, classes);
}

std::string Reviewer::usualQueue() const {
  return analysis_->in().labelled ? kQueueOfLabelled : kQueueOfUnlabelled;
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
    hashes_ = std::make_shared<ItemHashes>();
    buildQueue();
  } else {
    analysis_ = nullptr;
    queue_ = Queue();
    if (std::exchange(given_, {})) {
      queue_key_.clear();
    }
    positions_.clear();
    only_rows_.clear();
    setPosition(-1);
    file_.close();
  }
  Q_EMIT stateChanged();
}

void Reviewer::setItems(const ItemQueue& items) {
  queue_key_ = items.key;
  given_ = items;
  buildQueue();
}

Queue Reviewer::givenQueue() const {
  Queue queue{.key = given_->key, .name = given_->name, .why = given_->why};
  queue.items = analysis_->in().run->itemCount();
  for (const std::int64_t id : given_->ids) {
    if (const auto row = rowOf(id)) {
      queue.rows.push_back(*row);
      queue.ids.push_back(id);
      queue.scores.push_back(static_cast<double>(queue.ids.size()));
    }
  }
  return queue;
}

void Reviewer::setQueueText(const std::string& why) {
  queue_.why = why;
  if (given_) {
    given_->why = why;
  }
  Q_EMIT queueTextChanged();
}

void Reviewer::setQueue(const std::string& key) {
  given_.reset();
  queue_key_ = key;
  buildQueue();
}

void Reviewer::setOnlyRows(std::vector<std::int64_t> rows) {
  only_rows_ = std::move(rows);
  if (std::exchange(given_, {})) {
    queue_key_ = usualQueue();
  }
  buildQueue();
}

void Reviewer::buildQueue() {
  if (!active()) {
    return;
  }
  if (given_) {
    queue_job_.abandon();
    revisits_ = false;
    BuiltQueue built{givenQueue(), {}};
    built.positions = positionsOf(built.queue);
    takeQueue(std::move(built));
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
  queue_job_.submit<BuiltQueue>(
      tr("Sorting the images"), settings,
      [run = analysis_->in().run, name = analysis_->name, key = queue_key_, other,
       settled = std::move(settled), labels = std::move(labels),
       annotator = file_.annotator().toStdString(),
       only_rows = only_rows_](RunContext& context) -> Expected<BuiltQueue> {
        const QueueInputs inputs{.name = name,
                                 .other = other ? &*other->in().run : nullptr,
                                 .other_name = other ? other->name : std::string(),
                                 .settled_ids = settled,
                                 .labels = labels,
                                 .annotator = annotator,
                                 .only_rows = only_rows};
        auto queue = dubito::buildQueue(*run, {.by = key}, inputs, context);
        if (!queue) {
          return failWith(queue);
        }
        std::vector<std::int64_t> positions = positionsOf(*queue);
        return BuiltQueue{std::move(*queue), std::move(positions)};
      },
      this,
      [this, revisits = kind.revisits, sequence = file_.sequence()](Expected<BuiltQueue> built) {
        revisits_ = revisits;
        queue_sequence_ = sequence;
        takeQueue(std::move(built));
      });
  Q_EMIT stateChanged();
}

void Reviewer::takeQueue(Expected<BuiltQueue> built) {
  if (!built) {
    if (built.error().code != ErrorCode::kCancelled) {
      Q_EMIT failed(QString::fromStdString(built.error().message));
    }
    return;
  }
  queue_ = std::move(built->queue);
  positions_ = std::move(built->positions);
  ++queue_number_;
  countDecided();
  reserved_.clear();
  taken_.clear();
  setPosition(queue_.length() > 0 ? 0 : -1);
  if (queue_.length() > 0 && isDecided(0)) {
    moveToUndecided(1);  // given items may be decided already
  }
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

std::optional<std::int64_t> Reviewer::positionOf(std::int64_t item) const {
  const auto row = rowOf(item);
  const std::int64_t position =
      row && !positions_.empty() ? positions_[static_cast<std::size_t>(*row)] : std::int64_t{-1};
  return position < 0 ? std::nullopt : std::optional(position);
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
  return row && analysis_
             ? mergedClass(file_.classes(), analysis_->in().run->predictions.data()[*row])
             : -1;
}

std::int64_t Reviewer::givenLabel() const {
  const auto row = this->row();
  return row && analysis_ ? mergedClass(file_.classes(), analysis_->in().run->labels.data()[*row])
                          : -1;
}

std::unordered_map<std::int64_t, double> Reviewer::classProbs() const {
  std::unordered_map<std::int64_t, double> probs;
  const auto row = this->row();
  if (!row || hidesSuggestion()) {
    return probs;
  }
  const Run& run = *analysis_->in().run;
  const std::vector<LabelClass>& classes = file_.classes();
  const bool merged = std::ranges::any_of(
      classes, [](const LabelClass& entry) { return entry.merged_into.has_value(); });
  for (std::int64_t k = 0; k < run.classCount(); ++k) {
    probs[merged ? mergedClass(classes, k) : k] += run.prob(*row, k);
  }
  return probs;
}

bool Reviewer::hidesSuggestion() const {
  const auto row = this->row();
  const PresentLabel* const known = label();
  if (!row || (known != nullptr && settlesHere(*known))) {
    return false;
  }
  return hides_here_.value_or(
      isInHiddenShare(analysis_->in().run->ids.data()[*row], choices_.hiddenShare()));
}

bool Reviewer::hidesSuggestionOf(std::int64_t item) const {
  return isInHiddenShare(item, choices_.hiddenShare());
}

void Reviewer::toggleHidden() {
  const double share = choices_.hiddenShare();
  if (share == 0.0 || share == 1.0) {
    choices_.setHiddenShare(1.0 - share);
  } else {
    hides_here_ = !hidesSuggestion();
    Q_EMIT itemChanged();
  }
}

bool Reviewer::settlesHere(const PresentLabel& label) const {
  const bool to_check = given_ && label.origin == LabelOrigin::kModel;
  return settles(label.action) && !to_check && (!revisits_ || label.sequence > queue_sequence_);
}

bool Reviewer::isDecided(std::int64_t position) const {
  const PresentLabel* const known = file_.labelOf(itemAt(position));
  return known != nullptr && settlesHere(*known);
}

void Reviewer::countDecided() {
  decided_items_.clear();
  for (const auto& [item, label] : file_.labels()) {
    if (settlesHere(label) && positionOf(item)) {
      decided_items_.insert(item);
    }
  }
}

void Reviewer::updateDecided(const std::vector<std::int64_t>& items) {
  for (const std::int64_t item : items) {
    const auto position = positionOf(item);
    if (position && isDecided(*position)) {
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
  hides_here_.reset();
  Q_EMIT itemChanged();
}

void Reviewer::itemPainted(bool readable) {
  if (!painted_) {
    painted_ = true;
    readable_ = readable;
    shown_.start();
  }
  if (const auto row = this->row(); row && !hidesSuggestion()) {
    seen_items_.insert(analysis_->in().run->ids.data()[*row]);
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
  if (const auto position = positionOf(item)) {
    setPosition(*position);
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
  file_.decide({decisionAbout(*row, action, class_id)});
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
  file_.decide(std::move(decisions));
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
  decision.content_hash = hashes_->of(row);
  decision.spent_ms = shown_.elapsed();
  // What was seen once is known, although it may be hidden now.
  decision.prediction_shown = !hidesSuggestion() || seen_items_.contains(decision.item);
  // What is random in a selection is no random sample of all items.
  decision.queue = only_rows_.empty() || given_ ? queue_.key : queue_.key + kOfSelection;
  decision.run = analysis_->name;
  for (std::int64_t k = 0; k < run.classCount(); ++k) {
    decision.probs.push_back(static_cast<float>(run.prob(row, k)));
  }
  return decision;
}

void Reviewer::recorded(const std::vector<std::int64_t>& items) {
  updateDecided(items);
  const PresentLabel* const first = items.empty() ? nullptr : file_.labelOf(items.front());
  if (first != nullptr && first->origin == LabelOrigin::kModel) {
    return;  // not the person's; the queue is built anew
  }
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
  for (const AnalysisPtr& open : session_.analyses()) {
    const AnalysisPtr other = givenOf(open);
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
  if (active() && !file_.writing()) {
    file_.undo();
  }
}

void Reviewer::redo() {
  if (active() && !file_.writing()) {
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
