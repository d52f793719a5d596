// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/queue/review_queue.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "app/session/error_text.h"
#include "core/analysis/same_items.h"
#include "core/data/images/small_image.h"
#include "core/data/sources/dataset_source.h"
#include "core/data/sources/label_run.h"
#include "core/io/run_needs.h"
#include "core/review/duplicates.h"
#include "core/review/reviewed_sample.h"

namespace dubito {
namespace {

/// Threads that sort a queue.
constexpr int kQueueThreads = 2;
constexpr const char* kQueueOfLabelled = "label-errors";
constexpr const char* kConfidenceQueue = "confidence";
constexpr const char* kFileQueue = "file-order";
constexpr const char* kOfSelection = "-of-selection";

/// Whether two specifications are of the same underlying items, whatever their labels.
bool sameSource(const std::string& spec, const std::string& other) {
  return std::ranges::equal(sourceParts(spec), sourceParts(other), {}, &SourcePart::key,
                            &SourcePart::key);
}

/// Positions in the queue, by row of the run.
std::vector<std::int64_t> positionsOf(const Queue& queue) {
  std::vector<std::int64_t> positions(static_cast<std::size_t>(queue.items), -1);
  for (std::int64_t at = 0; at < queue.length(); ++at) {
    positions[static_cast<std::size_t>(queue.rows[static_cast<std::size_t>(at)])] = at;
  }
  return positions;
}

/// The kind to begin with: suspected label errors if the items have labels, because uncertainty
/// alone finds wrong labels no better than chance. Labels of a program that does not know the
/// scores of all classes come by the scores that it knows, else in their own order.
std::string usualKind(const AnalysisPart& part) {
  const Run& run = *part.run;
  if (run.meta.method != kLabelsMethod || hasScoresOfAllClasses(run)) {
    return part.labelled ? kQueueOfLabelled : kUnsureQueue;
  }
  const bool any_score =
      std::ranges::any_of(run.confidence.values(), [](double score) { return !std::isnan(score); });
  return any_score ? kConfidenceQueue : kFileQueue;
}

/// The kinds that can take the place of others, the best first; the last one is always possible.
std::vector<std::string> replacements(const AnalysisPart& part) {
  std::vector<std::string> keys = {usualKind(part), kRandomQueue};
  if (part.run->meta.method == kLabelsMethod) {
    return keys;
  }
  keys = {kUnsureQueue, kRandomQueue};
  if (part.labelled) {
    keys.insert(keys.begin(), kQueueOfLabelled);
  }
  return keys;
}

/// Whether two runs are over the same images, so that their suggestions can be compared.
bool canCompare(const AnalysisPart& part, const AnalysisPart& other) {
  if (part.dataset && part.dataset == other.dataset) {
    return part.run->meta.method == kLabelsMethod || other.run->meta.method == kLabelsMethod ||
           part.run->classCount() == other.run->classCount();
  }
  // Labels of two programs for the images of one folder.
  const bool of_labels = part.run->meta.method == kLabelsMethod &&
                         other.run->meta.method == kLabelsMethod && part.dataset && other.dataset;
  return of_labels && sameSource(part.dataset->info().spec, other.dataset->info().spec);
}

/// Builds the queue of the first possible kind; `obstacle` says why the first one is not.
/// Reads images for queues that compare them.
SmallImageOf smallImagesOf(const AnalysisPart& part) {
  return [&part](std::int64_t row) {
    const std::int64_t index = part.dataset_index[static_cast<std::size_t>(row)];
    return index < 0 ? std::nullopt : smallImage(*part.dataset, index);
  };
}

Expected<Queue> firstPossible(const Run& run, const std::vector<std::string>& keys,
                              std::int64_t limit, const QueueInputs& inputs,
                              const std::string& obstacle, const std::string& unsure,
                              RunContext& context) {
  auto queue = buildQueue(run, {.by = keys.front(), .limit = limit}, inputs, context);
  for (std::size_t i = 1;
       i < keys.size() && !queue && queue.error().code == ErrorCode::kInvalidArgument; ++i) {
    queue = buildQueue(run, {.by = keys[i], .limit = limit}, inputs, context);
    if (queue) {
      queue->why = obstacle + (keys[i] == kUnsureQueue ? unsure : ". " + queue->why);
    }
  }
  return queue;
}

}  // namespace

struct ReviewQueue::Built {
  Queue queue;
  std::vector<std::int64_t> positions;  ///< as positions_
};

namespace {

/// The rows of a selection that a filter leaves; no selection: all that it leaves.
std::vector<std::int64_t> rowsInBoth(std::vector<std::int64_t> selected,
                                     std::vector<std::int64_t> filtered) {
  if (selected.empty()) {
    return filtered;
  }
  std::ranges::sort(selected);
  std::vector<std::int64_t> both;
  std::ranges::set_intersection(selected, filtered, std::back_inserter(both));
  return both;
}

}  // namespace

ReviewQueue::Built ReviewQueue::emptyQueue(const std::string& key, std::int64_t items) {
  Queue queue{.key = key,
              .name = describe(queueOfKey(key).value()).name,
              .why = tr("No image fits the filter.").toStdString()};
  queue.items = items;
  queue.not_chosen = items;
  std::vector<std::int64_t> positions = positionsOf(queue);
  return {std::move(queue), std::move(positions)};
}

ReviewQueue::ReviewQueue(Session& session, const LabelFile& file, QObject* parent)
    : QObject(parent), session_(session), file_(file), job_(thread_) {}

void ReviewQueue::setRun(AnalysisPtr analysis, bool has_same_features) {
  if (analysis != analysis_ && !has_same_features) {
    features_ = nullptr;
  }
  analysis_ = std::move(analysis);
  if (lacksFeatures(key_)) {
    key_.clear();
    used_key_.clear();
    chooseUsual();
  }
  if (!analysis_) {
    job_.abandon();
    queue_ = Queue();
    positions_.clear();
    only_rows_.clear();
    filter_ = {};
    used_key_.clear();
    limit_ = 0;
    if (std::exchange(given_, {})) {
      key_.clear();
    }
  }
}

void ReviewQueue::chooseUsual() {
  if (key_.empty() && analysis_) {
    key_ = usualKind(analysis_->in());
  }
}

bool ReviewQueue::lacksFeatures(const std::string& key) const {
  const auto kind = queueOfKey(key);
  return kind && describe(*kind).needs.features && !features_;
}

void ReviewQueue::choose(const std::string& key, std::int64_t limit) {
  if (lacksFeatures(key)) {
    Q_EMIT textChanged();  // the present queue stays meanwhile
    Q_EMIT featuresNeeded(key);
    return;
  }
  given_.reset();
  used_key_.clear();
  key_ = key;
  limit_ = limit;
  refresh();
}

void ReviewQueue::leavePartial() {
  if (isPartial()) {
    choose(kUnsureQueue);
  }
}

void ReviewQueue::setItems(const ItemQueue& items) {
  used_key_.clear();
  key_ = items.key;
  limit_ = 0;
  filter_ = {};
  given_ = items;
  refresh();
}

void ReviewQueue::setOnlyRows(std::vector<std::int64_t> rows) {
  only_rows_ = std::move(rows);
  limit_ = 0;
  if (std::exchange(given_, {})) {
    key_.clear();
    chooseUsual();
  }
  refresh();
}

void ReviewQueue::setFilter(const ItemFilter& filter) {
  filter_ = filter;
  limit_ = 0;
  if (std::exchange(given_, {})) {
    key_.clear();
    chooseUsual();
  }
  refresh();
}

void ReviewQueue::setText(const std::string& why) {
  queue_.why = why;
  if (given_) {
    given_->why = why;
  }
  Q_EMIT textChanged();
}

std::vector<AnalysisPtr> ReviewQueue::otherRuns() const {
  std::vector<AnalysisPtr> others;
  for (const AnalysisPtr& open : session_.analyses()) {
    const AnalysisPtr other = givenOf(open);
    if (analysis_ && other != analysis_ && canCompare(analysis_->in(), other->in())) {
      others.push_back(other);
    }
  }
  return others;
}

AnalysisPtr ReviewQueue::otherRun() const {
  const std::vector<AnalysisPtr> others = otherRuns();
  if (std::ranges::find(others, other_run_) != others.end()) {
    return other_run_;
  }
  return others.empty() ? nullptr : others.front();
}

void ReviewQueue::setOtherRun(AnalysisPtr other) {
  other_run_ = std::move(other);
  refresh();
}

Queue ReviewQueue::givenQueue() const {
  Queue queue{.key = given_->key, .name = given_->name, .why = given_->why};
  queue.items = analysis_->in().run->itemCount();
  for (const std::int64_t id : given_->ids) {
    if (const auto row = rowOfId(analysis_->in(), id)) {
      queue.rows.push_back(*row);
      queue.ids.push_back(id);
      queue.scores.push_back(static_cast<double>(queue.ids.size()));
    }
  }
  return queue;
}

QString ReviewQueue::obstacleText(const QueueKind& kind) const {
  if (kind.needs.given_labels && !analysis_->in().labelled) {
    return tr("These images have no labels yet");
  }
  const QString name = QString::fromStdString(kind.name);
  return kind.needs.other_run
             ? tr("The order “%1” compares two runs, but no second one over these images is open")
                   .arg(name)
             : tr("The order “%1” is not possible with this run, because it needs %2")
                   .arg(name, QString::fromStdString(kind.needs_text));
}

void ReviewQueue::refresh() {
  if (analysis_ && file_.isOpen()) {
    build();
    Q_EMIT refreshed();
  }
}

void ReviewQueue::build() {
  if (given_) {
    job_.abandon();
    revisits_ = false;
    sequence_ = file_.sequence();
    Built built{givenQueue(), {}};
    built.positions = positionsOf(built.queue);
    take(std::move(built));
    return;
  }
  const QueueKind& kind = describe(queueOfKey(key_).value());
  std::vector<std::int64_t> settled;
  std::vector<PresentLabel> labels;
  // A filter for decided images shows them again.
  const bool filtered = filter_ != ItemFilter();
  const bool shows_decided = filtered && filter_.state != ItemState::kUndecided;
  for (const auto& [item, label] : file_.labels()) {
    if (dubito::settles(label.action) && !shows_decided) {
      settled.push_back(item);
    }
    if (kind.needs.labels) {
      labels.push_back(label);
    }
  }
  const AnalysisPtr other = kind.needs.other_run ? otherRun() : nullptr;
  std::vector<std::string> keys = replacements(analysis_->in());
  std::erase(keys, key_);
  keys.insert(keys.begin(), key_);
  JobSettings settings;
  settings.threads = kQueueThreads;
  job_.submit<Built>(
      tr("Sorting the images"), settings,
      [analysis = analysis_, run = analysis_->in().run, name = analysis_->name,
       keys = std::move(keys), limit = limit_, other, obstacle = obstacleText(kind).toStdString(),
       unsure = tr(": the ones the network is unsure about come first.").toStdString(),
       features = features_, settled = std::move(settled), labels = std::move(labels),
       annotator = file_.annotator().toStdString(), only_rows = only_rows_, filter = filter_,
       filtered, all_labels = filtered ? file_.labels() : LabelsByItem(),
       comments = filter_.commented ? file_.comments() : CommentsByItem(),
       classes = file_.classes()](RunContext& context) mutable -> Expected<Built> {
        if (filtered) {
          only_rows = rowsInBoth(
              only_rows, filteredRows(analysis->in(), all_labels, classes, comments, filter));
          if (only_rows.empty()) {
            return emptyQueue(keys.front(), run->itemCount());
          }
        }
        const QueueInputs inputs{.name = name,
                                 .other = other ? &*other->in().run : nullptr,
                                 .other_name = other ? other->name : std::string(),
                                 .features = features.get(),
                                 .small_image = smallImagesOf(analysis->in()),
                                 .settled_ids = settled,
                                 .labels = labels,
                                 .annotator = annotator,
                                 .only_rows = only_rows};
        auto queue = firstPossible(*run, keys, limit, inputs, obstacle, unsure, context);
        if (!queue) {
          return failWith(queue);
        }
        std::vector<std::int64_t> positions = positionsOf(*queue);
        return Built{std::move(*queue), std::move(positions)};
      },
      this,
      [this, revisits = kind.revisits || shows_decided,
       sequence = file_.sequence()](Expected<Built> built) {
        revisits_ = revisits;
        sequence_ = sequence;
        take(std::move(built));
      });
}

void ReviewQueue::take(Expected<Built> built) {
  if (!built) {
    if (built.error().code == ErrorCode::kCancelled) {
      return;
    }
    Q_EMIT failed(errorText(built.error()));
    built = Built{Queue{.key = key_}, {}};  // that of another run must not stay
  }
  used_key_ = built->queue.key;
  queue_ = std::move(built->queue);
  positions_ = std::move(built->positions);
  ++number_;
  Q_EMIT this->built();
}

std::string ReviewQueue::recordedKey() const {
  // What is random in a selection is no random sample of all items.
  return (only_rows_.empty() && filter_ == ItemFilter()) || given_ ? queue_.key
                                                                   : queue_.key + kOfSelection;
}

std::optional<std::int64_t> ReviewQueue::positionOf(std::int64_t row) const {
  const std::int64_t position =
      positions_.empty() ? std::int64_t{-1} : positions_[static_cast<std::size_t>(row)];
  return position < 0 ? std::nullopt : std::optional(position);
}

bool ReviewQueue::settles(const PresentLabel& label) const {
  return dubito::settles(label.action) && !isToCheck(label) &&
         (!revisits_ || label.sequence > sequence_);
}

std::optional<LabelAction> ReviewQueue::answerOf(const PresentLabel& label) const {
  // What was skipped before is queued, because it is still to be decided.
  const bool new_label = label.sequence > sequence_;
  return settles(label) || (new_label && !isToCheck(label)) ? std::optional(label.action)
                                                            : std::nullopt;
}

bool ReviewQueue::isToCheck(const PresentLabel& label) const {
  return given_ && label.origin == LabelOrigin::kModel;
}

}  // namespace dubito
