// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/base/plot_values.h"
#include "widgets/plot_base.h"
#include "widgets/theme.h"

namespace dubito {

/// One group of items in a histogram plot.
struct HistogramGroup {
  QString name;
  ColorRole role = ColorRole::kAccent;
  Histogram histogram;
};

/// Histograms of several groups over one quantity, each normalised by its own group.
struct HistogramPlotValue {
  std::vector<HistogramGroup> groups;
  QString quantity;      ///< the quantity counted ("entropy"), for the tooltip and the CSV
  QString x_label;       ///< axis title with the unit ("nats", "max probability")
  QString x_short = {};  ///< used on an axis too short for the label; may be empty
  /// Largest share on the axis, in (0, 1]; nullopt: from the groups.
  std::optional<double> top_share = std::nullopt;
};

/// Filled, translucent step histograms with a draggable threshold line and drag selection of a
/// range.
class HistogramPlot : public PlotBase {
  Q_OBJECT
 public:
  /// kRoot draws the square root of the share, so that rare values stay visible.
  enum class Scale { kRoot, kLinear };

  explicit HistogramPlot(QWidget* parent = nullptr);
  ~HistogramPlot() override;

  void setHistograms(HistogramPlotValue value);
  [[nodiscard]] const HistogramPlotValue& histograms() const { return value_; }
  /// Counts of the selected items of each group, in the same order and over the same edges; drawn
  /// as the filled part of the bars. Empty: no selection.
  void setSelected(std::vector<Histogram> selected);
  [[nodiscard]] const std::vector<Histogram>& selected() const { return selected_items_; }
  void setScale(Scale scale);
  [[nodiscard]] Scale scale() const { return scale_; }

  /// Places the line without emitting a signal; nullopt: no line.
  void setThreshold(std::optional<double> threshold);
  [[nodiscard]] std::optional<double> threshold() const { return threshold_; }
  /// Marks a range without emitting a signal.
  void setSelectedRange(std::optional<Interval> range);
  [[nodiscard]] std::optional<Interval> selectedRange() const { return selected_; }

  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] QString hoverText(const QPointF& position) const override;
  /// Largest share on the axis.
  [[nodiscard]] double topShare() const;

 Q_SIGNALS:
  /// While a range is being dragged.
  void rangeDragged(const dubito::Interval& range);
  /// While the line is being dragged.
  void thresholdMoved(double threshold);
  /// The threshold line was released.
  void thresholdReleased(double threshold);
  /// A range was selected by dragging.
  void rangeSelected(const dubito::Interval& range);
  /// A click outside every range cleared the selection.
  void selectionCleared();

 protected:
  void rebuild() override;
  bool mousePressed(const QPointF& position) override;
  bool mouseMoved(const QPointF& position) override;
  bool mouseReleased(const QPointF& position) override;

 private:
  struct Parts;
  [[nodiscard]] Interval fullRange() const;
  void fillSelected();
  void placeOverlay();

  HistogramPlotValue value_;
  std::vector<Histogram> selected_items_;
  Scale scale_ = Scale::kRoot;
  std::optional<double> threshold_;
  std::optional<Interval> selected_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace dubito
