// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/sampler/lab_sampler.h"

#include <fmt/format.h>

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/labs/lab_values.h"
#include "app/labs/sampler/lab_sampler_values.h"
#include "app/labs/sampler/sampler_views.h"
#include "app/session/error_text.h"
#include "widgets/card_scroll.h"
#include "widgets/key_value_list.h"
#include "widgets/number_text.h"
#include "widgets/text_width.h"
#include "widgets/theme.h"
#include "widgets/value_slider.h"

namespace dubito {
namespace {

constexpr int kSamplerSetUpWidth = 66 * kGrid;
/// Wide enough for a step that fails on every density.
constexpr SliderRange kStepSizes{0.001, 20.0, true, false};
/// Wider, a name and its number are too far apart.
constexpr int kMaxNumbersWidth = 120 * kGrid;
/// Shown by controls of their own, not by the form.
constexpr const char* kOwnControls[] = {"density", "sampler", "step_size"};

}  // namespace

const std::vector<PlaybackSpeed>& SamplerExperiment::speeds() {
  static const std::vector<PlaybackSpeed> speeds{
      {QT_TRANSLATE_NOOP("Labs", "Slow"),
       QT_TRANSLATE_NOOP("Labs", "One transition at a time, four per second"), 0.0, 250, 1},
      {QT_TRANSLATE_NOOP("Labs", "Normal"),
       QT_TRANSLATE_NOOP("Labs", "Five transitions per picture"), 0.0, 25, 5},
      {QT_TRANSLATE_NOOP("Labs", "Fast"), QT_TRANSLATE_NOOP("Labs", "200 transitions per picture"),
       0.0, 25, 200}};
  return speeds;
}

Expected<std::shared_ptr<SamplerChains>> SamplerExperiment::start(std::uint64_t seed,
                                                                  RunContext& context) const {
  auto chains = SamplerLab::start(options, seed, place);
  if (!chains) {
    return failWith(chains);
  }
  auto of_options = scene && scene->isOf(options, seed) ? Expected<SamplerScenePtr>(scene)
                                                        : makeSamplerScene(options, seed, context);
  if (!of_options) {
    return failWith(of_options);
  }
  return std::make_shared<SamplerChains>(SamplerChains{*std::move(chains), *std::move(of_options)});
}

LabSampler::LabSampler(const LabParts& parts, QWidget* parent) : ExperimentView(parts, parent) {
  setObjectName(QStringLiteral("labSampler"));
  pauseWhileHidden();
  // The step size is there to be turned; the warm-up would undo it.
  runner().options().adapt = false;
  QWidget* const set_up = buildSetUp();
  setParts(set_up, buildResults());
  connectParts();
  connectRunner();
}

QWidget* LabSampler::buildSetUp() {
  auto* const set_up = new LabSetUp(tr("Set-up"), "samplerSetUpCard", kSamplerSetUpWidth, this);
  densities_ = set_up->addChoice(tr("Density"), "samplerDensity", samplerTargets());
  samplers_ = set_up->addChoice(tr("Sampler"), "samplerSampler", labSamplers());
  form_ = set_up->addForm("samplerOptions");
  set_up->addHeading(tr("Compare with"));
  laplace_ = set_up->addCheck(tr("Laplace approximation"), "samplerLaplace",
                              tr("The Gaussian at a mode with the curvature there"));
  mean_field_ = set_up->addCheck(
      tr("Bayes by Backprop"), "samplerMeanField",
      tr("The Gaussian without correlation that is nearest in the sense of KL(q || p)"));
  return set_up;
}

QWidget* LabSampler::buildResults() {
  LabResults* const results = makeResults();
  step_size_ = new ValueSlider(tr("Step size"), results);
  step_size_->setObjectName(QStringLiteral("samplerStepSize"));
  step_size_->setNameWidth(usualTextWidth(tr("Step size")) + kGrid);
  step_size_->setRange(kStepSizes);
  step_size_->setToolTip(
      tr("Turn it until the sampler fails. This switches the adaptation of the step size off"));
  results->rows().addWidget(step_size_);
  notes_ = results->addText("samplerNotes");
  buildPlots(*results->addRow(1));
  return results;
}

void LabSampler::buildPlots(QBoxLayout& row) {
  QVBoxLayout* const main = addColumn(row, 3);
  path_ = makeCard<DensityPathPlot>({}, "samplerPlot");
  path_.card->setObjectName(QStringLiteral("samplerDensityCard"));
  path_.content->setMinimumSize(kMinReadablePlot);
  main->addWidget(path_.card, 1);
  numbers_ = makeCard<KeyValueList>(tr("Numbers"), "samplerNumbers");
  numbers_.content->setTitle(tr("Sampler"));
  numbers_.content->setMaximumWidth(kMaxNumbersWidth);
  numbers_.card->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  main->addWidget(numbers_.card);
  QVBoxLayout* const side = addColumn(row, 2);
  plots_ = {makeCard<CurvePlot>({}, "samplerUpper"), makeCard<CurvePlot>({}, "samplerLower")};
  for (std::size_t i = 0; i < plots_.size(); ++i) {
    plots_[i].content->setMinimumSize(kMinReadablePlot);
    side->addWidget(plots_[i].card, 1);
    connect(plots_[i].card, &Card::choiceMade, this, [this, i](int view) {
      views_[i] = static_cast<std::size_t>(view);
      showView(i);
    });
  }
}

void LabSampler::connectParts() {
  const auto choose = [this](std::string& option, const QComboBox& box) {
    option = box.currentData().toString().toStdString();
    showOptions();
  };
  connect(densities_, &QComboBox::currentIndexChanged, this, [this, choose] {
    choose(runner().options().density, *densities_);
    reset();
  });
  connect(samplers_, &QComboBox::currentIndexChanged, this, [this, choose] {
    choose(runner().options().sampler, *samplers_);
    runner().restart();
  });
  // Invalid options stop the chains, with the reason.
  connect(form_, &OptionsForm::edited, this, [this] {
    enableOptions();
    runner().restart();
  });
  connect(step_size_, &ValueSlider::moved, this, &LabSampler::setStepSize);
  connect(step_size_, &ValueSlider::settled, this, &LabSampler::setStepSize);
  for (QCheckBox* const box : {laplace_, mean_field_}) {
    connect(box, &QCheckBox::toggled, this, &LabSampler::showPicture);
  }
  connect(path_.content, &DensityPathPlot::startRequested, this, [this](double x, double y) {
    runner().set(&SamplerExperiment::place, std::array{x, y});
  });
}

nlohmann::json LabSampler::setUp() const {
  nlohmann::json set_up = ExperimentView::setUp();
  const auto& place = runner().experiment().place;
  set_up["place"] = place ? nlohmann::json(*place) : nlohmann::json();
  set_up["laplace"] = laplace_->isChecked();
  set_up["bayes_by_backprop"] = mean_field_->isChecked();
  set_up["views"] =
      nlohmann::json::array({samplerViews()[views_[0]].key, samplerViews()[views_[1]].key});
  return set_up;
}

Status LabSampler::applySetUp(const nlohmann::json& set_up) {
  std::optional<std::array<double, 2>> place;
  if (!set_up.at("place").is_null()) {
    place = set_up.at("place").get<std::array<double, 2>>();
  }
  const bool laplace = set_up.at("laplace").get<bool>();
  const bool mean_field = set_up.at("bayes_by_backprop").get<bool>();
  const auto view_keys = set_up.at("views").get<std::array<std::string, 2>>();
  std::array<std::size_t, 2> views{};
  for (std::size_t i = 0; i < views.size(); ++i) {
    const auto view = findSamplerView(view_keys[i]);
    if (!view) {
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format("There is no view \"{}\" of the sampler laboratory; correct \"views\" "
                      "in the preset",
                      view_keys[i]));
    }
    views[i] = *view;
  }
  Status applied = ExperimentView::applySetUp(set_up);
  if (applied) {
    setViews(views);
    laplace_->setChecked(laplace);
    mean_field_->setChecked(mean_field);
    runner().set(&SamplerExperiment::place, place);
  }
  return applied;
}

void LabSampler::setViews(const std::array<std::size_t, 2>& views) {
  views_ = views;
  for (std::size_t i = 0; i < plots_.size(); ++i) {
    plots_[i].card->setChoice(static_cast<int>(views[i]));
  }
}

void LabSampler::reset() {
  runner().set(&SamplerExperiment::place, std::nullopt);
}

void LabSampler::showOptions() {
  SamplerLabOptions& options = runner().options();
  densities_->setCurrentIndex(densities_->findData(QString::fromStdString(options.density)));
  samplers_->setCurrentIndex(samplers_->findData(QString::fromStdString(options.sampler)));
  std::vector<Field> fields = options.fields();
  std::erase_if(fields, [&](const Field& field) {
    const std::string& name = field.info.name;
    const bool depends_on_form = name == "target_acceptance";  // on "adapt"
    return std::ranges::find(kOwnControls, name) != std::ranges::end(kOwnControls) ||
           (!field.info.unmet_requirement.empty() &&
            !(depends_on_form && findLabSampler(options.sampler)->has_target_acceptance));
  });
  form_->setFields(std::move(fields));
  step_size_->setValue(options.step_size);
  enableOptions();
}

void LabSampler::enableOptions() {
  form_->setInactive(QStringLiteral("target_acceptance"),
                     runner().options().adapt ? QString() : tr("Adapt step size"));
}

void LabSampler::setStepSize(double step_size) {
  SamplerLabOptions& options = runner().options();
  if (options.step_size == step_size && !options.adapt) {
    return;
  }
  options.step_size = step_size;
  if (options.adapt) {
    options.adapt = false;
    form_->reload();
    enableOptions();
  }
  runner().restart();
}

void LabSampler::showPicture() {
  notes_->setText(samplerNotes(runner()));
  const SamplerScenePtr& shown = runner().experiment().scene;
  if (!runner().picture() || !shown) {
    return;
  }
  const SamplerPicture& picture = *runner().picture();
  if (shown_scene_ != shown) {
    shown_scene_ = shown;
    density_ = planeDensityOf(*shown);
    // Titles name the coordinates of the density.
    for (const LabCard<CurvePlot>& plot : plots_) {
      plot.card->setChoices(samplerViewTitles(*shown));
    }
    setViews(views_);
  }
  const auto enable = [](QCheckBox& box, const auto& found) {
    box.setEnabled(found.has_value());
    if (!found) {
      box.setToolTip(errorText(found.error()));
    }
  };
  enable(*laplace_, shown->laplace);
  enable(*mean_field_, shown->mean_field);
  const QString caption = samplerCaption(runner());
  path_.card->setTitle(densities_->currentText());
  path_.content->setValue(
      densityPathOf(picture, *findLabSampler(runner().options().sampler), density_,
                    gaussiansOf(*shown, laplace_->isChecked(), mean_field_->isChecked())));
  setCaptions(*path_.card, *path_.content, caption);
  for (std::size_t i = 0; i < plots_.size(); ++i) {
    showView(i);
  }
  numbers_.content->setValues(samplerNumbers(picture, *shown));
  step_size_->setMark(picture.step_size,
                      tr("Step size in use: %1").arg(shortText(picture.step_size)));
}

void LabSampler::showView(std::size_t card) {
  if (!runner().picture() || !shown_scene_) {
    return;
  }
  const LabCard<CurvePlot>& plot = plots_[card];
  const LabSamplerInfo& sampler = *findLabSampler(runner().options().sampler);
  SamplerPlot view = samplerViews()[views_[card]].make(*runner().picture(), *shown_scene_, sampler);
  plot.card->setEmptyText(view.missing);
  plot.card->setSubtitle(view.note);
  plot.content->setCurves(std::move(view.curves));
  plot.content->setCaption(plot.card->title(), captionOf({samplerCaption(runner()), view.note}));
}

LabBar::StateTexts LabSampler::stateTexts() const {
  const bool converged = runner().picture() && runner().picture()->converged;
  return {.stopped = runner().error().isEmpty() ? QString() : tr("Stopped"),
          .finished = converged ? tr("Run ended") : tr("Run ended, but not converged")};
}

}  // namespace dubito
