// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/plot_state.h"

#include <memory>
#include <utility>

namespace dubito {

PlotState::PlotState(QObject* parent) : QObject(parent) {}
PlotState::~PlotState() = default;

void PlotState::show(AnalysisPtr analysis) {
  analysis_ = std::move(analysis);
  operating_point_.reset();
  resetReliability();
}

void PlotState::clear() {
  thresholds_.clear();
  show(nullptr);
}

void PlotState::setReliabilityOptions(const ReliabilityOptions& options) {
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

void PlotState::resetReliability() {
  reliability_ = nullptr;
  if (!analysis_) {
    return;
  }
  const Run& run = *analysis_->in().run;
  if (const auto of_class = reliability_options_.of_class;
      of_class && (!run.probs || *of_class >= run.classCount())) {
    reliability_options_.of_class.reset();
  }
  reliability_options_.with_ood = reliability_options_.with_ood && analysis_->overview.ood > 0;
  ReliabilityOptions of_evaluation;
  of_evaluation.bins = static_cast<std::int64_t>(analysis_->overview.reliability.bins.size());
  if (!reliability_chosen_) {
    reliability_options_ = of_evaluation;
  }
  if (reliability_options_ == of_evaluation) {
    reliability_ = std::make_shared<const Reliability>(
        Reliability{reliability_options_, analysis_->overview.reliability});
  }
}

void PlotState::setReliability(ReliabilityPtr reliability) {
  reliability_ = std::move(reliability);
  Q_EMIT reliabilityChanged();
}

std::optional<double> PlotState::threshold(Measure measure) const {
  if (const auto found = thresholds_.find(measure); found != thresholds_.end()) {
    return found->second;
  }
  if (!analysis_) {
    return std::nullopt;
  }
  const auto found = analysis_->thresholds95.find(measure);
  return found == analysis_->thresholds95.end() ? std::nullopt : std::optional(found->second);
}

void PlotState::setThreshold(Measure measure, double threshold) {
  thresholds_[measure] = threshold;
  threshold_measure_ = measure;
  Q_EMIT thresholdChanged();
}

void PlotState::setOperatingPoint(std::optional<OperatingPoint> point) {
  operating_point_ = point;
  Q_EMIT operatingPointChanged();
}

bool PlotState::groupVisible(ItemGroup group) const {
  const auto found = group_visible_.find(group);
  return found == group_visible_.end() || found->second;
}

void PlotState::setGroupVisible(ItemGroup group, bool visible) {
  if (groupVisible(group) != visible) {
    group_visible_[group] = visible;
    Q_EMIT groupVisibilityChanged();
  }
}

}  // namespace dubito
