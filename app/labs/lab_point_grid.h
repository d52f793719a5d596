// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "widgets/point_plot.h"

class QGridLayout;

namespace dubito {

class Card;

/// A grid of cards with one plot each, which all show the same points; see LabPointGrid.
class LabPointGridBase : public QWidget {
  Q_OBJECT
 public:
  /// Cards and plots are named `card_name` and `plot_name` with their number behind.
  LabPointGridBase(const QString& card_name, const QString& plot_name, QWidget* parent);

  /// Makes or removes cards at the end, and places all in `columns`, or in as many as can be read.
  void setCount(std::size_t count, int columns);
  [[nodiscard]] std::size_t count() const { return cards_.size(); }
  [[nodiscard]] Card& card(std::size_t index) const { return *cards_[index]; }
  /// Whether no visible plot is below or at the left of it; others with the same axes do without
  /// labels.
  [[nodiscard]] bool isLowest(std::size_t index) const;
  [[nodiscard]] bool isLeftmost(std::size_t index) const;
  /// Of all plots, also of those to come.
  void setPointTool(PointPlot::PointTool tool);

 Q_SIGNALS:
  void cardAdded(Card* card);
  void failed(const QString& message);
  /// See PointPlot, of any plot.
  void pointAdded(double x, double y);
  void pointMoved(int index, double x, double y);
  void pointErased(int index);
  void strokeBegun();
  /// The number of columns follows the width; isLowest() and isLeftmost() have changed.
  void columnsChanged();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  [[nodiscard]] virtual PointPlot* newPlot(QWidget* parent) const = 0;
  [[nodiscard]] PointPlot& plotAt(std::size_t index) const { return *plots_[index]; }

 private:
  void addCard();
  void placeCards();
  [[nodiscard]] std::size_t fittingColumns() const;

  QString card_name_;
  QString plot_name_;
  QGridLayout* grid_;
  std::size_t wanted_columns_ = 1;
  std::size_t columns_ = 1;
  PointPlot::PointTool tool_ = PointPlot::PointTool::kNone;
  std::vector<Card*> cards_;
  std::vector<PointPlot*> plots_;  ///< one per card
};

/// A grid of cards with one plot each, which all show the same points.
template <class Plot>
class LabPointGrid : public LabPointGridBase {
 public:
  using LabPointGridBase::LabPointGridBase;
  [[nodiscard]] Plot& plot(std::size_t index) const { return static_cast<Plot&>(plotAt(index)); }

 protected:
  [[nodiscard]] PointPlot* newPlot(QWidget* parent) const override { return new Plot(parent); }
};

}  // namespace dubito
