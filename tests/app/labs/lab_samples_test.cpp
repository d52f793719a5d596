// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/samples/lab_samples.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <cmath>

#include "app/labs/simplex/lab_simplex.h"
#include "app/shell/page_stack.h"
#include "tests/app/support/lab_window.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/plot_fixture.h"
#include "widgets/card.h"
#include "widgets/compare_table.h"
#include "widgets/curve_plot.h"
#include "widgets/value_slider.h"

namespace dubito::test {

/// The laboratory "What a bridge is worth" in the real window.
class LabSamplesTest : public QObject, private LabWindow<LabSamples> {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    openLaboratory(Laboratory::kSamples);
    small();
  }
  void cleanup() { closeAll(); }

  void playsToTheEndWithTheNumbersOfTheCore() {
    finish();
    RunContext context;
    auto alone = SampleWorth::start(runner().experiment().gaussian, runner().options(), 0);
    QVERIFY(alone);
    QVERIFY((*alone)->advance((*alone)->total(), context));
    const SampleWorthResult expected = (*alone)->result();
    const SampleWorthResult& result = runner().picture()->result;
    QCOMPARE(result.replicates, runner().options().replicates);
    QCOMPARE(result.mean, expected.mean);
    const CompareTableValue& table = part<CompareTable>("worthTable").value();
    QCOMPARE(table.rows.size(), expected.approximations.size());
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      QCOMPARE(table.rows[i].cells[0].value, expected.approximations[i].divergence);
      // Moment matching, which needs the truth, is not ranked with the formulas.
      const bool is_formula = expected.approximations[i].key != kMomentMatching;
      QCOMPARE(table.rows[i].cells[0].items, is_formula ? 0 : 1);
    }
    const ApproximationWorth* nearest = nullptr;
    for (const ApproximationWorth& form : expected.approximations) {
      if (form.key != kMomentMatching && !(nearest && nearest->divergence <= form.divergence)) {
        nearest = &form;
      }
    }
    const QString sentence = part<QLabel>("worthSentence").text();
    QVERIFY2(
        sentence.startsWith("The nearest closed form: " + QString::fromStdString(nearest->key)),
        qPrintable(sentence));
    QVERIFY(!part<QPushButton>("labPlay").isEnabled());
  }

  void bothPlotsHaveTheCurveAndTheLevels() {
    finish();
    const SampleWorthResult& result = runner().picture()->result;
    const CurvePlotValue& samples = part<CurvePlot>("worthBySamples").curves();
    // The estimates, every closed form, and the error of the truth.
    QCOMPARE(samples.curves.size(), result.approximations.size() + 2);
    QCOMPARE(samples.curves[0].curve.y, result.mean);
    QCOMPARE(samples.curves[0].intervals.size(), result.mean.size());
    QCOMPARE(samples.curves[1].curve.y[0], result.approximations[0].divergence);
    const QCustomPlot& plot = innerPlot(part<CurvePlot>("worthBySamples"));
    QCOMPARE(plot.xAxis->scaleType(), QCPAxis::stLogarithmic);
    const CurvePlotValue& times = part<CurvePlot>("worthByTime").curves();
    const double per_sample = 1e6 * runner().picture()->times.seconds_per_sample;
    QCOMPARE(times.curves[0].curve.x[0], per_sample * static_cast<double>(result.counts.front()));
  }

  void itIsPausedSteppedAndReset() {
    part<QPushButton>("labPlay").click();
    QVERIFY(!runner().isPlaying());
    part<QPushButton>("labReset").click();
    QTRY_VERIFY(!runner().busy());
    QVERIFY(!runner().picture());
    QCOMPARE(part<Card>("worthBySamplesCard").emptyText(), "Press Play or Step");
    for (int step = 1; step <= 2; ++step) {
      part<QPushButton>("labStep").click();
      QTRY_VERIFY_WITH_TIMEOUT(runner().picture() && runner().picture()->done == step, kPatience);
      QTRY_VERIFY(!runner().busy());
      QCOMPARE(runner().picture()->done, step);
    }
    part<QPushButton>("labPlay").click();
    finish();
    const std::vector<double> mean = runner().picture()->result.mean;
    part<QPushButton>("labReset").click();
    QVERIFY(!runner().isFinished());
    finish();
    QCOMPARE(runner().picture()->result.mean, mean);
    part<QSpinBox>("labSeed").setValue(4);
    finish();
    QVERIFY(runner().picture()->result.mean != mean);
  }

  void theGaussianOfTheSimplexIsTakenOver() {
    choose("simplex");
    finish();
    window_->pages().labs().showLaboratory(Laboratory::kSimplex);
    auto& simplex = dynamic_cast<LabSimplex&>(window_->pages().labs().shownLaboratory());
    QTRY_VERIFY_WITH_TIMEOUT(simplex.result() && !simplex.busy(), kPatience);
    Q_EMIT part<ValueSlider>("simplexMean2").settled(3.0);
    QTRY_VERIFY_WITH_TIMEOUT(!simplex.busy(), kPatience);
    window_->pages().labs().showLaboratory(Laboratory::kSamples);
    QCOMPARE(runner().experiment().gaussian.mean[1], 3.0);
    finish();
    // Shown again without a change, it keeps its result.
    const auto picture = runner().picture();
    window_->pages().labs().showLaboratory(Laboratory::kSimplex);
    window_->pages().labs().showLaboratory(Laboratory::kSamples);
    QCOMPARE(runner().picture(), picture);
  }

  void manyClassesAreComparedByMarginals() {
    choose("random");
    QVERIFY(part<QWidget>("worthRandom").isVisible());
    QCOMPARE(runner().experiment().gaussian.mean.size(), std::size_t{10});
    finish();
    QVERIFY(runner().picture()->result.description.find("class") != std::string::npos);
  }

  void whatCannotBeComparedIsSaid() {
    runner().options().compare = "joint";
    choose("random");
    QTRY_VERIFY_WITH_TIMEOUT(!runner().error().isEmpty(), kPatience);
    QVERIFY(part<QLabel>("worthNotes").isVisible());
    QVERIFY(part<QLabel>("worthNotes").text().contains("needs 2 or 3 classes"));
    choose("flat");
    finish();
    QVERIFY(runner().error().isEmpty());
  }

 private:
  /// So few samples that a test takes a moment.
  void small() {
    runner().options().truth = 20'000;
    runner().options().max_samples = 1000;
    runner().options().replicates = 5;
    runner().restart();
  }
  void choose(const char* data) {
    QComboBox& list = part<QComboBox>("worthGaussian");
    list.setCurrentIndex(list.findData(QLatin1String(data)));
    Q_EMIT list.activated(list.currentIndex());
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::LabSamplesTest)
#include "lab_samples_test.moc"
