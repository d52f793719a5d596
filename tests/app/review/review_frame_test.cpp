// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTabBar>
#include <QTreeWidget>

#include "app/review/review_mode.h"
#include "app/review/review_notice.h"
#include "app/shell/window_memory.h"
#include "tests/app/support/review_window.h"
#include "tests/support/gui_test.h"
#include "widgets/image_gallery.h"
#include "widgets/zoom_view.h"

namespace dubito::test {

/// The frame of the page: the list of orders, where a queue ends, the way back from it, what was
/// undone, and the room for all that.
class ReviewFrameTest : public QObject, private ReviewWindow {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    openReviewFolder();
    openReviewPage();
    showSample();
    QTest::mouseClick(&part<QPushButton>("reviewStart"), Qt::LeftButton);
    QTRY_VERIFY(reviewer().active() && !reviewer().busy() && reviewer().position() == 0);
  }
  void cleanup() { closeAll(); }

  void everyOrderStandsUnderItsHeading() {
    const auto& queues = part<QComboBox>("reviewQueue");
    const auto& model = static_cast<const QStandardItemModel&>(*queues.model());
    QStringList headings;
    std::size_t listed = 0;
    for (int i = 0; i < queues.count(); ++i) {
      const auto id = queueOfKey(queues.itemData(i).toString().toStdString());
      if (!id) {
        headings << queues.itemText(i);
        QVERIFY(!(model.item(i)->flags() & (Qt::ItemIsSelectable | Qt::ItemIsEnabled)));
        continue;
      }
      QVERIFY(!headings.isEmpty());
      QCOMPARE(headings.back(), QString(nameOf(describe(*id).group)));
      ++listed;
    }
    QStringList all;
    for (const QueueGroup group : allQueueGroups()) {
      all << nameOf(group);
    }
    QCOMPARE(headings, all);
    QCOMPARE(listed, allQueueKinds().size());
  }

  void theKeyboardPassesOverHeadings() {
    auto& queues = part<QComboBox>("reviewQueue");
    // The last one of the first group.
    int last = 1;
    while (queueOfKey(queues.itemData(last + 1).toString().toStdString())) {
      ++last;
    }
    queues.setCurrentIndex(last);
    QTest::keyClick(&queues, Qt::Key_Down);
    QCOMPARE(queues.currentIndex(), last + 2);
    const std::string key = queues.itemData(last + 2).toString().toStdString();
    QTRY_COMPARE(reviewer().queue().key, key);
    QVERIFY(queues.toolTip().startsWith(QString::fromStdString(reviewer().queue().why)));
  }

  void theEndOfWhatAnOrderIsAboutIsSaidOnce() {
    reviewer().reviewQueue().choose("label-margin");
    QTRY_VERIFY(!reviewer().busy());
    const std::int64_t contradicted = reviewer().queue().first_part.value();
    QVERIFY(contradicted > 0 && contradicted < reviewer().queue().length());
    for (std::int64_t i = 0; i < contradicted; ++i) {
      QVERIFY(!end().isVisible());
      decide(i == 0 ? Qt::Key_S : Qt::Key_Return);  // what is skipped is passed, too
    }
    QVERIFY(end().isVisible());
    QVERIFY2(end().text().contains(QString("contradicted labels (%1)").arg(contradicted)),
             qPrintable(end().text()));
    for (const char* const next : {"grid", "automatic", "results", "export"}) {
      QVERIFY2(part<QPushButton>(qPrintable(QString("reviewEnd-%1").arg(next))).isVisible(), next);
    }
    QCOMPARE(reviewer().position(), contradicted);
    decide(Qt::Key_Return);  // it holds nothing up
    QTest::keyClick(&page(), Qt::Key_Escape);
    QVERIFY(!end().isVisible());
    decide(Qt::Key_Return);
    QVERIFY(!end().isVisible());
    // In another queue it is said again.
    QTest::mouseClick(&part<QPushButton>("reviewUndo"), Qt::LeftButton);
    QTRY_COMPARE(reviewer().progress().passedCount(), contradicted + 1);
    QVERIFY(!end().isVisible());
    reviewer().reviewQueue().refresh();
    QTRY_VERIFY(!reviewer().busy() && reviewer().queue().first_part == 1);  // the skipped one
    QVERIFY(!end().isVisible());
  }

  void atTheEndWhatWasSkippedIsOffered() {
    reviewer().reviewQueue().choose("random", 3);
    QTRY_COMPARE(reviewer().queue().length(), 3);
    QTRY_VERIFY(!reviewer().busy());
    const std::int64_t skipped = reviewer().itemAt(1);
    decide(Qt::Key_Return);
    decide(Qt::Key_S);
    QVERIFY(!end().isVisible());
    QCOMPARE(part<QProgressBar>("reviewProgress").maximum(), 3);
    QVERIFY(progressText().contains("1 of 3 decided"));
    QVERIFY(progressText().contains("1 skipped"));
    decide(Qt::Key_Return);
    QVERIFY(end().isVisible());
    QVERIFY2(end().text().endsWith("2 decided, 1 skipped."), qPrintable(end().text()));
    part<QPushButton>("reviewEnd-putOff").click();
    QVERIFY(!end().isVisible());
    QCOMPARE(reviewer().itemAt(reviewer().position()), skipped);
    // It is no decision: the suggestion is still there.
    const QString text = part<QLabel>("reviewSuggestion").text();
    QVERIFY2(text.startsWith("You have skipped this image. Labelled"), qPrintable(text));
    decide(Qt::Key_Return);
    QVERIFY(end().isVisible());
    QVERIFY2(end().text().endsWith("3 decided."), qPrintable(end().text()));
    QVERIFY(progressText().contains("3 of 3 decided"));
  }

  void aQueueThatAnotherViewAskedForLeadsBack() {
    auto& back = part<QPushButton>("reviewBack");
    QVERIFY(!back.isVisible());
    page().showMode(QStringLiteral("automatic"));
    ReviewMode* const automatic = modeOf("reviewAutomaticRows");
    reviewer().reviewQueue().choose("random", 4);
    Q_EMIT automatic->modeRequested(QStringLiteral("single"));
    QTRY_COMPARE(reviewer().queue().length(), 4);
    QTRY_VERIFY(!reviewer().busy());
    QVERIFY(back.isVisible());
    QCOMPARE(back.text(), "Back to Automatic");
    for (int i = 0; i < 4; ++i) {
      decide(Qt::Key_Return);
    }
    QVERIFY(progressText().contains("4 of 4 decided"));
    QVERIFY(part<QPushButton>("reviewEnd-back").isVisible());
    part<QPushButton>("reviewEnd-back").click();
    QVERIFY(automatic->isVisible());
    QVERIFY(!back.isVisible());
    page().showMode(QStringLiteral("single"));
    QVERIFY(back.isVisible());  // the queue is still the one that was asked for
    auto& queues = part<QComboBox>("reviewQueue");
    queues.setCurrentIndex(queues.findData("entropy"));
    Q_EMIT queues.activated(queues.currentIndex());
    QVERIFY(!back.isVisible());
    QTRY_COMPARE(reviewer().queue().length(), 56);
  }

  void undoSaysWhatItUndid() {
    const std::int64_t item = reviewer().itemAt(0);
    const auto& history = part<ImageGallery>("reviewHistory");
    decide(Qt::Key_2);
    const QString name = history.item(0).label_predicted;
    QCOMPARE(history.count(), 1);
    QCOMPARE(part<QPushButton>("reviewUndo").text(), "Undo (Ctrl+Z)");
    QCOMPARE(part<QPushButton>("reviewRedo").text(), "Redo (Ctrl+Shift+Z)");
    QTest::mouseClick(&part<QPushButton>("reviewUndo"), Qt::LeftButton);
    QTRY_VERIFY(reviewer().file().labelOf(item) == nullptr);
    const QString image =
        QString::fromStdString(session().activeAnalysis()->in().dataset->itemName(item));
    QVERIFY2(progressText().startsWith(QString("Undone: %1 was “%2”").arg(image, name)),
             qPrintable(progressText()));
    QCOMPARE(history.count(), 0);  // what holds, not what was tried
    QTest::mouseClick(&part<QPushButton>("reviewUndo"), Qt::LeftButton);
    QTRY_VERIFY(progressText().startsWith("Nothing to undo"));
    QTest::mouseClick(&part<QPushButton>("reviewRedo"), Qt::LeftButton);
    QTRY_VERIFY(progressText().startsWith(QString("Redone: %1 is “%2”").arg(image, name)));
    QCOMPARE(history.count(), 1);
    decide(Qt::Key_1);  // the redone image is shown: its newest decision alone is listed
    QCOMPARE(history.count(), 1);
    QVERIFY(!progressText().contains("Redone"));
  }

  void whatIsNotPossibleSaysWhy() {
    auto& only = part<QCheckBox>("reviewOnlySelected");
    QVERIFY(!only.isEnabled());
    QVERIFY2(only.toolTip().startsWith("Nothing is selected"), qPrintable(only.toolTip()));
    session().listing().selectCell({1, 1});
    QTRY_VERIFY(only.isEnabled());
    QVERIFY(only.toolTip().startsWith("Review only"));
    QVERIFY(part<QCheckBox>("reviewAdvance").isVisible());
    page().showMode(QStringLiteral("grid"));
    QVERIFY(!part<QCheckBox>("reviewAdvance").isVisible());
    QVERIFY(only.isVisible());
  }

  void inTheSmallestWindowNothingIsCut() {
    QVERIFY(part<ImageGallery>("reviewHistory").isVisible());
    window_->resize(1000, 640);
    QTRY_COMPARE(window_->size(), QSize(1000, 640));
    QTRY_VERIFY(!part<ImageGallery>("reviewHistory").isVisible());
    const auto& tabs = part<QTabBar>("pageTabs");
    for (int tab = 0; tab < tabs.count(); ++tab) {
      QVERIFY2(tabs.rect().contains(tabs.tabRect(tab)), qPrintable(tabs.tabText(tab)));
    }
    const auto& classes = part<QTreeWidget>("reviewClasses");
    QVERIFY(classes.viewport()->height() >=
            5 * classes.visualItemRect(classes.topLevelItem(0)).height());
    for (const char* const name : {"reviewAdvance", "reviewExport", "reviewFlag", "reviewRedo"}) {
      const auto& widget = part<QWidget>(name);
      const QRect place(widget.mapTo(window_.get(), QPoint(0, 0)), widget.size());
      QVERIFY2(window_->rect().contains(place) && !widget.visibleRegion().isEmpty(), name);
    }
    QVERIFY(!end().isVisible());
    const auto image = [this] { return part<ZoomView>("reviewImage").height(); };
    QTRY_VERIFY2(image() >= 80, qPrintable(QString::number(image())));
    window_->resize(1280, 800);
    QTRY_VERIFY(part<ImageGallery>("reviewHistory").isVisible());
  }

  void noticesLeaveRoomForTheImage() {
    window_->resize(1000, 640);
    QTRY_COMPARE(window_->size(), QSize(1000, 640));
    reviewer().reviewQueue().choose("random", 1);
    QTRY_COMPARE(reviewer().queue().length(), 1);
    QTRY_VERIFY(!reviewer().busy());
    decide(Qt::Key_Return);
    page().setNextFileName(QString::fromStdString(dir_->file("labels.csv")));
    part<QAction>("exportLabels-csv").trigger();
    QTRY_VERIFY(part<ReviewNotice>("reviewExported").isVisible());
    const auto image = [this] { return part<ZoomView>("reviewImage").height(); };
    QTRY_VERIFY2(image() >= 200, qPrintable(QString::number(image())));
    QTest::keyClick(&page(), Qt::Key_Escape);
    QVERIFY(!part<ReviewNotice>("reviewExported").isVisible());
    QVERIFY(end().isVisible());
    QTRY_VERIFY2(image() >= 200, qPrintable(QString::number(image())));
    // One line, which the tooltip completes.
    const auto& text = part<QLabel>("reviewEndText");
    QVERIFY(text.height() < 2 * text.fontMetrics().lineSpacing());
    QCOMPARE(text.toolTip(), end().text());
    QVERIFY2(text.width() >= 200, qPrintable(QString::number(text.width())));
    QVERIFY(part<QPushButton>("reviewEnd-export").isVisible());
    window_->resize(1280, 800);
    QTRY_VERIFY(part<QPushButton>("reviewEnd-results").isVisible());
    QCOMPARE(text.text(), end().text());
  }

  void whatOthersDecideCounts() {
    const std::int64_t item = reviewer().itemAt(3);
    const auto others = LabelStore::open(place(), StoreMode::kOpen);
    QVERIFY(others.has_value());
    const Decision decision{
        .item = item, .action = LabelAction::kCorrect, .class_id = 2, .annotator = "ben"};
    QVERIFY((*others)->decide(std::span(&decision, 1)).has_value());
    QTRY_COMPARE(reviewer().progress().passedCount(), 1);
    QTRY_VERIFY2(progressText().startsWith("1 "), qPrintable(progressText()));
    QVERIFY((*others)->undo("ben").has_value());
    QTRY_COMPARE(reviewer().progress().passedCount(), 0);
  }

  void theFirstWindowFitsOnTheScreenWithItsFrame() {
    const QSize size = initialWindowSize(QSize(1280, 800));
    QVERIFY(size.width() <= 1270 && size.height() <= 760);
    QVERIFY(size.width() >= 1200 && size.height() >= 720);
    QCOMPARE(initialWindowSize(QSize(2560, 1440)), QSize(1440, 900));
  }

 private:
  ReviewNotice& end() { return part<ReviewNotice>("reviewEnd"); }
  QString progressText() { return part<QLabel>("reviewProgressText").text(); }
  ReviewMode* modeOf(const char* name) {
    QWidget* widget = &part<QWidget>(name);
    while (qobject_cast<ReviewMode*>(widget) == nullptr) {
      widget = widget->parentWidget();
    }
    return static_cast<ReviewMode*>(widget);
  }
  /// A decision with a key; returns once it is on the disk.
  void decide(Qt::Key key) {
    QVERIFY(QTest::qWaitFor([this] {
      return !page().busy() && !part<ZoomView>("reviewImage").image().isNull() &&
             reviewer().takesDecisions();
    }));
    const std::int64_t before = reviewer().file().sequence();
    QTest::keyClick(&page(), key);
    QTRY_VERIFY(reviewer().file().sequence() > before && !reviewer().busy());
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::ReviewFrameTest)
#include "review_frame_test.moc"
