// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/lab_sampler.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/pages/lab_bar.h"
#include "app/pages/lab_sampler_values.h"
#include "app/pages/lab_set_up.h"
#include "app/pages/plot_caption.h"
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

QComboBox* addChoice(const QString& title, const char* name, LabSetUp& set_up, QLabel*& text) {
  set_up.addHeading(title);
  auto* const box = new QComboBox(set_up.body());
  box->setObjectName(QLatin1String(name));
  box->setAccessibleName(title);
  set_up.rows().addWidget(box);
  text = set_up.addText(qPrintable(QLatin1String(name) + QStringLiteral("Text")));
  return box;
}

bool hasFiniteValue(const CurvePlotValue& value) {
  return std::ranges::any_of(value.curves, [](const StyledCurve& styled) {
    return std::ranges::any_of(styled.curve.y, [](double y) { return std::isfinite(y); });
  });
}

}  // namespace

LabSampler::LabSampler(WorkerThread& worker, int threads, QWidget* parent)
    : LabView(parent), runner_(new SamplerRunner(worker, threads, this)) {
  setObjectName(QStringLiteral("labSampler"));
  // The step size is there to be turned; the warm-up would undo it.
  runner_->options().adapt = false;
  auto* const layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(buildSetUp());
  layout->addWidget(buildResults(), 1);
  connectParts();
  showOptions();
  showState();
}

LabSampler::~LabSampler() = default;

QWidget* LabSampler::buildSetUp() {
  auto* const set_up = new LabSetUp(tr("Set-up"), "samplerSetUpCard", kSamplerSetUpWidth, this);
  QWidget* const content = set_up->body();
  QVBoxLayout* const layout = &set_up->rows();
  densities_ = addChoice(tr("Density"), "samplerDensity", *set_up, density_text_);
  for (const SamplerTargetInfo& info : samplerTargets()) {
    densities_->addItem(QCoreApplication::translate("Labs", info.name), QLatin1String(info.key));
  }
  samplers_ = addChoice(tr("Sampler"), "samplerSampler", *set_up, sampler_text_);
  for (const SamplerInfo& info : samplerInfos()) {
    samplers_->addItem(QCoreApplication::translate("Labs", info.name), QLatin1String(info.key));
  }
  form_ = new OptionsForm(content);
  form_->setObjectName(QStringLiteral("samplerOptions"));
  layout->addWidget(form_);
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
  auto* const results = new QWidget(this);
  auto* const layout = new QVBoxLayout(results);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  bar_ = new LabBar(results);
  bar_->setPresetShown(false);
  layout->addWidget(bar_);
  step_size_ = new ValueSlider(tr("Step size"), results);
  step_size_->setObjectName(QStringLiteral("samplerStepSize"));
  step_size_->setNameWidth(step_size_->fontMetrics().horizontalAdvance(tr("Step size")) + kGrid);
  step_size_->setRange(kStepSizes);
  step_size_->setToolTip(
      tr("Turn it until the sampler fails. This switches the adaptation of the step size off"));
  layout->addWidget(step_size_);
  notes_ = new QLabel(results);
  notes_->setObjectName(QStringLiteral("samplerNotes"));
  notes_->setWordWrap(true);
  layout->addWidget(notes_);
  layout->addWidget(buildPlots(results), 1);
  return results;
}

QWidget* LabSampler::buildPlots(QWidget* parent) {
  auto* const plots = new QWidget(parent);
  auto* const layout = new QHBoxLayout(plots);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  const auto addCard = [&](const QString& title, const char* name, QBoxLayout* into, int stretch) {
    auto* const card = new Card(title, plots);
    card->setObjectName(QLatin1String(name));
    into->addWidget(card, stretch);
    return card;
  };
  density_card_ = addCard({}, "samplerDensityCard", layout, 3);
  plot_ = new DensityPathPlot(density_card_);
  plot_->setObjectName(QStringLiteral("samplerPlot"));
  density_card_->setContent(plot_);
  auto* const side = new QVBoxLayout;
  side->setSpacing(2 * kGrid);
  layout->addLayout(side, 2);
  trace_card_ = addCard(tr("Trace"), "samplerTraceCard", side, 1);
  trace_ = new CurvePlot(trace_card_);
  trace_->setObjectName(QStringLiteral("samplerTrace"));
  trace_card_->setContent(trace_);
  autocorrelation_card_ = addCard(tr("Autocorrelation"), "samplerAutocorrelationCard", side, 1);
  autocorrelation_ = new CurvePlot(autocorrelation_card_);
  autocorrelation_->setObjectName(QStringLiteral("samplerAutocorrelation"));
  autocorrelation_card_->setContent(autocorrelation_);
  numbers_card_ = addCard(tr("Numbers"), "samplerNumbersCard", side, 0);
  numbers_ = new KeyValueList(numbers_card_);
  numbers_->setObjectName(QStringLiteral("samplerNumbers"));
  numbers_->setTitle(tr("Sampler"));
  numbers_card_->setContent(numbers_);
  numbers_card_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  // In a small window, the numbers matter more.
  for (CurvePlot* const plot : {trace_, autocorrelation_}) {
    plot->setMinimumHeight(kMinPlotHeight);
  }
  return plots;
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
  for (PlotBase* const plot : std::initializer_list<PlotBase*>{plot_, trace_, autocorrelation_}) {
    connect(plot, &PlotBase::failed, this, &LabSampler::failed);
  }
  connect(numbers_, &KeyValueList::failed, this, &LabSampler::failed);
  connect(runner_, &SamplerRunner::pictureChanged, this, &LabSampler::showPicture);
  connect(runner_, &SamplerRunner::stateChanged, this, &LabSampler::showState);
}

void LabSampler::begin() {
  if (!begun_) {
    begun_ = true;
    runner_->restart();
  }
}

void LabSampler::hideEvent(QHideEvent* event) {
  if (!event->spontaneous()) {
    plays_when_shown_ = runner_->isPlaying();
    runner_->pause();
  }
  LabView::hideEvent(event);
}

void LabSampler::showEvent(QShowEvent* event) {
  LabView::showEvent(event);
  if (!event->spontaneous() && plays_when_shown_) {
    plays_when_shown_ = false;
    runner_->play();
  }
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
      box.setToolTip(QString::fromStdString(found.error().message));
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
  const QString text = !runner_->error().isEmpty() ? tr("Stopped")
                       : runner_->isFinished()     ? tr("Run ended")
                       : runner_->isPlaying()      ? tr("Working")
                                                   : tr("Paused");
  bar_->setState(runner_->isPlaying(), !runner_->isFinished(), text);
  bar_->setSeed(runner_->seed());
}

}  // namespace dubito
