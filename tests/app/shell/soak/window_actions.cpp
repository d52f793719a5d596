// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPushButton>

#include "app/shell/card_places.h"
#include "app/shell/tour.h"
#include "tests/app/shell/soak/soak.h"
#include "widgets/card.h"
#include "widgets/card_rows.h"
#include "widgets/theme.h"
#include "widgets/tour_overlay.h"

namespace dubito::test {

Card* Soak::anyCard(std::uint64_t choice, CardRows*& rows) const {
  QList<std::pair<CardRows*, Card*>> cards;
  for (CardRows* const page : window_->findChildren<CardRows*>()) {
    for (Card* const card : page->cards()) {
      cards.emplace_back(page, card);
    }
  }
  const auto& [page, card] =
      cards[static_cast<qsizetype>(choice % static_cast<std::uint64_t>(cards.size()))];
  rows = page;
  return card;
}

void Soak::addWindowActions() {
  actions_["page"] = [this](std::uint64_t choice) {
    constexpr auto kPages = static_cast<std::uint64_t>(PageId::kLabs) + 1;
    window_->showPage(static_cast<PageId>(choice % kPages));
  };
  actions_["close-card"] = [this](std::uint64_t choice) {
    CardRows* rows = nullptr;
    Card* const card = anyCard(choice, rows);
    rows->setPlace(
        *card, rows->place(*card) == CardPlace::kClosed ? CardPlace::kDocked : CardPlace::kClosed);
  };
  actions_["float-card"] = [this](std::uint64_t choice) {
    CardRows* rows = nullptr;
    Card* const card = anyCard(choice, rows);
    if (QWidget* const window = rows->floatingWindow(*card)) {
      window->close();
    } else {
      rows->setPlace(*card, CardPlace::kFloating);
    }
  };
  actions_["enlarge-card"] = [this](std::uint64_t choice) {
    CardRows* rows = nullptr;
    Card* const card = anyCard(choice, rows);
    if (rows->place(*card) != CardPlace::kDocked) {
      rows->setPlace(*card, CardPlace::kDocked);
    }
    rows->setEnlarged(rows->enlarged() == card ? nullptr : card);
  };
  actions_["panels-as-at-first"] = [this](std::uint64_t choice) {
    actions_.at("close-card")(choice);
    window_->cardPlaces().reset();
  };
  actions_["theme"] = [](std::uint64_t) {
    applyTheme(*qApp, currentTheme().dark ? Theme::light() : Theme::darkTheme());
  };
  actions_["resize"] = [this](std::uint64_t choice) {
    window_->resize(1000 + static_cast<int>(choice % 900), 640 + static_cast<int>(choice % 400));
  };
  actions_["compute-panel"] = [this](std::uint64_t) { part<QPushButton>("computeButton").click(); };
  actions_["tour"] = [this](std::uint64_t choice) {
    window_->tour().start();
    auto* const overlay = window_->findChild<TourOverlay*>("tourOverlay");
    for (std::uint64_t i = 0; overlay != nullptr && i < choice % 6; ++i) {
      settle();
      QTest::keyClick(overlay, Qt::Key_Return);
    }
    window_->tour().end();
  };
}

}  // namespace dubito::test
