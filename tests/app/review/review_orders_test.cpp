// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTimer>
#include <atomic>
#include <memory>
#include <thread>

#include "app/review/review_notice.h"
#include "tests/app/support/review_runs.h"
#include "tests/app/support/review_window.h"
#include "tests/support/gui_test.h"
#include "widgets/zoom_view.h"

namespace dubito::test {

/// Orders that a run does not allow, lists in which nothing is left, and what is said meanwhile.
class ReviewOrdersTest : public QObject, private ReviewWindow {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    openReviewFolder();
    openReviewPage();
  }
  void cleanup() { closeAll(); }

  void imagesWithoutLabelsStartWithThoseTheNetworkIsUnsureAbout() {
    session().addAnalysis(reviewRun({.items = 60}));
    start();
    QCOMPARE(reviewer().reviewQueue().key(), std::string("label-errors"));
    session().addAnalysis(reviewRun({.name = "own", .items = 60, .seed = 2, .labelled = false}));
    QSignalSpy failed(&page(), &ReviewPage::failed);
    start();
    QCOMPARE(failed.count(), 0);
    QCOMPARE(reviewer().queue().length(), 60);
    QCOMPARE(part<QComboBox>("reviewQueue").currentData().toString(), "entropy");
    QCOMPARE(why(),
             "These images have no labels yet: the ones the network is unsure about come first.");
    QTRY_VERIFY(!part<ZoomView>("reviewImage").image().isNull());
    // Images with labels have the usual order again.
    session().addAnalysis(reviewRun({.name = "third", .items = 60, .seed = 3}));
    start();
    QCOMPARE(reviewer().reviewQueue().key(), std::string("label-errors"));
  }

  void anOrderThatTheRunDoesNotAllowIsReplaced() {
    session().addAnalysis(sampleAnalysis());
    start();
    reviewer().reviewQueue().choose("bald");
    QTRY_COMPARE(reviewer().queue().key, std::string("bald"));
    session().addAnalysis(sampleAnalysisWithoutDraws());
    QSignalSpy failed(&page(), &ReviewPage::failed);
    start();
    QCOMPARE(failed.count(), 0);
    QCOMPARE(reviewer().reviewQueue().key(), std::string("label-errors"));
    QCOMPARE(reviewer().queue().length(), 60);
    QVERIFY2(why().startsWith("The order “most to learn first” is not possible with this run, "
                              "because it needs"),
             qPrintable(why()));
    auto& queues = part<QComboBox>("reviewQueue");
    const int bald = queues.findData("bald");
    QVERIFY(!static_cast<const QStandardItemModel&>(*queues.model()).item(bald)->isEnabled());
    QVERIFY(queues.itemData(bald, Qt::ToolTipRole).toString().contains("answered only once"));
  }

  void withoutSuspectedErrorsNoEndIsSaid() {
    session().addAnalysis(sampleAnalysis());
    start();
    QCOMPARE(reviewer().queue().first_part, std::optional<std::int64_t>(0));
    QVERIFY(!part<ReviewNotice>("reviewEnd").isVisible());
    QCOMPARE(why(), "No label is certainly wrong here; the most doubtful come first.");
    page().showMode(QStringLiteral("grid"));
    QVERIFY(!part<ReviewNotice>("reviewEnd").isVisible());
  }

  void afterReopeningItSaysWhatIsDecidedAndShowsIt() {
    session().addAnalysis(reviewRun({.items = 12}));
    start();
    decideAll(12);
    openReviewPage();
    session().addAnalysis(reviewRun({.items = 12}));
    start();
    QCOMPARE(reviewer().queue().length(), 0);
    const QString progress = part<QLabel>("reviewProgressText").text();
    QVERIFY2(progress.startsWith("All 12 images are decided"), qPrintable(progress));
    QCOMPARE(part<ReviewNotice>("reviewEnd").text(), "All 12 images are decided.");
    QVERIFY(!part<QPushButton>("reviewAccept").isVisible());
    QTest::keyClick(&page(), Qt::Key_A);
    QTRY_VERIFY(reviewer().takesDecisions());
    const auto newest = reviewer().row();
    QVERIFY(newest.has_value());
    QVERIFY(part<QPushButton>("reviewAccept").isVisible());
    QVERIFY(part<QLabel>("reviewSuggestion").text().startsWith("Your decision: "));
    QTest::keyClick(&page(), Qt::Key_Left);
    QTRY_VERIFY(reviewer().takesDecisions());
    QVERIFY(reviewer().row().has_value() && reviewer().row() != newest);
    const std::size_t entries = journal().size();
    QTest::keyClick(&page(), Qt::Key_Return);  // nothing is decided anew
    QTRY_COMPARE(reviewer().row(), newest);
    QVERIFY(reviewSettles());
    QCOMPARE(journal().size(), entries);
    QTest::keyClick(&page(), Qt::Key_D);
    QTRY_VERIFY(!reviewer().row().has_value());
  }

  void beforeTheFirstImageComeThoseDecidedEarlier() {
    session().addAnalysis(reviewRun({.items = 12}));
    start();
    decideAll(5);
    reviewer().reviewQueue().refresh();
    QTRY_COMPARE(reviewer().queue().length(), 7);
    QTRY_VERIFY(reviewer().takesDecisions());
    const auto first = reviewer().row();
    QTest::keyClick(&page(), Qt::Key_A);
    QVERIFY(reviewer().row() != first);
    QVERIFY(reviewer().label() != nullptr);
    QTest::keyClick(&page(), Qt::Key_D);
    QCOMPARE(reviewer().row(), first);
  }

  void whileTheNetworkLooksThePageSaysSo() {
    const auto done = std::make_shared<std::atomic<bool>>(false);
    window_->workbench().computer().queue().add(
        {.title = "MAP",
         .target = "net",
         .settings = {},
         .work = [done](RunContext&) -> Expected<AnalysisPtr> {
           while (!*done) {
             std::this_thread::sleep_for(std::chrono::milliseconds(5));
           }
           return cancelled();
         },
         .deliver = [](const Expected<AnalysisPtr>&) {}});
    const auto welcome = [this] { return part<QLabel>("reviewWelcome").text(); };
    QTRY_VERIFY(window_->workbench().computer().queue().running());
    const bool said = QTest::qWaitFor(
        [&] { return welcome().startsWith("The network is looking at the images…"); }, 2000);
    *done = true;
    QVERIFY2(said, qPrintable(welcome()));
    QTRY_VERIFY2(welcome().startsWith("Open the labels"), qPrintable(welcome()));
  }

  void escapeClosesTheNoticeWhereverTheFocusIs() {
    session().addAnalysis(reviewRun({.items = 12}));
    start();
    decideAll(12);
    auto& end = part<ReviewNotice>("reviewEnd");
    QTRY_VERIFY(end.isVisible());
    auto& tabs = part<QWidget>("pageTabs");
    tabs.setFocus();
    QTest::keyClick(&tabs, Qt::Key_Escape);
    QVERIFY(!end.isVisible());
  }

  void whoClosesTheWindowReadsThatTheLabelsAreSaved() {
    session().addAnalysis(reviewRun({.items = 12}));
    start();
    QString question;
    QTimer look;
    connect(&look, &QTimer::timeout, this, [&question] {
      auto* const box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (box != nullptr) {
        question = box->text();
        box->button(QMessageBox::Cancel)->click();
      }
    });
    look.start(20);
    window_->close();
    QCOMPARE(question, "Unsaved runs: 1. Save them with the workspace? Your labels are saved.");
  }

 private:
  QString why() { return part<QLabel>("reviewWhy").text(); }
  void start() {
    QTRY_VERIFY(session().listing().items() != nullptr);
    QTRY_VERIFY(part<QPushButton>("reviewStart").isVisible());
    QTest::mouseClick(&part<QPushButton>("reviewStart"), Qt::LeftButton);
    QTRY_VERIFY(reviewer().active() && !reviewer().busy());
  }
  /// Gives the first images of the run their given label, each in a step of its own.
  void decideAll(std::int64_t count) {
    const Run& run = *session().activeAnalysis()->in().run;
    for (std::int64_t row = 0; row < count; ++row) {
      reviewer().file().decide({{.item = run.ids.data()[row],
                                 .action = LabelAction::kCorrect,
                                 .class_id = run.labels.data()[row]}});
      QTRY_VERIFY(!reviewer().busy());
    }
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::ReviewOrdersTest)
#include "review_orders_test.moc"
