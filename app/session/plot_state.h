// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <map>
#include <optional>

#include "core/analysis/analysis.h"
#include "core/analysis/operating_point.h"

namespace dubito {

/// State of the plots of the shown analysis: thresholds, the operating point on the ROC curve, the
/// reliability diagram, and the visible groups. Brushing computes the operating point and the
/// diagram and sets them here. GUI thread only.
class PlotState : public QObject {
  Q_OBJECT
 public:
  explicit PlotState(QObject* parent = nullptr);
  ~PlotState() override;

  /// Shows another analysis (null: none). Emits nothing.
  void show(AnalysisPtr analysis);
  /// Resets the thresholds and switches to no analysis.
  void clear();

  /// Threshold of a measure, drawn in its histogram. By default it retains 95 % of the correct
  /// items. nullopt if the measure has none.
  [[nodiscard]] std::optional<double> threshold(Measure measure) const;
  /// The measure whose threshold was moved last. Its operating point is marked on the curves.
  [[nodiscard]] Measure thresholdMeasure() const { return threshold_measure_; }
  void setThreshold(Measure measure, double threshold);
  /// Thresholds moved by the user.
  [[nodiscard]] const std::map<Measure, double>& movedThresholds() const { return thresholds_; }

  /// Operating point of thresholdMeasure() on the ROC curve; nullopt if there is none or it has not
  /// been computed yet.
  [[nodiscard]] const std::optional<OperatingPoint>& operatingPoint() const {
    return operating_point_;
  }
  void setOperatingPoint(std::optional<OperatingPoint> point);

  /// Options of the reliability diagram; by default those of the evaluation. Options that the
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
  /// Resets the diagram to that of the evaluation if the options match, else to null.
  void resetReliability();

  AnalysisPtr analysis_;
  std::map<Measure, double> thresholds_;
  Measure threshold_measure_ = Measure::kEntropy;
  std::optional<OperatingPoint> operating_point_;
  ReliabilityOptions reliability_options_;
  bool reliability_chosen_ = false;  ///< the user has set the options
  ReliabilityPtr reliability_;
  std::map<ItemGroup, bool> group_visible_;
};

}  // namespace dubito
