// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/card_rows.h"

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <memory>
#include <vector>

#include "tests/support/gui_test.h"
#include "widgets/card.h"
#include "widgets/card_scroll.h"

namespace dubito::test {

class CardRowsTest : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<CardRows> rows_;
  Card* a_ = nullptr;
  Card* b_ = nullptr;
  Card* c_ = nullptr;

  static Card* makeCard(const QString& name) {
    auto* const card = new Card(name);
    card->setObjectName(name + "Card");
    card->setContent(new QLabel(name));
    return card;
  }

 private Q_SLOTS:
  void init() {
    rows_ = std::make_unique<CardRows>("rows");
    a_ = makeCard("a");
    b_ = makeCard("b");
    c_ = makeCard("c");
    rows_->addRow(1, {{a_, 3}, {b_, 1}});
    rows_->addRow(2, {{c_, 1}});
    rows_->resize(808, 608);
    rows_->show();
    QVERIFY(QTest::qWaitForWindowExposed(rows_.get()));
  }
  void cleanup() { rows_.reset(); }

  void sharesTheRoomAsItWasAsked() {
    QVERIFY(std::abs(a_->width() - 600) <= 4);
    QVERIFY(std::abs(b_->width() - 200) <= 4);
    QVERIFY(std::abs(a_->height() - 200) <= 4);
    QVERIFY(std::abs(c_->height() - 400) <= 4);
    rows_->resize(1608, 608);
    QTRY_VERIFY(std::abs(a_->width() - 1200) <= 8);
    // Also after it was too narrow for that.
    rows_->resize(10, 608);
    rows_->resize(808, 608);
    QTRY_VERIFY(std::abs(a_->width() - 600) <= 4);
  }

  void whatCardsNeedAtLeastDoesNotTiltTheShares() {
    CardRows rows("even");
    Card* const narrow = makeCard("narrow");
    Card* const wide = makeCard("wide");
    wide->content()->setMinimumWidth(350);
    rows.addRow(1, {{narrow, 1}, {wide, 1}});
    rows.resize(1008, 400);
    rows.show();
    QVERIFY(QTest::qWaitForWindowExposed(&rows));
    QVERIFY(std::abs(narrow->width() - wide->width()) <= 1);
  }

  void whatSomebodyDraggedIsKept() {
    auto* const row = rows_->findChild<QSplitter*>("rows0");
    row->setSizes({300, 500});
    rows_->keepSizes();
    rows_->resize(1608, 608);
    QTRY_VERIFY(std::abs(a_->width() - 600) <= 8);
  }

  void aClosedCardLeavesItsRoomToTheOthers() {
    QSignalSpy changed(rows_.get(), &CardRows::placeChanged);
    rows_->setPlace(*a_, CardPlace::kClosed);
    QVERIFY(!a_->isVisible());
    QTRY_COMPARE(b_->width(), 808);
    rows_->setPlace(*b_, CardPlace::kClosed);
    QTRY_COMPARE(c_->height(), 608);
    auto* const all_closed = rows_->findChild<QLabel*>("rowsAllClosed");
    QVERIFY(!all_closed->isVisible());
    rows_->setPlace(*c_, CardPlace::kClosed);
    QVERIFY(all_closed->isVisible());
    QCOMPARE(changed.count(), 3);
    rows_->reset();
    QCOMPARE(changed.count(), 6);
    QVERIFY(!all_closed->isVisible());
    QTRY_VERIFY(std::abs(a_->width() - 600) <= 4);
  }

  void cardsOfOneColumnStandBelowEachOther() {
    Card* const d = makeCard("d");
    Card* const e = makeCard("e");
    Card* const f = makeCard("f");
    rows_->addRow(3, {{d, 1, {e}}, {f, 1}});
    QTRY_VERIFY(d->mapTo(rows_.get(), QPoint()).y() < e->mapTo(rows_.get(), QPoint()).y());
    QTRY_VERIFY(std::abs(d->height() - e->height()) <= 1);
    QVERIFY(std::abs(d->width() - f->width()) <= 1);
    QVERIFY(f->height() > d->height() + e->height());
    rows_->setPlace(*d, CardPlace::kClosed);
    QTRY_COMPARE(e->height(), f->height());
    rows_->setPlace(*e, CardPlace::kClosed);
    QTRY_COMPARE(f->width(), 808);
    rows_->setEnlarged(f);
    QTRY_COMPARE(f->height(), 608);
  }

  void aPageThatIsTooSmallStacksItsCardsAndScrolls() {
    QWidget window;
    auto* const rows = new CardRows("page");
    Card* const a = makeCard("wide");
    Card* const b = makeCard("narrow");
    Card* const c = makeCard("alone");
    rows->addRow(1, {{a, 3}, {b, 1}});
    rows->addRow(2, {{c, 1}});
    auto* const layout = new QVBoxLayout(&window);
    QScrollArea* const scroll = makeCardScroll(rows, &window);
    layout->addWidget(scroll);
    layout->setContentsMargins(0, 0, 0, 0);
    window.resize(1208, 608);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    // Room enough: as without a scroll area.
    QTRY_VERIFY(std::abs(a->width() - 900) <= 4);
    QVERIFY(std::abs(a->height() - 200) <= 4);
    QVERIFY(!scroll->verticalScrollBar()->isVisible());
    // Too low: wide cards stay side by side, all get a readable height.
    window.resize(1208, 300);
    QTRY_VERIFY(scroll->verticalScrollBar()->isVisible());
    QTRY_VERIFY(a->height() >= 220 && c->height() >= 220);
    QCOMPARE(a->mapTo(rows, QPoint()).y(), b->mapTo(rows, QPoint()).y());
    // Too narrow for b: it goes below a.
    window.resize(608, 608);
    QTRY_VERIFY(b->mapTo(rows, QPoint()).y() >= a->height());
    QVERIFY(a->height() >= 220 && b->height() >= 220 && c->height() >= 220);
    QVERIFY(b->width() > 550);
    // A maximised card fills what is seen; then all is as it was.
    rows->setEnlarged(b);
    QTRY_VERIFY(std::abs(b->height() - 608) <= 8);
    QTRY_VERIFY(!scroll->verticalScrollBar()->isVisible());
    rows->setEnlarged(nullptr);
    QTRY_VERIFY(scroll->verticalScrollBar()->isVisible());
    window.resize(1208, 608);
    QTRY_VERIFY(std::abs(a->width() - 900) <= 4);
    QTRY_VERIFY(std::abs(a->height() - 200) <= 4);
    QTRY_VERIFY(!scroll->verticalScrollBar()->isVisible());
  }

  void aFlowHasAsManyColumnsAsFit() {
    std::vector<Card*> cards;
    for (const char* const name : {"d", "e", "f", "g"}) {
      cards.push_back(makeCard(QLatin1String(name)));
      cards.back()->content()->setMinimumHeight(100);
    }
    rows_->addFlow(3, cards, 200);
    const auto top = [this](const Card* card) { return card->mapTo(rows_.get(), QPoint()).y(); };
    // Three would fit; rows of two are even.
    QTRY_COMPARE(rows_->columnCount(), 2);
    QTRY_VERIFY(std::abs(cards[0]->width() - 400) <= 4);
    QCOMPARE(top(cards[0]), top(cards[1]));
    QVERIFY(top(cards[2]) > top(cards[0]));
    rows_->resize(1000, 800);
    QTRY_COMPARE(rows_->columnCount(), 4);
    QTRY_COMPARE(top(cards[3]), top(cards[0]));
    QTRY_VERIFY(std::abs(cards[0]->width() - cards[3]->width()) <= 2);
    QVERIFY(rows_->minimumSizeHint().width() < 600);
    rows_->resize(300, 800);
    QTRY_COMPARE(rows_->columnCount(), 1);
    QTRY_VERIFY(top(cards[3]) > top(cards[2]));
    QVERIFY(std::ranges::all_of(cards, [](const Card* card) { return card->isVisible(); }));
    // What is closed takes no place; what floats comes back to its own.
    rows_->resize(1000, 800);
    QTRY_COMPARE(rows_->columnCount(), 4);
    rows_->setPlace(*cards[1], CardPlace::kFloating);
    QCOMPARE(rows_->columnCount(), 3);
    rows_->setPlace(*cards[0], CardPlace::kClosed);
    QCOMPARE(rows_->columnCount(), 2);
    QTRY_VERIFY(std::abs(cards[2]->width() - 496) <= 4);
    rows_->reset();
    QCOMPARE(rows_->columnCount(), 4);
    QTRY_VERIFY(cards[0]->x() < cards[1]->x() && cards[1]->x() < cards[2]->x());
    QVERIFY(cards[0]->isVisible() && cards[1]->isVisible());
    rows_->setEnlarged(cards[2]);
    QTRY_COMPARE(cards[2]->size(), QSize(1000, 800));
    rows_->setEnlarged(nullptr);
    QTRY_VERIFY(cards[3]->isVisible());
  }

  void whatACardNeedsDoesNotChangeTheShares() {
    auto* const wide = new QLabel("wide");
    wide->setMinimumWidth(500);
    b_->setContent(wide);
    QTRY_VERIFY(b_->width() >= 500);
    b_->setContent(new QLabel("narrow"));
    QTRY_VERIFY(std::abs(b_->width() - 200) <= 4);
  }

  void aFloatingCardReturnsWhenItsWindowIsClosed() {
    rows_->setPlace(*a_, CardPlace::kFloating);
    QWidget* const window = rows_->floatingWindow(*a_);
    QVERIFY(window != nullptr);
    QVERIFY(window->isWindow() && window->isVisible() && a_->isVisible());
    QCOMPARE(a_->window(), window);
    QTRY_COMPARE(b_->width(), 808);
    window->close();
    QTRY_COMPARE(rows_->place(*a_), CardPlace::kDocked);
    QVERIFY(a_->isVisible());
    QCOMPARE(a_->window(), static_cast<QWidget*>(rows_.get()));
    QVERIFY(rows_->floatingWindow(*a_) == nullptr);
    QTRY_VERIFY(a_->x() < b_->x());
  }

  void aFloatingCardDoesNotOutliveItsPage() {
    rows_->setPlace(*b_, CardPlace::kFloating);
    const QPointer<Card> card(b_);
    rows_.reset();
    QVERIFY(card.isNull());
  }

  void aFloatingCardGoesWithTheWindowItCameFromAndKeepsItsPlace() {
    QWidget window;
    rows_->setParent(&window);
    window.show();
    rows_->setPlace(*b_, CardPlace::kFloating);
    QWidget* const floating = rows_->floatingWindow(*b_);
    QVERIFY(floating->isVisible());
    QVERIFY(window.close());
    QVERIFY(!floating->isVisible());
    QVERIFY(floating->close());  // what is asked of every window when a program ends
    deliverEvents();
    QCOMPARE(rows_->place(*b_), CardPlace::kFloating);
    rows_->setParent(nullptr);
  }

  void aCardThatComesBackIsSeen() {
    rows_->setPlace(*b_, CardPlace::kClosed);
    rows_->setEnlarged(a_);
    rows_->setPlace(*b_, CardPlace::kDocked);
    QVERIFY(b_->isVisible());
    QCOMPARE(rows_->enlarged(), nullptr);
  }

  void keysOfAFloatingCardReachTheWindowItCameFrom() {
    class Watch : public QWidget {
     public:
      int keys = 0;
      void keyPressEvent(QKeyEvent* event) override {
        keys += event->key() == Qt::Key_Right ? 1 : 0;
      }
    } window;
    rows_->setParent(&window);
    window.show();
    rows_->setPlace(*b_, CardPlace::kFloating);
    QTest::keyClick(rows_->floatingWindow(*b_), Qt::Key_Right);
    QCOMPARE(window.keys, 1);
    rows_->setParent(nullptr);
  }

  void aDoubleClickOnTheHeadFillsThePageAndBack() {
    const auto clickHead = [this] {
      QTest::mouseDClick(a_->findChild<QLabel*>("cardTitle"), Qt::LeftButton);
    };
    clickHead();
    QCOMPARE(rows_->enlarged(), a_);
    QTRY_COMPARE(a_->size(), QSize(808, 608));
    QVERIFY(!b_->isVisible() && !c_->isVisible());
    QCOMPARE(rows_->place(*b_), CardPlace::kDocked);
    clickHead();
    QCOMPARE(rows_->enlarged(), nullptr);
    QTRY_VERIFY(b_->isVisible() && c_->isVisible());
    QTRY_VERIFY(std::abs(a_->width() - 600) <= 4);
    // The content keeps its own double clicks.
    QTest::mouseDClick(a_->content(), Qt::LeftButton);
    QCOMPARE(rows_->enlarged(), nullptr);
  }

  void theMenuOfACardOffersItsPlaces() {
    const auto choose = [this](const char* name) {
      QTest::mouseClick(a_->findChild<QToolButton*>("cardPlace"), Qt::LeftButton);
      auto* const menu = a_->findChild<QMenu*>("cardPlaceMenu");
      QVERIFY(menu != nullptr && menu->isVisible());
      auto* const action = menu->findChild<QAction*>(QLatin1String(name));
      QVERIFY2(action != nullptr, name);
      action->trigger();
      menu->close();
      QTRY_VERIFY(a_->findChild<QMenu*>("cardPlaceMenu") == nullptr);
    };
    choose("cardFloat");
    QTRY_COMPARE(rows_->place(*a_), CardPlace::kFloating);
    choose("cardReturn");
    QTRY_COMPARE(rows_->place(*a_), CardPlace::kDocked);
    choose("cardEnlarge");
    QTRY_COMPARE(rows_->enlarged(), a_);
    choose("cardEnlarge");
    QTRY_COMPARE(rows_->enlarged(), nullptr);
    choose("cardClose");
    QTRY_COMPARE(rows_->place(*a_), CardPlace::kClosed);
  }
};

}  // namespace dubito::test

#include "card_rows_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::CardRowsTest)
