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

/// Histograms of one quantity for several groups of items, each normalised by the size of its
/// group.
struct HistogramPlotValue {
  std::vector<HistogramGroup> groups;
  QString quantity;      ///< name of the quantity ("entropy"), for the tooltip and the CSV
  QString x_label;       ///< axis title: the unit, or the quantity if it has none
  QString x_short = {};  ///< replaces x_label if the axis is too short; may be empty
  /// Upper end of the share axis, in (0, 1]; nullopt: computed from the groups.
  std::optional<double> top_share = std::nullopt;
};

/// Filled, translucent step histograms with a draggable threshold line. Dragging elsewhere selects
/// a range.
class HistogramPlot : public PlotBase {
  Q_OBJECT
 public:
  /// Scale of the share axis. kRoot draws the square root, so that rare values stay visible.
  enum class Scale { kRoot, kLinear };

  explicit HistogramPlot(QWidget* parent = nullptr);
  ~HistogramPlot() override;

  void setHistograms(HistogramPlotValue value);
  [[nodiscard]] const HistogramPlotValue& histograms() const { return value_; }
  /// Sets the histograms of the selected items, one per group of histograms(), with the same edges.
  /// They are drawn, more opaque, over the histograms of all items. Empty: no selection.
  void setSelected(std::vector<Histogram> selected);
  [[nodiscard]] const std::vector<Histogram>& selected() const { return selected_items_; }
  void setScale(Scale scale);
  [[nodiscard]] Scale scale() const { return scale_; }

  /// Sets the threshold line without emitting a signal; nullopt: no line.
  void setThreshold(std::optional<double> threshold);
  [[nodiscard]] std::optional<double> threshold() const { return threshold_; }
  /// Marks a range without emitting a signal; nullopt: none.
  void setSelectedRange(std::optional<Interval> range);
  [[nodiscard]] std::optional<Interval> selectedRange() const { return selected_; }

  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] QString hoverText(const QPointF& position) const override;
  /// Upper end of the share axis, in (0, 1].
  [[nodiscard]] double topShare() const;

 Q_SIGNALS:
  /// A range is being dragged.
  void rangeDragged(const dubito::Interval& range);
  /// The threshold line is being dragged.
  void thresholdMoved(double threshold);
  /// The threshold line was released.
  void thresholdReleased(double threshold);
  /// A range was selected by dragging.
  void rangeSelected(const dubito::Interval& range);
  /// A click outside the selected range cleared the selection.
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
