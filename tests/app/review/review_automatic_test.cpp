// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/automatic/review_automatic.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSpinBox>
#include <algorithm>
#include <cmath>
#include <set>

#include "core/io/run_needs.h"
#include "tests/app/support/review_runs.h"
#include "tests/app/support/review_window.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/plot_fixture.h"
#include "widgets/card.h"
#include "widgets/curve_plot.h"
#include "widgets/key_value_list.h"
#include "widgets/number_text.h"
#include "widgets/value_slider.h"
#include "widgets/zoom_view.h"

namespace dubito::test {

/// Labels of the network, with a guarantee, and their audit.
class ReviewAutomaticTest : public QObject, private ReviewWindow {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    openReviewFolder();
    openReviewPage();
  }
  void cleanup() { closeAll(); }

  void aRunOverOtherImagesWithTheRoleCalibrationIsTakenFirst() {
    session().addAnalysis(reviewRun({.name = "other", .seed = 3}));
    session().addAnalysis(reviewRun({.name = "calibration", .seed = 2, .role = "calibration"}));
    start();
    QVERIFY(!labeller().usesReviewed());
    QCOMPARE(labeller().sources()[0].analysis->in().name, std::string("calibration"));
    QCOMPARE(labeller().sources()[1].analysis->in().name, std::string("other"));
    QCOMPARE(labeller().source(), std::size_t{0});
    QCOMPARE(labeller().calibrationCount(), 1500);
    QCOMPARE(part<QComboBox>("reviewSource").count(), 3);
  }

  void aRunThatDoesNotFitSaysWhy() {
    session().addAnalysis(reviewRun({.name = "unlabelled", .seed = 3, .labelled = false}));
    session().addAnalysis(reviewRun({.name = "method", .seed = 4, .method = "temperature"}));
    session().addAnalysis(reviewRun({.name = "copy", .seed = 1}));
    start();
    QVERIFY(labeller().usesReviewed());
    const auto obstacle = [this](const std::string& name) {
      const auto& sources = labeller().sources();
      return std::ranges::find_if(sources,
                                  [&](const CalibrationSource& source) {
                                    return source.analysis && source.analysis->in().name == name;
                                  })
          ->obstacle;
    };
    QVERIFY(obstacle("unlabelled").contains("no labels"));
    QVERIFY(obstacle("method").contains("another method"));
    QVERIFY2(obstacle("copy").contains("the same images: 1500 of 1500"),
             qPrintable(obstacle("copy")));
    QVERIFY(part<QLabel>("reviewSourceNote").text().startsWith("3 open runs"));
  }

  void theNumbersAreThoseOfTheCoreAndFollowTheTarget() {
    startWithCalibration();
    for (const double target : {95.0, 90.0, 97.0}) {
      Q_EMIT part<ValueSlider>("reviewTarget").moved(target);
      QTRY_VERIFY(!labeller().busy());
      const Autolabel expected = planned(target / 100.0);
      QVERIFY(expected.selection.threshold.has_value());
      QCOMPARE(labeller().preview()->plan.rows, expected.rows);
      QCOMPARE(labeller().preview()->plan.queued, expected.queued);
      QVERIFY(part<QPushButton>("reviewAutomaticLabel")
                  .text()
                  .contains(countText(expected.labelled())));
      QVERIFY(number("labelled automatically").startsWith(countText(expected.labelled())));
      QCOMPARE(number("wrong labels, at most"),
               countText(static_cast<std::int64_t>(expected.expectedErrors())));
      const auto marker = part<CurvePlot>("reviewRetained").marker();
      QVERIFY(marker.has_value());
      QCOMPARE(marker->x(), static_cast<double>(expected.selection.selected) / 1500.0);
    }
    QCOMPARE(reviewer().file().labels().size(), std::size_t{0});  // nothing is written yet
  }

  void theLineOfTheCurveMovesTheTargetAndEverythingFollows() {
    startWithCalibration();
    auto& curve = part<CurvePlot>("reviewRetained");
    auto& slider = part<ValueSlider>("reviewTarget");
    QCOMPARE(curve.curves().level->y, 0.99);
    QCOMPARE(slider.value(), 99.0);
    QCustomPlot& plot = innerPlot(curve);
    plot.replot(QCustomPlot::rpImmediateRefresh);
    const Interval axis = *curve.curves().y_range;
    QSignalSpy moved(&curve, &CurvePlot::levelMoved);
    drag(plot, pixelOf(plot, 0.3, 0.99), pixelOf(plot, 0.3, 0.95));
    QVERIFY(moved.count() >= 4);  // on the way, too
    const double target = labeller().target();
    // To a pixel: the axis is about 200 pixels high.
    QVERIFY2(std::abs(target - 0.95) < 0.01, qPrintable(QString::number(target)));
    QCOMPARE(slider.value(), 100.0 * target);
    QCOMPARE(labeller().target(), target);
    QCOMPARE(automatic().auditor().options().target, target);
    QTRY_VERIFY(!labeller().busy());
    checkFigures(target);
    QCOMPARE(curve.curves().level->y, target);
    QCOMPARE(curve.curves().y_range->low, axis.low);  // the axis stays while the line moves
    QCOMPARE(curve.curves().y_range->high, axis.high);
    // The ring moves it as well, and does not make it jump.
    plot.replot(QCustomPlot::rpImmediateRefresh);
    const QPoint ring = pixelOf(plot, curve.marker()->x(), curve.marker()->y());
    QTest::mousePress(&plot, Qt::LeftButton, {}, ring);
    QTest::mouseRelease(&plot, Qt::LeftButton, {}, ring);
    QVERIFY(std::abs(labeller().target() - target) < 0.0011);
    drag(plot, ring, ring + pixelOf(plot, 0.0, 0.9) - pixelOf(plot, 0.0, target));
    QVERIFY(std::abs(labeller().target() - 0.9) < 0.01);
    QTRY_VERIFY(!labeller().busy());
    checkFigures(labeller().target());
    // No further than can be guaranteed.
    drag(plot, pixelOf(plot, 0.3, curve.curves().level->y), pixelOf(plot, 0.3, 0.2));
    QCOMPARE(slider.value(), 80.0);
    // And the slider moves the line.
    Q_EMIT slider.moved(97.0);
    QTRY_VERIFY(!labeller().busy());
    QCOMPARE(curve.curves().level->y, 0.97);
  }

  void theWindowHasTheWordsOfAnAnnotator() {
    startWithCalibration();
    Q_EMIT part<ValueSlider>("reviewTarget").settled(95.0);
    QTRY_VERIFY(!labeller().busy());
    const auto& measure = part<QComboBox>("reviewMeasure");
    QCOMPARE(measure.currentText(), QStringLiteral("its doubt between all classes"));
    QVERIFY(measure.currentData(Qt::ToolTipRole).toString().startsWith("entropy: "));
    const QRegularExpression terms(
        QStringLiteral("entrop|calibrat|\\bring\\b|delta|δ|\\bbound|threshold|kappa|ECE"));
    for (const QLabel* const label : automatic().findChildren<QLabel*>()) {
      // The names of runs are those of the user.
      QVERIFY2(!label->isVisible() || !label->text().contains(terms), qPrintable(label->text()));
    }
    QVERIFY(!part<Card>("reviewRetainedCard").subtitle().contains(terms));
    for (int i = 0; i < measure.count(); ++i) {
      QVERIFY2(!measure.itemText(i).contains(terms), qPrintable(measure.itemText(i)));
    }
  }

  void whatCannotBeGuaranteedIsSaidInOneSentence() {
    startWithCalibration();
    Q_EMIT part<ValueSlider>("reviewTarget").settled(99.9);
    QTRY_VERIFY(!labeller().busy());
    QVERIFY(!labeller().preview()->plan.selection.threshold);
    QVERIFY(!part<QPushButton>("reviewAutomaticLabel").isEnabled());
    QVERIFY(part<QLabel>("reviewAutomaticObstacle").text().contains("cannot be guaranteed"));
    QVERIFY(!part<CurvePlot>("reviewRetained").marker());
  }

  void theLabelsAreOneStepThatUndoTakesBack() {
    startWithCalibration();
    Q_EMIT part<ValueSlider>("reviewTarget").settled(95.0);
    QTRY_VERIFY(!labeller().busy());
    const Autolabel expected = planned(0.95);
    QSignalSpy noticed(&page(), &ReviewPage::noticed);
    part<QPushButton>("reviewAutomaticLabel").click();
    QTRY_VERIFY(settled());
    QCOMPARE(noticed.count(), 1);
    const auto labels = reviewer().file().labels();
    QCOMPARE(labels.size(), expected.rows.size());
    const Run& run = *session().activeAnalysis()->in().run;
    for (const auto& [item, label] : labels) {
      QVERIFY(label.origin == LabelOrigin::kModel);
      QCOMPARE(*label.class_id, run.predictions.data()[item]);
    }
    // The queue leaves them out, and a second press has nothing to do.
    QTRY_COMPARE(reviewer().queue().length(), 1500 - expected.labelled());
    for (const std::int64_t id : reviewer().queue().ids) {
      QVERIFY(!labels.contains(id));
    }
    QTRY_COMPARE(labeller().preview()->fresh, 0);
    QVERIFY(!part<QPushButton>("reviewAutomaticLabel").isEnabled());
    QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY(reviewer().file().labels().empty());
    QTRY_COMPARE(reviewer().queue().length(), 1500);
    QTRY_COMPARE(labeller().preview()->fresh, expected.labelled());
  }

  void theNoteAboutUndoEndsWithTheNextDecision() {
    startWithCalibration();
    Q_EMIT part<ValueSlider>("reviewTarget").settled(95.0);
    QTRY_VERIFY(!labeller().busy());
    part<QPushButton>("reviewAutomaticLabel").click();
    QTRY_VERIFY(settled());
    const auto banner = [this] { return part<QLabel>("errorText").text(); };
    QTRY_VERIFY2(banner().contains("Ctrl+Z takes them all back"), qPrintable(banner()));
    page().showMode(QStringLiteral("single"));
    QTRY_VERIFY(reviewer().takesDecisions());
    reviewer().accept();
    QTRY_VERIFY(!reviewer().busy());
    QTRY_VERIFY2(!banner().contains("Ctrl+Z takes them all back"), qPrintable(banner()));
  }

  void ifTooFewImagesAreLeftItSaysSo() {
    session().addAnalysis(reviewRun({.items = 100}));
    QTRY_VERIFY(session().listing().items() != nullptr);
    open();
    Q_EMIT part<ValueSlider>("reviewTarget").settled(90.0);
    part<QComboBox>("reviewDelta").setCurrentIndex(0);
    Q_EMIT part<QComboBox>("reviewDelta").activated(0);
    QTRY_VERIFY(!labeller().busy());
    QVERIFY(part<QPushButton>("reviewSampleMore").isEnabled());
    decideQueue(30, "entropy");
    page().showMode(QStringLiteral("single"));
    page().showMode(QStringLiteral("automatic"));
    QTRY_VERIFY(settled());
    QTRY_VERIFY2(obstacle().startsWith("Only 70 images are left; 80 are needed."),
                 qPrintable(obstacle()));
    QVERIFY(!part<QPushButton>("reviewSampleMore").isEnabled());
  }

  void theGuaranteeIsOneSentenceAndItsPriceIsKnownBefore() {
    start();
    part<QComboBox>("reviewDelta").setCurrentIndex(0);
    Q_EMIT part<QComboBox>("reviewDelta").activated(0);
    QTRY_VERIFY(!labeller().busy());
    const QString prices = number("to review for 90 / 95 / 99 %");
    QVERIFY2(prices.startsWith("80 / ") && prices.count('/') == 2, qPrintable(prices));
    session().addAnalysis(reviewRun({.name = "calibration", .seed = 2, .role = "calibration"}));
    session().addAnalysis(reviewRun({.name = "own", .seed = 5}));
    QTRY_VERIFY(part<QPushButton>("reviewStart").isVisible());
    open();
    Q_EMIT part<ValueSlider>("reviewTarget").settled(95.0);
    QTRY_VERIFY(!labeller().busy());
    const Autolabel& plan = labeller().preview()->plan;
    QVERIFY(plan.selection.threshold.has_value());
    const auto wrong = static_cast<std::int64_t>(plan.expectedErrors());
    QCOMPARE(part<QLabel>("reviewAutomaticGuarantee").text(),
             QString("At least %1 of these %2 labels will be right; if you did this 10 times, it "
                     "could fail once.")
                 .arg(countText(plan.labelled() - wrong), countText(plan.labelled())));
    QVERIFY(number("to review for 90 / 95 / 99 %").isEmpty());
    QCOMPARE(unit("left for you"), "· they are less certain");
  }

  void aRandomSampleOfReviewedImagesCanTakeThePlaceOfARun() {
    start();
    QVERIFY(labeller().usesReviewed());
    Q_EMIT part<ValueSlider>("reviewTarget").settled(90.0);
    part<QComboBox>("reviewDelta").setCurrentIndex(0);  // 1 of 10
    Q_EMIT part<QComboBox>("reviewDelta").activated(0);
    QTRY_VERIFY(!labeller().busy());
    // The smallest number at which zero errors among half of them bound the rate by 10 %:
    // ln(0.1 / 7) / ln(0.9) = 40.3, so 41 of 80.
    auto& more = part<QPushButton>("reviewSampleMore");
    QCOMPARE(more.text(), QStringLiteral("Review 80 images in random order"));
    more.click();
    QTRY_VERIFY(settled());
    QCOMPARE(reviewer().reviewQueue().key(), std::string("random"));
    QCOMPARE(reviewer().queue().length(), 80);  // as many as the button says
    QCOMPARE(part<QPushButton>("reviewBack").text(), QStringLiteral("Back to Automatic"));
    QVERIFY(part<ZoomView>("reviewImage").isVisible());
    // The images as their labels say, in the order of the queue; another queue does not count.
    decideQueue(79, "random");
    QVERIFY(!obstacle().contains("at random count"));
    decideQueue(1, "entropy");
    page().showMode(QStringLiteral("automatic"));
    QTRY_VERIFY(settled());
    QVERIFY2(obstacle().endsWith("Only images drawn at random count: you decided 1 other."),
             qPrintable(obstacle()));
    page().showMode(QStringLiteral("single"));
    decideQueue(29, "entropy");
    page().showMode(QStringLiteral("automatic"));
    QTRY_VERIFY(settled());
    QCOMPARE(labeller().calibrationCount(), 79);
    QVERIFY2(obstacle().endsWith("Only images drawn at random count: you decided 30 others."),
             qPrintable(obstacle()));
    const QString text = more.text();
    QVERIFY2(text.startsWith("Review ") && text.endsWith(" more images in random order"),
             qPrintable(text));
    decideQueue(400, "random");
    page().showMode(QStringLiteral("single"));
    page().showMode(QStringLiteral("automatic"));
    QTRY_VERIFY(settled());
    QCOMPARE(labeller().calibrationCount(), 479);
    QVERIFY(labeller().preview()->plan.selection.threshold.has_value());
    QCOMPARE(labeller().preview()->plan.decided, 509);
    QVERIFY(!more.isVisible());
  }

  void theScoresOfAnotherProgramTakeThePlaceOfANetwork() {
    const AnalysisPtr truth = reviewRun({});
    session().addAnalysis(programsLabels(*truth, 0));
    QTRY_VERIFY(session().listing().items() != nullptr);
    open();
    QVERIFY(!part<QLabel>("reviewNeedsNetworkText").isVisible());
    // The score of one class tells nothing about the entropy.
    QCOMPARE(part<QComboBox>("reviewMeasure").count(), 1);
    Q_EMIT part<ValueSlider>("reviewTarget").settled(97.0);
    QTRY_VERIFY(settled());
    QVERIFY(!labeller().preview()->plan.selection.threshold.has_value());
    page().showMode(QStringLiteral("single"));
    decideQueue(500, "random", *truth->in().run);
    page().showMode(QStringLiteral("automatic"));
    QTRY_VERIFY(settled());
    QCOMPARE(labeller().calibrationCount(), 500);
    const Autolabel& plan = labeller().preview()->plan;
    QVERIFY(plan.selection.threshold.has_value());
    QVERIFY(plan.labelled() > 0 && plan.labelled() < 1000);
    const std::vector<std::int64_t> rows = plan.rows;
    part<QPushButton>("reviewAutomaticLabel").click();
    QTRY_VERIFY(settled() && reviewer().file().labels().size() > 500);
    std::int64_t wrong = 0;
    for (const std::int64_t row : rows) {
      const PresentLabel* const label = reviewer().file().labelOf(row);
      QVERIFY(label != nullptr && label->origin == LabelOrigin::kModel);
      QCOMPARE(label->class_id.value(), truth->in().run->predictions.data()[row]);
      wrong += label->class_id == truth->in().run->labels.data()[row] ? 0 : 1;
    }
    QVERIFY2(wrong <= 3 * std::ssize(rows) / 100, qPrintable(QString::number(wrong)));
  }

  void labelsAreNoTruthAboutThemselves() {
    session().addAnalysis(programsLabels(*reviewRun({.name = "other", .seed = 2}), 0));
    session().addAnalysis(programsLabels(*reviewRun({}), 0));
    QTRY_VERIFY(session().listing().items() != nullptr);
    open();
    QVERIFY(labeller().usesReviewed());
    QCOMPARE(labeller().sources().size(), std::size_t{2});
    QCOMPARE(labeller().sources()[0].obstacle,
             QStringLiteral("its labels are its own suggestions"));
  }

  void aLabelWithoutAScoreIsSaid() {
    session().addAnalysis(programsLabels(*reviewRun({}), 2));
    QTRY_VERIFY(session().listing().items() != nullptr);
    QTest::mouseClick(&part<QPushButton>("reviewStart"), Qt::LeftButton);
    QTRY_VERIFY(reviewer().active() && !reviewer().busy());
    page().showMode(QStringLiteral("automatic"));
    const auto& text = part<QLabel>("reviewNeedsNetworkText");
    QVERIFY(text.isVisible());
    QVERIFY2(text.text().startsWith("Automatic needs a score of every image, but 2 of the " +
                                    countText(1500) + " labels came without one."),
             qPrintable(text.text()));
  }

  void theAuditIsAQueueOfARandomSampleAndItsVerdictFollowsEveryDecision() {
    startWithCalibration();
    Q_EMIT part<ValueSlider>("reviewTarget").settled(90.0);
    QTRY_VERIFY(settled());
    QVERIFY(!part<QPushButton>("reviewAuditOpen").isEnabled());
    part<QPushButton>("reviewAutomaticLabel").click();
    QTRY_VERIFY(settled());
    part<QSpinBox>("reviewAuditSize").setValue(50);
    QTRY_VERIFY(settled());
    QCOMPARE(part<QPushButton>("reviewAuditOpen").text(),
             QStringLiteral("Check a random sample of 50"));
    part<QPushButton>("reviewAuditOpen").click();
    QTRY_VERIFY(settled());
    QCOMPARE(reviewer().queue().length(), 50);
    QCOMPARE(reviewer().decidedCount(), 0);
    std::vector<std::int64_t> sample;
    for (const AuditedItem& audited : automatic().auditor().audit().sample) {
      sample.push_back(audited.item);
    }
    QCOMPARE(reviewer().queue().ids, sample);
    for (int i = 0; i < 36; ++i) {
      QTRY_VERIFY(reviewer().takesDecisions());
      QCOMPARE(reviewer().position(), i);
      reviewer().accept();
    }
    QTRY_COMPARE(reviewer().decidedCount(), 36);
    // 0.025^(1/36) = 0.9026: the guarantee of 90 % held.
    const Audit& audit = automatic().auditor().audit();
    QCOMPARE(audit.right, 36);
    QVERIFY(audit.verdict == GuaranteeVerdict::kKept);
    QVERIFY(part<QLabel>("reviewWhy").text().contains("The guarantee of 90 % held"));
    reviewer().choose((reviewer().suggestion() + 1) % 3);
    QTRY_COMPARE(audit.wrong, 1);
    QVERIFY(audit.verdict == GuaranteeVerdict::kOpen);
    QVERIFY(part<QLabel>("reviewWhy").text().contains("Not certain yet"));
    QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(automatic().auditor().audit().wrong, 0);
    // The check goes on where it stopped.
    page().showMode(QStringLiteral("automatic"));
    QTRY_VERIFY(settled());
    QCOMPARE(part<QPushButton>("reviewAuditOpen").text(), QStringLiteral("Check 14 more"));
    part<QPushButton>("reviewAuditOpen").click();
    QTRY_VERIFY(settled());
    QCOMPARE(reviewer().position(), 36);
  }

  void aHundredThousandLabelsDoNotFreezeTheWindow() {
    session().addAnalysis(
        reviewRun({.name = "calibration", .items = 3000, .seed = 2, .role = "calibration"}));
    session().addAnalysis(reviewRun({.items = 120'000}));
    QTRY_VERIFY(session().listing().items() != nullptr);
    open();
    Q_EMIT part<ValueSlider>("reviewTarget").settled(90.0);
    QTRY_VERIFY_WITH_TIMEOUT(settled(), kPatience);
    QVERIFY(labeller().preview()->fresh > 100'000);
    // The longest time that the event loop was not served.
    qint64 longest = 0;
    QElapsedTimer since;
    QTimer tick;
    connect(&tick, &QTimer::timeout, this, [&] { longest = std::max(longest, since.restart()); });
    since.start();
    tick.start(1);
    part<QPushButton>("reviewAutomaticLabel").click();
    QTRY_VERIFY_WITH_TIMEOUT(settled() && !reviewer().file().labels().empty(), kPatience);
    tick.stop();
    QVERIFY2(longest < 1500, qPrintable(QString::number(longest)));
    qInfo("longest pause %lld ms", static_cast<long long>(longest));
  }

 private:
  ReviewAutomatic& automatic() { return *window_->findChild<ReviewAutomatic*>(); }
  Autolabeller& labeller() { return automatic().labeller(); }
  bool settled() {
    return !page().busy() && !reviewer().busy() && !automatic().busy() && labeller().preview();
  }
  void start() {
    session().addAnalysis(reviewRun({}));
    QTRY_VERIFY(session().listing().items() != nullptr);
    open();
  }
  void startWithCalibration() {
    session().addAnalysis(reviewRun({.name = "calibration", .seed = 2, .role = "calibration"}));
    start();
  }
  void open() {
    QTest::mouseClick(&part<QPushButton>("reviewStart"), Qt::LeftButton);
    QTRY_VERIFY(reviewer().active() && !reviewer().busy());
    page().showMode(QStringLiteral("automatic"));
    QTRY_VERIFY_WITH_TIMEOUT(settled(), kPatience);
  }
  /// The same, by the core alone.
  Autolabel planned(double target) {
    RunContext context;
    AutolabelOptions options;
    options.selection.target = target;
    return autolabel(*session().activeAnalysis()->in().run,
                     *labeller().sources()[labeller().source()].analysis->in().run, {}, options,
                     context)
        .value();
  }
  QString obstacle() { return part<QLabel>("reviewAutomaticObstacle").text(); }
  /// What is shown is what the core says about this target.
  void checkFigures(double target) {
    const Autolabel expected = planned(target);
    QVERIFY(expected.selection.threshold.has_value());
    QVERIFY(number("labelled automatically").startsWith(countText(expected.labelled())));
    QCOMPARE(number("wrong labels, at most"),
             countText(static_cast<std::int64_t>(expected.expectedErrors())));
    QVERIFY(number("wrong labels to expect").startsWith("about "));
    QVERIFY(number("left for you").startsWith(countText(expected.queued)));
    QVERIFY(!number("time for these").isEmpty());
    QCOMPARE(part<CurvePlot>("reviewRetained").marker()->x(),
             static_cast<double>(expected.selection.selected) / 1500.0);
  }
  QString number(const QString& name) {
    for (const KeyValue& value : part<KeyValueList>("reviewAutomaticNumbers").values()) {
      if (value.name == name) {
        return value.value;
      }
    }
    return {};
  }
  QString unit(const QString& name) {
    for (const KeyValue& value : part<KeyValueList>("reviewAutomaticNumbers").values()) {
      if (value.name == name) {
        return value.unit;
      }
    }
    return {};
  }
  /// The predictions of `network` as labels of a program that gives scores to all images but the
  /// first `without`.
  static AnalysisPtr programsLabels(const Analysis& network, std::int64_t without) {
    const Run& run = *network.in().run;
    auto labels = std::make_shared<Run>(withoutPredictions(run));
    labels->meta.method = kLabelsMethod;
    labels->meta.model_name.clear();
    labels->labels = run.predictions;
    labels->predictions = run.predictions;
    labels->confidence =
        Array<double>::fromVector({run.confidence.values().begin(), run.confidence.values().end()});
    std::fill_n(labels->confidence.mutableData(), without, std::nan(""));
    RunContext context;
    return analyse({makePart("labels", labels, network.in().dataset, context)}, nullptr,
                   std::nullopt, {}, context)
        .value();
  }
  void decideQueue(std::int64_t count, const std::string& key) {
    decideQueue(count, key, *session().activeAnalysis()->in().run);
  }
  /// Decides about the first undecided items of a queue as the labels of `run` say, in one step.
  void decideQueue(std::int64_t count, const std::string& key, const Run& run) {
    reviewer().reviewQueue().choose(key);
    QTRY_VERIFY(!reviewer().busy());
    std::vector<Decision> decisions;
    for (const std::int64_t row : reviewer().queue().rows) {
      if (static_cast<std::int64_t>(decisions.size()) == count) {
        break;
      }
      decisions.push_back({.item = run.ids.data()[row],
                           .action = LabelAction::kCorrect,
                           .class_id = run.labels.data()[row],
                           .queue = key});
    }
    reviewer().file().decide(std::move(decisions));
    QTRY_VERIFY(!reviewer().busy());
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::ReviewAutomaticTest)
#include "review_automatic_test.moc"
