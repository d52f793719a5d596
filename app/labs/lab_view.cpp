// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/lab_view.h"

#include <QHBoxLayout>
#include <QHideEvent>
#include <QMenu>
#include <QShowEvent>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/labs/lab_player.h"
#include "app/labs/lab_scroll.h"
#include "widgets/compare_table.h"
#include "widgets/curve_plot.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

// Below them, a plot is a stamp and a table a heading.
constexpr int kLeastPlotHeight = 32 * kGrid;
constexpr int kLeastTableHeight = 24 * kGrid;

/// Unless its laboratory has chosen one.
void giveLeastHeight(QWidget& content, int height) {
  if (content.minimumHeight() == 0) {
    content.setMinimumHeight(height);
  }
}

}  // namespace

LabView::~LabView() {
  // They are destroyed after the members that a card's end changes.
  for (Card* const card : findChildren<Card*>()) {
    card->disconnect(this);
  }
}

nlohmann::json LabView::defaults() const {
  return setUp();
}

void LabView::setParts(QWidget* set_up, QWidget* results) {
  auto* const layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(set_up);
  layout->addWidget(new LabScroll(results, this), 1);
  results_ = results;
  for (Card* const card : results->findChildren<Card*>()) {
    adopt(*card);
  }
}

void LabView::showIn(const LabCard<CurvePlot>& shown, CurvePlotValue curves,
                     const QString& caption) {
  shown.content->setCurves(std::move(curves));
  setCaptions(*shown.card, *shown.content, caption);
}

void LabView::adopt(Card& card) {
  enlarge(nullptr);  // a new card would appear next to the enlarged one
  for (PlotBase* const plot : card.findChildren<PlotBase*>()) {
    giveLeastHeight(*plot, kLeastPlotHeight);
  }
  for (CompareTable* const table : card.findChildren<CompareTable*>()) {
    giveLeastHeight(*table, kLeastTableHeight);
  }
  card.setMovable(true);
  connect(&card, &Card::enlargeRequested, this,
          [this, &card] { enlarge(enlarged_ == &card ? nullptr : &card); });
  connect(&card, &Card::placeMenuRequested, this,
          [this, &card](const QPoint& position) { showCardMenu(card, position); });
  connect(&card, &QObject::destroyed, this, [this, gone = &card] {
    if (enlarged_ == gone) {
      enlarge(nullptr);
    }
  });
}

void LabView::enlarge(Card* card) {
  for (const QPointer<Card>& hidden : hidden_) {
    if (hidden) {
      hidden->show();
    }
  }
  hidden_.clear();
  const bool changes = card != enlarged_;
  enlarged_ = card;
  if (card != nullptr) {
    for (Card* const other : results_->findChildren<Card*>()) {
      if (other != card && !other->isHidden()) {
        other->hide();
        hidden_.emplace_back(other);
      }
    }
  }
  if (changes) {
    Q_EMIT cardsChanged();
  }
}

void LabView::showCardMenu(Card& card, const QPoint& position) {
  auto* const menu = new QMenu(&card);
  menu->setObjectName(QStringLiteral("labCardMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  if (auto* const exports = new QMenu(tr("Export"), menu); card.addExport(*exports)) {
    menu->addMenu(exports);
    menu->addSeparator();
  }
  menu->addAction(enlarged_ == &card ? tr("Restore") : tr("Maximise"), &card,
                  &Card::enlargeRequested);
  menu->popup(position);
}

void LabView::hideEvent(QHideEvent* event) {
  if (!event->spontaneous() && pausing_ != nullptr) {
    plays_when_shown_ = pausing_->isPlaying();
    pausing_->pause();
  }
  QWidget::hideEvent(event);
}

void LabView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (!event->spontaneous() && plays_when_shown_) {
    plays_when_shown_ = false;
    pausing_->play();
  }
}

}  // namespace dubito
