// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <map>
#include <optional>

#include "core/analysis/analysis.h"
#include "core/analysis/operating_point.h"

namespace dubito {

/// Settings of the plots of the shown analysis: thresholds, the operating point on the ROC curve,
/// the reliability diagram, visible groups. Computed parts are set from outside (Brushing). GUI
/// thread only.
class PlotState : public QObject {
  Q_OBJECT
 public:
  explicit PlotState(QObject* parent = nullptr);
  ~PlotState() override;

  /// Shows another analysis (null: none). Emits nothing.
  void show(AnalysisPtr analysis);
  /// Resets thresholds and shows nothing.
  void clear();

  /// Threshold of a measure, drawn in its histogram: set by the user, or by default the value that
  /// keeps 95 % of the correct items.
  [[nodiscard]] std::optional<double> threshold(Measure measure) const;
  /// The measure whose threshold was moved last; its operating point is marked in the curves.
  [[nodiscard]] Measure thresholdMeasure() const { return threshold_measure_; }
  void setThreshold(Measure measure, double threshold);
  /// Thresholds moved by the user.
  [[nodiscard]] const std::map<Measure, double>& movedThresholds() const { return thresholds_; }

  /// Operating point of thresholdMeasure() on the ROC curve; empty if none or not yet computed.
  [[nodiscard]] const std::optional<OperatingPoint>& operatingPoint() const {
    return operating_point_;
  }
  void setOperatingPoint(std::optional<OperatingPoint> point);

  /// Settings of the reliability diagram; by default those of the evaluation. Settings that the
  /// analysis does not support (a class, OOD items) are reset.
  [[nodiscard]] const ReliabilityOptions& reliabilityOptions() const {
    return reliability_options_;
  }
  void setReliabilityOptions(const ReliabilityOptions& options);
  /// The diagram of the shown analysis; null until it is computed.
  [[nodiscard]] const ReliabilityPtr& reliability() const { return reliability_; }
  void setReliability(ReliabilityPtr reliability);

  /// Whether a group is shown in the histograms.
  [[nodiscard]] bool groupVisible(ItemGroup group) const;
  void setGroupVisible(ItemGroup group, bool visible);

 Q_SIGNALS:
  void thresholdChanged();
  void operatingPointChanged();
  void reliabilityOptionsChanged();
  void reliabilityChanged();
  void groupVisibilityChanged();

 private:
  /// Resets the diagram to what is known without computing anything.
  void resetReliability();

  AnalysisPtr analysis_;
  std::map<Measure, double> thresholds_;
  Measure threshold_measure_ = Measure::kEntropy;
  std::optional<OperatingPoint> operating_point_;
  ReliabilityOptions reliability_options_;
  bool reliability_chosen_ = false;  ///< options set by the user; else those of the evaluation
  ReliabilityPtr reliability_;
  std::map<ItemGroup, bool> group_visible_;
};

}  // namespace dubito
