// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/dropout_rate/lab_dropout_rate.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/labs/dropout_rate/lab_dropout_rate_values.h"
#include "app/labs/lab_bar.h"
#include "app/labs/lab_results.h"
#include "app/labs/lab_set_up.h"
#include "app/words/plot_caption.h"
#include "core/labs/preset/lab_options.h"
#include "widgets/number_text.h"
#include "widgets/options_form.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kRateSetUpWidth = 86 * kGrid;
constexpr int kMinRatePlotHeight = 30 * kGrid;

QString ofLabs(const char* text) {
  return QCoreApplication::translate("Labs", text);
}

}  // namespace

LabDropoutRate::LabDropoutRate(WorkerThread& worker, int threads, QWidget* parent)
    : LabView(parent), runner_(new RateRunner(worker, threads, this)) {
  setObjectName(QStringLiteral("labDropoutRate"));
  pauseWhileHidden(*runner_);
  QWidget* const set_up = buildSetUp();
  setParts(set_up, buildResults());
  connectParts();
  showOptions();
  showPicture();
  showState();
}

LabDropoutRate::~LabDropoutRate() = default;

QWidget* LabDropoutRate::buildSetUp() {
  auto* const set_up = new LabSetUp(tr("Set-up"), "rateSetUpCard", kRateSetUpWidth, this);
  estimators_ = set_up->addChoice(tr("Gradient of p"), "rateEstimator", estimator_text_);
  for (const RateEstimatorInfo& info : rateEstimators()) {
    estimators_->addItem(ofLabs(info.name), QLatin1String(info.key));
  }
  remedies_ = set_up->addChoice(tr("Remedy against 0 and 1"), "rateRemedy", remedy_text_);
  for (const RateRemedy& remedy : rateRemedies()) {
    remedies_->addItem(ofLabs(remedy.name));
    remedies_->setItemData(remedies_->count() - 1, ofLabs(remedy.explanation), Qt::ToolTipRole);
  }
  remedies_->setPlaceholderText(tr("Own options"));
  set_up->addHeading(tr("Options"));
  form_ = set_up->addForm("rateOptions");
  return set_up;
}

QWidget* LabDropoutRate::buildResults() {
  auto* const results = new LabResults(this);
  bar_ = results->addBar();
  sentence_ = results->addSentence("rateSentence");
  formula_ = results->addText("rateFormula");
  notes_ = results->addNotes("rateNotes");
  for (QLabel* const label : {formula_, notes_}) {
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  QHBoxLayout* const plots = results->addRow(1);
  auto* const side = new QVBoxLayout;
  side->setSpacing(2 * kGrid);
  makeCard(elbo_card_, elbo_, tr("ELBO against p"), QStringLiteral("rateElbo"));
  makeCard(keep_card_, keep_, tr("p while it is learnt"), QStringLiteral("rateKeep"));
  makeCard(trace_card_, trace_, tr("ELBO of each run"), QStringLiteral("rateTrace"));
  for (CurvePlot* const plot : {elbo_, keep_, trace_}) {
    plot->setMinimumHeight(kMinRatePlotHeight);
  }
  plots->addWidget(elbo_card_, 3);
  plots->addLayout(side, 2);
  side->addWidget(keep_card_, 1);
  side->addWidget(trace_card_, 1);
  return results;
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
  form_->setFields(effectiveFieldsWithout(options.fields(), {"estimator"}));
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
  const bool has_result = picture && runner_->error().isEmpty();
  showNotes(*notes_, runner_->error(), has_result ? picture->warnings : std::vector<std::string>());
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
  bar_->showState(
      *runner_,
      {.stopped = runner_->error().isEmpty() ? QString() : tr("Stopped"),
       .finished = tr("Finished"),
       .progress =
           picture && picture->done > 0
               ? tr("step %1 of %2").arg(countText(picture->done), countText(picture->total))
               : QString()});
}

}  // namespace dubito
