// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/dropout_rate/lab_dropout_rate.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

#include "app/shell/page_stack.h"
#include "tests/app/support/lab_window.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/plot_fixture.h"
#include "widgets/card.h"
#include "widgets/curve_plot.h"
#include "widgets/number_box.h"
#include "widgets/options_form.h"

namespace dubito::test {

/// The laboratory "Dropout rate" in the real window.
class LabDropoutRateTest : public QObject, private LabWindow<LabDropoutRate> {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    openLaboratory(Laboratory::kDropoutRate);
    small();
  }
  void cleanup() { closeAll(); }

  void playsToTheEndWithTheNumbersOfTheCore() {
    finish();
    RunContext context;
    const auto alone = DropoutRateLab::start(runner().options(), 0);
    QVERIFY(alone);
    QVERIFY((*alone)->advance((*alone)->total(), context));
    const DropoutRatePicture expected = (*alone)->picture(context);
    const CurvePlotValue& keeps = part<CurvePlot>("rateKeep").curves();
    QCOMPARE(keeps.curves.size(), expected.trajectories.size());
    const CurvePlotValue& elbos = part<CurvePlot>("rateElbo").curves();
    // The grid by masks, its closed form, and a point per run.
    QCOMPARE(elbos.curves.size(), expected.trajectories.size() + 2);
    for (std::size_t i = 0; i < expected.grid.size(); ++i) {
      const RateGridPoint& point = expected.grid[i];
      QCOMPARE(elbos.curves[0].curve.x[i], point.keep);
      QCOMPARE(elbos.curves[0].curve.y[i], point.estimate);
      QCOMPARE(elbos.curves[0].intervals[i].high, point.estimate + 2.0 * point.standard_error);
      QCOMPARE(elbos.curves[1].curve.y[i], point.elbo.total());
    }
    for (std::size_t i = 0; i < expected.trajectories.size(); ++i) {
      const RateTrajectory& run = expected.trajectories[i];
      QCOMPARE(keeps.curves[i].curve.y, run.keeps.y);
      QCOMPARE(elbos.curves[i + 2].curve.x, std::vector<double>{run.keep});
      QCOMPARE(elbos.curves[i + 2].curve.y, std::vector<double>{run.elbo.total()});
      QCOMPARE(part<CurvePlot>("rateTrace").curves().curves[i].curve.y, run.elbos.y);
    }
    QVERIFY2(part<QLabel>("rateSentence").text().startsWith("Of 3 starts: "),
             qPrintable(part<QLabel>("rateSentence").text()));
    QVERIFY(!part<QPushButton>("labPlay").isEnabled());
  }

  void itIsPausedSteppedAndReset() {
    part<QPushButton>("labPlay").click();
    QVERIFY(!runner().isPlaying());
    part<QPushButton>("labReset").click();
    QTRY_VERIFY_WITH_TIMEOUT(runner().picture() && !runner().busy(), kPatience);
    // The picture of the start: all runs where they begin.
    QCOMPARE(runner().picture()->done, 0);
    QCOMPARE(part<CurvePlot>("rateElbo").curves().curves[2].curve.x, std::vector<double>{0.25});
    QCOMPARE(part<Card>("rateKeepCard").emptyText(), "Press Play or Step");
    for (int step = 1; step <= 2; ++step) {
      part<QPushButton>("labStep").click();
      QTRY_VERIFY_WITH_TIMEOUT(runner().picture()->done == step && !runner().busy(), kPatience);
    }
    QVERIFY(part<Card>("rateKeepCard").emptyText().isEmpty());
    part<QPushButton>("labPlay").click();
    finish();
    const auto keeps = runner().picture()->trajectories[0].keeps.y;
    part<QPushButton>("labReset").click();
    QVERIFY(!runner().isFinished());
    finish();
    QCOMPARE(runner().picture()->trajectories[0].keeps.y, keeps);
    part<QSpinBox>("labSeed").setValue(4);
    finish();
    QVERIFY(runner().picture()->trajectories[0].keeps.y != keeps);
  }

  void theEstimatorsHaveTheirOptionsAndFormulas() {
    QString formula = part<QLabel>("rateFormula").text();
    for (const char* const key : {"exact", "coordinate", "concrete"}) {
      choose(key);
      QCOMPARE(runner().options().estimator, std::string(key));
      QVERIFY(part<QLabel>("rateFormula").text() != formula);
      formula = part<QLabel>("rateFormula").text();
      QVERIFY(!form().findChild<QWidget*>("baseline"));
      QVERIFY(!part<QComboBox>("rateRemedy").isEnabled());
      finish();
      QCOMPARE(std::string(infoOf(runner().picture()->trajectories[0].estimator).key),
               std::string(key));
    }
    // Concrete dropout is not run next to itself.
    QCOMPARE(runner().picture()->trajectories.size(), std::size_t{3});
    choose("score");
    QVERIFY(form().findChild<QWidget*>("baseline"));
  }

  void aRemedyIsAppliedAndNamed() {
    QComboBox& remedies = part<QComboBox>("rateRemedy");
    QCOMPARE(remedies.currentIndex(), 0);
    Q_EMIT remedies.activated(1);
    QCOMPARE(runner().options().margin, 0.05);
    QCOMPARE(remedies.currentIndex(), 1);
    Q_EMIT remedies.activated(3);
    QVERIFY(runner().options().baseline);
    QCOMPARE(runner().options().margin, 0.0);
    // Only the score function has a baseline.
    choose("exact");
    QVERIFY(!runner().options().baseline);
    finish();
    QVERIFY(runner().error().isEmpty());
  }

  void trappedStartsAreReported() {
    runner().options().rate_step = 1.0;
    runner().restart();
    finish();
    QVERIFY(part<QLabel>("rateNotes").isVisible());
    QVERIFY2(part<QLabel>("rateNotes").text().contains("3 of 3 starts are trapped"),
             qPrintable(part<QLabel>("rateNotes").text()));
    for (const RateTrajectory& run : runner().picture()->trajectories) {
      QVERIFY(run.estimator == RateEstimator::kConcrete || run.end != RateEnd::kInside);
    }
  }

  void divergenceIsSaidAndTheLaboratoryLivesOn() {
    runner().options().learning_rate = 10.0;
    runner().restart();
    QTRY_VERIFY_WITH_TIMEOUT(!runner().error().isEmpty(), kPatience);
    QVERIFY2(part<QLabel>("rateNotes").text().contains("lower the learning rate"),
             qPrintable(part<QLabel>("rateNotes").text()));
    QCOMPARE(part<Card>("rateElboCard").emptyText(), "No result");
    runner().options().learning_rate = 1e-4;
    runner().restart();
    finish();
    QVERIFY(runner().error().isEmpty());
    QVERIFY(part<Card>("rateElboCard").emptyText().isEmpty());
  }

  void textInANumberFieldChangesNothing() {
    finish();
    const auto picture = runner().picture();
    auto* const field = form().findChild<NumberBox*>("rate_step");
    QVERIFY(field);
    field->selectAll();
    QTest::keyClicks(field, "abc");
    QVERIFY(!form().errorText("rate_step").isEmpty());
    QCOMPARE(runner().picture(), picture);
  }

  void itWaitsWhileAnotherLaboratoryIsShown() {
    RateRunner& waiting = runner();
    waiting.options().steps = 100'000;
    waiting.restart();
    QTRY_VERIFY_WITH_TIMEOUT(waiting.picture() && waiting.picture()->done > 0, kPatience);
    window_->pages().labs().showLaboratory(Laboratory::kSimplex);
    QVERIFY(!waiting.isPlaying());
    window_->pages().labs().showLaboratory(Laboratory::kDropoutRate);
    QVERIFY(waiting.isPlaying());
    // Cancelled at once.
    waiting.options().steps = 20;
    waiting.restart();
    finish();
    QCOMPARE(waiting.picture()->done, 20);
  }

 private:
  OptionsForm& form() { return part<OptionsForm>("rateOptions"); }
  /// So few steps that a test takes a moment.
  void small() {
    DropoutRateOptions& options = runner().options();
    options.steps = 60;
    options.points = 30;
    options.hidden = 16;
    options.starts = 3;
    options.rate_step = 1e-5;
    options.grid_draws = 20;
    runner().restart();
  }
  void choose(const char* key) {
    QComboBox& list = part<QComboBox>("rateEstimator");
    list.setCurrentIndex(list.findData(QLatin1String(key)));
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::LabDropoutRateTest)
#include "lab_dropout_rate_test.moc"
