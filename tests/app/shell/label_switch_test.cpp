// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/label_switch.h"

#include <QDir>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

#include "app/files/save_run.h"
#include "app/review/labels/label_choice.h"
#include "app/review/review_page.h"
#include "app/shell/page_stack.h"
#include "app/words/words.h"
#include "app/workspace/workspace_save.h"
#include "core/io/run_file.h"
#include "core/labels/label_store.h"
#include "tests/app/support/test_window.h"
#include "tests/support/gui_test.h"
#include "widgets/card.h"
#include "widgets/confusion_matrix.h"
#include "widgets/curve_plot.h"
#include "widgets/histogram_plot.h"
#include "widgets/metric_table.h"

namespace dubito::test {

/// Results with reviewed labels in place of the given ones.
class LabelSwitchTest : public QObject, private TestWindow {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    openFolder();
    settings_->setValue(QStringLiteral("review/folder"),
                        QString::fromStdString(dir_->file("labels")));
    QVERIFY(QDir(QString::fromStdString(dir_->path())).mkdir(QStringLiteral("labels")));
    openWindow();
  }
  void cleanup() { closeAll(); }

  void withoutADecisionThereIsNoSwitch() {
    QVERIFY(!labelSwitch().isVisible());
    showSample();
    settle();
    QVERIFY(!labelSwitch().isVisible());
    store();  // created, but empty
    labels().refresh();
    settle();
    QVERIFY(!labelSwitch().isVisible());
  }

  void everyFigureFollowsTheLabelsAndComesBackExactly() {
    showSample();
    const Evaluation before = shown().evaluation;
    const std::vector<std::int64_t> matrix = confusion();
    const QString table = part<MetricTable>("metricTable").csv();
    const QString line = part<Card>("confidenceHistogramCard").subtitle();
    const std::int64_t wrong = firstMistake();
    const std::int64_t label = givenRun().labels.data()[wrong];
    const std::int64_t predicted = givenRun().predictions.data()[wrong];
    decide(wrong, predicted);
    labels().refresh();
    QTRY_VERIFY(labelSwitch().isVisible());
    QCOMPARE(reviewedButton().text(), QStringLiteral("reviewed (1 changed)"));
    QVERIFY(givenButton().isChecked());
    QCOMPARE(shown().evaluation.accuracy, before.accuracy);

    reviewedButton().click();
    settle();
    QVERIFY(reviewedButton().isChecked());
    QCOMPARE(*shown().evaluation.accuracy, *before.accuracy + 1.0 / 60.0);
    QVERIFY(part<MetricTable>("metricTable").csv() != table);
    std::vector<std::int64_t> expected = matrix;
    expected[static_cast<std::size_t>(label * 3 + predicted)] -= 1;
    expected[static_cast<std::size_t>(predicted * 3 + predicted)] += 1;
    QCOMPARE(confusion(), expected);
    QVERIFY(givenRun().labels.data()[wrong] == label);  // a run never changes

    givenButton().click();
    settle();
    QCOMPARE(shown().evaluation.accuracy, before.accuracy);
    QCOMPARE(shown().evaluation.ece, before.ece);
    QCOMPARE(confusion(), matrix);
    QCOMPARE(part<MetricTable>("metricTable").csv(), table);
    QCOMPARE(part<Card>("confidenceHistogramCard").subtitle(), line);
  }

  void captionsAndExportsNameTheLabels() {
    showSample();
    offerReviewed();  // the row of the switch takes room from the plots
    settle();
    const QString before = exported<HistogramPlot>("confidenceHistogram", "csv");
    const QString svg_before = exported<CurvePlot>("rocPlot", "svg");
    reviewedButton().click();
    settle();
    const QString text = QStringLiteral("reviewed labels (%1, 1 of 60 changed)").arg(fileName());
    QCOMPARE(labelsOfShown(), text);
    for (const char* const card :
         {"confidenceHistogramCard", "reliabilityPlotCard", "rocPlotCard", "metricTableCard",
          "overviewGalleryCard", "confusionCard", "imagesCard", "compareRocCard"}) {
      const QString subtitle = part<Card>(card).subtitle();
      QVERIFY2(subtitle.startsWith("reviewed labels · "), qPrintable(card + (": " + subtitle)));
      QVERIFY2(subtitle.contains("1 of 60 changed"), qPrintable(subtitle));
    }
    const QStringList csv = exported<HistogramPlot>("confidenceHistogram", "csv").split('\n');
    QVERIFY(csv[0].endsWith(",label_source"));
    QVERIFY(csv[1].contains(text));
    QVERIFY(exported<CurvePlot>("rocPlot", "svg").contains("changed"));
    QVERIFY(QString::fromStdString(metricsCsv(shown().evaluation)).contains(text));
    const ReportInput report = window_->reportInput();
    QVERIFY(!report.figures.empty());
    for (const ReportFigure& figure : report.figures) {
      QVERIFY2(figure.caption.contains(text), qPrintable(figure.caption));
    }
    givenButton().click();
    settle();
    QCOMPARE(exported<HistogramPlot>("confidenceHistogram", "csv"), before);
    QCOMPARE(exported<CurvePlot>("rocPlot", "svg"), svg_before);
  }

  void aSavedRunSaysWhichLabelsItHas() {
    showSample();
    showReviewed();
    RunContext context;
    const std::string path = dir_->file("saved.npz");
    QVERIFY(saveRun(shown(), path, context).has_value());
    const auto read = readRun(path, context);
    QVERIFY(read.has_value());
    QVERIFY(read->meta.reviewed_labels.has_value());
    QCOMPARE(read->meta.reviewed_labels->changed, 1);
    // The workspace keeps the runs themselves.
    const WorkspaceDraft draft = draftOf(session(), {});
    QVERIFY(!draft.runs.front().parts.front().run->meta.reviewed_labels);
    QVERIFY(session().isUnsaved(shown()));
  }

  void aNewDecisionIsSeenAfterChangingPages() {
    showSample();
    showReviewed();
    const double before = *shown().evaluation.accuracy;
    window_->showPage(PageId::kReview);
    QVERIFY(!labelSwitch().isVisible());
    const std::int64_t wrong = firstMistake();
    QVERIFY(wrong >= 0);
    decide(wrong, givenRun().predictions.data()[wrong]);
    settle();
    QCOMPARE(*shown().evaluation.accuracy, before);
    window_->showPage(PageId::kOverview);
    settle();
    QVERIFY(labelSwitch().isVisible());
    QCOMPARE(reviewedButton().text(), QStringLiteral("reviewed (2 changed)"));
    QCOMPARE(*shown().evaluation.accuracy, before + 1.0 / 60.0);
  }

  void aReviewInProgressGoesOnWithTheGivenLabels() {
    showSample();
    const std::int64_t wrong = firstMistake();
    decide(wrong, givenRun().predictions.data()[wrong]);
    window_->showPage(PageId::kReview);
    QTest::mouseClick(&part<QPushButton>("reviewStart"), Qt::LeftButton);
    QTRY_VERIFY(reviewer().active() && !reviewer().busy() && reviewer().position() == 0);
    reviewer().move(3);
    const std::vector<std::int64_t> queue = reviewer().queue().ids;
    window_->showPage(PageId::kOverview);
    QTRY_VERIFY(labelSwitch().isVisible());
    reviewedButton().click();
    settle();
    QVERIFY(!labelsOfShown().isEmpty());
    QVERIFY(reviewer().active());
    QVERIFY(labelsText(*reviewer().analysis()).isEmpty());
    QCOMPARE(reviewer().queue().ids, queue);
    QCOMPARE(reviewer().position(), 3);
  }

  void runsOnTheSameItemsAllHaveThem() {
    session().addAnalysis(sampleAnalysisWithoutDraws());
    showSample();
    showReviewed();
    for (const AnalysisPtr& analysis : session().analyses()) {
      QVERIFY(analysis->in().run->meta.reviewed_labels.has_value());
      QVERIFY(!analysis->parts.back().run->meta.reviewed_labels || analysis->parts.size() == 1);
    }
    // A run that is added later gets them too.
    session().addAnalysis(sampleAnalysisWithoutDraws());
    QTRY_VERIFY(session().activeAnalysis()->given != nullptr);
    session().removeAnalysis(2);
    session().reopenClosed();
    QTRY_VERIFY(session().activeAnalysis()->given != nullptr);
  }

  void withoutDecisionsLeftTheGivenLabelsAreShownAgain() {
    showSample();
    showReviewed();
    QSignalSpy failed(&labels(), &LabelChoice::failed);
    QVERIFY(store()->undo("anna").has_value());
    labels().refresh();
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(failed[0][0].toString().contains("contains no decisions yet"));
    QVERIFY(failed[0][0].toString().contains("The given labels are shown"));
    settle();
    QVERIFY(labelsOfShown().isEmpty());
    QVERIFY(!labelSwitch().isVisible());
  }

 private:
  LabelChoice& labels() { return window_->labelChoice(); }
  LabelSwitch& labelSwitch() { return part<LabelSwitch>("labelSwitch"); }
  QToolButton& givenButton() { return part<QToolButton>("labelsGiven"); }
  QToolButton& reviewedButton() { return part<QToolButton>("labelsReviewed"); }
  Reviewer& reviewer() { return window_->pages().review().reviewer(); }
  const Analysis& shown() { return *session().activeAnalysis(); }
  QString labelsOfShown() { return labelsText(shown()); }
  const Run& givenRun() { return *givenOf(session().activeAnalysis())->in().run; }
  std::vector<std::int64_t> confusion() {
    const auto values = part<ConfusionMatrix>("confusionMatrix").value().counts.values();
    return {values.begin(), values.end()};
  }
  /// The first row that is wrong by the labels shown; its id is the row number.
  std::int64_t firstMistake() {
    const Run& run = *shown().in().run;
    for (std::int64_t row = 0; row < run.itemCount(); ++row) {
      if (run.labels.data()[row] >= 0 && run.labels.data()[row] != run.predictions.data()[row]) {
        return row;
      }
    }
    return -1;
  }
  QString place() { return reviewer().placeOf(*shown().in().dataset); }
  QString fileName() { return QFileInfo(place()).fileName(); }
  std::unique_ptr<LabelStore> store() {
    auto opened = LabelStore::open(place().toStdString(), StoreMode::kOpenOrCreate);
    return opened ? std::move(*opened) : nullptr;
  }
  /// Another program decides.
  void decide(std::int64_t item, std::int64_t class_id) {
    const auto opened = store();
    QVERIFY(opened != nullptr);
    QVERIFY(opened
                ->belongTo({.name = "insects", .spec = {}, .fingerprint = {}},
                           std::vector<std::string>{"ant", "bee", "cat"})
                .has_value());
    const Decision decision{
        .item = item, .action = LabelAction::kCorrect, .class_id = class_id, .annotator = "anna"};
    QVERIFY(opened->decide(std::span(&decision, 1)).has_value());
  }
  /// One decision that makes a mistake right.
  void offerReviewed() {
    const std::int64_t wrong = firstMistake();
    decide(wrong, givenRun().predictions.data()[wrong]);
    labels().refresh();
    QTRY_VERIFY(labelSwitch().isVisible());
  }
  void showReviewed() {
    offerReviewed();
    reviewedButton().click();
    settle();
  }
  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(window_->settled() && session().listing().items() != nullptr,
                             kPatience);
  }
  template <class Plot>
  QString exported(const char* name, const char* suffix) {
    const QString path = QString::fromStdString(dir_->file(std::string(name) + '.' + suffix));
    if (!part<Plot>(name).saveAs(path)) {
      return {};
    }
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::LabelSwitchTest)
#include "label_switch_test.moc"
