// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/card_places.h"

#include <QAction>
#include <QMenu>
#include <QSettings>

#include "widgets/card.h"
#include "widgets/card_rows.h"

namespace dubito {
namespace {

QString keyOf(const Card& card) {
  return QStringLiteral("panels/") + card.objectName();
}
QString nameOf(CardPlace place) {
  switch (place) {
    case CardPlace::kFloating:
      return QStringLiteral("floating");
    case CardPlace::kClosed:
      return QStringLiteral("closed");
    case CardPlace::kDocked:
      break;
  }
  return QStringLiteral("page");
}
CardPlace placeNamed(const QString& name) {
  for (const CardPlace place : {CardPlace::kFloating, CardPlace::kClosed}) {
    if (name == nameOf(place)) {
      return place;
    }
  }
  return CardPlace::kDocked;
}

}  // namespace

CardPlaces::CardPlaces(const std::vector<NamedRows>& pages, QSettings& settings, QWidget* window)
    : QObject(window), pages_(pages), settings_(settings), menu_(new QMenu(tr("Panels"), window)) {
  setObjectName(QStringLiteral("cardPlaces"));
  menu_->setObjectName(QStringLiteral("panelsMenu"));
  QMenu* menu = nullptr;
  for (const NamedRows& page : pages_) {
    if (menu == nullptr || menu->title() != page.title) {
      menu = menu_->addMenu(page.title);
      menu->setObjectName(QStringLiteral("panels-") + page.rows->objectName());
    } else {
      menu->addSeparator();  // another view of the same page
    }
    for (Card* const card : page.rows->cards()) {
      add(*page.rows, *card, *menu);
    }
  }
  menu_->addSeparator();
  QAction* const all = menu_->addAction(tr("Reset layout"));
  all->setObjectName(QStringLiteral("panelsReset"));
  connect(all, &QAction::triggered, this, &CardPlaces::reset);
}

void CardPlaces::add(CardRows& rows, Card& card, QMenu& menu) {
  QAction* const action = menu.addAction(card.title());
  action->setObjectName(QStringLiteral("panel-") + card.objectName());
  action->setCheckable(true);
  const auto show = [&rows, &card, action] {
    action->setChecked(rows.place(card) != CardPlace::kClosed);
  };
  rows.setPlace(card, placeNamed(settings_.value(keyOf(card)).toString()));
  show();
  connect(action, &QAction::triggered, this, [&rows, &card](bool shown) {
    rows.setPlace(card, shown ? CardPlace::kDocked : CardPlace::kClosed);
  });
  connect(&rows, &CardRows::placeChanged, this, [this, &rows, &card, show](const Card* changed) {
    if (changed == &card) {
      show();
      remember(rows, card);
    }
  });
}

void CardPlaces::remember(const CardRows& rows, const Card& card) {
  const CardPlace place = rows.place(card);
  if (place == CardPlace::kDocked) {
    settings_.remove(keyOf(card));
  } else {
    settings_.setValue(keyOf(card), nameOf(place));
  }
}

bool CardPlaces::endEnlarged() {
  bool any = false;
  for (const NamedRows& page : pages_) {
    any = any || page.rows->enlarged() != nullptr;
    page.rows->setEnlarged(nullptr);
  }
  return any;
}

void CardPlaces::reset() {
  for (const NamedRows& page : pages_) {
    page.rows->reset();
  }
}

}  // namespace dubito
