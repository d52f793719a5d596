// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/lab_view.h"

#include <QHBoxLayout>
#include <QHideEvent>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QShowEvent>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/labs/lab_player.h"
#include "widgets/compare_table.h"
#include "widgets/curve_plot.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

// Below them, a plot is a stamp and a table a heading.
constexpr int kLeastPlotHeight = 32 * kGrid;
/// For an audience, labels and ticks take more of a plot.
constexpr double kPresentedTimes = 1.75;
constexpr char kUsualLeastHeight[] = "usualLeastHeight";
constexpr int kLeastTableHeight = 24 * kGrid;

/// Shows `content` as large as the area, and scrolls only if its layout cannot be that small.
/// (QScrollArea alone takes the preferred height for the least one as soon as a text wraps.)
class LabScroll : public QScrollArea {
 public:
  /// Takes ownership of `content`, which has a layout.
  LabScroll(QWidget* content, QWidget* parent) : QScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidget(content);
    content->setAutoFillBackground(false);  // setWidget enabled it
    viewport()->setAutoFillBackground(false);
    content->installEventFilter(this);
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (watched == widget() && event->type() == QEvent::LayoutRequest) {
      fitContent();
    }
    return QScrollArea::eventFilter(watched, event);
  }
  void resizeEvent(QResizeEvent* event) override {
    QScrollArea::resizeEvent(event);
    fitContent();
  }

 private:
  void fitContent() {
    QWidget& content = *widget();
    const auto least = [&content](int width) {
      const QLayout& layout = *content.layout();
      return layout.hasHeightForWidth() ? layout.minimumHeightForWidth(width)
                                        : layout.minimumSize().height();
    };
    // With the bar, less width is left.
    const QSize room = maximumViewportSize();
    const bool scrolls = least(room.width()) > room.height();
    const int width =
        room.width() - (scrolls ? verticalScrollBar()->sizeHint().width() + kGrid : 0);
    content.resize(width, std::max(room.height(), least(width)));
  }
};

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
  set_up_ = set_up;
  results_ = results;
  for (Card* const card : results->findChildren<Card*>()) {
    adopt(*card);
  }
}

void LabView::setEmptyText(std::initializer_list<Card*> cards, const QString& text) {
  for (Card* const card : cards) {
    card->setEmptyText(text);
  }
}

void LabView::showIn(const LabCard<CurvePlot>& shown, CurvePlotValue curves,
                     const QString& caption) {
  shown.content->setCurves(std::move(curves));
  setCaptions(*shown.card, *shown.content, caption);
}

void LabView::setPresented(bool presented) {
  if (set_up_ != nullptr) {
    set_up_->setVisible(!presented);
  }
  is_presented_ = presented;
  for (PlotBase* const plot : findChildren<PlotBase*>()) {
    fitLeastHeight(*plot);
  }
}

void LabView::fitLeastHeight(PlotBase& plot) const {
  if (!plot.property(kUsualLeastHeight).isValid()) {
    plot.setProperty(kUsualLeastHeight, plot.minimumHeight());
  }
  const int usual = plot.property(kUsualLeastHeight).toInt();
  plot.setMinimumHeight(is_presented_ ? static_cast<int>(kPresentedTimes * usual) : usual);
}

QWidget& LabView::recordedPart() {
  return results_ != nullptr ? *results_ : *this;
}

bool LabView::endEnlarged() {
  const bool was_enlarged = enlarged_ != nullptr;
  enlarge(nullptr);
  return was_enlarged;
}

void LabView::adopt(Card& card) {
  enlarge(nullptr);  // a new card would appear next to the enlarged one
  for (PlotBase* const plot : card.findChildren<PlotBase*>()) {
    giveLeastHeight(*plot, kLeastPlotHeight);
    fitLeastHeight(*plot);
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
  if (!event->spontaneous() && player_ != nullptr) {
    player_->setWatched(false);
    if (pauses_while_hidden_) {
      plays_when_shown_ = player_->isPlaying();
      player_->pause();
    }
  }
  QWidget::hideEvent(event);
}

void LabView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (!event->spontaneous() && player_ != nullptr) {
    player_->setWatched(true);
    if (std::exchange(plays_when_shown_, false)) {
      player_->play();
    }
  }
}

}  // namespace dubito
