// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/dropout_rate/lab_dropout_rate.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "app/labs/dropout_rate/lab_dropout_rate_values.h"
#include "app/labs/lab_values.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kRateSetUpWidth = 86 * kGrid;
constexpr int kMinRatePlotHeight = 30 * kGrid;

}  // namespace

LabDropoutRate::LabDropoutRate(const LabParts& parts, QWidget* parent)
    : ExperimentView(parts, parent) {
  setObjectName(QStringLiteral("labDropoutRate"));
  pauseWhileHidden();
  QWidget* const set_up = buildSetUp();
  setParts(set_up, buildResults());
  connect(estimators_, &QComboBox::currentIndexChanged, this, &LabDropoutRate::chooseEstimator);
  connect(remedies_, &QComboBox::activated, this, [this](int index) {
    rateRemedies()[static_cast<std::size_t>(index)].apply(runner().options());
    showOptions();
    runner().restart();
  });
  connect(form_, &OptionsForm::edited, this, &LabDropoutRate::showRemedy);
  restartWith(*form_);
  connectRunner();
  showPicture();
}

QWidget* LabDropoutRate::buildSetUp() {
  auto* const set_up = new LabSetUp(tr("Set-up"), "rateSetUpCard", kRateSetUpWidth, this);
  estimators_ = set_up->addChoice(tr("Gradient of p"), "rateEstimator", rateEstimators());
  set_up->addHeading(tr("Remedy against 0 and 1"));
  remedies_ = set_up->addList(tr("Remedy against 0 and 1"), "rateRemedy");
  for (const RateRemedy& remedy : rateRemedies()) {
    remedies_->addItem(labText(remedy.name));
    remedies_->setItemData(remedies_->count() - 1, labText(remedy.explanation), Qt::ToolTipRole);
  }
  remedies_->setPlaceholderText(tr("Own options"));
  remedy_text_ = set_up->addText("rateRemedyText");
  set_up->addHeading(tr("Options"));
  form_ = set_up->addForm("rateOptions");
  return set_up;
}

QWidget* LabDropoutRate::buildResults() {
  LabResults* const results = makeResults();
  sentence_ = results->addSentence("rateSentence");
  formula_ = results->addText("rateFormula");
  notes_ = results->addNotes("rateNotes");
  for (QLabel* const label : {formula_, notes_}) {
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  elbo_ = makeCard<CurvePlot>(tr("ELBO against p"), "rateElbo");
  keep_ = makeCard<CurvePlot>(tr("p while it is learnt"), "rateKeep");
  trace_ = makeCard<CurvePlot>(tr("ELBO of each run"), "rateTrace");
  for (const LabCard<CurvePlot>& plot : {elbo_, keep_, trace_}) {
    plot.content->setMinimumHeight(kMinRatePlotHeight);
  }
  QHBoxLayout* const plots = results->addRow(1);
  plots->addWidget(elbo_.card, 3);
  QVBoxLayout* const side = addColumn(*plots, 2);
  side->addWidget(keep_.card, 1);
  side->addWidget(trace_.card, 1);
  return results;
}

void LabDropoutRate::chooseEstimator() {
  DropoutRateOptions& options = runner().options();
  const std::string chosen = estimators_->currentData().toString().toStdString();
  if (chosen != options.estimator) {
    options.estimator = chosen;
    // Of the score function alone.
    options.baseline &= chosen == "score";
    showOptions();
    runner().restart();
  }
}

void LabDropoutRate::showOptions() {
  DropoutRateOptions& options = runner().options();
  estimators_->setCurrentIndex(estimators_->findData(QString::fromStdString(options.estimator)));
  const RateEstimatorInfo& info =
      rateEstimators()[static_cast<std::size_t>(estimators_->currentIndex())];
  formula_->setText(tr("ELBO(p) = E[log p(y | m·b)] + E[log p(m·b)] − E[log q(b)], a mask b ~ "
                       "Bernoulli(p) per unit. Step: %1")
                        .arg(labText(info.formula)));
  form_->setFields(effectiveFieldsWithout(options.fields(), {"estimator"}));
  showRemedy();
}

void LabDropoutRate::showRemedy() {
  const auto& remedies = rateRemedies();
  const auto found = std::ranges::find_if(
      remedies, [this](const RateRemedy& remedy) { return remedy.isIn(runner().options()); });
  remedies_->setEnabled(runner().options().estimator == "score");
  remedies_->setCurrentIndex(found == remedies.end() ? -1
                                                     : static_cast<int>(found - remedies.begin()));
  remedy_text_->setText(!remedies_->isEnabled()   ? tr("For the score function.")
                        : found == remedies.end() ? tr("Options that are no remedy of the list.")
                                                  : labText(found->explanation));
}

void LabDropoutRate::showPicture() {
  const auto& picture = runner().picture();
  const QString empty = !runner().error().isEmpty() ? tr("No result")
                        : picture                   ? QString()
                                                    : tr("Starting");
  // Two steps make a line.
  const bool has_lines = picture && picture->done > 1;
  elbo_.card->setEmptyText(empty);
  setEmptyText({keep_.card, trace_.card},
               !empty.isEmpty() || has_lines ? empty : tr("Press Play or Step"));
  const bool has_result = picture && runner().error().isEmpty();
  showNotes(*notes_, runner().error(), has_result ? picture->warnings : std::vector<std::string>());
  if (!picture) {
    return;
  }
  const DropoutRateOptions& options = runner().options();
  sentence_->setText(rateSentence(*picture));
  showIn(elbo_, rateElboPlot(*picture), rateCaption(*picture, options));
  showIn(keep_, rateTrajectoryPlot(*picture),
         options.concrete && options.estimator != "concrete"
             ? tr("one line per start · in the text colour: concrete dropout")
             : tr("one line per start"));
  showIn(trace_, rateElboTracePlot(*picture), tr("of the masks of each step · colours as above"));
}

LabBar::StateTexts LabDropoutRate::stateTexts() const {
  const auto& picture = runner().picture();
  return {
      .stopped = runner().error().isEmpty() ? QString() : tr("Stopped"),
      .finished = tr("Finished"),
      .progress = picture && picture->done > 0
                      ? tr("step %1 of %2").arg(countText(picture->done), countText(picture->total))
                      : QString()};
}

}  // namespace dubito
