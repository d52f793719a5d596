// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/lab_point_grid.h"

#include <QGridLayout>
#include <algorithm>

#include "widgets/card.h"
#include "widgets/theme.h"

namespace dubito {

LabPointGridBase::LabPointGridBase(const QString& card_name, const QString& plot_name,
                                   QWidget* parent)
    : QWidget(parent), card_name_(card_name), plot_name_(plot_name), grid_(new QGridLayout(this)) {
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setSpacing(2 * kGrid);
}

void LabPointGridBase::setCount(std::size_t count, int columns) {
  wanted_columns_ = static_cast<std::size_t>(columns);
  while (cards_.size() > count) {
    cards_.back()->deleteLater();
    cards_.pop_back();
    plots_.pop_back();
  }
  while (cards_.size() < count) {
    addCard();
  }
  placeCards();
}

std::size_t LabPointGridBase::fittingColumns() const {
  // Narrower titles and plots could not be read.
  constexpr int kMinCardWidth = 56 * kGrid;
  const int fitting = (width() + grid_->spacing()) / (kMinCardWidth + grid_->spacing());
  return std::min(wanted_columns_, static_cast<std::size_t>(std::max(fitting, 1)));
}

void LabPointGridBase::placeCards() {
  columns_ = fittingColumns();
  for (std::size_t i = 0; i < cards_.size(); ++i) {
    grid_->addWidget(cards_[i], static_cast<int>(i / columns_), static_cast<int>(i % columns_));
  }
}

void LabPointGridBase::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (fittingColumns() != columns_) {
    placeCards();
    Q_EMIT columnsChanged();
  }
}

void LabPointGridBase::addCard() {
  auto* const card = new Card(QString(), this);
  card->setObjectName(card_name_ + QString::number(cards_.size()));
  PointPlot* const plot = newPlot(card);
  plot->setObjectName(plot_name_ + QString::number(cards_.size()));
  plot->setPointTool(tool_);
  card->setContent(plot);
  connect(plot, &PointPlot::failed, this, &LabPointGridBase::failed);
  connect(plot, &PointPlot::pointAdded, this, &LabPointGridBase::pointAdded);
  connect(plot, &PointPlot::pointMoved, this, &LabPointGridBase::pointMoved);
  connect(plot, &PointPlot::pointErased, this, &LabPointGridBase::pointErased);
  connect(plot, &PointPlot::strokeBegun, this, &LabPointGridBase::strokeBegun);
  cards_.push_back(card);
  plots_.push_back(plot);
  Q_EMIT cardAdded(card);
}

bool LabPointGridBase::isLowest(std::size_t index) const {
  for (std::size_t below = index + columns_; below < cards_.size(); below += columns_) {
    if (!cards_[below]->isHidden()) {
      return false;
    }
  }
  return true;
}

bool LabPointGridBase::isLeftmost(std::size_t index) const {
  for (std::size_t left = index - index % columns_; left < index; ++left) {
    if (!cards_[left]->isHidden()) {
      return false;
    }
  }
  return true;
}

void LabPointGridBase::setPointTool(PointPlot::PointTool tool) {
  tool_ = tool;
  for (PointPlot* const plot : plots_) {
    plot->setPointTool(tool);
  }
}

}  // namespace dubito
