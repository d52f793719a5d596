// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/lab_dropout_rate.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/pages/lab_bar.h"
#include "app/pages/lab_dropout_rate_values.h"
#include "app/pages/lab_set_up.h"
#include "app/pages/plot_caption.h"
#include "core/labs/preset/lab_options.h"
#include "widgets/number_text.h"
#include "widgets/options_form.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kRateSetUpWidth = 86 * kGrid;
constexpr int kMinRatePlotHeight = 30 * kGrid;
/// Shown by a control of its own, not by the form.
constexpr const char* kEstimatorField = "estimator";

QComboBox* addRateChoice(const QString& title, const char* name, LabSetUp& set_up, QLabel*& text) {
  set_up.addHeading(title);
  auto* const box = new QComboBox(set_up.body());
  box->setObjectName(QLatin1String(name));
  box->setAccessibleName(title);
  set_up.rows().addWidget(box);
  text = set_up.addText(qPrintable(QLatin1String(name) + QStringLiteral("Text")));
  return box;
}

QString ofLabs(const char* text) {
  return QCoreApplication::translate("Labs", text);
}

}  // namespace

LabDropoutRate::LabDropoutRate(WorkerThread& worker, int threads, QWidget* parent)
    : LabView(parent), runner_(new RateRunner(worker, threads, this)) {
  setObjectName(QStringLiteral("labDropoutRate"));
  pauseWhileHidden(*runner_);
  auto* const layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(buildSetUp());
  layout->addWidget(buildResults(), 1);
  connectParts();
  showOptions();
  showPicture();
  showState();
}

LabDropoutRate::~LabDropoutRate() = default;

QWidget* LabDropoutRate::buildSetUp() {
  auto* const set_up = new LabSetUp(tr("Set-up"), "rateSetUpCard", kRateSetUpWidth, this);
  estimators_ = addRateChoice(tr("Gradient of p"), "rateEstimator", *set_up, estimator_text_);
  for (const RateEstimatorInfo& info : rateEstimators()) {
    estimators_->addItem(ofLabs(info.name), QLatin1String(info.key));
  }
  remedies_ = addRateChoice(tr("Remedy against 0 and 1"), "rateRemedy", *set_up, remedy_text_);
  for (const RateRemedy& remedy : rateRemedies()) {
    remedies_->addItem(ofLabs(remedy.name));
    remedies_->setItemData(remedies_->count() - 1, ofLabs(remedy.explanation), Qt::ToolTipRole);
  }
  remedies_->setPlaceholderText(tr("Own options"));
  set_up->addHeading(tr("Options"));
  form_ = new OptionsForm(set_up->body());
  form_->setObjectName(QStringLiteral("rateOptions"));
  set_up->rows().addWidget(form_);
  return set_up;
}

QWidget* LabDropoutRate::buildResults() {
  auto* const results = new QWidget(this);
  auto* const layout = new QVBoxLayout(results);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  bar_ = new LabBar(results);
  layout->addWidget(bar_);
  const auto addLabel = [&](const char* name) {
    auto* const label = new QLabel(results);
    label->setObjectName(QLatin1String(name));
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(label);
    return label;
  };
  sentence_ = addLabel("rateSentence");
  sentence_->setFont(uiFont(TypeSize::kTitle, true));
  formula_ = addLabel("rateFormula");
  notes_ = addLabel("rateNotes");
  notes_->setProperty("role", QStringLiteral("error"));
  notes_->hide();
  layout->addWidget(buildPlots(results), 1);
  return results;
}

QWidget* LabDropoutRate::buildPlots(QWidget* parent) {
  auto* const plots = new QWidget(parent);
  auto* const layout = new QHBoxLayout(plots);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  auto* const side = new QVBoxLayout;
  side->setSpacing(2 * kGrid);
  const auto addPlot = [&](Card*& card, CurvePlot*& plot, const QString& title, const QString& name,
                           QBoxLayout& into, int stretch) {
    card = new Card(title, plots);
    card->setObjectName(name + QStringLiteral("Card"));
    into.addWidget(card, stretch);
    plot = new CurvePlot(card);
    plot->setObjectName(name);
    plot->setMinimumHeight(kMinRatePlotHeight);
    card->setContent(plot);
    connect(plot, &PlotBase::failed, this, &LabDropoutRate::failed);
  };
  addPlot(elbo_card_, elbo_, tr("ELBO against p"), QStringLiteral("rateElbo"), *layout, 3);
  layout->addLayout(side, 2);
  addPlot(keep_card_, keep_, tr("p while it is learnt"), QStringLiteral("rateKeep"), *side, 1);
  addPlot(trace_card_, trace_, tr("ELBO of each run"), QStringLiteral("rateTrace"), *side, 1);
  return plots;
}

void LabDropoutRate::connectParts() {
  bar_->control(*runner_);
  connect(bar_, &LabBar::resetRequested, runner_, &RateRunner::restart);
  connect(bar_, &LabBar::seedChanged, runner_, &RateRunner::setSeed);
  connect(estimators_, &QComboBox::currentIndexChanged, this, [this] {
    const std::string chosen = estimators_->currentData().toString().toStdString();
    if (chosen == runner_->options().estimator) {
      return;
    }
    DropoutRateOptions& options = runner_->options();
    options.estimator = chosen;
    // Of the score function alone.
    options.baseline &= chosen == "score";
    showOptions();
    runner_->restart();
  });
  connect(remedies_, &QComboBox::activated, this, [this](int index) {
    rateRemedies()[static_cast<std::size_t>(index)].apply(runner_->options());
    showOptions();
    runner_->restart();
  });
  connect(form_, &OptionsForm::edited, this, [this] {
    showRemedy();
    if (form_->check()) {
      runner_->restart();
    }
  });
  connect(runner_, &RateRunner::pictureChanged, this, &LabDropoutRate::showPicture);
  connect(runner_, &RateRunner::stateChanged, this, &LabDropoutRate::showState);
}

void LabDropoutRate::begin() {
  if (!begun_) {
    begun_ = true;
    runner_->restart();
  }
}

nlohmann::json LabDropoutRate::setUp() const {
  return {{"seed", runner_->seed()}, {"options", labOptionsToJson(runner_->options())}};
}

Status LabDropoutRate::applySetUp(const nlohmann::json& set_up) {
  const auto seed = set_up.at("seed").get<std::uint64_t>();
  if (Status read = readLabOptions(set_up.at("options"), runner_->options()); !read) {
    return read;
  }
  begun_ = true;
  showOptions();
  runner_->setSeed(seed);
  return {};
}

void LabDropoutRate::showOptions() {
  DropoutRateOptions& options = runner_->options();
  estimators_->setCurrentIndex(estimators_->findData(QString::fromStdString(options.estimator)));
  const RateEstimatorInfo& info =
      rateEstimators()[static_cast<std::size_t>(estimators_->currentIndex())];
  estimator_text_->setText(ofLabs(info.explanation));
  formula_->setText(tr("ELBO(p) = E[log p(y | m·b)] + E[log p(m·b)] − E[log q(b)], a mask b ~ "
                       "Bernoulli(p) per unit. Step: %1")
                        .arg(ofLabs(info.formula)));
  std::vector<Field> fields = options.fields();
  std::erase_if(fields, [](const Field& field) {
    return field.info.name == kEstimatorField || !field.info.unmet_requirement.empty();
  });
  form_->setFields(std::move(fields));
  showRemedy();
}

void LabDropoutRate::showRemedy() {
  const auto& remedies = rateRemedies();
  const auto found = std::ranges::find_if(
      remedies, [this](const RateRemedy& remedy) { return remedy.isIn(runner_->options()); });
  remedies_->setEnabled(runner_->options().estimator == "score");
  remedies_->setCurrentIndex(found == remedies.end() ? -1
                                                     : static_cast<int>(found - remedies.begin()));
  remedy_text_->setText(!remedies_->isEnabled()   ? tr("For the score function.")
                        : found == remedies.end() ? tr("Options that are no remedy of the list.")
                                                  : ofLabs(found->explanation));
}

void LabDropoutRate::showPicture() {
  const auto& picture = runner_->picture();
  const QString empty = !runner_->error().isEmpty() ? tr("No result")
                        : picture                   ? QString()
                                                    : tr("Starting");
  // Two steps make a line.
  const bool has_lines = picture && picture->done > 1;
  elbo_card_->setEmptyText(empty);
  for (Card* const card : {keep_card_, trace_card_}) {
    card->setEmptyText(!empty.isEmpty() || has_lines ? empty : tr("Press Play or Step"));
  }
  QStringList notes;
  if (!runner_->error().isEmpty()) {
    notes << runner_->error();
  } else if (picture) {
    for (const std::string& warning : picture->warnings) {
      notes << QString::fromStdString(warning);
    }
  }
  notes_->setText(notes.join(u'\n'));
  notes_->setVisible(!notes.isEmpty());
  if (!picture) {
    return;
  }
  sentence_->setText(rateSentence(*picture));
  elbo_->setCurves(rateElboPlot(*picture));
  keep_->setCurves(rateTrajectoryPlot(*picture));
  trace_->setCurves(rateElboTracePlot(*picture));
  setCaptions(*elbo_card_, *elbo_, rateCaption(*picture, runner_->options()));
  const QString runs = runner_->options().concrete && runner_->options().estimator != "concrete"
                           ? tr("one line per start · in the text colour: concrete dropout")
                           : tr("one line per start");
  setCaptions(*keep_card_, *keep_, runs);
  setCaptions(*trace_card_, *trace_, tr("of the masks of each step · colours as above"));
}

void LabDropoutRate::showState() {
  const auto& picture = runner_->picture();
  const QString text =
      !runner_->error().isEmpty() ? tr("Stopped")
      : runner_->isFinished()     ? tr("Finished")
      : picture && picture->done > 0
          ? tr("step %1 of %2").arg(countText(picture->done), countText(picture->total))
      : runner_->isPlaying() ? tr("Working")
                             : tr("Paused");
  bar_->setState(runner_->isPlaying(), !runner_->isFinished(), text);
  bar_->setSeed(runner_->seed());
}

}  // namespace dubito
