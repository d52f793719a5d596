// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/session.h"

#include <algorithm>
#include <utility>

#include "core/data/sources/dataset_view.h"

namespace dubito {
namespace {

/// Runs on the same items in the same order: rows of one are rows of the other.
bool haveSameItems(const Analysis& a, const Analysis& b) {
  return std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(),
                    [](const AnalysisPart& x, const AnalysisPart& y) {
                      const RunMeta& mine = x.run->meta;
                      const RunMeta& other = y.run->meta;
                      return !mine.dataset_hash.empty() &&
                             mine.dataset_hash == other.dataset_hash &&
                             mine.dataset_spec == other.dataset_spec;
                    });
}

/// Position of the chosen entry after entry `removed` is gone; the one before it where it was the
/// chosen one itself.
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

/// What is listed as OOD has the role OOD, so that none of its labels is taken for a class of the
/// model; nothing else has.
DatasetPtr inRole(DatasetPtr dataset, bool ood) {
  if (!dataset || (dataset->info().role == Role::kOod) == ood) {
    return dataset;
  }
  return withRole(std::move(dataset), ood ? Role::kOod : Role::kTest);
}

}  // namespace

Session::Session(QObject* parent) : QObject(parent) {}
Session::~Session() = default;

bool isToEvaluate(const DatasetEntry& entry) {
  const Role role = entry.dataset->info().role;
  return !entry.ood && role != Role::kTrain && role != Role::kCalibration;
}

std::size_t Session::addModel(const QString& name, ModelPtr model, bool demo) {
  models_.push_back({name, std::move(model), demo});
  active_model_ = static_cast<int>(models_.size()) - 1;
  Q_EMIT workspaceChanged();
  return models_.size() - 1;
}

std::size_t Session::addDataset(const QString& name, DatasetPtr dataset, bool ood, bool demo) {
  datasets_.push_back({name, inRole(std::move(dataset), ood), ood, demo});
  if (isToEvaluate(datasets_.back())) {
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
  if (isToEvaluate(*entry)) {
    active_dataset_ = active_dataset_ < 0 ? position : active_dataset_;
  } else if (active_dataset_ == position) {
    chooseLastDataset();
  }
  Q_EMIT browsedChanged();
  Q_EMIT workspaceChanged();
  return true;
}

void Session::chooseLastDataset() {
  const auto last = std::find_if(datasets_.rbegin(), datasets_.rend(), isToEvaluate);
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
  if (isToEvaluate(entry)) {
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
    run_labels_.set(analysis->in().run, label);
  }
  analyses_[position] = std::move(analysis);
  // First: listeners to the workspace look up the primary item in the shown analysis.
  showAnalysis(static_cast<int>(position), before);
  Q_EMIT workspaceChanged();
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
  return taken;
}

void Session::removeAnalysis(std::size_t position) {
  if (AnalysisPtr taken = takeAnalysis(position)) {
    keepClosed({std::move(taken)});
  }
}

bool Session::wouldBeLost(const Analysis& analysis) const {
  return std::ranges::any_of(analysis.parts, [this](const AnalysisPart& part) {
    return run_files_.wouldBeLost(part.run);
  });
}

void Session::keepClosed(std::vector<AnalysisPtr> runs) {
  std::erase_if(runs, [this](const AnalysisPtr& run) { return !wouldBeLost(*run); });
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
  thresholds_.clear();
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
  } else if (active_dataset_ < 0 && isToEvaluate(entry)) {
    active_dataset_ = static_cast<int>(dataset);
  }
  Q_EMIT workspaceChanged();
}

RunLabel Session::runLabel(std::size_t position) const {
  return position < analyses_.size() ? run_labels_.of(analyses_[position]->in().run) : RunLabel();
}

void Session::setRunLabel(std::size_t position, const RunLabel& label) {
  if (position < analyses_.size() && runLabel(position) != label) {
    run_labels_.set(analyses_[position]->in().run, label);
    Q_EMIT workspaceChanged();
  }
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
  items_.reset();
  primary_position_.reset();
  selection_overview_.reset();
  operating_point_.reset();
  resetReliability();
  view_.before_selection.reset();
  const GroupFilter group = view_.query.group;
  const AnalysisPtr analysis = activeAnalysis();
  // Another method on the same items keeps the view, so that one image can be compared under both.
  const bool same_items = before && analysis && haveSameItems(*before, *analysis);
  if (!same_items) {
    primary_.reset();
  }
  if (!same_items || !canAnswer(*analysis, view_.query)) {
    view_.query = analysis ? defaultQuery(*analysis) : ItemQuery();
  } else {
    view_.query = withoutSelection().query;
    view_.query.group = group;
  }
  history_.clear();
  Q_EMIT activeAnalysisChanged();
  Q_EMIT queryChanged();
  Q_EMIT itemsChanged();
  Q_EMIT primaryChanged();
}

void Session::show(View view) {
  view_ = std::move(view);
  Q_EMIT queryChanged();
}

void Session::change(View view) {
  if (view.query == view_.query) {
    return;
  }
  history_.push(view_);
  show(std::move(view));
}

void Session::setQuery(const ItemQuery& query) {
  change({query, hasSelection(query) ? view_.before_selection : std::nullopt});
}

Session::View Session::withoutSelection() const {
  View view{view_.query, hasSelection(view_.query) ? view_.before_selection : view_.query};
  view.query.group = GroupFilter::kAll;
  view.query.range.reset();
  view.query.reliability_bin.reset();
  view.query.cell.reset();
  view.query.picked.reset();
  return view;
}

ItemQuery Session::rangeQuery(Measure measure, Interval range) const {
  ItemQuery query = withoutSelection().query;
  query.range = MeasureRange{measure, range};
  return query;
}

void Session::selectRange(Measure measure, Interval range) {
  View view = withoutSelection();
  view.query = rangeQuery(measure, range);
  change(std::move(view));
}

void Session::selectReliabilityBin(int bin) {
  const auto filter = reliability_ ? filterOfBin(*reliability_, bin) : std::nullopt;
  if (!filter) {
    return;
  }
  View view = withoutSelection();
  view.query.reliability_bin = filter;
  change(std::move(view));
}

void Session::selectPicked(PickedItems picked) {
  View view = withoutSelection();
  // All of them, whatever was filtered before.
  view.query.label.reset();
  view.query.predicted.reset();
  view.query.attribute.reset();
  view.query.picked = std::move(picked);
  change(std::move(view));
}

void Session::selectCell(ClassPair cell) {
  View view = withoutSelection();
  view.query.cell = cell;
  change(std::move(view));
}

void Session::restoreView(const SessionView& view) {
  const AnalysisPtr analysis = activeAnalysis();
  if (!analysis) {
    return;
  }
  setReliabilityOptions(view.reliability);
  if (canAnswer(*analysis, view.query)) {
    // What was before is no step of the user's: undo does not lead there.
    show({view.query, std::nullopt});
  }
  if (const auto& item = view.primary;
      item && static_cast<std::size_t>(item->part) < analysis->parts.size() &&
      item->row < analysis->partOf(*item).run->itemCount()) {
    setPrimary(item);
  }
}

void Session::clearSelection() {
  if (!hasSelection(view_.query)) {
    return;
  }
  ItemQuery query = withoutSelection().query;
  query.group = view_.query.group;
  if (const auto& before = view_.before_selection) {
    query.group = before->group;
    if (view_.query.picked) {
      query.label = before->label;
      query.predicted = before->predicted;
      query.attribute = before->attribute;
    }
  }
  change({query, std::nullopt});
}

void Session::undo() {
  if (auto view = history_.undo(view_)) {
    show(*std::move(view));
  }
}

void Session::redo() {
  if (auto view = history_.redo(view_)) {
    show(*std::move(view));
  }
}

void Session::setSelectionOverview(SelectionOverviewPtr overview) {
  if (selection_overview_ != overview) {
    selection_overview_ = std::move(overview);
    Q_EMIT selectionOverviewChanged();
  }
}

void Session::setReliabilityOptions(const ReliabilityOptions& options) {
  if (reliability_options_ != options) {
    reliability_options_ = options;
    reliability_chosen_ = true;
    resetReliability();
    Q_EMIT reliabilityOptionsChanged();
    if (reliability_) {
      Q_EMIT reliabilityChanged();
    }
  }
}

void Session::resetReliability() {
  reliability_ = nullptr;
  const AnalysisPtr analysis = activeAnalysis();
  if (!analysis) {
    return;
  }
  const Run& run = *analysis->in().run;
  if (const auto of_class = reliability_options_.of_class;
      of_class && (!run.probs || *of_class >= run.classCount())) {
    reliability_options_.of_class.reset();
  }
  reliability_options_.with_ood = reliability_options_.with_ood && analysis->overview.ood > 0;
  ReliabilityOptions of_evaluation;
  of_evaluation.bins = static_cast<std::int64_t>(analysis->overview.reliability.bins.size());
  if (!reliability_chosen_) {
    reliability_options_ = of_evaluation;
  }
  if (reliability_options_ == of_evaluation) {
    reliability_ = std::make_shared<const Reliability>(
        Reliability{reliability_options_, analysis->overview.reliability});
  }
}

void Session::setReliability(ReliabilityPtr reliability) {
  reliability_ = std::move(reliability);
  Q_EMIT reliabilityChanged();
}

void Session::setItems(ItemList items) {
  items_ = std::move(items);
  primary_position_.reset();
  Q_EMIT itemsChanged();
  if (!primary_ && items_ && !items_->empty()) {
    setPrimary(items_->front());
  }
}

void Session::setPrimary(std::optional<ItemRef> item) {
  if (primary_ != item) {
    primary_ = item;
    primary_position_.reset();
    Q_EMIT primaryChanged();
  }
}

qint64 Session::primaryPosition() const {
  if (!primary_ || !items_) {
    return -1;
  }
  if (!primary_position_) {
    const auto found = std::find(items_->begin(), items_->end(), *primary_);
    primary_position_ = found == items_->end() ? -1 : found - items_->begin();
  }
  return *primary_position_;
}

void Session::movePrimary(qint64 step) {
  if (const DatasetPtr dataset = shownDataset()) {
    setBrowsedItem(std::clamp<std::int64_t>(browsed_item_ + step, 0, dataset->size() - 1));
    return;
  }
  if (!items_ || items_->empty()) {
    return;
  }
  const qint64 present = primaryPosition();
  const qint64 last = static_cast<qint64>(items_->size()) - 1;
  const qint64 next = present < 0 ? 0 : std::clamp<qint64>(present + step, 0, last);
  const ItemRef item = (*items_)[static_cast<std::size_t>(next)];
  if (primary_ != item) {
    primary_ = item;
    primary_position_ = next;
    Q_EMIT primaryChanged();
  }
}

std::optional<double> Session::threshold(Measure measure) const {
  if (const auto found = thresholds_.find(measure); found != thresholds_.end()) {
    return found->second;
  }
  const AnalysisPtr analysis = activeAnalysis();
  if (!analysis) {
    return std::nullopt;
  }
  const auto found = analysis->thresholds95.find(measure);
  return found == analysis->thresholds95.end() ? std::nullopt : std::optional(found->second);
}

void Session::setThreshold(Measure measure, double threshold) {
  thresholds_[measure] = threshold;
  threshold_measure_ = measure;
  Q_EMIT thresholdChanged();
}

void Session::setOperatingPoint(std::optional<OperatingPoint> point) {
  operating_point_ = point;
  Q_EMIT operatingPointChanged();
}

bool Session::groupVisible(ItemGroup group) const {
  const auto found = group_visible_.find(group);
  return found == group_visible_.end() || found->second;
}

void Session::setGroupVisible(ItemGroup group, bool visible) {
  if (groupVisible(group) != visible) {
    group_visible_[group] = visible;
    Q_EMIT groupVisibilityChanged();
  }
}

}  // namespace dubito
