// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/plot_values.h"
#include "widgets/plot_base.h"

namespace dubito {

/// Places in the plane by what was chosen there.
struct PullPlotValue {
  struct Group {
    QString name;  ///< "safe arm"
    std::vector<QPointF> points;
  };
  std::vector<Group> groups;     ///< in the colours and shapes of classes
  std::optional<double> circle;  ///< radius of a dashed circle around the origin
  Interval x_range{-1.0, 1.0};
  Interval y_range{-1.0, 1.0};
  QString x_label;
  QString y_label;
};

/// A square scatter plot of choices.
class PullPlot : public PlotBase {
  Q_OBJECT
 public:
  explicit PullPlot(QWidget* parent = nullptr);
  ~PullPlot() override;

  void setValue(PullPlotValue value);
  [[nodiscard]] const PullPlotValue& value() const { return value_; }

  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] QString hoverText(const QPointF& position) const override;

 protected:
  void rebuild() override;
  void fitLegend(const QSize& room) override;

 private:
  struct Parts;
  void showLegend();

  PullPlotValue value_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace dubito
