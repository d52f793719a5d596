// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/sampler/lab_sampler.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/labs/sampler/sampler_views.h"
#include "app/shell/page_stack.h"
#include "tests/app/support/lab_window.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/plot_fixture.h"
#include "widgets/card.h"
#include "widgets/curve_plot.h"
#include "widgets/density_path_plot.h"
#include "widgets/key_value_list.h"
#include "widgets/value_slider.h"

namespace dubito::test {

/// The sampler laboratory in the real window.
class LabSamplerTest : public QObject, private LabWindow<LabSampler> {
  Q_OBJECT

 private Q_SLOTS:
  void init() { openLaboratory(Laboratory::kSampler); }
  void cleanup() { closeAll(); }

  void theFirstPictureComesByItself() {
    QTRY_VERIFY_WITH_TIMEOUT(plot().value().density, kPatience);
    QVERIFY(lab().busy());
    QTRY_VERIFY_WITH_TIMEOUT(!plot().value().points.empty(), kPatience);
    QVERIFY(plot().value().path.size() == 11);
    QCOMPARE(upper().curves().curves.size(), std::size_t{4});
    QCOMPARE(partOf<KeyValueList>(lab(), "samplerNumbers").values().front().name, "Acceptance");
  }

  void theChosenSamplerIsExplained() {
    QVERIFY(partOf<QLabel>(lab(), "samplerSamplerText").text().startsWith("A ball rolls"));
    choose("samplerSampler", "nuts");
    QVERIFY(partOf<QLabel>(lab(), "samplerSamplerText").text().startsWith("HMC that chooses"));
  }

  void pausedChainsWaitAndStep() {
    pauseAndReset();
    QCOMPARE(picture().transitions, 0);
    QCOMPARE(partOf<QLabel>(lab(), "labStatus").text(), "Paused");
    button("labStep").click();
    QTRY_COMPARE_WITH_TIMEOUT(picture().transitions, 1, kPatience);
    button("labStep").click();
    QTRY_COMPARE_WITH_TIMEOUT(picture().transitions, 2, kPatience);
    QTRY_VERIFY(!lab().busy());
    QVERIFY(partOf<Card>(lab(), "samplerDensityCard").subtitle().contains("transition 2"));
    button("labReset").click();
    QTRY_COMPARE_WITH_TIMEOUT(picture().transitions, 0, kPatience);
    button("labPlay").click();
    QTRY_VERIFY_WITH_TIMEOUT(picture().transitions > 20, kPatience);
  }

  void numbersAreThoseOfTheCore() {
    pauseAndReset();
    SamplerLabOptions& options = runner().options();
    options.warm_up = 3;
    options.density = "gaussian";
    partOf<QSpinBox>(lab(), "labSeed").setValue(7);
    QTRY_VERIFY_WITH_TIMEOUT(runner().experiment().scene->key == "gaussian" && !lab().busy() &&
                                 picture().transitions == 0,
                             kPatience);
    constexpr int kSteps = 9;
    for (int i = 1; i <= kSteps; ++i) {
      button("labStep").click();
      QTRY_COMPARE_WITH_TIMEOUT(picture().transitions, i, kPatience);
      QTRY_VERIFY(!lab().busy());
    }
    RunContext context;
    auto alone = SamplerLab::start(options, 7);
    QVERIFY(alone);
    QVERIFY(alone->advance(kSteps, context));
    const SamplerPicture expected = alone->picture();
    for (std::size_t c = 0; c < expected.points.size(); ++c) {
      QCOMPARE(picture().traces[c].y, expected.traces[c].y);
    }
    QCOMPARE(picture().ess, expected.ess);
    QCOMPARE(picture().acceptance, expected.acceptance);
    QCOMPARE(plot().value().path.back().x(), expected.path.row(10)[0]);
  }

  void anotherDensityAndSamplerAreShown() {
    button("labPlay").click();
    QComboBox& densities = partOf<QComboBox>(lab(), "samplerDensity");
    densities.setCurrentIndex(densities.findData("funnel"));
    QTRY_VERIFY_WITH_TIMEOUT(
        runner().experiment().scene && runner().experiment().scene->key == "funnel", kPatience);
    QTRY_COMPARE(plot().value().density->y_label, "v");
    QCOMPARE(plot().value().density->x_range.high, 20.0);
    QCOMPARE(partOf<Card>(lab(), "samplerDensityCard").title(), "Funnel");
    QVERIFY(lab().findChild<QWidget*>("leapfrog_steps") != nullptr);
    QComboBox& samplers = partOf<QComboBox>(lab(), "samplerSampler");
    samplers.setCurrentIndex(samplers.findData("metropolis"));
    QCOMPARE(runner().options().sampler, std::string("metropolis"));
    button("labStep").click();
    QTRY_VERIFY_WITH_TIMEOUT(picture().path.extent(0) == 2 && !lab().busy(), kPatience);
  }

  void theTraceHasTheWarmUp() {
    pauseAndReset();
    QCOMPARE(partOf<Card>(lab(), "samplerUpperCard").emptyText(),
             "Comes with the first transition");
    runner().options().warm_up = 3;
    runner().restart();
    QTRY_VERIFY_WITH_TIMEOUT(!lab().busy() && picture().transitions == 0, kPatience);
    for (int i = 1; i <= 5; ++i) {
      button("labStep").click();
      QTRY_COMPARE_WITH_TIMEOUT(picture().transitions, i, kPatience);
      QTRY_VERIFY(!lab().busy());
    }
    const CurvePlotValue& trace = upper().curves();
    QCOMPARE(trace.curves[0].curve.x, std::vector<double>({1.0, 2.0, 3.0, 4.0, 5.0}));
    QVERIFY(trace.shade.has_value());
    QCOMPARE(trace.shade->name, "warm-up");
    QCOMPARE(trace.shade->range.high, 3.0);
    // What is judged has the draws alone.
    QCOMPARE(picture().points[0].extent(0), 2);
  }

  void theCardsAtTheRightShowEveryView() {
    QTRY_VERIFY_WITH_TIMEOUT(runner().picture() && picture().transitions > 230, kPatience);
    button("labPlay").click();
    QTRY_VERIFY(!lab().busy());
    show("marginal-y", "energy");
    QCOMPARE(partOf<Card>(lab(), "samplerUpperCard").title(), "Marginal of y");
    const CurvePlotValue& marginal = upper().curves();
    QCOMPARE(marginal.curves.size(), std::size_t{2});
    // The bars have the area of the states inside the shown range.
    const StyledCurve& bars = marginal.curves[0];
    double area = 0.0;
    for (std::size_t i = 0; i + 1 < bars.curve.x.size(); i += 2) {
      area += bars.curve.y[i] * (bars.curve.x[i + 1] - bars.curve.x[i]);
    }
    QVERIFY(area > 0.9 && area < 1.0 + 1e-9);
    const CurvePlotValue& energy = lower().curves();
    QCOMPARE(energy.curves.size(), std::size_t{3});
    for (std::size_t i = 0; i < energy.curves[0].curve.y.size(); ++i) {
      QCOMPARE(energy.curves[0].curve.y[i],
               energy.curves[1].curve.y[i] + energy.curves[2].curve.y[i]);
    }
    QVERIFY(partOf<Card>(lab(), "samplerLowerCard").subtitle().contains("10 steps"));
    show("trace", "energy-error");
    QCOMPARE(lower().curves().curves[0].curve.y[0], 0.0);
    // The views are part of a preset.
    nlohmann::json set_up = lab().setUp();
    QVERIFY(set_up.at("views") == nlohmann::json::array({"trace", "energy-error"}));
    set_up["views"] = {"marginal-x", "autocorrelation"};
    QVERIFY(lab().applySetUp(set_up));
    QVERIFY(lab().setUp() == set_up);
    set_up["views"] = {"trace", "nonsense"};
    QVERIFY(!lab().applySetUp(set_up));
  }

  void samplersWithoutMomentaHaveNoEnergy() {
    choose("samplerSampler", "metropolis");
    QTRY_VERIFY_WITH_TIMEOUT(runner().picture() && picture().path.extent(0) == 2, kPatience);
    button("labPlay").click();
    QTRY_VERIFY(!lab().busy());
    show("energy", "energy-error");
    QVERIFY(partOf<Card>(lab(), "samplerUpperCard").emptyText().contains("no momentum"));
    QVERIFY(partOf<Card>(lab(), "samplerLowerCard").emptyText().contains("no momentum"));
    QVERIFY(!plot().value().momentum.has_value());
  }

  void nutsShowsItsTrajectoryInBothDirections() {
    choose("samplerSampler", "nuts");
    QVERIFY(lab().findChild<QWidget*>("leapfrog_steps") == nullptr);
    QVERIFY(lab().findChild<QWidget*>("target_acceptance") != nullptr);
    QTRY_VERIFY_WITH_TIMEOUT(
        runner().picture() && picture().transitions > 230 && std::isfinite(picture().tree_depth),
        kPatience);
    button("labPlay").click();
    QTRY_VERIFY(!lab().busy());
    const DensityPathValue& shown = plot().value();
    QCOMPARE(shown.path.size(), picture().potential.size());
    QCOMPARE(shown.path_end.value(), picture().path_end);
    QVERIFY(shown.momentum.has_value());
    QVERIFY(shown.path_name.contains("last trajectory"));
    bool has_depth = false;
    for (const KeyValue& value : partOf<KeyValueList>(lab(), "samplerNumbers").values()) {
      has_depth = has_depth || value.value.contains("depth");
    }
    QVERIFY(has_depth);
  }

  void everyPlotHasRoomInASmallWindow() {
    QTRY_VERIFY_WITH_TIMEOUT(runner().picture(), kPatience);
    window_->resize(1280, 800);
    QCoreApplication::processEvents();
    for (PlotBase* const shown : lab().findChildren<PlotBase*>()) {
      QVERIFY2(shown->width() >= 260 && shown->height() >= 180, qPrintable(shown->objectName()));
    }
  }

  void aStepSizeThatFailsSaysSoAndDrawsNoNonsense() {
    choose("samplerSampler", "langevin");
    ValueSlider& slider = partOf<ValueSlider>(lab(), "samplerStepSize");
    slider.setValue(20.0);
    Q_EMIT slider.settled(20.0);
    QCOMPARE(runner().options().step_size, 20.0);
    QTRY_VERIFY_WITH_TIMEOUT(notes().contains("left the density") && picture().transitions > 230,
                             kPatience);
    button("labPlay").click();
    const DensityPathValue& shown = plot().value();
    for (const QPointF& point : shown.points) {
      QVERIFY(std::abs(point.x()) <= 6.5 && std::abs(point.y()) <= 9.5);
    }
    QVERIFY(partOf<Card>(lab(), "samplerDensityCard").subtitle().contains("outside the picture"));
    for (const StyledCurve& trace : upper().curves().curves) {
      for (const double value : trace.curve.y) {
        QVERIFY(std::isnan(value) || std::abs(value) < 200.0);
      }
    }
    // A smaller step works again.
    slider.setValue(0.05);
    Q_EMIT slider.settled(0.05);
    button("labPlay").click();
    QTRY_VERIFY_WITH_TIMEOUT(!notes().contains("left the density") && picture().transitions > 230,
                             kPatience);
  }

  void divergencesOfTooLargeStepsAreCounted() {
    ValueSlider& slider = partOf<ValueSlider>(lab(), "samplerStepSize");
    partOf<QCheckBox>(lab(), "adapt").click();
    QVERIFY(runner().options().adapt);
    slider.setValue(8.0);
    Q_EMIT slider.settled(8.0);
    // Turning the step size means using it.
    QVERIFY(!runner().options().adapt);
    QVERIFY(!partOf<QCheckBox>(lab(), "adapt").isChecked());
    QTRY_VERIFY_WITH_TIMEOUT(notes().contains("diverged"), kPatience);
    QVERIFY(picture().divergences > 0);
  }

  void aClickStartsTheChainsThere() {
    pauseAndReset();
    QCustomPlot& inner = innerPlot(plot());
    QTest::mouseClick(&inner, Qt::LeftButton, {}, pixelOf(inner, 2.0, 5.0));
    QVERIFY(runner().experiment().place.has_value());
    button("labStep").click();
    QTRY_VERIFY_WITH_TIMEOUT(picture().transitions == 1 && !lab().busy(), kPatience);
    QVERIFY(std::abs(plot().value().path.front().x() - 2.0) < 0.1);
    QVERIFY(std::abs(plot().value().path.front().y() - 5.0) < 0.1);
    QVERIFY(notes().contains("the place that was clicked"));
    button("labReset").click();
    QVERIFY(!runner().experiment().place.has_value());
  }

  void gaussiansAreComparedOnRequest() {
    QTRY_VERIFY_WITH_TIMEOUT(plot().value().density, kPatience);
    QVERIFY(plot().value().gaussians.empty());
    partOf<QCheckBox>(lab(), "samplerLaplace").click();
    partOf<QCheckBox>(lab(), "samplerMeanField").click();
    QCOMPARE(plot().value().gaussians.size(), std::size_t{2});
    const SamplerTarget banana = findSamplerTarget("banana")->make(0.0);
    const auto expected = laplaceGaussian(*banana.density, banana.near_mode);
    QCOMPARE(plot().value().gaussians[0].mean[1], expected->mean[1]);
    QCOMPARE(plot().value().gaussians[0].covariance[3], expected->covariance[3]);
  }

  void chainsWaitWhileAnotherLaboratoryIsShown() {
    QTRY_VERIFY_WITH_TIMEOUT(runner().picture(), kPatience);
    SamplerRunner& chains = runner();
    window_->pages().labs().showLaboratory(Laboratory::kRegressionMethods);
    QVERIFY(!chains.isPlaying());
    window_->pages().labs().showLaboratory(Laboratory::kSampler);
    QVERIFY(chains.isPlaying());
  }

  void invalidOptionsAreSaid() {
    pauseAndReset();
    runner().options().chains = 0;
    runner().restart();
    QTRY_VERIFY_WITH_TIMEOUT(!runner().error().isEmpty(), kPatience);
    QVERIFY2(notes().contains("Chains is 0"), qPrintable(notes()));
    QVERIFY(!button("labPlay").isEnabled());
    runner().options().chains = 2;
    runner().restart();
    QTRY_VERIFY_WITH_TIMEOUT(picture().points.size() == 2, kPatience);
    QVERIFY(button("labPlay").isEnabled());
  }

 private:
  const SamplerPicture& picture() { return *runner().picture(); }
  DensityPathPlot& plot() { return partOf<DensityPathPlot>(lab(), "samplerPlot"); }
  CurvePlot& upper() { return partOf<CurvePlot>(lab(), "samplerUpper"); }
  CurvePlot& lower() { return partOf<CurvePlot>(lab(), "samplerLower"); }
  /// Chooses views in the titles of both cards, as a user does.
  void show(const char* of_upper, const char* of_lower) {
    const auto select = [this](const char* card, const char* view) {
      Card& shown = partOf<Card>(lab(), card);
      const int index = static_cast<int>(findSamplerView(view).value());
      shown.setChoice(index);
      Q_EMIT shown.choiceMade(index);
    };
    select("samplerUpperCard", of_upper);
    select("samplerLowerCard", of_lower);
  }
  QString notes() { return partOf<QLabel>(lab(), "samplerNotes").text(); }

  void choose(const char* box, const char* key) {
    QComboBox& list = partOf<QComboBox>(lab(), box);
    list.setCurrentIndex(list.findData(key));
  }
  /// Before the first transition, and nothing moves.
  void pauseAndReset() {
    QTRY_VERIFY_WITH_TIMEOUT(runner().picture(), kPatience);
    button("labPlay").click();
    button("labReset").click();
    QTRY_VERIFY_WITH_TIMEOUT(picture().transitions == 0 && !lab().busy(), kPatience);
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::LabSamplerTest)
#include "lab_sampler_test.moc"
