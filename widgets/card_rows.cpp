// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/card_rows.h"

#include <QCloseEvent>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QSet>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>

#include "widgets/card.h"
#include "widgets/theme.h"

namespace dubito {

/// Holds one card; closing it requests the card's return. Keys that the card does not use are
/// passed to the main window.
class CardRows::FloatingWindow : public QWidget {
 public:
  FloatingWindow(Card& card, QWidget* from, std::function<void()> closed)
      : QWidget(from, Qt::Window), closed_(std::move(closed)) {
    setObjectName(card.objectName() + QStringLiteral("Window"));
    setWindowTitle(card.title());
    setAutoFillBackground(true);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(kGrid, kGrid, kGrid, kGrid);
    layout->addWidget(&card);
    from->window()->installEventFilter(this);
  }

 protected:
  /// Closes together with the main window; the floating state is remembered.
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Close && watched == parentWidget()->window()) {
      hide();
    }
    return QWidget::eventFilter(watched, event);
  }
  void closeEvent(QCloseEvent* event) override {
    if (!isVisible() || !parentWidget()->window()->isVisible()) {
      event->accept();
      return;
    }
    event->ignore();
    // The callback deletes this window.
    QMetaObject::invokeMethod(parentWidget(), closed_, Qt::QueuedConnection);
  }
  void keyPressEvent(QKeyEvent* event) override {
    QCoreApplication::sendEvent(parentWidget()->window(), event);
  }

 private:
  std::function<void()> closed_;
};

/// A row, or a column within one. The minimum size of a card depends on its content; the shares
/// stay the same.
class CardRows::Part : public QSplitter {
 public:
  Part(Qt::Orientation orientation, CardRows& rows) : QSplitter(orientation, &rows), rows_(rows) {}

 protected:
  bool event(QEvent* event) override {
    const bool used = QSplitter::event(event);
    if (event->type() == QEvent::LayoutRequest) {
      rows_.distributeSpace();
    }
    return used;
  }

 private:
  CardRows& rows_;
};

CardRows::CardRows(const QString& name, QWidget* parent)
    : QSplitter(Qt::Vertical, parent), all_closed_(new QLabel(this)) {
  setObjectName(name);
  setHandleWidth(2 * kGrid);
  setChildrenCollapsible(false);
  all_closed_->setObjectName(name + QStringLiteral("AllClosed"));
  all_closed_->setProperty("role", QStringLiteral("muted"));
  all_closed_->setAlignment(Qt::AlignCenter);
  all_closed_->setText(
      tr("All panels of this page are closed or floating. Use View, Panels to bring them back"));
  addWidget(all_closed_);
  all_closed_->hide();
  connect(this, &QSplitter::splitterMoved, this, &CardRows::keepSizes);
}

CardRows::~CardRows() {
  // Floating cards are deleted with their windows, the placeholders with the rows.
  for (Slot& slot : slots_) {
    static_cast<void>(slot.placeholder.release());
  }
}

void CardRows::addRow(int height, const std::vector<Share>& shares) {
  const QString name = objectName() + QString::number(rows_.size());
  QSplitter* const row = makePart(Qt::Horizontal, name);
  std::vector<int> widths;
  for (const Share& share : shares) {
    QSplitter* holder = row;
    if (!share.below.empty()) {
      holder = makePart(Qt::Vertical, name + QStringLiteral("Column%1").arg(widths.size()));
      row->addWidget(holder);
      columns_.push_back(holder);
    }
    addCard(*share.card, *holder);
    for (Card* const card : share.below) {
      addCard(*card, *holder);
    }
    widths.push_back(share.width);
  }
  insertWidget(static_cast<int>(rows_.size()), row);
  rows_.push_back({row, height, std::move(widths)});
  reset();
}

QSplitter* CardRows::makePart(Qt::Orientation orientation, const QString& name) {
  auto* const part = new Part(orientation, *this);
  part->setObjectName(name);
  part->setHandleWidth(2 * kGrid);
  part->setChildrenCollapsible(false);
  connect(part, &QSplitter::splitterMoved, this, &CardRows::keepSizes);
  return part;
}

void CardRows::addCard(Card& card, QSplitter& holder) {
  holder.addWidget(&card);
  slots_.push_back({&card, &holder, CardPlace::kDocked, nullptr, nullptr});
  card.setMovable(true);
  connect(&card, &Card::placeMenuRequested, this,
          [this, &card](const QPoint& position) { showPlaceMenu(card, position); });
  connect(&card, &Card::enlargeRequested, this, [this, &card] {
    if (place(card) == CardPlace::kDocked) {
      setEnlarged(enlarged_ == &card ? nullptr : &card);
    }
  });
}

QList<Card*> CardRows::cards() const {
  QList<Card*> result;
  for (const Slot& slot : slots_) {
    result << slot.card;
  }
  return result;
}

const CardRows::Slot* CardRows::slotOf(const Card& card) const {
  const auto found = std::ranges::find(slots_, &card, &Slot::card);
  return found == slots_.end() ? nullptr : &*found;
}

CardPlace CardRows::place(const Card& card) const {
  const Slot* const slot = slotOf(card);
  return slot == nullptr ? CardPlace::kClosed : slot->place;
}

QWidget* CardRows::floatingWindow(const Card& card) const {
  const Slot* const slot = slotOf(card);
  return slot == nullptr ? nullptr : slot->window.get();
}

void CardRows::setPlace(Card& card, CardPlace place) {
  const auto slot = std::ranges::find(slots_, &card, &Slot::card);
  if (slot == slots_.end() || slot->place == place) {
    return;
  }
  if (slot->place == CardPlace::kFloating) {
    dock(*slot);
  }
  slot->place = place;
  if (place == CardPlace::kFloating) {
    undock(*slot);
  }
  // A returning card must be visible.
  if (place == CardPlace::kDocked || enlarged_ == &card) {
    enlarged_ = nullptr;
  }
  updatePlaces();
  Q_EMIT placeChanged(&card);
}

void CardRows::undock(Slot& slot) {
  const QSize size = slot.card->size().expandedTo({kGrid * 100, kGrid * 80});
  slot.placeholder = std::make_unique<QWidget>();
  slot.holder->replaceWidget(slot.holder->indexOf(slot.card), slot.placeholder.get());
  Card* const card = slot.card;
  slot.window = std::make_unique<FloatingWindow>(
      *card, this, [this, card] { setPlace(*card, CardPlace::kDocked); });
  slot.window->resize(size);
  card->show();
  slot.window->show();
}

void CardRows::dock(Slot& slot) {
  slot.holder->replaceWidget(slot.holder->indexOf(slot.placeholder.get()), slot.card);
  slot.placeholder.reset();
  slot.window.reset();
}

void CardRows::setEnlarged(Card* card) {
  if (enlarged_ == card) {
    return;
  }
  enlarged_ = card;
  updatePlaces();
}

void CardRows::updatePlaces() {
  arrangeFlow();
  showPlaces();
  fit();
}

void CardRows::showPlaces() {
  QSet<const QWidget*> used;
  for (const Slot& slot : slots_) {
    const bool shown =
        slot.place == CardPlace::kDocked && (enlarged_ == nullptr || enlarged_ == slot.card);
    if (shown) {
      used << slot.holder << slot.holder->parentWidget();
    }
    if (slot.placeholder) {
      slot.placeholder->hide();
    } else {
      slot.card->setVisible(shown);
    }
  }
  for (QSplitter* const column : columns_) {
    column->setVisible(used.contains(column));
  }
  for (const Row& row : rows_) {
    row.splitter->setVisible(used.contains(row.splitter));
  }
  all_closed_->setVisible(used.isEmpty());
}

void CardRows::reset() {
  enlarged_ = nullptr;
  for (const Slot& slot : slots_) {
    setPlace(*slot.card, CardPlace::kDocked);
  }
  sizes_kept_ = false;
  updatePlaces();
}

bool CardRows::event(QEvent* event) {
  const bool used = QSplitter::event(event);
  const QEvent::Type type = event->type();
  if (type == QEvent::Resize || type == QEvent::Show || type == QEvent::LayoutRequest) {
    if (arrangeFlow()) {
      showPlaces();
    }
    fit();
  } else if (type == QEvent::ParentChange && parentWidget() != nullptr) {
    parentWidget()->installEventFilter(this);
  }
  return used;
}

bool CardRows::eventFilter(QObject* watched, QEvent* event) {
  // A page that scrolls keeps its height when the window grows.
  if (watched == parentWidget() && event->type() == QEvent::Resize) {
    fit();
  }
  return QSplitter::eventFilter(watched, event);
}

void CardRows::fit() {
  if (fitRoom()) {
    // Those of the last session hold for the first layout that is seen.
    sizes_kept_ = sizes_kept_ && !was_fitted_;
    updateGeometry();
  }
  was_fitted_ = was_fitted_ || isVisible();
  distributeSpace();
}

void CardRows::distributeSpace() {
  if (sizes_kept_ || sharing_) {
    return;
  }
  sharing_ = true;
  QList<int> heights;
  for (const Row& row : rows_) {
    heights << kUnit * row.height;
    QList<int> widths;
    for (const int width : row.widths) {
      widths << (row.splitter->orientation() == Qt::Vertical ? kUnit : kUnit * width);
    }
    row.splitter->setSizes(widths);
  }
  setSizes(heights);
  for (QSplitter* const column : columns_) {
    column->setSizes(QList<int>(column->count(), kUnit));
  }
  sharing_ = false;
}

void CardRows::showPlaceMenu(Card& card, const QPoint& position) {
  auto* const menu = new QMenu(&card);
  menu->setObjectName(QStringLiteral("cardPlaceMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const auto offer = [&](const char* name, const QString& text, std::function<void()> act) {
    QAction* const action = menu->addAction(text);
    action->setObjectName(QLatin1String(name));
    // Queued, because the action may move the menu's owner to another window.
    connect(action, &QAction::triggered, this, std::move(act), Qt::QueuedConnection);
  };
  const auto go = [this, &card](CardPlace place) {
    return [this, &card, place] { setPlace(card, place); };
  };
  if (!card.optionsText().isEmpty()) {
    offer("cardOptions", card.optionsText(),
          [&card, position] { Q_EMIT card.optionsRequested(position); });
    menu->addSeparator();
  }
  if (auto* const exports = new QMenu(tr("Export"), menu); card.addExport(*exports)) {
    exports->setObjectName(QStringLiteral("cardExport"));
    menu->addMenu(exports);
    menu->addSeparator();
  }
  if (place(card) == CardPlace::kFloating) {
    offer("cardReturn", tr("Dock"), go(CardPlace::kDocked));
  } else {
    offer("cardEnlarge", enlarged_ == &card ? tr("Restore") : tr("Maximise"),
          [this, &card] { setEnlarged(enlarged_ == &card ? nullptr : &card); });
    offer("cardFloat", tr("Float"), go(CardPlace::kFloating));
  }
  offer("cardClose", tr("Close (reopen with View, Panels)"), go(CardPlace::kClosed));
  menu->popup(position);
}

}  // namespace dubito
