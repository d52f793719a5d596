// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/regression/lab_regression.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/labs/lab_method_values.h"
#include "app/labs/regression/lab_axes.h"
#include "app/labs/regression/lab_course_card.h"
#include "app/labs/regression/lab_kernel_sliders.h"
#include "app/labs/regression/lab_regression_values.h"
#include "app/labs/regression/lab_weights_values.h"
#include "core/labs/data/regression_files.h"
#include "core/labs/data/regression_sets.h"
#include "widgets/options_form.h"

namespace dubito {
namespace {

constexpr int kWeightsHeight = 24 * kGrid;

/// Shown at first: an exact method, a network, and two ways to make it uncertain.
constexpr const char* kFirstMethods[] = {"gp", "mle", "mc-dropout", "ensemble", "laplace", "hmc"};

}  // namespace

LabRegressionData::LabRegressionData(WorkerThread& worker, RegressionLabOptions& options,
                                     QWidget* parent)
    : LabPointsOf(
          worker, options,
          {QStringLiteral("lab"), tr("Click in a plot to add a point; drag a point to move it"),
           tr("two columns of numbers with a line of names above them")},
          parent) {
  for (const RegressionSetInfo& set : regressionSets()) {
    addSet(labText(set.name), QLatin1String(set.key), labText(set.explanation));
  }
  addSet(tr("CO2 at Mauna Loa"), QLatin1String(kCo2Key));
  addForm(QStringLiteral("labOptions"), options.fields(), {QStringLiteral("points")});
}

LabRegression::LabRegression(const LabParts& parts, QWidget* parent)
    : LabMethodsView(parts, parent) {
  setObjectName(QStringLiteral("labRegression"));
  QWidget* const set_up = buildSetUp(QStringLiteral("lab"), kFirstMethods);
  LabResults* const results = makeResults();
  legend_ = results->addText("labLegend");
  legend_->setProperty("role", QStringLiteral("muted"));
  axes_bar_ = new LabAxes(results);
  results->rows().addWidget(axes_bar_);
  addPlotsAndTable(*results, QStringLiteral("labPlot"), 2, QStringLiteral("labScores"), 1);
  course_ = new LabCourseCard(methodRunner(), this);
  connect(course_, &LabCourseCard::failed, this, &LabView::failed);
  tableRow().addWidget(course_, 1);
  weights_ = makeCard<DensityPathPlot>(tr("Weights"), "labWeights");
  weights_.content->setMinimumHeight(kWeightsHeight);
  tableRow().addWidget(weights_.card, 1);
  weights_.card->hide();
  setParts(set_up, results);
  connect(table().content, &CompareTable::rowChosen, this, [this](int row) {
    const auto& entries = runner().entries();
    if (row >= 0 && row < std::ssize(entries)) {
      course_->setCourseOf(entries[static_cast<std::size_t>(row)].info->key);
    }
  });
  // Before the first plots are added by what connectParts() connects.
  connect(&plots(), &LabPointGridBase::cardAdded, this, [this](Card* card) {
    auto* const plot = static_cast<BandPlot*>(card->content());
    connect(plot, &BandPlot::viewChanged, this, [this](Interval x, Interval y) {
      setAxes(RegressionAxes{x, y, axes_ && axes_->fixed});
    });
    connect(plot, &BandPlot::fitRequested, this, &LabRegression::fitAxes);
    connect(plot, &BandPlot::hovered, course_, &LabCourseCard::setInput);
  });
  connect(&methodList(), &LabMethodList::optionsShown, this, &LabRegression::addKernelSliders);
  connect(axes_bar_, &LabAxes::axesChanged, this,
          [this](const RegressionAxes& axes) { setAxes(axes); });
  connect(axes_bar_, &LabAxes::fitRequested, this, &LabRegression::fitAxes);
  connectParts();
  connect(&points(), &LabPoints::optionsChanged, this, [this] { runner().restart(); });
}

void LabRegression::setPresented(bool presented) {
  LabMethodsView::setPresented(presented);
  axes_bar_->setVisible(!presented);
}

nlohmann::json LabRegression::setUp() const {
  nlohmann::json set_up = LabMethodsView::setUp();
  set_up["details"] = course_->chosen();
  return set_up;
}

nlohmann::json LabRegression::defaults() const {
  nlohmann::json set_up = LabMethodsView::defaults();
  set_up["details"] = LabCourseCard::chosenAtFirst();
  return set_up;
}

Status LabRegression::applySetUp(const nlohmann::json& set_up) {
  auto details = LabCourseCard::parse(set_up.at("details"));  // before anything changes
  if (!details) {
    return failWith(details);
  }
  Status applied = LabMethodsView::applySetUp(set_up);
  if (applied) {
    course_->choose(*std::move(details));
  }
  return applied;
}

/// Three are compared side by side; else plots that are wider than high.
int LabRegression::columnsOf(int count) const {
  return count <= 3 ? std::max(count, 1) : count == 4 ? 2 : 3;
}

void LabRegression::showPlot(std::size_t index) {
  Card& card = plots().card(index);
  BandPlot& plot = plots().plot(index);
  card.setTitle(labText(runner().entries()[index].info->name));
  BandPlotValue value = bandPlotOf(runner(), index, shownAxes());
  value.is_fitted = !axes_;
  plot.setValue(std::move(value));
  // The title of a shared axis would cost a tenth of a small plot.
  plot.setXTitleShown(plots().isLowest(index));
  setCaptions(card, plot, bandCaption(runner(), index));
  showConvergence(index);
}

void LabRegression::showCommon() {
  const QString truth = runner().data().truth ? tr("dashed: truth · ") : QString();
  legend_->setText(
      tr("○ points · %1thick: mean · thin: single curves · dark band: ± 2σ of the curve "
         "· light band: ± 2σ with noise")
          .arg(truth));
  axes_bar_->setAxes(shownAxes());
}

RegressionAxes LabRegression::shownAxes() const {
  return axes_ ? *axes_ : fittingAxes(methodRunner().data());
}

void LabRegression::setAxes(const std::optional<RegressionAxes>& axes) {
  axes_ = axes;
  const RegressionAxes shown = shownAxes();
  axes_bar_->setAxes(shown);
  for (std::size_t i = 0; i < plots().count(); ++i) {
    plots().plot(i).setView(shown.x, shown.y, !axes_);
  }
  // The curves follow as soon as they are computed over the new inputs.
  runner().setView(axes_ ? std::optional(axes_->x) : std::nullopt);
}

void LabRegression::fitAxes() {
  const bool fixed = axes_ && axes_->fixed;
  if (!points().hasOwnPoints() && !fixed) {
    setAxes(std::nullopt);
    return;
  }
  RegressionAxes fitting = fittingAxes(runner().data());
  if (points().hasOwnPoints()) {
    fitting.x = shownAround(runner().data().train);
  }
  fitting.fixed = fixed;
  setAxes(fitting);
}

void LabRegression::keepAxes() {
  if (!axes_) {
    setAxes(shownAxes());
  }
}

void LabRegression::releaseAxes() {
  if (axes_ && !axes_->fixed) {
    setAxes(std::nullopt);
  }
}

void LabRegression::addShown(RegressionPreset& preset) const {
  preset.axes = axes_;
}

void LabRegression::showPreset(const RegressionPreset& preset) {
  setAxes(preset.axes);
}

CompareTableValue LabRegression::tableValue() const {
  return regressionTable(methodRunner());
}

void LabRegression::showWeights() {
  const auto& entries = runner().entries();
  const auto shown = std::ranges::find_if(entries, [this](const auto& entry) {
    return hasValidPicture(methodRunner(), entry) && entry.picture->weights.has_value();
  });
  const bool has_weights = shown != entries.end();
  if (has_weights != has_weights_) {
    has_weights_ = has_weights;
    weights_.card->setVisible(has_weights);
  }
  if (has_weights) {
    weights_.content->setValue(weightPlaneValue(*shown->picture->weights));
    setCaptions(*weights_.card, *weights_.content,
                tr("%1 · colours: posterior · points: of the functions drawn%2")
                    .arg(labText(shown->info->name),
                         runner().options().scale ? tr(" · of the scaled data") : QString()));
  }
}

void LabRegression::showDetails() {
  showWeights();
  course_->showMethods();
}

void LabRegression::addKernelSliders(std::size_t index) {
  OptionsForm& form = methodList().form();
  auto* const sliders = LabKernelSliders::ofFields(runner().method(index).fields(), form);
  if (sliders != nullptr) {
    form.addBelow(QStringLiteral("kernel"), sliders);
    connect(sliders, &LabKernelSliders::kernelChanged, &methodList(),
            &LabMethodList::restartEdited);
  }
}

QString LabRegression::tableCaption() const {
  return regressionTableCaption(methodRunner());
}

void LabRegression::forgetSource(RegressionData& edited) const {
  edited.truth = nullptr;
  edited.noise_std = std::nullopt;
}

/// Points that are drawn before any data are there.
void LabRegression::completeOwn(RegressionData& edited) const {
  if (!(edited.shown.low < edited.shown.high)) {
    edited.shown = shownAround(edited.train);
  }
}

void LabRegression::forgetLabels(RegressionData& edited) const {
  edited.x_label = RegressionData().x_label;
  edited.y_label = RegressionData().y_label;
  // The axes stay, so a prior is drawn over them.
  edited.shown_y = shownAxes().y;
}

void LabRegression::addPoint(double x, double y, RegressionData& edited) const {
  edited.train.add(x, y);
}

}  // namespace dubito
