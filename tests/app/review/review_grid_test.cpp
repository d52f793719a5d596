// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/grid/review_grid.h"

#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSlider>
#include <algorithm>
#include <set>

#include "tests/app/support/damaged_analysis.h"
#include "tests/app/support/review_window.h"
#include "tests/support/gui_test.h"
#include "widgets/tile_grid.h"

namespace dubito::test {
/// Pages of images for which the network suggests the same class.
class ReviewGridTest : public QObject, private ReviewWindow {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    openReviewFolder();
    openReviewPage();
  }
  void cleanup() { closeAll(); }

  void aPageIsAcceptedInOneStepWithoutTheMarkedImages() {
    startGrid(sampleAnalysis());
    const std::int64_t k = pages().shownClass();
    const std::vector<std::int64_t> rows = pages().rows();
    QCOMPARE(std::ssize(rows), pages().lists().undecidedCount(k));
    for (const std::int64_t row : rows) {
      QCOMPARE(run().predictions.data()[row], k);
    }
    for (std::int64_t other = 0; other < 3; ++other) {
      QVERIFY(pages().lists().undecidedCount(other) <= pages().lists().undecidedCount(k));
    }
    click(1);
    click(4);
    QVERIFY(part<QPushButton>("reviewGridAccept")
                .text()
                .startsWith(QString("Accept %1 of %2 as").arg(rows.size() - 2).arg(rows.size())));
    QVERIFY(journal().empty());
    QVERIFY(acceptPage());
    // Read by another connection, as another program would.
    const auto written = journal();
    QCOMPARE(written.size(), rows.size() - 2);
    std::set<std::int64_t> items;
    for (const RecordedDecision& recorded : written) {
      QCOMPARE(recorded.step, written.front().step);
      QVERIFY(recorded.decision.action == LabelAction::kAccept);
      QCOMPARE(*recorded.decision.class_id, k);
      QCOMPARE(recorded.decision.queue, reviewer().queue().key);
      QVERIFY(recorded.decision.spent_ms > 0);
      QVERIFY(!recorded.decision.content_hash.empty());
      QCOMPARE(recorded.decision.probs.size(), std::size_t{3});
      items.insert(recorded.decision.item);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      QCOMPARE(items.contains(rows[i]), i != 1 && i != 4);
    }
    QCOMPARE(pages().lists().undecidedCount(k), 2);
    QCOMPARE(pages().leftOut(), (std::vector{rows[1], rows[4]}));
  }

  void undoTakesTheWholeStepBack() {
    startGrid(sampleAnalysis());
    const std::vector<std::int64_t> rows = pages().rows();
    click(0);
    QVERIFY(acceptPage());
    QCOMPARE(reviewer().file().labels().size(), rows.size() - 1);
    QTRY_VERIFY(!page().busy());
    QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY(reviewer().file().labels().empty());
    QVERIFY(labelsInFile().empty());
    QTRY_COMPARE(pages().rows(), rows);
    QTRY_VERIFY(!page().busy());
    QTest::keySequence(window_.get(), QKeySequence::Redo);
    QTRY_COMPARE(reviewer().file().labels().size(), rows.size() - 1);
    QCOMPARE(labelsInFile().size(), rows.size() - 1);
  }

  void aHeldEnterAcceptsOnePage() {
    startGrid(sampleAnalysis());
    showFewTiles();
    const std::vector<std::int64_t> rows = pages().rows();
    QVERIFY(waitUntilAcceptable());
    QTest::keyPress(&page(), Qt::Key_Return);
    QTRY_VERIFY(pages().rows() != rows);
    QVERIFY(waitUntilAcceptable());
    for (int i = 0; i < 20; ++i) {
      QKeyEvent repeated(QEvent::KeyPress, Qt::Key_Return, Qt::NoModifier, {}, true);
      QApplication::sendEvent(&page(), &repeated);
    }
    QVERIFY(reviewSettles());
    QCOMPARE(journal().size(), rows.size());
  }

  void aKeyPressedTwiceDoesNotAcceptAPageThatNobodySaw() {
    startGrid(sampleAnalysis());
    showFewTiles();
    const std::size_t count = pages().rows().size();
    QVERIFY(waitUntilAcceptable());
    QTest::keyClick(&page(), Qt::Key_Return);
    QTest::keyClick(&page(), Qt::Key_Return);
    QTRY_COMPARE(reviewer().file().labels().size(), count);
    QTest::keyClick(&page(), Qt::Key_Return);
    QVERIFY(reviewSettles());
    QCOMPARE(journal().size(), count);
  }

  void pagesFollowTheQueueAndTurningThemDecidesNothing() {
    startGrid(sampleAnalysis());
    const std::vector<std::int64_t> all = pages().rows();
    showFewTiles();
    const auto count = static_cast<std::size_t>(tiles().capacity());
    QVERIFY(count < all.size());
    const std::vector<std::int64_t> first(all.begin(), all.begin() + std::ssize(pages().rows()));
    QCOMPARE(first.size(), count);
    QCOMPARE(pages().rows(), first);
    QTest::keyClick(&page(), Qt::Key_D);
    QCOMPARE(pages().rows().front(), all[count]);
    QTest::keyClick(&page(), Qt::Key_A);
    QCOMPARE(pages().rows(), first);
    QTest::keyClick(&page(), Qt::Key_A);
    QCOMPARE(pages().rows(), first);
    QVERIFY(reviewSettles());
    QVERIFY(journal().empty());
    QCOMPARE(settings_->value("review/tileSize").toInt(), 300);
  }

  void draggingMarksAllTilesOnTheWay() {
    startGrid(sampleAnalysis());
    QVERIFY(waitUntilAcceptable());
    const QPoint from = tiles().tileRect(0).center();
    const QPoint to = tiles().tileRect(3).center();
    QTest::mousePress(&tiles(), Qt::LeftButton, {}, from);
    QMouseEvent move(QEvent::MouseMove, to, tiles().mapToGlobal(QPointF(to)), Qt::NoButton,
                     Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&tiles(), &move);
    QTest::mouseRelease(&tiles(), Qt::LeftButton, {}, to);
    QCOMPARE(tiles().seenTiles(true), (std::vector{0, 1, 2, 3}));
    click(2);  // and once more takes the mark away
    QCOMPARE(tiles().seenTiles(true), (std::vector{0, 1, 3}));
  }

  void arrowsAndSpaceMark() {
    startGrid(sampleAnalysis());
    QVERIFY(waitUntilAcceptable());
    for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Right, Qt::Key_Space, Qt::Key_Right,
                              Qt::Key_Space, Qt::Key_Left, Qt::Key_Space}) {
      QTest::keyClick(&page(), key);
    }
    QCOMPARE(tiles().seenTiles(true), (std::vector{2}));
  }

  void aKeyLabelsTheMarkedImages() {
    startGrid(sampleAnalysis());
    const std::vector<std::int64_t> rows = pages().rows();
    const std::int64_t other = (pages().shownClass() + 1) % 3;
    click(1);
    click(2);
    QTest::keyClick(&page(), static_cast<Qt::Key>(Qt::Key_1 + other));
    QTRY_COMPARE(reviewer().file().labels().size(), std::size_t{2});
    const auto written = journal();
    QCOMPARE(written.size(), std::size_t{2});
    for (const RecordedDecision& recorded : written) {
      QVERIFY(recorded.decision.action == LabelAction::kCorrect);
      QCOMPARE(*recorded.decision.class_id, other);
      QCOMPARE(recorded.step, written.front().step);
    }
    // They stay in their places, but are not accepted with the others.
    QCOMPARE(pages().rows(), rows);
    QTRY_VERIFY(!tiles().tiles()[1].settled.isEmpty());
    QTRY_VERIFY(part<QPushButton>("reviewGridAccept").isEnabled());
    QVERIFY2(part<QLabel>("reviewGridText")
                 .text()
                 .contains(QStringLiteral("· %1 of ").arg(rows.size() - 2)),
             qPrintable(part<QLabel>("reviewGridText").text()));
    QVERIFY(acceptPage());
    QCOMPARE(journal().size(), rows.size());
    QCOMPARE(*reviewer().file().labelOf(rows[1])->class_id, other);
  }

  void aMarkedImageThatComesBackIsStillMarked() {
    startGrid(sampleAnalysis());
    const std::int64_t marked = pages().rows()[1];
    click(1);
    QVERIFY2(part<QLabel>("reviewGridHint").text().startsWith("What are the marked images? Press "),
             qPrintable(part<QLabel>("reviewGridHint").text()));
    QVERIFY(acceptPage());
    const auto place = [&] {
      const std::vector<std::int64_t>& rows = pages().rows();
      const auto found = std::ranges::find(rows, marked);
      return found == rows.end() ? -1 : static_cast<int>(found - rows.begin());
    };
    QTest::keyClick(&page(), Qt::Key_A);
    QTRY_VERIFY(place() >= 0);
    QTRY_VERIFY(tiles().isMarked(place()));
    // Whoever takes the mark away has decided.
    QTRY_VERIFY(!tiles().seenTiles(true).empty());
    QTest::mouseClick(&tiles(), Qt::LeftButton, {}, tiles().tileRect(place()).center());
    QVERIFY(!tiles().isMarked(place()));
    QTest::keyClick(&page(), Qt::Key_D);
    QTRY_VERIFY(place() < 0);
    QTest::keyClick(&page(), Qt::Key_A);
    QTRY_VERIFY(place() >= 0);
    QVERIFY(!tiles().isMarked(place()));
  }

  void theMenuLabelsTheMarkedImages() {
    startGrid(sampleAnalysis());
    click(0);
    QMenu& menu = *part<QPushButton>("reviewGridMarkedAre").menu();
    Q_EMIT menu.aboutToShow();
    // Without the suggested class, and with what is no class.
    QCOMPARE(menu.actions().size(), 5);
    QCOMPARE(menu.actions()[3]->text(), "None of these (N)");
    QCOMPARE(menu.actions()[4]->text(), "Can't tell (U)");
    menu.actions().front()->trigger();
    QTRY_COMPARE(journal().size(), std::size_t{1});
    QVERIFY(journal().front().decision.class_id != pages().shownClass());
  }

  void theMarkedImagesCanBeInNoClass() {
    startGrid(sampleAnalysis());
    const std::vector<std::int64_t> rows = pages().rows();
    click(0);
    click(2);
    QTest::keyClick(&page(), Qt::Key_N);
    QTRY_COMPARE(journal().size(), std::size_t{2});
    for (const RecordedDecision& recorded : journal()) {
      QVERIFY(recorded.decision.action == LabelAction::kNotInClasses);
      QVERIFY(!recorded.decision.class_id);
      QCOMPARE(recorded.step, journal().front().step);
    }
    // The journal is read by another connection, perhaps before the window hears of it.
    QTRY_VERIFY(reviewer().file().labelOf(rows[0]) && reviewer().file().labelOf(rows[2]));
    QTRY_VERIFY(!page().busy());
    click(1);
    QMenu& menu = *part<QPushButton>("reviewGridMarkedAre").menu();
    Q_EMIT menu.aboutToShow();
    menu.actions().back()->trigger();
    QTRY_COMPARE(journal().size(), std::size_t{3});
    QVERIFY(journal().back().decision.action == LabelAction::kAmbiguous);
  }

  void onlyTilesInViewAreAccepted() {
    startGrid(sampleAnalysis());
    const std::size_t all = pages().rows().size();
    QVERIFY(waitUntilAcceptable());
    // Less room: the images that do not fit leave the page, and come next.
    window_->resize(1000, 480);
    QTRY_VERIFY(pages().rows().size() < all);
    deliverEvents();  // the layout settles in steps
    const std::vector<std::int64_t> shown = pages().rows();
    QCOMPARE(std::ssize(shown), tiles().capacity());
    QVERIFY(acceptPage());
    std::set<std::int64_t> accepted;
    for (const RecordedDecision& recorded : journal()) {
      accepted.insert(recorded.decision.item);
    }
    QCOMPARE(accepted.size(), shown.size());
    QCOMPARE(accepted, std::set<std::int64_t>(shown.begin(), shown.end()));
  }

  void whatCannotBeReadIsLeftOut() {
    startGrid(damagedAnalysis());
    pages().showClass(run().predictions.data()[DamagedPictures::kUnreadable]);
    const std::vector<std::int64_t> rows = pages().rows();
    QVERIFY(std::ranges::find(rows, DamagedPictures::kUnreadable) != rows.end());
    QVERIFY(waitUntilAcceptable());
    const auto at =
        static_cast<int>(std::ranges::find(rows, DamagedPictures::kUnreadable) - rows.begin());
    QVERIFY(tiles().isUnreadable(at));
    QVERIFY(part<QLabel>("reviewGridText").text().contains("1 cannot be read"));
    click(at);  // nobody can say that it is wrong, either
    QVERIFY(tiles().seenTiles(true).empty());
    QVERIFY(acceptPage());
    QCOMPARE(journal().size(), rows.size() - 1);
    QVERIFY(reviewer().file().labelOf(DamagedPictures::kUnreadable) == nullptr);
  }

  void whileSuggestionsAreHiddenThereAreNoPages() {
    startGrid(sampleAnalysis());
    const std::vector<std::int64_t> rows = pages().rows();
    QTest::keyClick(&page(), Qt::Key_H);
    QVERIFY(pages().rows().empty());
    QVERIFY(tiles().tiles().empty());
    QVERIFY(!part<QLabel>("reviewGridHint").isVisible());
    QTest::keyClick(&page(), Qt::Key_Return);
    QVERIFY(reviewSettles());
    QVERIFY(journal().empty() && pages().rows().empty());
    QTest::keyClick(&page(), Qt::Key_H);
    QCOMPARE(pages().rows(), rows);
  }

  void imagesWhoseSuggestionIsHiddenAreOnNoPage() {
    startGrid(sampleAnalysis());
    const std::vector<std::int64_t> all = pages().rows();
    reviewer().choices().setHiddenShare(0.5);
    std::vector<std::int64_t> expected;
    for (const std::int64_t row : all) {
      if (!isInHiddenShare(row, 0.5)) {
        expected.push_back(row);
      }
    }
    QVERIFY(!expected.empty() && expected.size() < all.size());
    QCOMPARE(pages().rows(), expected);
  }

  void aSuggestionSeenOnAPageIsKnownLater() {
    startGrid(sampleAnalysis());
    const std::vector<std::int64_t> seen = pages().rows();
    reviewer().choices().setHiddenShare(1.0);
    page().showMode("single");
    const std::int64_t unseen = pages().lists().rows((pages().shownClass() + 1) % 3).back();
    for (const std::int64_t row : {seen.back(), unseen}) {
      reviewer().showItem(row);
      QVERIFY(QTest::qWaitFor([this] { return !page().busy() && reviewer().takesDecisions(); }));
      reviewer().choose(1);
      QTRY_VERIFY(reviewer().file().labelOf(row) != nullptr);
      QCOMPARE(journal().back().decision.prediction_shown, row != unseen);
    }
  }

  void markedImagesAreDecidedOneByOne() {
    startGrid(sampleAnalysis());
    const std::vector<std::int64_t> rows = pages().rows();
    QVERIFY(!part<QPushButton>("reviewGridLeftOut").isVisible());
    click(3);
    click(5);
    QVERIFY(acceptPage());
    auto& left_out = part<QPushButton>("reviewGridLeftOut");
    QVERIFY(left_out.isVisible());
    left_out.click();
    QTRY_COMPARE(reviewer().queue().length(), 2);
    QVERIFY(!tiles().isVisible());
    const std::set<std::int64_t> queued(reviewer().queue().rows.begin(),
                                        reviewer().queue().rows.end());
    QCOMPARE(queued, (std::set{rows[3], rows[5]}));
    // And back to the pages of all images.
    auto& back = part<QPushButton>("reviewBack");
    QCOMPARE(back.text(), "Back to Many at once");
    back.click();
    QVERIFY(tiles().isVisible());
    QTRY_COMPARE(reviewer().queue().length(), run().itemCount() - std::ssize(rows) + 2);
  }

  void afterTheLastPageEnterShowsTheNextClass() {
    startGrid(sampleAnalysis());
    const std::int64_t first = pages().shownClass();
    QVERIFY(acceptPage());
    QVERIFY(pages().rows().empty());
    QVERIFY(part<QPushButton>("reviewGridAccept").text().startsWith("Show "));
    QTest::keyClick(&page(), Qt::Key_Return);
    QVERIFY(!pages().rows().empty());
    QVERIFY(pages().shownClass() != first);
    QCOMPARE(part<QComboBox>("reviewGridClass").currentIndex(), pages().shownClass());
  }

  void imagesOfAnotherWindowAreLeftToIt() {
    startGrid(sampleAnalysis());
    auto other = LabelStore::open(reviewer().file().place().toStdString(), StoreMode::kOpen);
    QVERIFY(other.has_value());
    // The last image of another class, which this window has not reserved, goes to somebody else.
    const std::int64_t next = (pages().shownClass() + 1) % 3;
    const std::int64_t row = pages().lists().rows(next).back();
    const auto granted =
        (*other)->reserve(std::vector{row}, 1, "somebody", std::chrono::minutes(1));
    QVERIFY(granted && granted->size() == 1);
    pages().showClass(next);
    const auto at = std::ranges::find(pages().rows(), row) - pages().rows().begin();
    QTRY_VERIFY(pages().isElsewhere(row));
    QVERIFY(!tiles().tiles()[static_cast<std::size_t>(at)].settled.isEmpty());
    const std::size_t count = pages().rows().size();
    QVERIFY(acceptPage());
    QCOMPARE(journal().size(), count - 1);
    QVERIFY(reviewer().file().labelOf(row) == nullptr);
  }

  void aMillionItemsAreSortedOnceAndPagedAtOnce() {
    constexpr std::int64_t kItems = 1'000'000;
    constexpr std::int64_t kClasses = 10;
    dubito::Run large;
    std::vector<std::int64_t> ids(kItems);
    std::vector<std::int64_t> predictions(kItems);
    std::vector<std::int64_t> queue(kItems);
    for (std::int64_t i = 0; i < kItems; ++i) {
      const auto at = static_cast<std::size_t>(i);
      ids[at] = i;
      predictions[at] = i * 7 % kClasses;
      queue[at] = kItems - 1 - i;
    }
    large.ids = Array<std::int64_t>::fromVector(ids);
    large.predictions = Array<std::int64_t>::fromVector(predictions);
    ClassLists lists(large, queue);
    QCOMPARE(lists.undecidedCount(3), kItems / kClasses);
    QCOMPARE(lists.rows(3).front(), kItems - 1);  // in the order of the queue
    std::int64_t looked_at = 0;
    const auto all = [&looked_at](std::int64_t) {
      ++looked_at;
      return false;
    };
    std::int64_t position = 0;
    for (int step = 0; step < 1000; ++step) {
      const auto page = lists.page(3, position, 50, ClassLists::Direction::kForwards, all);
      for (const std::int64_t at : page) {
        lists.setDecided(lists.rows(3)[static_cast<std::size_t>(at)], true);
      }
      position = page.back() + 1;
    }
    // A page looks at its own items alone, not at those decided before.
    QVERIFY2(looked_at <= 51'000, qPrintable(QString::number(looked_at)));
    QCOMPARE(lists.undecidedCount(3), kItems / kClasses - 50'000);
    QVERIFY(lists.page(3, position, 5, ClassLists::Direction::kBackwards, all).empty());
    lists.setDecided(lists.rows(3)[7], false);
    QCOMPARE(lists.page(3, position, 5, ClassLists::Direction::kBackwards, all),
             std::vector<std::int64_t>{7});
    QCOMPARE(lists.positionOf(lists.rows(3)[7]), 7);
    lists.setAllUndecided();
    QCOMPARE(lists.undecidedCount(3), kItems / kClasses);
    QVERIFY(lists.largestClass() == 0);
  }

 private:
  ReviewGrid& grid() { return *window_->findChild<ReviewGrid*>(); }
  ClassPages& pages() { return grid().pages(); }
  TileGrid& tiles() { return part<TileGrid>("reviewTiles"); }
  const Run& run() { return *session().activeAnalysis()->in().run; }

  void startGrid(const AnalysisPtr& analysis) {
    session().addAnalysis(analysis);
    QTRY_VERIFY(session().listing().items() != nullptr);
    QTest::mouseClick(&part<QPushButton>("reviewStart"), Qt::LeftButton);
    QTRY_VERIFY(reviewer().active() && !reviewer().busy() && reviewer().position() == 0);
    page().showMode("grid");
    QTRY_VERIFY(pages().ready() && !pages().rows().empty());
  }
  void showFewTiles() {
    part<QSlider>("reviewGridSize").setValue(300);
    QTRY_VERIFY(std::ssize(pages().rows()) == tiles().capacity());
  }
  bool waitUntilAcceptable() {
    return QTest::qWaitFor([this] { return !page().busy() && grid().canAccept(); });
  }
  void click(int tile) {
    QVERIFY(waitUntilAcceptable());
    QTest::mouseClick(&tiles(), Qt::LeftButton, {}, tiles().tileRect(tile).center());
  }
  /// Enter, and waits for the next page.
  bool acceptPage() {
    const std::vector<std::int64_t> before = pages().rows();
    if (!waitUntilAcceptable()) {
      return false;
    }
    QTest::keyClick(&page(), Qt::Key_Return);
    return QTest::qWaitFor([&] { return pages().rows() != before; });
  }
  std::vector<PresentLabel> labelsInFile() { return store()->labels().value(); }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::ReviewGridTest)
#include "review_grid_test.moc"
