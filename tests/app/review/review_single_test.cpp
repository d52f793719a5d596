// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/single/review_single.h"

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <set>

#include "core/network/neighbours/feature_index.h"
#include "tests/app/support/damaged_analysis.h"
#include "tests/app/support/review_window.h"
#include "tests/app/support/workspace_files.h"
#include "tests/support/gui_test.h"
#include "widgets/image_gallery.h"
#include "widgets/zoom_view.h"

namespace dubito::test {

/// What the review of one image at a time shows next to the image.
class ReviewSingleTest : public QObject, private ReviewWindow {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    openReviewFolder();
    openReviewPage();
  }
  void cleanup() { closeAll(); }

  void anImageThatCannotBeReadGetsNoClassButCanBePassed() {
    session().addAnalysis(damagedAnalysis());
    startReview();
    const auto decided = [this] { return reviewer().file().labelOf(DamagedPictures::kUnreadable); };
    reviewer().showItem(DamagedPictures::kUnreadable);
    QVERIFY(waitUntilPainted());
    QVERIFY(part<ZoomView>("reviewImage").image().isNull());
    QVERIFY(!part<QPushButton>("reviewAccept").isEnabled());
    QTest::keyClick(&page(), Qt::Key_Return);
    QTest::keyClick(&page(), Qt::Key_2);
    QVERIFY(reviewSettles());
    QVERIFY(decided() == nullptr);
    QTest::keyClick(&page(), Qt::Key_S);
    QTRY_VERIFY(decided() != nullptr);
    QVERIFY(decided()->action == LabelAction::kSkip);
    reviewer().showItem(DamagedPictures::kUnreadable);
    QVERIFY(waitUntilPainted());
    QTest::keyClick(&page(), Qt::Key_U);
    QTRY_VERIFY(decided()->action == LabelAction::kAmbiguous);
    // The next image is decided as usual.
    QTRY_VERIFY(reviewer().rowOf(DamagedPictures::kUnreadable) != reviewer().row());
    QVERIFY(waitUntilPainted());
    // On a busy machine what was painted may still be the image before.
    QTRY_VERIFY(part<QPushButton>("reviewAccept").isEnabled());
    const std::int64_t next = reviewer().itemAt(reviewer().position());
    QTest::keyClick(&page(), Qt::Key_Return);
    QTRY_VERIFY(reviewer().file().labelOf(next) != nullptr);
  }

  void enterKeepsADecisionThatStands() {
    showSample();
    startReview();
    reviewer().reviewQueue().choose("random", 3);
    QTRY_VERIFY(!reviewer().busy() && reviewer().queue().length() == 3);
    QVERIFY(waitUntilPainted());
    const std::int64_t item = reviewer().itemAt(0);
    const std::int64_t other = (reviewer().suggestion() + 1) % 3;
    const QString name =
        QString::fromStdString(session().activeAnalysis()->in().run->className(other));
    QTest::keyClick(&page(), static_cast<Qt::Key>(Qt::Key_1 + other));
    QTRY_COMPARE(reviewer().position(), 1);
    QTest::keyClick(&page(), Qt::Key_A);
    QVERIFY(waitUntilPainted());
    QCOMPARE(part<QPushButton>("reviewAccept").text(), QString("Keep %1 (Enter)").arg(name));
    QTest::keyClick(&page(), Qt::Key_Return);
    QTRY_COMPARE(reviewer().position(), 1);
    QVERIFY(reviewSettles());
    QCOMPARE(reviewer().file().labelOf(item)->class_id, std::optional(other));
    QCOMPARE(journal().size(), std::size_t{1});
    // The last image stays, and Enter does no more.
    for (int i = 1; i < 3; ++i) {
      QVERIFY(waitUntilPainted());
      const std::int64_t differs = (reviewer().suggestion() + 1) % 3;
      QTest::keyClick(&page(), static_cast<Qt::Key>(Qt::Key_1 + differs));
      QTRY_COMPARE(reviewer().decidedCount(), i + 1);
    }
    QVERIFY(waitUntilPainted());
    for (int i = 0; i < 3; ++i) {
      QTest::keyClick(&page(), Qt::Key_Return);
      deliverEvents();
      QVERIFY(reviewSettles());
    }
    QCOMPARE(reviewer().position(), 2);
    QCOMPARE(journal().size(), std::size_t{3});
    // A class key changes it.
    const std::int64_t last = reviewer().itemAt(2);
    const std::int64_t suggested = reviewer().suggestion();
    QTest::keyClick(&page(), static_cast<Qt::Key>(Qt::Key_1 + suggested));
    QTRY_COMPARE(reviewer().file().labelOf(last)->class_id, std::optional(suggested));
  }

  void whileTheSuggestionIsHiddenEnterSaysWhatToDo() {
    showSample();
    startReview();
    QTest::keyClick(&page(), Qt::Key_H);
    QTest::keyClick(&page(), Qt::Key_Return);
    QCOMPARE(part<QLabel>("reviewSuggestion").text(),
             "The suggestion is hidden; press a class key.");
    QTest::keyClick(&page(), Qt::Key_D);
    QVERIFY(part<QLabel>("reviewSuggestion").text().contains("What is it?"));
  }

  void theProbabilityHasAnIntervalIfTheRunHasDraws() {
    showSample();
    startReview();
    QString text = part<QLabel>("reviewSuggestion").text();
    text.replace(QChar(QChar::Nbsp), u' ');
    const auto match =
        QRegularExpression("([0-9.]+) % sure \\(([0-9.]+) to ([0-9.]+) %\\)").match(text);
    QVERIFY2(match.hasMatch(), qPrintable(text));
    const double prob = match.captured(1).toDouble();
    QVERIFY(match.captured(2).toDouble() < prob && prob < match.captured(3).toDouble());
    const QString tip = part<QLabel>("reviewSuggestion").toolTip();
    QVERIFY2(
        tip.contains(QString("between %1 % and %2 %").arg(match.captured(2), match.captured(3))),
        qPrintable(tip));
    session().addAnalysis(sampleAnalysisWithoutDraws());
    QTRY_VERIFY(part<QPushButton>("reviewStart").isVisible() || reviewer().active());
    startReview();
    QVERIFY(part<QLabel>("reviewSuggestion").text().endsWith("% sure"));
    QVERIFY(part<QLabel>("reviewSuggestion").toolTip().isEmpty());
  }

  void theImageIsShownAsTheNetworkSeesIt() {
    showSample();
    startReview();
    auto& as_network = part<QCheckBox>("reviewAsNetwork");
    QVERIFY(!as_network.isEnabled());  // its network is not open
    openDigits();
    QVERIFY(waitUntilPainted());
    const QImage stored = shownImage();
    QVERIFY(as_network.isEnabled());
    as_network.click();
    QVERIFY(waitUntilPainted());
    const QImage expected =
        picturesOf(session().activeAnalysis(), Picture::kNetwork).decode(*reviewer().row());
    QCOMPARE(shownImage(), expected);
    QTest::keyClick(&page(), Qt::Key_D);
    QVERIFY(waitUntilPainted());
    QCOMPARE(shownImage(),
             picturesOf(session().activeAnalysis(), Picture::kNetwork).decode(*reviewer().row()));
    QTest::keyClick(&page(), Qt::Key_A);
    as_network.click();
    QVERIFY(waitUntilPainted());
    QCOMPARE(shownImage(), stored);
  }

  void similarDecidedImagesAreShown() {
    openDigits();
    auto& similar = part<ImageGallery>("reviewSimilar");
    QTRY_VERIFY(!page().busy());
    QCOMPARE(similar.count(), 0);
    std::set<std::int64_t> decided;
    for (int i = 0; i < 7; ++i) {
      QVERIFY(waitUntilPainted());
      if (i != 3) {  // which has no class
        decided.insert(*reviewer().row());
      }
      QTest::keyClick(&page(), i == 3 ? Qt::Key_U : Qt::Key_Return);
      QTRY_COMPARE(reviewer().decidedCount(), i + 1);
    }
    QTRY_COMPARE(similar.count(), 5);
    // The five nearest of the decided ones.
    const AnalysisPtr& analysis = reviewer().analysis();
    RunContext context;
    const auto index = FeatureIndex::of(analysis->model, analysis->in().dataset, {}, context);
    QVERIFY(index.has_value());
    const auto all =
        (*index)->nearest(*analysis->in().dataset, *reviewer().row(), 100, context).value();
    std::vector<qint64> expected;
    for (const Neighbour& neighbour : all) {
      const auto row = reviewer().rowOf(neighbour.id);
      if (decided.contains(*row) && expected.size() < 5) {
        expected.push_back(*row);
      }
    }
    QTRY_VERIFY(!page().busy());  // until now, those of the image before may be shown
    std::vector<qint64> shown;
    for (qint64 i = 0; i < 5; ++i) {
      shown.push_back(similar.item(i).key);
    }
    QCOMPARE(shown, expected);
    QVERIFY(part<QLabel>("reviewSimilarText").text().startsWith("Similar, already decided"));

    // Hidden with the suggestion, because they hint at it.
    QTest::keyClick(&page(), Qt::Key_H);
    QCOMPARE(similar.count(), 0);
    QTest::keyClick(&page(), Qt::Key_H);
    QTRY_COMPARE(similar.count(), 5);
    QTest::mouseClick(similar.viewport(), Qt::LeftButton, {}, similar.itemRect(2).center());
    QCOMPARE(*reviewer().row(), expected[2]);
  }

 private:
  QImage shownImage() { return part<ZoomView>("reviewImage").image(); }

  void startReview() {
    QTRY_VERIFY(session().listing().items() != nullptr);
    if (!reviewer().active()) {
      QTest::mouseClick(&part<QPushButton>("reviewStart"), Qt::LeftButton);
    }
    QTRY_VERIFY(reviewer().active() && !reviewer().busy() && reviewer().position() == 0);
  }
  void openDigits() {
    const WorkspaceFiles files(dir_->file("tree"));
    files.fill(session());
    startReview();
  }
  bool waitUntilPainted() {
    return QTest::qWaitFor([this] { return !page().busy() && reviewer().takesDecisions(); });
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::ReviewSingleTest)
#include "review_single_test.moc"
