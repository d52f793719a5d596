// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/session.h"

#include <algorithm>
#include <utility>

#include "core/data/sources/dataset_view.h"

namespace dubito {
namespace {

/// Whether both have the same items in the same order, so that row numbers are interchangeable.
bool haveSameItems(const AnalysisPtr& first, const AnalysisPtr& second) {
  if (givenOf(first) == givenOf(second)) {
    return true;
  }
  const Analysis& a = *first;
  const Analysis& b = *second;
  return std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(),
                    [](const AnalysisPart& x, const AnalysisPart& y) {
                      const RunMeta& mine = x.run->meta;
                      const RunMeta& other = y.run->meta;
                      return !mine.dataset_hash.empty() &&
                             mine.dataset_hash == other.dataset_hash &&
                             mine.dataset_spec == other.dataset_spec;
                    });
}

/// Position of the active entry after entry `removed` is gone; if it was the active one itself, its
/// predecessor.
int afterRemoval(int chosen, std::size_t removed, std::size_t left) {
  if (chosen >= static_cast<int>(removed)) {
    --chosen;
  }
  return left == 0 ? -1 : std::clamp(chosen, 0, static_cast<int>(left) - 1);
}

template <class T>
bool erase(std::vector<T>& entries, std::size_t position) {
  if (position >= entries.size()) {
    return false;
  }
  entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(position));
  return true;
}

/// Gives exactly the datasets listed as OOD the role OOD, so that their labels are not taken for
/// classes of the model.
DatasetPtr inRole(DatasetPtr dataset, bool ood) {
  if (!dataset || (dataset->info().role == Role::kOod) == ood) {
    return dataset;
  }
  return withRole(std::move(dataset), ood ? Role::kOod : Role::kTest);
}

}  // namespace

Session::Session(QObject* parent) : QObject(parent) {}
Session::~Session() = default;

bool isForEvaluation(const DatasetEntry& entry) {
  const Role role = entry.dataset->info().role;
  return !entry.ood && role != Role::kTrain && role != Role::kCalibration;
}

std::size_t Session::addModel(const QString& name, ModelPtr model, bool demo) {
  models_.push_back({name, std::move(model), demo});
  active_model_ = static_cast<int>(models_.size()) - 1;
  Q_EMIT workspaceChanged();
  return models_.size() - 1;
}

QString Session::freeDatasetName(const QString& name) const {
  const DatasetEntry& newest = datasets_.back();
  const auto isTaken = [&](const QString& wanted) {
    return std::ranges::any_of(datasets_, [&](const DatasetEntry& entry) {
      return &entry != &newest && entry.name == wanted &&
             entry.dataset->info().role == newest.dataset->info().role;
    });
  };
  QString free = name;
  for (int number = 2; isTaken(free); ++number) {
    free = QStringLiteral("%1 (%2)").arg(name).arg(number);
  }
  return free;
}

std::size_t Session::addDataset(const QString& name, DatasetPtr dataset, bool ood, bool demo) {
  datasets_.push_back({name, inRole(std::move(dataset), ood), ood, demo});
  datasets_.back().name = freeDatasetName(name);
  if (isForEvaluation(datasets_.back())) {
    active_dataset_ = static_cast<int>(datasets_.size()) - 1;
  }
  Q_EMIT workspaceChanged();
  return datasets_.size() - 1;
}

void Session::replaceModel(const ModelPtr& before, const QString& name, ModelPtr model) {
  const auto entry = std::ranges::find(models_, before, &ModelEntry::model);
  if (entry != models_.end()) {
    entry->name = name;
    entry->model = std::move(model);
    Q_EMIT workspaceChanged();
  }
}

bool Session::replaceDataset(const DatasetPtr& before, const QString& name, DatasetPtr dataset) {
  const auto entry = std::ranges::find(datasets_, before, &DatasetEntry::dataset);
  if (entry == datasets_.end()) {
    return false;
  }
  const auto position = static_cast<int>(entry - datasets_.begin());
  if (browsed_ == before) {
    browsed_ = dataset;
    browsed_item_ = 0;
  }
  entry->name = name;
  entry->ood = dataset->info().role == Role::kOod;
  entry->before_ood = nullptr;
  entry->dataset = std::move(dataset);
  if (isForEvaluation(*entry)) {
    active_dataset_ = active_dataset_ < 0 ? position : active_dataset_;
  } else if (active_dataset_ == position) {
    chooseLastDataset();
  }
  Q_EMIT browsedChanged();
  Q_EMIT workspaceChanged();
  return true;
}

void Session::chooseLastDataset() {
  const auto last = std::find_if(datasets_.rbegin(), datasets_.rend(), isForEvaluation);
  active_dataset_ = static_cast<int>(datasets_.rend() - last) - 1;
}

bool Session::hasDemo() const {
  return std::ranges::any_of(models_, &ModelEntry::demo) ||
         std::ranges::any_of(datasets_, &DatasetEntry::demo);
}

void Session::closeDemo() {
  std::vector<AnalysisPtr> closed;
  for (std::size_t i = analyses_.size(); i-- > 0;) {
    const auto model = std::ranges::find(models_, analyses_[i]->model, &ModelEntry::model);
    if (model != models_.end() && model->demo) {
      closed.insert(closed.begin(), takeAnalysis(i));
    }
  }
  for (std::size_t i = datasets_.size(); i-- > 0;) {
    if (datasets_[i].demo) {
      removeDataset(i);
    }
  }
  for (std::size_t i = models_.size(); i-- > 0;) {
    if (models_[i].demo) {
      removeModel(i);
    }
  }
  keepClosed(std::move(closed));
}

void Session::browse(int position) {
  if (position < 0 || position >= static_cast<int>(datasets_.size())) {
    return;
  }
  const DatasetEntry& entry = datasets_[static_cast<std::size_t>(position)];
  browsed_ = entry.dataset;
  browsed_item_ = 0;
  if (isForEvaluation(entry)) {
    active_dataset_ = position;
  }
  Q_EMIT browsedChanged();
  Q_EMIT workspaceChanged();
}

void Session::endBrowsing() {
  if (browsed_) {
    browsed_ = nullptr;
    browsed_item_ = 0;
    Q_EMIT browsedChanged();
    Q_EMIT workspaceChanged();
  }
}

DatasetPtr Session::shownDataset() const {
  return browsed_ || activeAnalysis() ? browsed_ : activeDataset();
}

void Session::setBrowsedItem(std::int64_t item) {
  if (browsed_item_ != item) {
    browsed_item_ = item;
    Q_EMIT browsedChanged();
  }
}

std::size_t Session::addAnalysis(AnalysisPtr analysis) {
  endBrowsing();
  const AnalysisPtr before = activeAnalysis();
  analyses_.push_back(std::move(analysis));
  Q_EMIT workspaceChanged();
  showAnalysis(static_cast<int>(analyses_.size()) - 1, before);
  return analyses_.size() - 1;
}

void Session::replaceAnalysis(std::size_t position, AnalysisPtr analysis) {
  if (position >= analyses_.size()) {
    return;
  }
  const AnalysisPtr before = activeAnalysis();
  if (const RunLabel label = runLabel(position); label != RunLabel()) {
    run_labels_.set(givenOf(analysis)->in().run, label);
  }
  analyses_[position] = std::move(analysis);
  // Before workspaceChanged(): its listeners look up the primary item in the shown analysis.
  showAnalysis(static_cast<int>(position), before);
  Q_EMIT workspaceChanged();
}

bool Session::setLabelled(std::vector<AnalysisPtr> labelled) {
  if (!std::ranges::equal(labelled, analyses_, {}, givenOf, givenOf)) {
    return false;
  }
  if (labelled == analyses_) {
    return true;
  }
  const AnalysisPtr before = activeAnalysis();
  analyses_ = std::move(labelled);
  if (activeAnalysis() != before) {
    showAnalysis(active_analysis_, before);
  }
  Q_EMIT workspaceChanged();
  return true;
}

void Session::removeModel(std::size_t position) {
  if (erase(models_, position)) {
    active_model_ = afterRemoval(active_model_, position, models_.size());
    Q_EMIT workspaceChanged();
  }
}

void Session::removeDataset(std::size_t position) {
  const bool was_browsed = position < datasets_.size() && datasets_[position].dataset == browsed_;
  if (!erase(datasets_, position)) {
    return;
  }
  if (active_dataset_ == static_cast<int>(position)) {
    chooseLastDataset();
  } else if (active_dataset_ > static_cast<int>(position)) {
    --active_dataset_;
  }
  if (was_browsed) {
    endBrowsing();
  } else {
    Q_EMIT workspaceChanged();
  }
}

AnalysisPtr Session::takeAnalysis(std::size_t position) {
  const int active = active_analysis_;
  const AnalysisPtr before = activeAnalysis();
  AnalysisPtr taken = position < analyses_.size() ? analyses_[position] : nullptr;
  if (!erase(analyses_, position)) {
    return nullptr;
  }
  active_analysis_ = afterRemoval(active, position, analyses_.size());
  if (active == static_cast<int>(position)) {
    showAnalysis(active_analysis_, before);
  }
  Q_EMIT workspaceChanged();
  return givenOf(taken);
}

void Session::removeAnalysis(std::size_t position) {
  if (AnalysisPtr taken = takeAnalysis(position)) {
    keepClosed({std::move(taken)});
  }
}

bool Session::isUnsaved(const Analysis& analysis) const {
  const Analysis& computed = analysis.given ? *analysis.given : analysis;
  return std::ranges::any_of(
      computed.parts, [this](const AnalysisPart& part) { return run_files_.isUnsaved(part.run); });
}

void Session::keepClosed(std::vector<AnalysisPtr> runs) {
  std::erase_if(runs, [this](const AnalysisPtr& run) { return !isUnsaved(*run); });
  if (!runs.empty()) {
    closed_ = std::move(runs);
    Q_EMIT unsavedRunsClosed(closed_);
    Q_EMIT workspaceChanged();
  }
}

void Session::reopenClosed() {
  for (AnalysisPtr& run : std::exchange(closed_, {})) {
    addAnalysis(std::move(run));
  }
}

void Session::clear() {
  const AnalysisPtr before = activeAnalysis();
  models_.clear();
  datasets_.clear();
  analyses_.clear();
  closed_.clear();
  plots_.clear();
  active_model_ = -1;
  active_dataset_ = -1;
  browsed_ = nullptr;
  showAnalysis(-1, before);
  Q_EMIT browsedChanged();
  Q_EMIT workspaceChanged();
}

void Session::setOod(std::size_t dataset, bool ood) {
  if (dataset >= datasets_.size() || datasets_[dataset].ood == ood) {
    return;
  }
  DatasetEntry& entry = datasets_[dataset];
  const bool is_browsed = browsed_ && browsed_ == entry.dataset;
  entry.ood = ood;
  if (ood) {
    entry.before_ood = entry.dataset;
    entry.dataset = inRole(entry.dataset, ood);
  } else {
    const DatasetPtr before = std::exchange(entry.before_ood, nullptr);
    entry.dataset = before ? before : inRole(entry.dataset, ood);
  }
  if (is_browsed) {
    browsed_ = entry.dataset;
    Q_EMIT browsedChanged();
  }
  if (ood && active_dataset_ == static_cast<int>(dataset)) {
    chooseLastDataset();
  } else if (active_dataset_ < 0 && isForEvaluation(entry)) {
    active_dataset_ = static_cast<int>(dataset);
  }
  Q_EMIT workspaceChanged();
}

RunLabel Session::runLabel(std::size_t position) const {
  return position < analyses_.size() ? run_labels_.of(givenOf(analyses_[position])->in().run)
                                     : RunLabel();
}

void Session::setRunLabel(std::size_t position, const RunLabel& label) {
  if (position < analyses_.size() && runLabel(position) != label) {
    run_labels_.set(givenOf(analyses_[position])->in().run, label);
    Q_EMIT workspaceChanged();
  }
}

void Session::addShift(const ShiftResultPtr& result) {
  std::erase_if(shifts_, [&result](const ShiftResultPtr& other) {
    return isOf(*other, *result->analysis) && other->kind == result->kind;
  });
  shifts_.push_back(result);
  Q_EMIT shiftsChanged();
}

void Session::dropClosedShifts() {
  std::erase_if(shifts_, [this](const ShiftResultPtr& result) {
    return std::ranges::none_of(analyses_, [&result](const AnalysisPtr& analysis) {
      // Those of the given labels come back when these are shown again.
      return isOf(*result, *analysis) || isOf(*result, *givenOf(analysis));
    });
  });
}

ModelPtr Session::activeModel() const {
  return active_model_ < 0 ? nullptr : models_[static_cast<std::size_t>(active_model_)].model;
}

void Session::setActiveModel(int position) {
  if (position >= 0 && position < static_cast<int>(models_.size()) && position != active_model_) {
    active_model_ = position;
    Q_EMIT workspaceChanged();
  }
}

DatasetPtr Session::activeDataset() const {
  return active_dataset_ < 0 ? nullptr
                             : datasets_[static_cast<std::size_t>(active_dataset_)].dataset;
}

void Session::setActiveDataset(int position) {
  if (position >= 0 && position < static_cast<int>(datasets_.size()) &&
      position != active_dataset_ && !datasets_[static_cast<std::size_t>(position)].ood) {
    active_dataset_ = position;
    Q_EMIT workspaceChanged();
  }
}

std::vector<DatasetEntry> Session::oodDatasets() const {
  std::vector<DatasetEntry> ood;
  std::copy_if(datasets_.begin(), datasets_.end(), std::back_inserter(ood),
               [](const DatasetEntry& entry) { return entry.ood; });
  return ood;
}

AnalysisPtr Session::activeAnalysis() const {
  return active_analysis_ < 0 ? nullptr : analyses_[static_cast<std::size_t>(active_analysis_)];
}

void Session::setActiveAnalysis(int position) {
  endBrowsing();
  if (position >= 0 && position < static_cast<int>(analyses_.size()) &&
      position != active_analysis_) {
    showAnalysis(position, activeAnalysis());
    Q_EMIT workspaceChanged();
  }
}

void Session::showAnalysis(int position, const AnalysisPtr& before) {
  active_analysis_ = position;
  const AnalysisPtr analysis = activeAnalysis();
  // Another method on the same items keeps the view, to compare one image under both.
  listing_.show(analysis, before && analysis && haveSameItems(before, analysis));
  plots_.show(analysis);
  Q_EMIT activeAnalysisChanged();
  listing_.announce();
}

void Session::selectReliabilityBin(int bin) {
  const ReliabilityPtr& reliability = plots_.reliability();
  if (const auto filter = reliability ? filterOfBin(*reliability, bin) : std::nullopt) {
    listing_.selectBin(*filter);
  }
}

void Session::restoreView(const SessionView& view) {
  const AnalysisPtr analysis = activeAnalysis();
  if (!analysis) {
    return;
  }
  plots_.setReliabilityOptions(view.reliability);
  listing_.restoreQuery(view.query);
  if (const auto& item = view.primary;
      item && static_cast<std::size_t>(item->part) < analysis->parts.size() &&
      item->row < analysis->partOf(*item).run->itemCount()) {
    listing_.setPrimary(item);
  }
}

void Session::moveShownItem(qint64 step) {
  if (const DatasetPtr dataset = shownDataset()) {
    setBrowsedItem(std::clamp<std::int64_t>(browsed_item_ + step, 0, dataset->size() - 1));
  } else {
    listing_.movePrimary(step);
  }
}

}  // namespace dubito
