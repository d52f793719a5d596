// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/regression/lab_regression.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "app/labs/figures/lab_figures.h"
#include "app/labs/regression/lab_covariance_values.h"
#include "core/labs/data/regression_sets.h"
#include "tests/app/support/lab_window.h"
#include "tests/support/gui_test.h"
#include "tests/widgets/plot_fixture.h"
#include "widgets/band_plot.h"
#include "widgets/card.h"
#include "widgets/compare_table.h"
#include "widgets/covariance_plot.h"
#include "widgets/curve_plot.h"
#include "widgets/density_path_plot.h"
#include "widgets/number_box.h"
#include "widgets/options_form.h"
#include "widgets/theme.h"
#include "widgets/value_slider.h"

namespace dubito::test {

/// Axes, points and numbers of the regression laboratory in the real window.
class LabRegressionTest : public QObject, private LabWindow<LabRegression> {
  Q_OBJECT

 private Q_SLOTS:
  void init() { openLaboratory(Laboratory::kRegressionMethods); }
  void cleanup() { closeAll(); }

  void theAxesStayWhilePointsAreDrawn() {
    choose({"blr", "gp"});
    finish();
    part<QPushButton>("labPoints").click();
    const BandPlot& widget = part<BandPlot>("labPlot0");
    const Interval x = widget.value().x_range;
    const Interval y = widget.value().y_range;
    Q_EMIT part<BandPlot>("labPlot0").pointAdded(0.5 * (x.low + x.high), y.high);
    Q_EMIT part<BandPlot>("labPlot0").pointErased(3);
    finish();
    QCOMPARE(runner().data().train.size(), 100);
    for (const char* const name : {"labPlot0", "labPlot1"}) {
      QVERIFY(isShown(part<BandPlot>(name), x, y));
    }
    part<QPushButton>("labClear").click();
    QVERIFY(isShown(widget, x, y));
    // The button shows all points; then the axes stay again.
    Q_EMIT part<BandPlot>("labPlot0").pointAdded(100.0, 0.0);
    Q_EMIT part<BandPlot>("labPlot0").pointAdded(104.0, 1.0);
    part<QPushButton>("labAxesFit").click();
    QVERIFY(isShown(widget, {99.0, 105.0}, {-0.45, 1.45}));
    Q_EMIT part<BandPlot>("labPlot0").pointAdded(200.0, 50.0);
    QVERIFY(isShown(widget, {99.0, 105.0}, {-0.45, 1.45}));
    // Other data have other axes.
    openData(0);
    QVERIFY(isShown(widget, x, y));
    QVERIFY(!widget.isZoomed());
  }

  void weightsOfALineAreShownNextToIt() {
    LabsPage& page = window_->pages().labs();
    const auto figure = std::ranges::find(labFigures(), QLatin1String("bishop-3-7-2"),
                                          [](const LabFigure& f) { return QLatin1String(f.key); });
    page.showFigure(*figure);
    finish();
    auto& card = part<Card>("labWeightsCard");
    QTRY_VERIFY(card.isVisible());
    const DensityPathValue& shown = part<DensityPathPlot>("labWeights").value();
    QCOMPARE(shown.points.size(), std::size_t{6});
    QCOMPARE(shown.gaussians.size(), std::size_t{1});
    // Three standard deviations of the prior.
    QVERIFY(std::abs(shown.density->x_range.high - 3.0 * 0.7071) < 1e-9);
    // The brightest cell lies at the mean.
    const auto& weights = *runner().entries()[0].picture->weights;
    const auto cells = shown.density->log_density.values();
    const auto brightest = std::ranges::max_element(cells) - cells.begin();
    const auto count = static_cast<double>(shown.density->log_density.extent(0));
    const double cell = 6.0 * 0.7071 / count;
    const double x =
        -3.0 * 0.7071 + cell * (static_cast<double>(brightest % static_cast<long>(count)) + 0.5);
    const double y =
        -3.0 * 0.7071 + cell * (static_cast<double>(brightest / static_cast<long>(count)) + 0.5);
    QVERIFY(std::abs(x - weights.mean[0]) < 1.5 * cell);
    QVERIFY(std::abs(y - weights.mean[1]) < 1.5 * cell);
    choose({"gp"});
    QTRY_VERIFY(!card.isVisible());
  }

  void theBandGoesOverTheWholeVisibleAxis() {
    choose({"blr", "gp"});
    finish();
    const auto before = runner().entries()[0].picture;
    const BandPlot& other = part<BandPlot>("labPlot1");
    Q_EMIT part<BandPlot>("labPlot0").viewChanged({-30.0, 40.0}, {-500.0, 500.0});
    QVERIFY(isShown(other, {-30.0, 40.0}, {-500.0, 500.0}));
    QVERIFY(other.isZoomed());
    finish();
    QCOMPARE(other.value().x.front(), -30.0);
    QCOMPARE(other.value().x.back(), 40.0);
    QCOMPARE(other.value().std_total.size(), other.value().x.size());
    QCOMPARE(other.value().truth->x.back(), 40.0);
    // Nothing is learned again, and no number depends on the view.
    const auto after = runner().entries()[0].picture;
    QCOMPARE(after->mean, before->mean);
    QCOMPARE(after->scores.log_likelihood, before->scores.log_likelihood);
    QCOMPARE(after->done, before->done);
    Q_EMIT part<BandPlot>("labPlot1").fitRequested();
    QVERIFY(!other.isZoomed());
    finish();
    QCOMPARE(other.value().x.front(), runner().data().shown.low);
  }

  void axesCanBeTypedAndFixed() {
    choose({"blr"});
    finish();
    const BandPlot& widget = part<BandPlot>("labPlot0");
    const Interval y = widget.value().y_range;
    type("labAxesXLow", -8.5);
    type("labAxesXHigh", -9.0);
    QVERIFY(part<NumberBox>("labAxesXHigh").property("invalid").toBool());
    QCOMPARE(widget.value().x_range.low, -8.5);
    type("labAxesXHigh", 12.0);
    QVERIFY(!part<NumberBox>("labAxesXHigh").property("invalid").toBool());
    // The other numbers are shown with few digits, but not changed.
    QVERIFY(isShown(widget, {-8.5, 12.0}, y));
    part<QCheckBox>("labAxesFixed").click();
    openData(1);
    QVERIFY(isShown(widget, {-8.5, 12.0}, y));
    part<QCheckBox>("labAxesFixed").click();
    openData(0);
    QVERIFY(!widget.isZoomed());
    QVERIFY(widget.value().x_range.low != -8.5);
  }

  void pointsAreTakenBackAndDoneAgain() {
    choose({"blr"});
    finish();
    LabsPage& page = window_->pages().labs();
    QVERIFY(page.hasHistory());
    const RegressionPoints source = runner().data().train;
    const QString name = part<QComboBox>("labData").currentText();
    part<QPushButton>("labPoints").click();
    BandPlot& widget = part<BandPlot>("labPlot0");
    QCustomPlot& plot = innerPlot(widget);
    const Interval x = widget.value().x_range;
    const Interval y = widget.value().y_range;
    Q_EMIT widget.pointAdded(1.0, y.low);
    Q_EMIT widget.pointAdded(2.0, y.low);
    // A drag is one step.
    drag(plot, pixelOf(plot, source.x[4], source.y[4]),
         pixelOf(plot, source.x[4], source.y[4]) + QPoint(0, -60));
    QVERIFY(runner().data().train.y[4] > source.y[4]);
    page.undo();
    QCOMPARE(runner().data().train.y[4], source.y[4]);
    QCOMPARE(runner().data().train.size(), 102);
    page.undo();
    QCOMPARE(runner().data().train.size(), 101);
    page.undo();
    // The data are those of before, with their truth.
    QTRY_COMPARE_WITH_TIMEOUT(runner().data().train.size(), 100, kPatience);
    QCOMPARE(runner().data().train.y, source.y);
    QVERIFY(runner().data().truth);
    QCOMPARE(part<QComboBox>("labData").currentText(), name);
    QVERIFY(isShown(widget, x, y));
    page.undo();
    QCOMPARE(runner().data().train.size(), 100);
    page.redo();
    page.redo();
    QCOMPARE(runner().data().train.size(), 102);
    QCOMPARE(part<QComboBox>("labData").currentText(), "Own points");
    // Other data by mistake: the points come back, too.
    openData(1);
    page.undo();
    QCOMPARE(runner().data().train.size(), 102);
    // Or by the list.
    openData(1);
    auto& sets = part<QComboBox>("labData");
    const int own = sets.findText("Own points");
    sets.setCurrentIndex(own);
    Q_EMIT sets.activated(own);
    QCOMPARE(runner().data().train.size(), 102);
    finish();
  }

  void labelsBelongToTheirData() {
    choose({"blr"});
    finish();
    RegressionData data = runner().data();
    data.x_label = "year";
    data.y_label = "CO2 (ppm)";
    runner().setData(data);
    BandPlot& widget = part<BandPlot>("labPlot0");
    Q_EMIT widget.pointAdded(1.0, 2.0);
    QCOMPARE(widget.value().y_label, "CO2 (ppm)");
    const QString path = QString::fromStdString(dir_->file("lab.json"));
    window_->pages().labs().savePreset(path);
    const nlohmann::json shown = lab().setUp();
    part<QPushButton>("labClear").click();
    QCOMPARE(widget.value().x_label, "x");
    QCOMPARE(widget.value().y_label, "y");
    window_->pages().labs().openPreset(path);
    QCOMPARE(widget.value().x_label, "year");
    QCOMPARE(lab().setUp().dump(), shown.dump());
    // A preset that has no labels does not take those of before.
    nlohmann::json plain = shown;
    plain["data"].erase("x_label");
    plain["data"].erase("y_label");
    QVERIFY(lab().applySetUp(plain));
    QCOMPARE(widget.value().x_label, "x");
  }

  void noTwoMethodsLookAlike() {
    part<QPushButton>("labPlay").click();
    choose({"gp", "blr", "mle"});
    const auto style_of = [this](std::string_view key) {
      const auto& entries = runner().entries();
      return std::ranges::find(entries, key, [](const auto& entry) { return entry.info->key; })
          ->style;
    };
    const int style = style_of("mle");
    const int freed = style_of("gp");
    choose({"blr", "mle"});
    QCOMPARE(style_of("mle"), style);
    // The first one that is chosen next gets what is free.
    choose({"blr", "mle", "hmc"});
    QVERIFY(style_of("hmc") <= freed);
    QStringList all;
    for (const RegressionMethodInfo& info : regressionMethods()) {
      all << info.key;
    }
    // Cards that are gone would be found by their names.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    choose(all);
    QCOMPARE(runner().entries().size(), regressionMethods().size());
    std::set<std::pair<QRgb, int>> looks;
    const CompareTableValue& table = part<CompareTable>("labScores").value();
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const BandPlotValue& plot = part<BandPlot>(qPrintable(QString("labPlot%1").arg(i))).value();
      QCOMPARE(plot.color, table.rows[i].run);
      QCOMPARE(plot.dash, table.rows[i].dash);
      looks.emplace(currentTheme().runColor(plot.color).rgb(), plot.dash % 4);
    }
    QCOMPARE(looks.size(), regressionMethods().size());
    choose({});
  }

  void anInvalidKernelIsExplainedAtOnce() {
    choose({"gp"});
    finish();
    showOptionsOf("gp");
    const auto picture = runner().entries()[0].picture;
    OptionsForm& form = part<OptionsForm>("labMethodOptions");
    auto* const kernel = form.findChild<QLineEdit*>("kernel");
    const QString valid = kernel->text();
    type(*kernel, "foo(");
    QVERIFY2(form.errorText("kernel").contains("foo"), qPrintable(form.errorText("kernel")));
    // The last valid kernel stays at work.
    QCOMPARE(runner().entries()[0].picture, picture);
    type(*kernel, valid);
    QVERIFY(form.errorText("kernel").isEmpty());
    finish();
  }

  void aSliderRewritesTheKernel() {
    choose({"gp"});
    finish();
    showOptionsOf("gp");
    OptionsForm& form = part<OptionsForm>("labMethodOptions");
    auto* const kernel = form.findChild<QLineEdit*>("kernel");
    auto* const optimise = form.findChild<QCheckBox*>("optimise");
    const auto slider = [&form](int index) {
      return form.findChild<ValueSlider*>(QString("labKernelSlider%1").arg(index));
    };
    QCOMPARE(kernel->text(), "1*se(1)");
    QVERIFY(optimise->isChecked());
    QVERIFY(slider(0) && slider(1) && !slider(2));
    QCOMPARE(slider(1)->range().low, 0.0333);
    QCOMPARE(slider(1)->range().high, 30.0);
    QVERIFY(slider(1)->toolTip().contains("se"));
    // Dragging rewrites one number of the text, and the fit follows with the kernel as written.
    auto& handle = *slider(1)->findChild<QSlider*>("slider");
    handle.setSliderDown(true);
    handle.setSliderPosition(800);
    handle.setSliderPosition(750);
    const double value = slider(1)->value();
    QVERIFY(value > 1.0 && value == QString::number(value, 'g', 3).toDouble());
    QCOMPARE(kernel->text(), QString("1*se(%1)").arg(value));
    QVERIFY(!optimise->isChecked());
    handle.setSliderDown(false);
    finish();
    const auto& numbers = runner().entries()[0].picture->diagnostics.numbers;
    const auto length = std::ranges::find(numbers, "length_scale", &LabDiagnostic::key);
    QVERIFY(length != numbers.end());
    QVERIFY(std::abs(length->value - value) < 1e-9);
    QVERIFY(form.check());
    // The text decides.
    type(*kernel, "1*se(0.5) + 0.5*periodic(1, 2)");
    QVERIFY(slider(4) && !slider(5));
    QCOMPARE(slider(1)->value(), 0.5);
    type(*kernel, "1*se(0.001) + 0.5*periodic(1, 2)");
    QCOMPARE(slider(1)->value(), 0.001);
    type(*kernel, "1*se(");
    QVERIFY(form.findChildren<ValueSlider*>().isEmpty());
    QVERIFY(!form.errorText("kernel").isEmpty());
    type(*kernel, "2*se(3)");
    QCOMPARE(slider(0)->value(), 2.0);
    QCOMPARE(slider(1)->value(), 3.0);
    QVERIFY(form.errorText("kernel").isEmpty());
    // No sliders without a kernel.
    choose({"gp", "blr"});
    showOptionsOf("blr");
    QVERIFY(form.findChildren<ValueSlider*>().isEmpty());
    finish();
  }

  void theCovarianceMatrixIsShown() {
    choose({"blr"});
    finish();
    Card& card = part<Card>("labCourseCard");
    auto& views = partOf<QComboBox>(card, "cardChoices");
    QTRY_VERIFY(views.isHidden());
    choose({"gp"});
    finish();
    QTRY_VERIFY(!views.isHidden());
    QCOMPARE(views.count(), 4);
    auto& matrix = part<CovariancePlot>("labCovarianceMatrix");
    QVERIFY(matrix.isHidden());
    chooseView(1);
    const FunctionCovariance& covariance = *runner().entries()[0].picture->covariance;
    QVERIFY(matrix.isVisible() && part<CurvePlot>("labCourse").isHidden());
    QCOMPARE(card.title(), "Prior covariance");
    QCOMPARE(matrix.value().values.extent(0), kCovarianceInputs);
    QCOMPARE(matrix.value().range.low, part<BandPlot>("labPlot0").value().x_range.low);
    QCOMPARE(matrix.value().quantity, QString("covariance (y²)"));
    QCOMPARE(matrix.table().rows.size(),
             static_cast<std::size_t>(kCovarianceInputs * kCovarianceInputs));
    chooseView(2);
    QCOMPARE(matrix.value().values.row(3)[5], covariance.posterior.row(3)[5]);
    // The diagonal has the variance of the band.
    const BandPlotValue& band = part<BandPlot>("labPlot0").value();
    QVERIFY(std::abs(std::sqrt(matrix.value().values.row(0)[0]) - band.std_epistemic.front()) <
            1e-6 * band.std_epistemic.front());
    QTRY_VERIFY(matrix.width() >= 260 && matrix.height() >= 180);
    // The view belongs to the methods that have it.
    choose({"blr"});
    QTRY_VERIFY(matrix.isHidden() && views.isHidden());
    choose({"gp"});
    finish();
    QTRY_VERIFY(matrix.isVisible());
  }

  void thePresetHasTheChosenCovariance() {
    choose({"gp"});
    finish();
    Card& card = part<Card>("labCourseCard");
    QTRY_VERIFY(!partOf<QComboBox>(card, "cardChoices").isHidden());
    chooseView(2);
    QTRY_COMPARE(card.title(), QString("Posterior covariance"));
    const nlohmann::json shown = lab().setUp();
    chooseView(0);
    QVERIFY(part<CovariancePlot>("labCovarianceMatrix").isHidden());
    QVERIFY(lab().applySetUp(shown));
    finish();
    QTRY_COMPARE(card.title(), QString("Posterior covariance"));
    QVERIFY(!part<CovariancePlot>("labCovarianceMatrix").isHidden());
    QCOMPARE(lab().setUp().dump(), shown.dump());
  }

  void theCovarianceWithAnInputFollowsTheMouse() {
    choose({"gp"});
    finish();
    Card& card = part<Card>("labCourseCard");
    QTRY_VERIFY(!partOf<QComboBox>(card, "cardChoices").isHidden());
    chooseView(3);
    auto& curves = part<CurvePlot>("labCovarianceCurves");
    QVERIFY(curves.isVisible());
    const auto picture = runner().entries()[0].picture;
    const FunctionCovariance& covariance = *picture->covariance;
    BandPlot& plot = part<BandPlot>("labPlot0");
    // The mouse chooses the nearest input.
    QCustomPlot& inner = innerPlot(plot);
    const Interval y = plot.value().y_range;
    const QPoint at = pixelOf(inner, covariance.x[20], 0.5 * (y.low + y.high));
    QMouseEvent move(QEvent::MouseMove, at, inner.mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                     Qt::NoModifier);
    QCoreApplication::sendEvent(&inner, &move);
    const QString input = QString("covariance with x = %1").arg(shortText(covariance.x[20], 3));
    QVERIFY2(card.subtitle().contains(input), qPrintable(card.subtitle()));
    QCOMPARE(curves.curves().curves.size(), std::size_t{2});
    const auto prior = covariance.prior.row(20);
    const auto posterior = covariance.posterior.row(20);
    QVERIFY(std::ranges::equal(curves.curves().curves[0].curve.y, prior));
    QVERIFY(std::ranges::equal(curves.curves().curves[1].curve.y, posterior));
    Q_EMIT plot.hovered(covariance.x[40]);
    QVERIFY(std::ranges::equal(curves.curves().curves[0].curve.y, covariance.prior.row(40)));
    // So does the matrix.
    chooseView(1);
    Q_EMIT part<CovariancePlot>("labCovarianceMatrix").hovered(covariance.x[7]);
    QCOMPARE(part<CovariancePlot>("labCovarianceMatrix").mark(), std::optional(covariance.x[7]));
    chooseView(3);
    part<QPushButton>("labClear").click();
    finish();
    QTRY_COMPARE(curves.curves().curves.size(), std::size_t{1});
    QVERIFY(card.subtitle().contains("without points"));
    chooseView(2);
    QVERIFY(card.emptyText().contains("prior"));
  }

  void unitsAreSquared() {
    QCOMPARE(squaredUnit("y"), QString("y²"));
    QCOMPARE(squaredUnit("CO2 (ppm)"), QString("ppm²"));
    QCOMPARE(squaredUnit("speed (m/s)"), QString("(m/s)²"));
    QCOMPARE(squaredUnit("mean price"), QString("(mean price)²"));
  }

  void theBoundIsShownOverTheSteps() {
    choose({"blr", "graves"});
    QTRY_VERIFY_WITH_TIMEOUT(runner().entries()[1].picture &&
                                 runner().entries()[1].picture->diagnostics.traces.size() == 1,
                             kPatience);
    runner().pause();
    QTRY_VERIFY_WITH_TIMEOUT(!window_->pages().labs().busy(), kPatience);
    Q_EMIT part<CompareTable>("labScores").rowChosen(1);
    const CurvePlotValue& course = part<CurvePlot>("labCourse").curves();
    QCOMPARE(part<Card>("labCourseCard").title(), "Course of Graves' VI");
    QCOMPARE(course.y_label, "ELBO");
    QCOMPARE(course.curves.size(), std::size_t{1});
    QCOMPARE(course.curves[0].run, runner().entries()[1].style);
    QCOMPARE(course.curves[0].curve.y, runner().entries()[1].picture->diagnostics.traces[0].y);
    // A method that is no longer chosen has no course.
    choose({});
    QVERIFY(!part<Card>("labCourseCard").emptyText().isEmpty());
  }

  void cardsHaveTheNumbersOfTheirMethods() {
    choose({"gp"});
    finish();
    const Card& card = part<Card>("labPlotCard0");
    QTRY_VERIFY(card.subtitle().contains("evidence"));
    QVERIFY(card.subtitle().contains("fitted kernel"));
    QCOMPARE(card.figure(), runner().entries()[0].picture->diagnostics.converged
                                ? QString()
                                : QString("not converged"));
  }

 private:
  void choose(const QStringList& keys) { chooseMethods("labMethods", keys); }
  /// Opens the data of an entry whose number counts the presets, and waits for them.
  void openData(int preset) {
    auto& sets = part<QComboBox>("labData");
    const QString key = regressionSets()[static_cast<std::size_t>(preset)].key;
    const int entry = sets.findData(key);
    sets.setCurrentIndex(entry);
    QSignalSpy changed(&runner(), &MethodRunnerBase::dataChanged);
    Q_EMIT sets.activated(entry);
    QTRY_VERIFY_WITH_TIMEOUT(!changed.isEmpty(), kPatience);
  }
  /// Makes `key` the current method of the list.
  void showOptionsOf(const char* key) {
    QListWidget& methods = part<QListWidget>("labMethods");
    for (int row = 0; row < methods.count(); ++row) {
      if (methods.item(row)->data(Qt::UserRole) == key) {
        methods.setCurrentRow(row);
      }
    }
  }
  /// Chooses a view of the card next to the table.
  void chooseView(int view) {
    auto& views = partOf<QComboBox>(part<Card>("labCourseCard"), "cardChoices");
    views.setCurrentIndex(view);
    Q_EMIT views.activated(view);
  }
  static void type(QLineEdit& box, const QString& text) {
    box.setText(text);
    Q_EMIT box.textEdited(text);
  }
  void type(const char* name, double number) {
    NumberBox& box = part<NumberBox>(name);
    box.setReal(number);
    Q_EMIT box.edited();
    Q_EMIT box.editingFinished();
  }
  static bool isShown(const BandPlot& plot, Interval x, Interval y) {
    const auto is_near = [](double a, double b) { return std::abs(a - b) < 1e-9; };
    const BandPlotValue& value = plot.value();
    return is_near(value.x_range.low, x.low) && is_near(value.x_range.high, x.high) &&
           is_near(value.y_range.low, y.low) && is_near(value.y_range.high, y.high);
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::LabRegressionTest)
#include "lab_regression_test.moc"
