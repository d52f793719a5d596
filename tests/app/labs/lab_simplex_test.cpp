// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/simplex/lab_simplex.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <cmath>

#include "app/labs/samples/lab_samples.h"
#include "app/labs/simplex/lab_simplex_gaussian.h"
#include "app/shell/page_stack.h"
#include "core/labs/simplex/gaussian_choice.h"
#include "tests/app/support/lab_window.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/plot_fixture.h"
#include "widgets/card.h"
#include "widgets/compare_table.h"
#include "widgets/curve_plot.h"
#include "widgets/simplex_plot.h"
#include "widgets/value_slider.h"

namespace dubito::test {

/// The laboratory "The simplex" in the real window.
class LabSimplexTest : public QObject, private LabWindow<LabSimplex> {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    openLaboratory(Laboratory::kSimplex);
    wait();
  }
  void cleanup() { closeAll(); }

  void showsThePresetAtOnce() {
    const SimplexValue& exact = part<SimplexPlot>("simplexExact").value();
    QVERIFY(exact.density.has_value());
    QVERIFY(!exact.draws.empty());
    QCOMPARE(exact.handles.size(), std::size_t{3});
    QVERIFY(part<SimplexPlot>("simplexDirichlet").value().density.has_value());
    QCOMPARE(part<Card>("simplexDirichletCard").title(), "bridge-centred");
    QVERIFY(part<Card>("simplexDirichletCard").subtitle().contains("α = 8.00, 3.00, 2.00"));
    QVERIFY(!part<QLabel>("simplexWarnings").isVisible());
    QVERIFY(part<QLabel>("simplexTexts").text().contains("Proposition 1"));
  }

  void theNumbersAreThoseOfTheCore() {
    RunContext context;
    const auto expected = analyseSimplex(gaussianPresets().front().make(), {}, context);
    QVERIFY(expected);
    QCOMPARE(lab().result()->moments.mean, expected->moments.mean);
    const CompareTableValue& table = part<CompareTable>("simplexTable").value();
    QCOMPARE(table.rows.size(), expected->approximations.size());
    int compared = 0;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const SimplexApproximation& row = expected->approximations[i];
      QCOMPARE(table.rows[i].name.toStdString(), row.form.key);
      if (row.comparison) {
        QCOMPARE(table.rows[i].cells[1].value, row.comparison->divergence);
        QCOMPARE(table.rows[i].cells[2].value, *row.sampled_divergence);
        ++compared;
      }
    }
    QVERIFY(compared >= 5);
  }

  void aSliderMovesTheResults() {
    const std::vector<double> before = lab().result()->moments.mean;
    part<ValueSlider>("simplexMean1").setValue(-2.0);
    Q_EMIT part<ValueSlider>("simplexMean1").moved(-2.0);
    wait();
    QVERIFY(lab().result()->moments.mean[0] < before[0] - 0.2);
    // A preset that was changed is one no longer.
    QCOMPARE(part<QComboBox>("simplexPreset").currentIndex(), -1);
    // Coarse while moving, fine at rest.
    const std::int64_t coarse = lab().result()->samples.extent(0);
    Q_EMIT part<ValueSlider>("simplexMean1").settled(-2.0);
    wait();
    QVERIFY(lab().result()->samples.extent(0) > coarse);
    QCOMPARE(lab().result()->input.gaussian.mean[0], -2.0);
    // The others keep their exact values.
    QCOMPARE(lab().result()->input.gaussian.mean[1], gaussianPresets().front().make().mean[1]);
  }

  void impossibleCorrelationsAreSaid() {
    for (const auto& [name, value] : {std::pair("simplexCorrelation1", 0.9),
                                      {"simplexCorrelation2", 0.9},
                                      {"simplexCorrelation3", -0.9}}) {
      part<ValueSlider>(name).setValue(value);
      Q_EMIT part<ValueSlider>(name).settled(value);
    }
    wait();
    QVERIFY(lab().result()->input.jitter > 0.0);
    const QLabel& warnings = part<QLabel>("simplexWarnings");
    QVERIFY(warnings.isVisible());
    QVERIFY2(warnings.text().contains("eigenvalue"), qPrintable(warnings.text()));
    choosePreset("flat");
    QVERIFY(!warnings.isVisible());
  }

  void theEllipseIsDragged() {
    SimplexPlot& widget = part<SimplexPlot>("simplexExact");
    QCustomPlot& plot = innerPlot(widget);
    const auto pixelOfProbs = [&plot](const Triple& p) {
      return pixelOf(plot, p[1] + 0.5 * p[2], 0.5 * std::sqrt(3.0) * p[2]);
    };
    const LogitGaussian before = lab().result()->input.gaussian;
    const Triple target{0.2, 0.6, 0.2};
    drag(plot, pixelOfProbs(widget.value().handles[0]), pixelOfProbs(target));
    wait();
    const LogitGaussian moved = lab().result()->input.gaussian;
    // Pixels are coarse; the shape of the ellipse stays.
    QVERIFY(std::abs(moved.mean[1] - moved.mean[0] - std::log(3.0)) < 0.1);
    QVERIFY(std::abs(moved.covariance[0] - before.covariance[0]) < 1e-9);
    const double width = lab().result()->plane.deviation[0];
    const QPoint end = pixelOfProbs(widget.value().handles[1]);
    const QPoint centre = pixelOfProbs(widget.value().handles[0]);
    drag(plot, end, end + (end - centre) / 2);
    wait();
    QVERIFY(lab().result()->plane.deviation[0] > 1.2 * width);
    QCOMPARE(part<ValueSlider>("simplexMean1").value(), moved.mean[0]);
  }

  void twoClassesAreALine() {
    choosePreset("two-classes");
    QVERIFY(!part<SimplexPlot>("simplexExact").isVisible());
    const CurvePlotValue& lines = part<CurvePlot>("simplexExactLine").curves();
    QCOMPARE(lines.curves.size(), std::size_t{4});  // exact, Beta, its Gaussian, samples
    QVERIFY(part<CurvePlot>("simplexDirichletLine").isVisible());
    QVERIFY(!part<ValueSlider>("simplexMean3").isVisible());
    choosePreset("wide");
    QVERIFY(part<SimplexPlot>("simplexExact").isVisible());
  }

  void aSingularGaussianHasNoDivergence() {
    choosePreset("singular");
    QVERIFY(part<QLabel>("simplexWarnings").text().contains("no density"));
    const CompareTableValue& table = part<CompareTable>("simplexTable").value();
    for (const CompareTableValue::Row& row : table.rows) {
      QVERIFY(std::isnan(row.cells[1].value));
    }
  }

  void aRowOfTheTableIsShown() {
    CompareTable& table = part<CompareTable>("simplexTable");
    const auto row = std::ranges::find(table.value().rows, QStringLiteral("bridge-raw"),
                                       &CompareTableValue::Row::name);
    QVERIFY(row != table.value().rows.end());
    const auto index = static_cast<int>(row - table.value().rows.begin());
    Q_EMIT table.rowChosen(index);
    QTRY_COMPARE(part<Card>("simplexDirichletCard").title(), "bridge-raw");
    QVERIFY(table.value().rows[static_cast<std::size_t>(index)].shown);
    // The choice stays while the Gaussian changes.
    choosePreset("flat");
    QCOMPARE(part<Card>("simplexDirichletCard").title(), "bridge-raw");
  }

  void theSeedDecidesTheSamples() {
    const Array<double> first = lab().result()->samples;
    part<QSpinBox>("simplexSeed").setValue(5);
    wait();
    QVERIFY(!std::ranges::equal(lab().result()->samples.values(), first.values()));
    part<QSpinBox>("simplexSeed").setValue(0);
    wait();
    QVERIFY(std::ranges::equal(lab().result()->samples.values(), first.values()));
  }

  void anItemOfARunIsSentByTheInspector() {
    session().addAnalysis(analysisWithLogits());
    QTRY_VERIFY(session().listing().items() != nullptr);
    session().listing().setPrimary(ItemRef{0, 7});
    window_->showPage(PageId::kImages);
    QPushButton& open = part<QPushButton>("itemOpenLab");
    part<QComboBox>("itemView").setCurrentIndex(0);
    QVERIFY(!open.isVisible());
    part<QComboBox>("itemView").setCurrentIndex(2);
    QVERIFY(open.isVisible());
    open.click();
    QTRY_VERIFY_WITH_TIMEOUT(!window_->pages().labs().busy(), kPatience);
    wait();
    const QString explanation = part<QLabel>("simplexExplanation").text();
    QVERIFY2(explanation.contains("Item") &&
                 explanation.contains("Classes 1 to 3: cat, bee, ant") &&
                 explanation.contains("no covariances"),
             qPrintable(explanation));
    QCOMPARE(part<ValueSlider>("simplexMean1").value(), 2.0);
    QCOMPARE(part<ValueSlider>("simplexDeviation3").value(), 0.5);
    // The other laboratory offers all classes.
    window_->pages().labs().showLaboratory(Laboratory::kSamples);
    auto& samples = dynamic_cast<LabSamples&>(window_->pages().labs().shownLaboratory());
    samples.runner().pause();
    QVERIFY(part<QComboBox>("worthGaussian").currentText().startsWith("Item "));
    QCOMPARE(samples.runner().experiment().gaussian.mean, (std::vector<double>{0.0, 1.0, 2.0}));
    QTRY_VERIFY_WITH_TIMEOUT(!samples.busy(), kPatience);
    // Runs without Gaussians over logits have no button.
    session().addAnalysis(sampleAnalysis());
    QTRY_VERIFY(session().listing().items() != nullptr);
    session().listing().setPrimary(ItemRef{0, 7});
    window_->showPage(PageId::kImages);
    QVERIFY(!open.isVisible());
  }

 private:
  /// The sample with Gaussians over logits of means 0, 1, 2 and variances 0.25.
  static AnalysisPtr analysisWithLogits() {
    dubito::Run run = *sampleAnalysisWithoutDraws()->in().run;
    const std::int64_t items = run.itemCount();
    std::vector<float> means;
    for (std::int64_t i = 0; i < items; ++i) {
      means.insert(means.end(), {0.0F, 1.0F, 2.0F});
    }
    run.logit_mean = Array<float>::fromVector({items, 3}, std::move(means));
    run.logit_var = Array<float>::fromVector(
        {items, 3}, std::vector<float>(static_cast<std::size_t>(3 * items), 0.25F));
    RunContext context;
    std::vector<AnalysisPart> parts;
    parts.push_back(
        makePart("insects", std::make_shared<const dubito::Run>(std::move(run)), nullptr, context));
    return analyse(std::move(parts), nullptr, std::nullopt, EvaluationOptions{}, context).value();
  }
  void wait() {
    QTRY_VERIFY_WITH_TIMEOUT(lab().result() && !window_->pages().labs().busy(), kPatience);
  }
  void choosePreset(const char* key) {
    QComboBox& presets = part<QComboBox>("simplexPreset");
    presets.setCurrentIndex(presets.findData(QLatin1String(key)));
    Q_EMIT presets.activated(presets.currentIndex());
    wait();
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::LabSimplexTest)
#include "lab_simplex_test.moc"
