// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/classification/lab_classification.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <cmath>

#include "app/labs/figures/lab_figures.h"
#include "app/labs/lab_points.h"
#include "app/shell/page_stack.h"
#include "core/labs/classification/class_maps.h"
#include "core/labs/data/class_sets.h"
#include "tests/app/support/lab_window.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/plot_fixture.h"
#include "widgets/card.h"
#include "widgets/card_scroll.h"
#include "widgets/class_map_plot.h"
#include "widgets/color_scale.h"
#include "widgets/compare_table.h"
#include "widgets/curve_plot.h"
#include "widgets/number_box.h"
#include "widgets/options_form.h"
#include "widgets/value_slider.h"

namespace dubito::test {

/// The classification laboratory in the real window.
class LabClassificationTest : public QObject, private LabWindow<LabClassification> {
  Q_OBJECT

 private Q_SLOTS:
  void init() { openLaboratory(Laboratory::kClassificationMethods); }
  void cleanup() { closeAll(); }

  void theFirstPictureComesByItself() {
    QTRY_VERIFY_WITH_TIMEOUT(!runner().entries().empty() && runner().entries()[0].picture,
                             kPatience);
    QCOMPARE(runner().entries().size(), std::size_t{6});
    QCOMPARE(plot(0).value().point_x.size(), std::size_t{200});
    QTRY_VERIFY_WITH_TIMEOUT(!plot(0).value().values.empty(), kPatience);
  }

  void mapsAreThoseOfTheCoreAndFineAtRest() {
    choose({"laplace-full"});
    finish();
    RunContext context;
    const auto data = openClassData("blobs", runner().options().set, 0, context).value();
    auto alone =
        ClassificationLab::start(data, *findClassMethod("laplace-full")->make(), 0).value();
    QVERIFY(alone.advance(alone.total(), context));
    const ClassPicture expected = alone.picture(runner().options(), context).value();
    const ClassPicture& picture = *runner().entries()[0].picture;
    QCOMPARE(picture.side, std::int64_t{100});
    QVERIFY(
        std::ranges::equal(picture.prediction.probs.values(), expected.prediction.probs.values()));
    QCOMPARE(picture.scores.nll, expected.scores.nll);
    QCOMPARE(plot(0).value().function_borders.size(), std::size_t{8});
    // The table follows a little later.
    QTRY_VERIFY(table().value().rows[0].cells[0].text.endsWith("%"));
  }

  /// Guo et al. 2017, figure 1, as its text says.
  void aNetworkThatFitsNoiseIsTooSure() {
    const auto figure = std::ranges::find(labFigures(), QLatin1String("guo-1"),
                                          [](const LabFigure& f) { return QLatin1String(f.key); });
    QVERIFY(lab().applySetUp(presetOf(*figure)->set_up));
    finish();
    auto& plot = partOf<CurvePlot>(lab(), "classReliability");
    // The diagram follows the maps a little later.
    QTRY_VERIFY(std::ranges::equal(
        plot.curves().curves, runner().entries(), {},
        [](const StyledCurve& curve) { return curve.curve.summary; },
        [](const auto& entry) { return entry.picture->scores.reliability.ece; }));
    QVERIFY(plot.width() >= kMinReadablePlot.width() && plot.height() >= kMinReadablePlot.height());
    const ClassScores& network = runner().entries()[0].picture->scores;
    QVERIFY(network.mean_confidence > 0.97);
    QVERIFY(network.accuracy < 0.85);
    for (std::size_t i = 0; i < 4; ++i) {
      const auto& entry = runner().entries()[i];
      const StyledCurve& curve = plot.curves().curves[i];
      const ReliabilityDiagram& diagram = entry.picture->scores.reliability;
      QCOMPARE(curve.run, entry.style);
      std::size_t bin = 0;
      for (const ReliabilityBin& expected : diagram.bins) {
        if (expected.count > 0) {
          QCOMPARE(curve.curve.x.at(bin), expected.confidence);
          QCOMPARE(curve.curve.y.at(bin), expected.accuracy);
          ++bin;
        }
      }
      QCOMPARE(curve.curve.x.size(), bin);
      QVERIFY2(i == 0 || diagram.ece < network.reliability.ece - 0.03, entry.info->key);
    }
  }

  void mapsAreCoarseWhileMethodsMove() {
    choose({"hmc"});
    button("labReset").click();
    QTRY_VERIFY_WITH_TIMEOUT(runner().entries()[0].picture && picture().done > 0, kPatience);
    QCOMPARE(picture().side, ClassificationRunner::kCoarseSide);
    button("labPlay").click();
    QTRY_VERIFY_WITH_TIMEOUT(picture().side == 100 && !lab().busy(), kPatience);
    QVERIFY(picture().done < picture().total);
  }

  void anEmptyPlaneTakesNewPoints() {
    choose({"map"});
    finish();
    button("classClear").click();
    QCOMPARE(runner().data().train.size(), 0);
    QVERIFY(runner().dataError().contains("add points"));
    const std::string empty = lab().setUp().dump();
    QVERIFY(lab().applySetUp(nlohmann::json::parse(empty)));
    QCOMPARE(lab().setUp().dump(), empty);
    QVERIFY(plot(0).value().values.empty());
  }

  void pointsAreTakenBackAndDoneAgain() {
    choose({"map"});
    finish();
    const std::vector<double> source = runner().data().train.x1;
    Q_EMIT plot(0).pointAdded(1.0, 2.0);
    QCOMPARE(runner().data().train.size(), 201);
    lab().undo();
    QTRY_COMPARE_WITH_TIMEOUT(runner().data().train.size(), 200, kPatience);
    QCOMPARE(runner().data().train.x1, source);
    // As many as before: test points belong to the data again.
    QVERIFY(runner().data().test.size() > 0);
    lab().redo();
    QCOMPARE(runner().data().train.size(), 201);
    finish();
  }

  void bordersOfFunctionsBelongToThePreset() {
    choose({"map"});
    finish();
    auto& functions = partOf<QCheckBox>(lab(), "classFunctions");
    functions.click();
    nlohmann::json set_up = lab().setUp();
    QCOMPARE(set_up.at("functions").get<bool>(), false);
    set_up["functions"] = true;
    QVERIFY(lab().applySetUp(set_up));
    QVERIFY(functions.isChecked());
  }

  void aMaximisedMapIsAlone() {
    choose({"map", "gp"});
    finish();
    Card& first = card(0);
    Q_EMIT first.enlargeRequested();
    QVERIFY(first.isVisible() && !card(1).isVisible());
    QVERIFY(!partOf<Card>(lab(), "classScoresCard").isVisible());
    // A new map would appear next to it.
    choose({"map", "gp", "laplace-full"});
    QTRY_VERIFY(card(2).isVisible());
    QVERIFY(card(1).isVisible());
    Q_EMIT card(2).enlargeRequested();
    QVERIFY(!first.isVisible());
    // With the method, its map goes.
    choose({"map", "gp"});
    QTRY_VERIFY(first.isVisible() && card(1).isVisible());
    Q_EMIT first.enlargeRequested();
    Q_EMIT first.enlargeRequested();
    QVERIFY(card(1).isVisible());
  }

  void pausedMethodsWaitStepAndReset() {
    // Long enough to be paused on any machine.
    choose({"hmc"});
    QTRY_VERIFY_WITH_TIMEOUT(runner().entries()[0].picture, kPatience);
    button("labPlay").click();
    QVERIFY(!runner().isPlaying());
    button("labReset").click();
    QTRY_VERIFY_WITH_TIMEOUT(picture().done == 0 && !lab().busy(), kPatience);
    QCOMPARE(partOf<QLabel>(lab(), "labStatus").text(), "Paused");
    button("labStep").click();
    QTRY_VERIFY_WITH_TIMEOUT(picture().done == 1 && !lab().busy(), kPatience);
    button("labReset").click();
    QTRY_VERIFY_WITH_TIMEOUT(picture().done == 0 && !lab().busy(), kPatience);
    button("labPlay").click();
    finish();
    QCOMPARE(
        partOf<QLabel>(lab(), "labStatus").text(),
        QString(picture().diagnostics.converged ? "Finished" : "Finished, not converged: HMC"));
  }

  void zoomingOutShowsThatReluNetworksAreCertain() {
    choose({"map", "laplace-full"});
    finish();
    ValueSlider& zoom = partOf<ValueSlider>(lab(), "classZoom");
    zoom.setValue(10.0);
    Q_EMIT zoom.moved(10.0);
    QTRY_VERIFY_WITH_TIMEOUT(picture().x1.high == 60.0, kPatience);
    QCOMPARE(picture().side, ClassificationRunner::kCoarseSide);
    Q_EMIT zoom.settled(10.0);
    QTRY_VERIFY_WITH_TIMEOUT(picture().side == 100 && !lab().busy(), kPatience);
    const auto corner = [this](int index) { return plot(index).value().values.row(0)[0]; };
    QVERIFY2(corner(0) > 0.99, qPrintable(QString::number(corner(0))));
    // 0.9240 by an integral over a grid of the differences of logits, which NumPy computed.
    QVERIFY2(std::abs(corner(1) - 0.924) < 0.02, qPrintable(QString::number(corner(1))));
    QCOMPARE(plot(0).value().x_range.low, -60.0);
    // Nothing is trained again.
    QVERIFY(runner().isFinished());
  }

  void mapsThatAMethodDoesNotGiveAreExplained() {
    choose({"map", "ensemble"});
    finish();
    chooseMap("epistemic");
    QVERIFY(card(0).emptyText().contains("gives no distribution over probabilities"));
    QVERIFY(card(1).emptyText().isEmpty());
    QVERIFY(!plot(1).value().values.empty());
    QVERIFY(partOf<ColorScale>(lab(), "colorScale").highText().contains("nats"));
    chooseMap("alpha_0");
    QVERIFY(card(1).emptyText().contains("with a bridge as"));
    chooseMap("entropy");
    QVERIFY(card(0).emptyText().isEmpty());
    QCOMPARE(plot(0).value().scale.high, std::log(4.0));
  }

  void aBridgeGivesTheMapsOfADirichlet() {
    choose({"laplace-full"});
    QVERIFY(fieldsFromJson({{"link", "bridge-centred"}}, runner().method(0).fields()));
    runner().restart(0);
    finish();
    chooseMap("alpha_0");
    QVERIFY(card(0).emptyText().isEmpty());
    QVERIFY(plot(0).value().is_logarithmic);
    QVERIFY(!plot(0).value().values.empty());
  }

  void bordersOfSingleFunctionsComeAndGo() {
    choose({"ensemble"});
    finish();
    QCOMPARE(plot(0).value().function_borders.size(), std::size_t{8});
    partOf<QCheckBox>(lab(), "classFunctions").click();
    QVERIFY(plot(0).value().function_borders.empty());
    QVERIFY(!plot(0).value().border.empty());
  }

  void pointsAreAddedMovedAndErasedWithTheMouse() {
    choose({"gp"});
    finish();
    button("classPoints").click();
    QComboBox& classes = partOf<QComboBox>(lab(), "classOfPoints");
    QVERIFY(classes.isVisible());
    classes.setCurrentIndex(4);
    QCustomPlot& inner = innerPlot(plot(0));
    QTest::mouseClick(&inner, Qt::LeftButton, {}, pixelOf(inner, 0.0, 5.0));
    QCOMPARE(runner().data().train.size(), std::int64_t{201});
    QCOMPARE(runner().data().classes(), std::int64_t{5});
    QVERIFY(runner().data().test.size() == 0);
    QCOMPARE(partOf<QComboBox>(lab(), "classData").currentText(), "Own points");
    QTRY_VERIFY_WITH_TIMEOUT(plot(0).value().values.size() > 0 && !lab().busy(), kPatience);
    QCOMPARE(picture().prediction.probs.extent(1), std::int64_t{5});
    QVERIFY(picture().scored_on_training_points);
    drag(inner, pixelOf(inner, 0.0, 5.0), pixelOf(inner, 1.0, 0.0));
    QVERIFY(std::abs(runner().data().train.x2.back()) < 0.2);
    button("classErase").click();
    QTest::mouseClick(&inner, Qt::LeftButton, {}, pixelOf(inner, 1.0, 0.0));
    QCOMPARE(runner().data().train.size(), std::int64_t{200});
    QCOMPARE(runner().data().classes(), std::int64_t{4});
    finish();
  }

  void invalidPointsAreSaidAndTheLaboratoryLivesOn() {
    choose({"map"});
    finish();
    ClassData own = runner().data();
    own.name = "Own points";
    own.train = {};
    own.train.add(0.0, 0.0, 0);
    own.train.add(1.0, 1.0, 2);
    own.class_names = numberedClasses(3);
    runner().setData(own);
    QVERIFY(runner().dataError().contains("class 1 has no points"));
    QCOMPARE(partOf<QLabel>(lab(), "labStatus").text(), runner().dataError());
    QVERIFY(!button("labPlay").isEnabled());
    QVERIFY(plot(0).value().values.empty());
    own.train.classes = {0, 0};
    own.class_names = numberedClasses(1);
    runner().setData(own);
    QVERIFY(runner().dataError().contains("one class"));
    own.train.classes = {0, 1};
    own.class_names = numberedClasses(2);
    own.train.x1[0] = std::nan("");
    runner().setData(own);
    QVERIFY(runner().dataError().contains("not finite"));
    own.train.x1[0] = 1.0;
    runner().setData(own);
    QVERIFY(runner().dataError().isEmpty());
    finish();
    QVERIFY(!plot(0).value().values.empty());
  }

  void textInANumberFieldIsSaid() {
    choose({"map"});
    finish();
    const double before = picture().scores.nll;
    auto& form = partOf<OptionsForm>(lab(), "classMethodOptions");
    auto& field = partOf<NumberBox>(form, "precision");
    field.selectAll();
    QTest::keyClicks(&field, "text");
    QVERIFY(!form.errorText("precision").isEmpty());
    deliverEvents();
    QVERIFY(!lab().busy());
    QCOMPARE(picture().scores.nll, before);
  }

  void seedsAndPresetsChangeThePoints() {
    choose({"map"});
    finish();
    const auto first = runner().data().train.x1;
    partOf<QSpinBox>(lab(), "labSeed").setValue(5);
    QTRY_VERIFY_WITH_TIMEOUT(runner().data().train.x1 != first, kPatience);
    QComboBox& sets = partOf<QComboBox>(lab(), "classData");
    sets.setCurrentIndex(sets.findData("spiral"));
    Q_EMIT sets.activated(sets.currentIndex());
    QTRY_COMPARE_WITH_TIMEOUT(runner().data().classes(), std::int64_t{3}, kPatience);
    partOf<QSpinBox>(lab(), "labSeed").setValue(0);
    sets.setCurrentIndex(sets.findData("blobs"));
    Q_EMIT sets.activated(sets.currentIndex());
    QTRY_VERIFY_WITH_TIMEOUT(runner().data().train.x1 == first, kPatience);
    finish();
  }

  void pointsDrawnWhileOthersAreReadStay() {
    choose({"map"});
    finish();
    QComboBox& sets = partOf<QComboBox>(lab(), "classData");
    sets.setCurrentIndex(sets.findData("spiral"));
    Q_EMIT sets.activated(sets.currentIndex());
    Q_EMIT plot(0).pointAdded(0.0, 5.0);
    finish();
    QCOMPARE(runner().data().train.size(), std::int64_t{201});
    QCOMPARE(sets.currentText(), "Own points");
  }

  void aFileThatCannotBeReadLeavesTheChoiceAsItWas() {
    choose({"map"});
    QComboBox& sets = partOf<QComboBox>(lab(), "classData");
    sets.setCurrentIndex(sets.findData("moons"));
    Q_EMIT sets.activated(sets.currentIndex());
    finish();
    QSignalSpy failures(&lab(), &LabView::failed);
    const QString path = files_.filePath("missing.csv");
    lab().findChild<LabPoints*>()->choose("csv:" + path, 0);
    QTRY_COMPARE_WITH_TIMEOUT(failures.size(), 1, kPatience);
    QCOMPARE(sets.currentData().toString(), "moons");
  }

  void aPresetGivesTheSameNumbersAgain() {
    choose({"laplace-kron", "map"});
    finish();
    button("classPoints").click();
    QCustomPlot& inner = innerPlot(plot(0));
    QTest::mouseClick(&inner, Qt::LeftButton, {}, pixelOf(inner, 0.0, 5.0));
    QCOMPARE(runner().data().train.size(), std::int64_t{201});
    finish();
    chooseMap("epistemic");
    const double nll = picture().scores.nll;
    const QString path = files_.filePath("lab.json");
    window_->pages().labs().savePreset(path);
    choose({"gp"});
    chooseMap("entropy");
    partOf<QSpinBox>(lab(), "labSeed").setValue(9);
    window_->pages().labs().openPreset(path);
    QCOMPARE(runner().entries().size(), std::size_t{2});
    QCOMPARE(runner().seed(), std::uint64_t{0});
    QCOMPARE(runner().data().train.size(), std::int64_t{201});
    QCOMPARE(partOf<QComboBox>(lab(), "classMap").currentData().toString(), "epistemic");
    finish();
    QCOMPARE(picture().scores.nll, nll);
    QSignalSpy failures(&window_->pages().labs(), &LabsPage::failed);
    window_->pages().labs().openPreset(files_.filePath("missing.json"));
    QCOMPARE(failures.size(), 1);
    QVERIFY(failures[0][0].toString().contains("cannot be read"));
  }

  void everyMethodGivesEveryPicture() {
    QStringList all;
    for (const ClassMethodInfo& info : classMethods()) {
      all << info.key;
    }
    choose(all);
    QTRY_VERIFY_WITH_TIMEOUT(std::ranges::all_of(runner().entries(),
                                                 [](const auto& entry) {
                                                   return entry.picture || !entry.error.isEmpty();
                                                 }),
                             kPatience);
    for (const auto& entry : runner().entries()) {
      QVERIFY2(entry.error.isEmpty(), qPrintable(entry.error));
    }
    choose({});
    QVERIFY(!lab().busy());
  }

 private:
  QTemporaryDir files_;

  const ClassPicture& picture() { return *runner().entries()[0].picture; }
  ClassMapPlot& plot(int index) {
    return partOf<ClassMapPlot>(lab(), qPrintable(QStringLiteral("classMap%1").arg(index)));
  }
  Card& card(int index) {
    return partOf<Card>(lab(), qPrintable(QStringLiteral("classMapCard%1").arg(index)));
  }
  CompareTable& table() { return partOf<CompareTable>(lab(), "classScores"); }

  void choose(const QStringList& keys) { chooseMethods("classMethods", keys); }
  void chooseMap(const char* key) {
    QComboBox& maps = partOf<QComboBox>(lab(), "classMap");
    maps.setCurrentIndex(maps.findData(key));
  }
  void finish() {
    QTRY_VERIFY_WITH_TIMEOUT(!runner().entries().empty() && runner().isFinished() && !lab().busy(),
                             kPatience);
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::LabClassificationTest)
#include "lab_classification_test.moc"
