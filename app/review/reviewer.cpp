// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/reviewer.h"

#include <QDir>
#include <QFileInfo>
#include <QThread>
#include <algorithm>
#include <span>
#include <utility>

#include "app/review/labels/recent_reviews.h"
#include "app/session/error_text.h"
#include "core/analysis/same_items.h"
#include "core/base/in_quotes.h"
#include "core/io/run_needs.h"
#include "widgets/number_text.h"

namespace dubito {
namespace {

std::vector<std::string> classNames(const Analysis& analysis) {
  const Run& run = *analysis.in().run;
  std::vector<std::string> names;
  // A run without probabilities has its classes in its metadata only.
  for (std::int64_t k = 0; k < namedClassCount(run); ++k) {
    names.push_back(run.className(k));
  }
  return names;
}

/// Whether class k of a run is class k of the labels, which may have been renamed or added since
/// the review began with the classes `at_first`.
bool areClassesOf(const std::vector<LabelClass>& labels, const std::vector<std::string>& at_first,
                  const std::vector<std::string>& of_run) {
  if (of_run.size() > labels.size()) {
    return false;
  }
  for (std::size_t k = 0; k < of_run.size(); ++k) {
    const bool as_at_first = k < at_first.size() && of_run[k] == at_first[k];
    if (!as_at_first && of_run[k] != labels[k].name) {
      return false;
    }
  }
  return true;
}

/// "the classes “cat”, “dog”, …", for people.
QString classesText(const std::vector<std::string>& names) {
  constexpr std::size_t kNamed = 4;
  const std::span all(names);
  const QString named = QString::fromStdString(inQuotes(all.first(std::min(kNamed, all.size()))));
  return names.size() <= kNamed
             ? Reviewer::tr("the classes %1").arg(named)
             : Reviewer::tr("%1 classes (%2, …)").arg(countText(std::ssize(names)), named);
}

}  // namespace

Reviewer::Reviewer(Session& session, QSettings& settings, QObject* parent)
    : QObject(parent),
      session_(session),
      settings_(settings),
      keys_(settings),
      choices_(settings),
      places_(settings),
      queue_(session, file_) {
  file_.setAnnotator(choices_.annotator());
  connect(&choices_, &ReviewChoices::annotatorChanged, &file_, &LabelFile::setAnnotator);
  connect(&choices_, &ReviewChoices::changed, this, [this] {
    hides_here_.reset();
    Q_EMIT itemChanged();
  });
  connect(&session_, &Session::activeAnalysisChanged, this, &Reviewer::showAnalysis);
  connect(&file_, &LabelFile::failed, this, [this](const QString& message) {
    painted_ = true;  // the item is still shown: the person can decide again
    waits_to_reserve_ = false;
    if (!file_.isOpen() && analysis_) {
      places_.forget(analysis_->in().dataset);  // it cannot be opened: not chosen again by itself
    }
    Q_EMIT failed(message);
  });
  connect(&file_, &LabelFile::opened, this, [this] {
    if (file_.isOpen()) {
      for (const std::string& note : file_.notes()) {
        Q_EMIT noticed(noteText(note));
      }
      remember();
      queue_.refresh();
    }
    Q_EMIT stateChanged();
  });
  connect(&queue_, &ReviewQueue::refreshed, this, &Reviewer::stateChanged);
  connect(&queue_, &ReviewQueue::built, this, &Reviewer::takeQueue);
  connect(&queue_, &ReviewQueue::failed, this, &Reviewer::failed);
  connect(&file_, &LabelFile::changed, this, &Reviewer::itemChanged);
  connect(&file_, &LabelFile::reloaded, this, &Reviewer::countDecided);
  connect(&file_, &LabelFile::updated, this, &Reviewer::updateDecided);
  connect(&file_, &LabelFile::recorded, this, &Reviewer::recorded);
  connect(&file_, &LabelFile::reverted, this, [this](const RevertedStep& step) {
    reverted_text_ = dubito::revertedText(file_.classes(), step);
  });
  connect(&file_, &LabelFile::reserved, this, &Reviewer::takeReserved);
  connect(&file_, &LabelFile::stepReverted, this,
          [this](const std::vector<std::int64_t>& items) { showItem(items.front()); });
}

Reviewer::~Reviewer() = default;

QString Reviewer::placeOf(const Dataset& dataset) const {
  if (active() && analysis_->in().dataset.get() == &dataset) {
    return file_.place();
  }
  return places_.of(dataset);
}

QString Reviewer::obstacle() const {
  const AnalysisPtr analysis = session_.activeAnalysis();
  if (!analysis && !session_.models().empty() && !session_.datasets().empty()) {
    return tr(
        "The review starts from an answer of the network to every image: press Compute, or wait "
        "until it has finished.");
  }
  if (!analysis) {
    return tr(
        "Open the labels that a program gave your images: you can then review them here, the most "
        "doubtful first. Or open images and a model and press Compute.");
  }
  if (!analysis->in().dataset) {
    const QString name = QString::fromStdString(analysis->in().run->meta.dataset_name);
    return name.isEmpty()
               ? tr("These predictions came without images. Attach the folder of their images to "
                    "review them.")
               : tr("The images of this run, %1, are gone or not open. Attach the folder of these "
                    "images to review them.")
                     .arg(name);
  }
  return {};
}

void Reviewer::start(const QString& store, StoreMode mode) {
  if (!obstacle().isEmpty()) {
    return;
  }
  if (!store.isEmpty()) {
    places_.choose(givenOf(session_.activeAnalysis())->in().dataset, store);
  }
  analysis_ = givenOf(session_.activeAnalysis());
  const AnalysisPart& part = analysis_->in();
  queue_.setRun(analysis_);
  queue_.chooseUsual();
  rate_.start();
  seen_items_.clear();
  const DatasetInfo& info = part.dataset->info();
  const QString place = store.isEmpty() ? placeOf(*part.dataset) : store;
  const bool goes_on = places_.isStore(part.dataset);
  if (!goes_on) {
    QDir().mkpath(QFileInfo(place).path());
  }
  file_.open(place, {.name = info.name, .spec = info.spec, .fingerprint = {}},
             classNames(*analysis_), goes_on ? mode : StoreMode::kOpenOrCreate);
}

void Reviewer::remember() {
  // Without labels of the images, opening the store alone would not start a review.
  const AnalysisPart& part = analysis_->in();
  if (part.labelled) {
    RecentReviews(settings_).add(
        {file_.place(), QString::fromStdString(part.dataset->info().name), part.run->itemCount()});
  }
}

void Reviewer::exportTo(const LabelFormat& format, const QString& path) {
  if (active()) {
    file_.exportTo(format, path, {analysis_->in().run, analysis_->in().dataset},
                   choices_.exports());
  }
}

void Reviewer::showAnalysis() {
  const AnalysisPtr shown = givenOf(session_.activeAnalysis());
  if (shown && shown == analysis_) {
    return;  // with other labels: the review uses the given ones
  }
  reverted_text_.clear();
  const bool same_items = analysis_ && shown && shown->in().dataset == analysis_->in().dataset;
  const bool has_classes =
      same_items && (!file_.isOpen() ||
                     areClassesOf(file_.classes(), classNames(*analysis_), classNames(*shown)));
  if (has_classes) {
    analysis_ = shown;
    const std::string before = queue_.key();
    queue_.setRun(analysis_, analysis_ == features_kept_for_.lock());
    if (queue_.key() != before) {
      Q_EMIT noticed(
          tr("The order \"%1\" needs a look at all images by the network that is shown now; choose "
             "it again for that. Until then the images have their usual order.")
              .arg(QString::fromStdString(describe(queueOfKey(before).value()).name)));
    }
    queue_.refresh();
  } else {
    // The labels have the numbers of the classes of the run that they were given for.
    const QString other_classes =
        same_items ? tr("The review stops here: this run has %1, the labels in %2 have %3. Show a "
                        "run with the classes of the labels to continue.")
                         .arg(classesText(classNames(*shown)), QFileInfo(file_.place()).fileName(),
                              classesText(classNames(*analysis_)))
                   : QString();
    analysis_ = nullptr;
    queue_.setRun(nullptr);
    setPosition(-1);
    file_.close();
    if (!other_classes.isEmpty()) {
      Q_EMIT noticed(other_classes);
    }
  }
  Q_EMIT stateChanged();
}

std::optional<std::int64_t> Reviewer::row() const {
  if (visited_row_) {
    return visited_row_;
  }
  return position_ < 0 ? std::nullopt
                       : std::optional(queue().rows[static_cast<std::size_t>(position_)]);
}

std::optional<std::int64_t> Reviewer::rowOf(std::int64_t item) const {
  return analysis_ ? rowOfId(analysis_->in(), item) : std::nullopt;
}

std::optional<std::int64_t> Reviewer::positionOf(std::int64_t item) const {
  const auto row = rowOf(item);
  return row ? queue_.positionOf(*row) : std::nullopt;
}

bool Reviewer::isDecided(std::int64_t position) const {
  const PresentLabel* const known = file_.labelOf(itemAt(position));
  return known != nullptr && queue_.settles(*known);
}

void Reviewer::countDecided() {
  past_.reset();
  progress_.clear();
  decided_in_run_.clear();
  for (const auto& [item, label] : file_.labels()) {
    countItem(item);
  }
}

void Reviewer::countItem(std::int64_t item) {
  const PresentLabel* const known = file_.labelOf(item);
  if (known != nullptr && settles(known->action) && rowOf(item)) {
    decided_in_run_.insert(item);
  } else {
    decided_in_run_.erase(item);
  }
  if (const auto position = positionOf(item)) {
    const PresentLabel* const label = file_.labelOf(item);
    progress_.update(item, *position < queue().first_part.value_or(0),
                     label == nullptr ? std::nullopt : queue_.answerOf(*label));
  }
}

QueueStage Reviewer::stage() const {
  if (!active() || queue_.busy() || only_shown_) {
    return QueueStage::kAtWork;
  }
  // Somebody else may have decided meanwhile what the person had reserved.
  if (progress_.passedCount() + takenCount() >= queue().length() &&
      (takenCount() == 0 || !undecided(1))) {
    return QueueStage::kEnd;
  }
  // A part without items has no end that could be passed.
  return queue().first_part.value_or(0) > 0 && progress_.passedInFirstPart() >= *queue().first_part
             ? QueueStage::kRest
             : QueueStage::kAtWork;
}

void Reviewer::updateDecided(const std::vector<std::int64_t>& items) {
  past_.reset();
  for (const std::int64_t item : items) {
    countItem(item);
  }
}

void Reviewer::recorded(const std::vector<std::int64_t>& items) {
  reverted_text_.clear();
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
  rate_.add();
  if (!advances_) {
    showAgain();
  } else {
    // An item that is not in the queue is followed by the one where the queue was left, and in a
    // list of decided items by the next one.
    const std::int64_t next = only_shown_ ? std::min(position_ + 1, queue().length() - 1)
                                          : undecided(1).value_or(position_);
    setPosition(visited_row_ ? position_ : next);
    led_here_ = true;
  }
  reserveAhead();
}

void Reviewer::takeQueue() {
  countDecided();  // and past(), which depends on the queue
  only_shown_ = queue().length() > 0 && progress_.passedCount() == queue().length();
  reservations_.clear();
  setPosition(queue().length() > 0 ? 0 : -1);
  if (queue().length() > 0 && isDecided(0)) {
    moveToUndecided(1);  // given items may be decided already
  }
  led_here_ = true;
  Q_EMIT stateChanged();
  reserveAhead(true);
}

void Reviewer::reserveAhead(bool new_queue) {
  std::vector<std::int64_t> next;
  for (std::int64_t at = std::max<std::int64_t>(position_, 0);
       at < queue().length() && next.size() < Reservations::kOutOf; ++at) {
    if (!isDecided(at)) {
      next.push_back(itemAt(at));
    }
  }
  if (reservations_.needMore(next)) {
    waits_to_reserve_ = waits_to_reserve_ || new_queue;
    file_.reserve(std::move(next), Reservations::kReserved);
  }
}

void Reviewer::takeReserved(const std::vector<std::int64_t>& requested,
                            const std::vector<std::int64_t>& granted) {
  waits_to_reserve_ = false;
  reservations_.take(requested, granted);
  const bool elsewhere = led_here_ && !visited_row_ && position_ >= 0 &&
                         (reservations_.isTaken(itemAt(position_)) || isDecided(position_));
  if (const auto free = elsewhere ? undecided(1) : std::nullopt) {
    setPosition(*free);
    led_here_ = true;
  }
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

}  // namespace dubito
