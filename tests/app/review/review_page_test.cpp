// SPDX-License-Identifier: GPL-3.0-or-later

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTreeWidget>
#include <algorithm>
#include <chrono>
#include <numeric>

#include "app/review/review_notice.h"
#include "core/data/items/sample_hash.h"
#include "core/runs/run_rows.h"
#include "tests/app/support/review_window.h"
#include "tests/support/gui_test.h"
#include "widgets/image_gallery.h"
#include "widgets/zoom_view.h"

namespace dubito::test {

/// Labels reviewed with keys alone, one image at a time.
class ReviewPageTest : public QObject, private ReviewWindow {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    openReviewFolder();
    openReviewPage();
  }
  void cleanup() { closeAll(); }

  void withoutARunItSaysWhatToOpen() {
    QVERIFY(part<QLabel>("reviewWelcome").text().contains("open images and a model"));
    QVERIFY(!part<QPushButton>("reviewStart").isVisible());
    showSample();
    QVERIFY(part<QPushButton>("reviewStart").isVisible());
  }

  void everyDecisionIsOnTheDiskBeforeTheNextImageAppears() {
    startReview();
    QCOMPARE(reviewer().queue().length(), 60);
    for (int i = 0; i < 5; ++i) {
      const std::int64_t item = shownItem();
      QVERIFY(waitUntilPainted());
      const std::int64_t proposed = reviewer().proposal();
      QTest::keyClick(&page(), Qt::Key_Return);
      QTRY_COMPARE(reviewer().position(), i + 1);
      // Read by another connection, as another program would.
      const auto stored = storedLabel(item);
      QVERIFY(stored);
      // An unsure suggestion gives way to the given label.
      QVERIFY(stored->action ==
              (proposed == suggestionFor(item) ? LabelAction::kAccept : LabelAction::kCorrect));
      QCOMPARE(*stored->class_id, proposed);
    }
    QCOMPARE(reviewer().decidedCount(), 5);
  }

  void digitsChooseClassesAndUndoTakesThemBack() {
    startReview();
    const std::int64_t item = shownItem();
    const std::int64_t other = (reviewer().suggestion() + 1) % 3;
    QVERIFY(waitUntilPainted());
    QTest::keyClick(&page(), static_cast<Qt::Key>(Qt::Key_1 + other));
    QTRY_COMPARE(reviewer().position(), 1);
    QVERIFY(storedLabel(item)->action == LabelAction::kCorrect);
    QCOMPARE(*storedLabel(item)->class_id, other);
    QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(reviewer().position(), 0);
    QVERIFY(!storedLabel(item));
    QVERIFY(reviewer().label() == nullptr);
    QTest::keySequence(window_.get(), QKeySequence::Redo);
    QTRY_VERIFY(reviewer().label() != nullptr);
    QCOMPARE(*storedLabel(item)->class_id, other);
  }

  void movingDecidesNothing() {
    startReview();
    for (const Qt::Key key : {Qt::Key_D, Qt::Key_Right, Qt::Key_A, Qt::Key_Left, Qt::Key_D}) {
      QVERIFY(waitUntilPainted());
      QTest::keyClick(&page(), key);
    }
    QCOMPARE(reviewer().position(), 1);
    QVERIFY(reviewer().file().labels().empty());
  }

  void aHeldKeyDecidesOnce() {
    startReview();
    QVERIFY(waitUntilPainted());
    QTest::keyPress(&page(), Qt::Key_Return);
    for (int i = 0; i < 20; ++i) {
      QKeyEvent repeated(QEvent::KeyPress, Qt::Key_Return, Qt::NoModifier, {}, true);
      QApplication::sendEvent(&page(), &repeated);
    }
    QTRY_COMPARE(reviewer().position(), 1);
    QVERIFY(reviewSettles());
    QCOMPARE(reviewer().decidedCount(), 1);
  }

  void whileTheSuggestionIsHiddenNothingShowsIt() {
    startReview();
    QTest::keyClick(&page(), Qt::Key_H);
    QTest::keyClick(&page(), Qt::Key_D);  // to an image that was never shown with it
    QCOMPARE(reviewer().position(), 1);
    QVERIFY(reviewer().hidesSuggestion());
    QVERIFY(!part<QPushButton>("reviewAccept").isEnabled());
    QVERIFY(!part<QLabel>("reviewSuggestion").text().contains('%'));
    const auto& classes = part<QTreeWidget>("reviewClasses");
    for (int i = 0; i < classes.topLevelItemCount(); ++i) {
      QVERIFY(classes.topLevelItem(i)->text(2).isEmpty());
      QVERIFY(!classes.topLevelItem(i)->font(1).bold());
    }
    QVERIFY(waitUntilPainted());
    QTest::keyClick(&page(), Qt::Key_Return);  // there is no answer to accept
    QVERIFY(reviewSettles());
    QCOMPARE(reviewer().decidedCount(), 0);
    const std::int64_t item = shownItem();
    QTest::keyClick(&page(), Qt::Key_2);
    QTRY_COMPARE(reviewer().decidedCount(), 1);
    const auto journal = store()->journal();
    QVERIFY(journal.has_value());
    QCOMPARE(journal->back().decision.item, item);
    QVERIFY(!journal->back().decision.prediction_shown);
  }

  void aSuggestionThatWasSeenCountsAsShown() {
    startReview();
    QVERIFY(waitUntilPainted());
    QTest::keyClick(&page(), Qt::Key_H);
    QVERIFY(reviewer().hidesSuggestion());
    QVERIFY(waitUntilPainted());
    QTest::keyClick(&page(), Qt::Key_2);
    QTRY_COMPARE(reviewer().decidedCount(), 1);
    QVERIFY(store()->journal()->back().decision.prediction_shown);
  }

  void aNewClassIsTypedAndThenChosen() {
    startReview();
    QTest::keyClick(&page(), Qt::Key_Slash);
    auto& search = part<QLineEdit>("reviewSearch");
    QTRY_VERIFY(search.hasFocus());
    QTest::keyClicks(&search, "dog");
    QTest::keyClick(&search, Qt::Key_Return);  // asks
    QTest::keyClick(&search, Qt::Key_Return);
    QTRY_COMPARE(reviewer().file().classes().size(), std::size_t{4});
    QCOMPARE(reviewer().file().classes()[3].name, std::string("dog"));
    const std::int64_t item = shownItem();
    QVERIFY(waitUntilPainted());
    QTest::keyClick(&page(), Qt::Key_4);
    QTRY_COMPARE(reviewer().position(), 1);
    QCOMPARE(*storedLabel(item)->class_id, 3);
  }

  void aSelectionOfAnotherPageIsReviewedAlone() {
    startReview();
    auto& only = part<QCheckBox>("reviewOnlySelected");
    QVERIFY(!only.isEnabled());
    const ItemList all = session().listing().items();
    session().listing().selectCell({1, 1});
    QTRY_VERIFY(session().listing().items() && session().listing().items() != all);
    const auto selected = static_cast<std::int64_t>(session().listing().items()->size());
    QVERIFY(selected > 0 && selected < 60);
    QVERIFY(only.isEnabled());
    only.click();
    QTRY_COMPARE(reviewer().queue().length(), selected);
    for (const std::int64_t row : reviewer().queue().rows) {
      QCOMPARE(session().activeAnalysis()->in().run->labels.data()[row], 1);
    }
    // The review goes on with these items, whatever is selected now.
    session().listing().clearSelection();
    QVERIFY(reviewSettles());
    QCOMPARE(reviewer().queue().length(), selected);
    only.click();
    QTRY_COMPARE(reviewer().queue().length(), 60);
  }

  void theLabelsAreExportedForOtherPrograms() {
    startReview();
    QVERIFY(waitUntilPainted());
    QTest::keyClick(&page(), Qt::Key_Return);
    QTRY_COMPARE(reviewer().position(), 1);
    QVERIFY(waitUntilPainted());
    QTest::keyClick(&page(), Qt::Key_S);
    QTRY_COMPARE(reviewer().position(), 2);
    const QString path = QString::fromStdString(dir_->file("labels.csv"));
    page().setNextFileName(path);
    QSignalSpy noticed(&page(), &ReviewPage::noticed);
    part<QAction>("exportLabels-csv").trigger();
    auto& done = part<ReviewNotice>("reviewExported");
    QTRY_VERIFY(done.isVisible());
    QCOMPARE(done.text(), "Exported to labels.csv: 1 labelled, 1 skipped.");
    QCOMPARE(noticed.count(), 0);  // it is no trouble
    auto& details = part<QLabel>("reviewExportedDetailsText");
    QVERIFY(!details.isVisible());
    part<QPushButton>("reviewExportedDetails").click();
    QVERIFY(details.isVisible());
    QVERIFY(details.text().startsWith(path));
    part<QPushButton>("reviewExportedClose").click();
    QVERIFY(!done.isVisible());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QStringList lines = QString::fromUtf8(file.readAll()).trimmed().split('\n');
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines[0].contains("label"));
  }

  void theContentOfTheImageIsRecorded() {
    startReview();
    QVERIFY(waitUntilPainted());
    QTest::keyClick(&page(), Qt::Key_Return);
    QTRY_COMPARE(reviewer().position(), 1);
    const auto journal = store()->journal();
    QVERIFY(journal.has_value());
    const Decision& decision = journal->back().decision;
    const auto sample = session().activeAnalysis()->in().dataset->read(decision.item);
    QVERIFY(sample.has_value());
    QCOMPARE(decision.content_hash, sampleHash(*sample));
  }

  void whatOthersHaveReservedIsLeftToThem() {
    startReview();
    const std::vector<std::int64_t> ids = reviewer().queue().ids;
    QTRY_VERIFY(!reviewer().busy());
    const std::vector<std::int64_t> next = {ids[16], ids[17], ids[19], ids[20]};
    {
      const auto others = LabelStore::open(place(), StoreMode::kOpen);
      QVERIFY(others.has_value());
      // This window has reserved the first ones itself.
      const std::vector<std::int64_t> first = {ids[0], ids[15]};
      const auto refused = (*others)->reserve(first, 2, "ben", std::chrono::minutes(3));
      QVERIFY(refused.has_value() && refused->empty());
      const auto granted = (*others)->reserve(next, 4, "ben", std::chrono::minutes(3));
      QVERIFY(granted.has_value());
      QCOMPARE(*granted, next);
    }
    std::vector<std::int64_t> shown;
    for (int i = 0; i < 20; ++i) {
      shown.push_back(shownItem());
      QVERIFY(waitUntilPainted());
      const std::size_t before = reviewer().file().labels().size();
      QTest::keyClick(&page(), Qt::Key_Return);
      QTRY_COMPARE(reviewer().file().labels().size(), before + 1);
      QTRY_VERIFY(!reviewer().busy());
    }
    std::vector<std::int64_t> expected(ids.begin(), ids.begin() + 24);
    std::erase_if(expected, [&](std::int64_t id) { return std::ranges::count(next, id) > 0; });
    QCOMPARE(shown, expected);
    // When the window is closed, its reservations end.
    const std::string place = this->place();
    window_.reset();
    const auto others = LabelStore::open(place, StoreMode::kOpen);
    QVERIFY(others.has_value());
    const std::vector<std::int64_t> rest(ids.begin() + 24, ids.end());
    QCOMPARE((*others)->reserve(rest, 100, "ben", std::chrono::minutes(3))->size(), rest.size());
  }

  void aSecondOpinionDoesNotShowTheFirst() {
    startReview();
    const std::int64_t item = reviewer().itemAt(7);
    {
      const auto others = LabelStore::open(place(), StoreMode::kOpen);
      QVERIFY(others.has_value());
      const Decision decision{
          .item = item, .action = LabelAction::kCorrect, .class_id = 2, .annotator = "ben"};
      QVERIFY((*others)->decide(std::span(&decision, 1)).has_value());
    }
    QTRY_VERIFY(reviewer().file().labelOf(item) != nullptr);
    auto& queues = part<QComboBox>("reviewQueue");
    queues.setCurrentIndex(queues.findData("second-opinion"));
    Q_EMIT queues.activated(queues.currentIndex());
    QTRY_COMPARE(reviewer().queue().length(), 1);
    QTRY_VERIFY(reviewer().position() == 0 && !reviewer().busy());
    QCOMPARE(shownItem(), item);
    QVERIFY(reviewer().label() == nullptr);
    QVERIFY(!part<QLabel>("reviewSuggestion").text().contains("ben"));
    QVERIFY(waitUntilPainted());
    QTest::keyClick(&page(), Qt::Key_1);
    QTRY_COMPARE(reviewer().decidedCount(), 1);
    QVERIFY(storedLabel(item)->conflict);
    queues.setCurrentIndex(queues.findData("conflicts"));
    Q_EMIT queues.activated(queues.currentIndex());
    QTRY_COMPARE(QString::fromStdString(reviewer().queue().key), QString("conflicts"));
    QCOMPARE(reviewer().queue().ids, std::vector<std::int64_t>{item});
    QCOMPARE(reviewer().decidedCount(), 0);
  }

  void theImagesAreThoseOfTheRunShown() {
    startReview();
    QVERIFY(waitUntilPainted());
    const AnalysisPart& first = session().activeAnalysis()->in();
    std::vector<std::int64_t> rows(static_cast<std::size_t>(first.run->itemCount()));
    std::iota(rows.begin(), rows.end(), std::int64_t{0});
    const std::vector<std::int64_t>& queued = reviewer().queue().rows;
    std::swap(rows[static_cast<std::size_t>(queued[0])], rows[static_cast<std::size_t>(queued[1])]);
    RunContext context;
    const auto run = std::make_shared<const Run>(rowsOfRun(*first.run, rows, context));
    const auto second = analyse({makePart("swapped", run, first.dataset, context)}, nullptr,
                                std::nullopt, {}, context);
    QVERIFY(second.has_value());
    session().addAnalysis(*second);
    QTRY_VERIFY(reviewer().analysis() == *second && !page().busy());
    for (int i = 0; i < 10; ++i) {
      QVERIFY(waitUntilPainted());
      const QImage& shown = part<ZoomView>("reviewImage").image();
      const auto bright = static_cast<int>(shownItem() % 64);
      QCOMPARE(qGray(shown.pixel(bright % 8, bright / 8)), 255);
      QTest::keyClick(&page(), Qt::Key_Return);
      QTRY_COMPARE(reviewer().position(), i + 1);
      const auto journal = store()->journal();
      QVERIFY(journal.has_value());
      const Decision& decision = journal->back().decision;
      QCOMPARE(decision.content_hash, sampleHash(*first.dataset->read(decision.item)));
    }
  }

  void twoRunsAreCompared() {
    startReview();
    auto& queues = part<QComboBox>("reviewQueue");
    const int disagreement = queues.findData("disagreement");
    const auto& model = static_cast<const QStandardItemModel&>(*queues.model());
    QVERIFY(!model.item(disagreement)->isEnabled());
    Analysis second = *session().activeAnalysis();
    second.name = "second";
    session().addAnalysis(std::make_shared<Analysis>(std::move(second)));
    QTRY_VERIFY(!reviewer().busy());
    QVERIFY(model.item(disagreement)->isEnabled());
    queues.setCurrentIndex(disagreement);
    Q_EMIT queues.activated(disagreement);
    QTRY_COMPARE(QString::fromStdString(reviewer().queue().key), QString("disagreement"));
    QCOMPARE(reviewer().queue().length(), 60);
    QVERIFY(part<QComboBox>("reviewOtherRun").isVisible());
    QCOMPARE(part<QComboBox>("reviewOtherRun").count(), 1);
  }

  void afterARestartTheReviewGoesOn() {
    startReview();
    for (int i = 0; i < 3; ++i) {
      QVERIFY(waitUntilPainted());
      QTest::keyClick(&page(), Qt::Key_Return);
      QTRY_COMPARE(reviewer().position(), i + 1);
    }
    openReviewPage();
    startReview();
    QCOMPARE(reviewer().file().labels().size(), std::size_t{3});
    QCOMPARE(reviewer().queue().length(), 57);
    QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(reviewer().file().labels().size(), std::size_t{2});
    // The item whose decision was taken back is shown, although it is not in the queue.
    QVERIFY(reviewer().label() == nullptr);
    QVERIFY(reviewer().row() != reviewer().queue().rows[0]);
    QVERIFY(waitUntilPainted());
    QTest::keyClick(&page(), Qt::Key_Return);
    QTRY_COMPARE(reviewer().file().labels().size(), std::size_t{3});
    QTRY_COMPARE(reviewer().row().value(), reviewer().queue().rows[0]);
  }

 private:
  std::int64_t shownItem() { return reviewer().itemAt(reviewer().position()); }
  std::int64_t suggestionFor(std::int64_t item) {
    return session().activeAnalysis()->in().run->predictions.data()[item];
  }
  void startReview() {
    if (!session().activeAnalysis()) {
      showSample();
    }
    QTest::mouseClick(&part<QPushButton>("reviewStart"), Qt::LeftButton);
    QTRY_VERIFY(reviewer().active() && !reviewer().busy() && reviewer().position() == 0);
  }
  bool waitUntilPainted() {
    return QTest::qWaitFor([this] {
      return !page().busy() && !part<ZoomView>("reviewImage").image().isNull() &&
             reviewer().takesDecisions();
    });
  }
  std::optional<PresentLabel> storedLabel(std::int64_t item) {
    return store()->label(item).value();
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::ReviewPageTest)
#include "review_page_test.moc"
