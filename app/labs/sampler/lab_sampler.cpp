// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/sampler/lab_sampler.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/labs/lab_bar.h"
#include "app/labs/lab_results.h"
#include "app/labs/lab_set_up.h"
#include "app/labs/sampler/lab_sampler_values.h"
#include "app/session/error_text.h"
#include "app/words/plot_caption.h"
#include "core/labs/preset/lab_options.h"
#include "widgets/key_value_list.h"
#include "widgets/options_form.h"
#include "widgets/theme.h"
#include "widgets/value_slider.h"

namespace dubito {
namespace {

constexpr int kSamplerSetUpWidth = 66 * kGrid;
/// Wide enough for a step that fails on every density.
constexpr SliderRange kStepSizes{0.001, 20.0, true, false};
constexpr int kMinPlotHeight = 15 * kGrid;
/// Shown by controls of their own, not by the form.
constexpr const char* kOwnControls[] = {"density", "sampler", "step_size"};

bool hasFiniteValue(const CurvePlotValue& value) {
  return std::ranges::any_of(value.curves, [](const StyledCurve& styled) {
    return std::ranges::any_of(styled.curve.y, [](double y) { return std::isfinite(y); });
  });
}

}  // namespace

LabSampler::LabSampler(WorkerThread& worker, int threads, QWidget* parent)
    : LabView(parent), runner_(new SamplerRunner(worker, threads, this)) {
  setObjectName(QStringLiteral("labSampler"));
  pauseWhileHidden(*runner_);
  // The step size is there to be turned; the warm-up would undo it.
  runner_->options().adapt = false;
  QWidget* const set_up = buildSetUp();
  setParts(set_up, buildResults());
  connectParts();
  showOptions();
  showState();
}

LabSampler::~LabSampler() = default;

QWidget* LabSampler::buildSetUp() {
  auto* const set_up = new LabSetUp(tr("Set-up"), "samplerSetUpCard", kSamplerSetUpWidth, this);
  QWidget* const content = set_up->body();
  QVBoxLayout* const layout = &set_up->rows();
  densities_ = set_up->addChoice(tr("Density"), "samplerDensity", density_text_);
  for (const SamplerTargetInfo& info : samplerTargets()) {
    densities_->addItem(QCoreApplication::translate("Labs", info.name), QLatin1String(info.key));
  }
  samplers_ = set_up->addChoice(tr("Sampler"), "samplerSampler", sampler_text_);
  for (const SamplerInfo& info : samplerInfos()) {
    samplers_->addItem(QCoreApplication::translate("Labs", info.name), QLatin1String(info.key));
  }
  form_ = set_up->addForm("samplerOptions");
  set_up->addHeading(tr("Compare with"));
  laplace_ = new QCheckBox(tr("Laplace approximation"), content);
  laplace_->setObjectName(QStringLiteral("samplerLaplace"));
  laplace_->setToolTip(tr("The Gaussian at a mode with the curvature there"));
  layout->addWidget(laplace_);
  mean_field_ = new QCheckBox(tr("Bayes by Backprop"), content);
  mean_field_->setObjectName(QStringLiteral("samplerMeanField"));
  mean_field_->setToolTip(
      tr("The Gaussian without correlation that is nearest in the sense of KL(q || p)"));
  layout->addWidget(mean_field_);
  return set_up;
}

QWidget* LabSampler::buildResults() {
  auto* const results = new LabResults(this);
  bar_ = results->addBar();
  step_size_ = new ValueSlider(tr("Step size"), results);
  step_size_->setObjectName(QStringLiteral("samplerStepSize"));
  step_size_->setNameWidth(step_size_->fontMetrics().horizontalAdvance(tr("Step size")) + kGrid);
  step_size_->setRange(kStepSizes);
  step_size_->setToolTip(
      tr("Turn it until the sampler fails. This switches the adaptation of the step size off"));
  results->rows().addWidget(step_size_);
  notes_ = results->addText("samplerNotes");
  buildPlots(*results->addRow(1));
  return results;
}

void LabSampler::buildPlots(QBoxLayout& row) {
  density_card_ = new Card({}, this);
  density_card_->setObjectName(QStringLiteral("samplerDensityCard"));
  plot_ = new DensityPathPlot(density_card_);
  plot_->setObjectName(QStringLiteral("samplerPlot"));
  density_card_->setContent(plot_);
  row.addWidget(density_card_, 3);
  auto* const side = new QVBoxLayout;
  side->setSpacing(2 * kGrid);
  row.addLayout(side, 2);
  makeCard(trace_card_, trace_, tr("Trace"), QStringLiteral("samplerTrace"));
  makeCard(autocorrelation_card_, autocorrelation_, tr("Autocorrelation"),
           QStringLiteral("samplerAutocorrelation"));
  makeCard(numbers_card_, numbers_, tr("Numbers"), QStringLiteral("samplerNumbers"));
  side->addWidget(trace_card_, 1);
  side->addWidget(autocorrelation_card_, 1);
  side->addWidget(numbers_card_);
  numbers_->setTitle(tr("Sampler"));
  numbers_card_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  // In a small window, the numbers matter more.
  for (CurvePlot* const plot : {trace_, autocorrelation_}) {
    plot->setMinimumHeight(kMinPlotHeight);
  }
}

void LabSampler::connectParts() {
  bar_->control(*runner_);
  connect(bar_, &LabBar::resetRequested, this, [this] { runner_->setPlace(std::nullopt); });
  connect(bar_, &LabBar::seedChanged, runner_, &SamplerRunner::setSeed);
  const auto choose = [this](std::string& option, const QComboBox& box) {
    option = box.currentData().toString().toStdString();
    showOptions();
  };
  connect(densities_, &QComboBox::currentIndexChanged, this, [this, choose] {
    choose(runner_->options().density, *densities_);
    runner_->setPlace(std::nullopt);
  });
  connect(samplers_, &QComboBox::currentIndexChanged, this, [this, choose] {
    choose(runner_->options().sampler, *samplers_);
    runner_->restart();
  });
  connect(form_, &OptionsForm::edited, this, &LabSampler::changeOption);
  connect(step_size_, &ValueSlider::moved, this, &LabSampler::setStepSize);
  connect(step_size_, &ValueSlider::settled, this, &LabSampler::setStepSize);
  for (QCheckBox* const box : {laplace_, mean_field_}) {
    connect(box, &QCheckBox::toggled, this, &LabSampler::showPicture);
  }
  connect(plot_, &DensityPathPlot::startRequested, this, [this](double x, double y) {
    runner_->setPlace(std::array{x, y});
  });
  connect(plot_, &PlotBase::failed, this, &LabSampler::failed);
  connect(runner_, &SamplerRunner::pictureChanged, this, &LabSampler::showPicture);
  connect(runner_, &SamplerRunner::stateChanged, this, &LabSampler::showState);
}

void LabSampler::begin() {
  if (!begun_) {
    begun_ = true;
    runner_->restart();
  }
}

nlohmann::json LabSampler::setUp() const {
  nlohmann::json place;
  if (runner_->place()) {
    place = *runner_->place();
  }
  return {{"seed", runner_->seed()},
          {"options", labOptionsToJson(runner_->options())},
          {"place", place},
          {"laplace", laplace_->isChecked()},
          {"bayes_by_backprop", mean_field_->isChecked()}};
}

Status LabSampler::applySetUp(const nlohmann::json& set_up) {
  std::optional<std::array<double, 2>> place;
  if (!set_up.at("place").is_null()) {
    place = set_up.at("place").get<std::array<double, 2>>();
  }
  const auto seed = set_up.at("seed").get<std::uint64_t>();
  const bool laplace = set_up.at("laplace").get<bool>();
  const bool mean_field = set_up.at("bayes_by_backprop").get<bool>();
  if (Status read = readLabOptions(set_up.at("options"), runner_->options()); !read) {
    return read;
  }
  begun_ = true;
  showOptions();
  laplace_->setChecked(laplace);
  mean_field_->setChecked(mean_field);
  runner_->setSeed(seed);
  runner_->setPlace(place);
  return {};
}

void LabSampler::showOptions() {
  SamplerLabOptions& options = runner_->options();
  densities_->setCurrentIndex(densities_->findData(QString::fromStdString(options.density)));
  samplers_->setCurrentIndex(samplers_->findData(QString::fromStdString(options.sampler)));
  density_text_->setText(QCoreApplication::translate(
      "Labs", samplerTargets()[static_cast<std::size_t>(densities_->currentIndex())].explanation));
  sampler_text_->setText(QCoreApplication::translate(
      "Labs", samplerInfos()[static_cast<std::size_t>(samplers_->currentIndex())].explanation));
  std::vector<Field> fields = options.fields();
  std::erase_if(fields, [&](const Field& field) {
    const std::string& name = field.info.name;
    const bool depends_on_form = name == "target_acceptance";  // on "adapt"
    return std::ranges::find(kOwnControls, name) != std::ranges::end(kOwnControls) ||
           (!field.info.unmet_requirement.empty() &&
            !(depends_on_form && options.sampler == "hmc"));
  });
  form_->setFields(std::move(fields));
  step_size_->setValue(options.step_size);
  enableOptions();
}

void LabSampler::enableOptions() {
  form_->setInactive(QStringLiteral("target_acceptance"),
                     runner_->options().adapt ? QString() : tr("Adapt step size"));
}

void LabSampler::changeOption(const QString& name) {
  if (name == QLatin1String("adapt")) {
    enableOptions();
  }
  runner_->restart();
}

void LabSampler::setStepSize(double step_size) {
  SamplerLabOptions& options = runner_->options();
  if (options.step_size == step_size && !options.adapt) {
    return;
  }
  options.step_size = step_size;
  if (options.adapt) {
    options.adapt = false;
    form_->reload();
    enableOptions();
  }
  runner_->restart();
}

void LabSampler::showPicture() {
  notes_->setText(samplerNotes(*runner_));
  if (!runner_->picture() || !runner_->scene()) {
    return;
  }
  const SamplerPicture& picture = *runner_->picture();
  const SamplerScene& scene = *runner_->scene();
  if (shown_scene_ != runner_->scene()) {
    shown_scene_ = runner_->scene();
    density_ = planeDensityOf(scene);
  }
  const auto enable = [](QCheckBox& box, const auto& found) {
    box.setEnabled(found.has_value());
    if (!found) {
      box.setToolTip(errorText(found.error()));
    }
  };
  enable(*laplace_, scene.laplace);
  enable(*mean_field_, scene.mean_field);
  density_card_->setTitle(densities_->currentText());
  plot_->setValue(densityPathOf(
      picture, density_, gaussiansOf(scene, laplace_->isChecked(), mean_field_->isChecked())));
  const QString caption = samplerCaption(*runner_);
  setCaptions(*density_card_, *plot_, caption);
  trace_->setCurves(traceOf(picture, scene));
  trace_card_->setTitle(tr("Trace of %1").arg(density_->x_label));
  trace_->setCaption(trace_card_->title(), caption);
  autocorrelation_->setCurves(autocorrelationOf(picture));
  autocorrelation_card_->setTitle(tr("Autocorrelation of %1").arg(density_->x_label));
  autocorrelation_->setCaption(autocorrelation_card_->title(), caption);
  // Two states make a line.
  const bool has_states = picture.points.front().extent(0) > 1;
  const QString missing = picture.is_warming_up || !has_states
                              ? tr("Comes after the warm-up")
                              : tr("The chains do not move or have left the density");
  trace_card_->setEmptyText(has_states && hasFiniteValue(trace_->curves()) ? QString() : missing);
  autocorrelation_card_->setEmptyText(
      has_states && hasFiniteValue(autocorrelation_->curves()) ? QString() : missing);
  numbers_->setValues(samplerNumbers(picture, scene));
  step_size_->setMark(picture.step_size,
                      tr("Step size in use: %1").arg(shortText(picture.step_size)));
}

void LabSampler::showState() {
  bar_->showState(*runner_, {.stopped = runner_->error().isEmpty() ? QString() : tr("Stopped"),
                             .finished = runner_->picture() && runner_->picture()->converged
                                             ? tr("Run ended")
                                             : tr("Run ended, but not converged")});
}

}  // namespace dubito
