// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tune/tune_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <utility>

#include "app/tune/tune_values.h"
#include "app/words/glossary_entries.h"
#include "app/words/plot_caption.h"
#include "app/words/words.h"
#include "core/laplace/link.h"
#include "widgets/card.h"
#include "widgets/card_rows.h"
#include "widgets/card_scroll.h"
#include "widgets/change_list.h"
#include "widgets/help_topic.h"
#include "widgets/histogram_plot.h"
#include "widgets/landscape_plot.h"
#include "widgets/reliability_plot.h"
#include "widgets/theme.h"
#include "widgets/value_slider.h"
#include "widgets/wrapped_label.h"

namespace dubito {
namespace {

constexpr std::array<Measure, 2> kMeasures = {Measure::kEntropy, Measure::kConfidence};

QPushButton* addButton(QHBoxLayout& bar, const QString& text, const char* name,
                       const QString& tooltip) {
  auto* const button = new QPushButton(text, bar.parentWidget());
  button->setObjectName(QLatin1String(name));
  button->setToolTip(tooltip);
  bar.addWidget(button);
  return button;
}

}  // namespace

TunePage::TunePage(Session& session, WindowJobs& jobs, RunComputer& computer, QWidget* parent)
    : Page(PageId::kTune, parent), session_(session), tuner_(session, jobs, computer) {
  setObjectName(QStringLiteral("tunePage"));
  controls_ = new Card(tr("Tune"), this);
  controls_->setObjectName(QStringLiteral("tuneCard"));
  auto* const content = new QWidget(controls_);
  auto* const lines = new QVBoxLayout(content);
  lines->setContentsMargins(0, 0, 0, 0);
  lines->setSpacing(kGrid);
  buildControls(*lines);
  buildButtons(*lines);
  controls_->setContent(content);
  auto* const rows = new CardRows(QStringLiteral("tuneRows"), this);
  QScrollArea* const scroll = makeCardScroll(rows, this);
  buildPlots(*rows);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(controls_);
  layout->addWidget(scroll, 1);
  connectControls();
  connectTuner();
  updateAnalysis();
}

// --- composition -------------------------------------------------------------------------------

void TunePage::buildControls(QVBoxLayout& layout) {
  QWidget* const parent = layout.parentWidget();
  const auto add = [&](const QString& name, const char* object, const QString& tooltip) {
    auto* const slider = new ValueSlider(name, parent);
    slider->setObjectName(QLatin1String(object));
    slider->setToolTip(tooltip);
    layout.addWidget(slider);
    return slider;
  };
  temperature_ = add(tr("temperature T"), "tuneTemperature",
                     tr("softmax(z / T): above 1 less confident, below 1 more confident; "
                        "predictions stay the same"));
  temperature_->setRange({kMinTunedTemperature, kMaxTunedTemperature, true, false});
  draws_ = add(tr("draws"), "tuneDraws", tr("Number of draws used, counted from the first"));
  tau_ = add(tr("prior precision τ"), "tuneTau",
             tr("Precision of the Gaussian prior on the weights: smaller means more uncertainty. "
                "Reuses the curvature of the posterior without refitting"));
  link_row_ = new QWidget(parent);
  auto* const row = new QHBoxLayout(link_row_);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(2 * kGrid);
  auto* const label = new QLabel(tr("link"), link_row_);
  label->setFixedWidth(kFormLabelWidth);
  link_ = new QComboBox(link_row_);
  link_->setObjectName(QStringLiteral("tuneLink"));
  link_->setAccessibleName(tr("link"));
  for (const LinkInfo& link : allLinks()) {
    link_->addItem(QString::fromStdString(link.name));
    link_->setItemData(link_->count() - 1, QString::fromStdString(link.help), Qt::ToolTipRole);
  }
  label->setBuddy(link_);
  row->addWidget(label);
  row->addWidget(link_);
  row->addStretch(1);
  layout.addWidget(link_row_);
}

void TunePage::buildButtons(QVBoxLayout& layout) {
  auto* const bar_widget = new QWidget(layout.parentWidget());
  auto* const bar = new QHBoxLayout(bar_widget);
  bar->setContentsMargins(0, 0, 0, 0);
  bar->setSpacing(2 * kGrid);
  keep_ = addButton(
      *bar, tr("Add as new run"), "tuneKeep",
      tr("Adds the tuned result to the workspace as a new run; the run shown does not change"));
  keep_->setProperty("role", QStringLiteral("primary"));
  fit_ = addButton(*bar, tr("Fit on calibration items"), "tuneFit", {});
  optimum_ = addButton(*bar, tr("Lowest NLL"), "tuneOptimum",
                       tr("Temperature with the lowest NLL on the items shown. For exploration, "
                          "not for reporting: it is tuned on the evaluation items"));
  reset_ = addButton(*bar, tr("Reset"), "tuneReset", tr("Return to the run as computed"));
  status_ = new WrappedLabel(bar_widget);
  status_->setObjectName(QStringLiteral("tuneStatus"));
  status_->setProperty("role", QStringLiteral("muted"));
  status_->setTextFormat(Qt::PlainText);
  bar->addWidget(status_, 1);
  layout.addWidget(bar_widget);
}

void TunePage::buildPlots(CardRows& rows) {
  const auto add = [&](Card*& card, QWidget* content, const QString& title, const char* name) {
    card = new Card(title, this);
    card->setObjectName(QLatin1String(name) + QStringLiteral("Card"));
    content->setObjectName(QLatin1String(name));
    card->setContent(content);
  };
  reliability_ = new ReliabilityPlot(this);
  histogram_ = new HistogramPlot(this);
  landscape_ = new LandscapePlot(this);
  changes_ = new ChangeList(this);
  add(reliability_card_, reliability_, tr("Reliability"), "tuneReliability");
  setHelpTopic(*reliability_card_, helpTopicOf(Metric::kEce));
  add(histogram_card_, histogram_, {}, "tuneHistogram");
  add(landscape_card_, landscape_, tr("Metrics by temperature"), "tuneLandscape");
  add(changes_card_, changes_, tr("Before and after"), "tuneChanges");
  rows.addRow(1, {{reliability_card_, 1}, {histogram_card_, 1}});
  rows.addRow(1, {{landscape_card_, 1}, {changes_card_, 1}});
  histogram_card_->setChoices({tr("Predictive entropy"), tr("Confidence")});
  for (PlotBase* const plot :
       {static_cast<PlotBase*>(reliability_), static_cast<PlotBase*>(histogram_),
        static_cast<PlotBase*>(landscape_)}) {
    connect(plot, &PlotBase::failed, this, &TunePage::failed);
  }
}

void TunePage::connectControls() {
  // A temperature moved by hand no longer has a source.
  connect(temperature_, &ValueSlider::moved, this, [this] { temperature_source_.clear(); });
  connect(temperature_, &ValueSlider::settled, this, [this] { temperature_source_.clear(); });
  for (ValueSlider* const slider : {temperature_, draws_, tau_}) {
    connect(slider, &ValueSlider::moved, this, [this] { change(true); });
    connect(slider, &ValueSlider::settled, this, [this] { change(false); });
  }
  connect(link_, &QComboBox::activated, this, [this] { change(false); });
  connect(landscape_, &LandscapePlot::positionMoved, this,
          [this](double position) { followLandscape(position, true); });
  connect(landscape_, &LandscapePlot::positionReleased, this,
          [this](double position) { followLandscape(position, false); });
  connect(landscape_card_, &Card::choiceMade, this, [this](int index) {
    over_tau_ = index == 1;
    showLandscape();
    computeLandscape();
  });
  connect(histogram_card_, &Card::choiceMade, this, [this](int index) {
    measure_ = kMeasures[static_cast<std::size_t>(index)];
    showHistogram();
  });
  connect(reset_, &QPushButton::clicked, this, [this] {
    reset();
    change(false);
  });
  connect(optimum_, &QPushButton::clicked, this, &TunePage::applyOptimum);
  connect(fit_, &QPushButton::clicked, this, [this] { tuner_.fit(calibration(), tuning()); });
  connect(keep_, &QPushButton::clicked, this, [this] { tuner_.addRun(tuning()); });
  connect(&session_, &Session::activeAnalysisChanged, this, &TunePage::updateAnalysis);
  connect(&session_, &Session::workspaceChanged, this, &TunePage::showState);
  connect(&session_.plots(), &PlotState::groupVisibilityChanged, this, &TunePage::showHistogram);
}

void TunePage::connectTuner() {
  connect(&tuner_, &TuneController::prepared, this, [this] {
    reliability_->setCountCeiling(tuner_.basis()->resting->labelled);
    change(false);
  });
  connect(&tuner_, &TuneController::resultChanged, this, [this] {
    showResult();
    showBusy(false);  // each of several results of a moving slider is shown clearly
    if (!moving_) {
      computeLandscape();
    }
  });
  connect(&tuner_, &TuneController::landscapeChanged, this, [this] {
    showLandscape();
    showState();
  });
  connect(&tuner_, &TuneController::fitted, this, &TunePage::applyFit);
  connect(&tuner_, &TuneController::activityChanged, this, &TunePage::showState);
  connect(&tuner_, &TuneController::failed, this, [this](const QString& message) {
    if (parts_.temperature && !tuner_.result()) {
      showPlaceholder(message);
    }
    showState();
    Q_EMIT failed(message);
  });
}

// --- what is tuned -----------------------------------------------------------------------------

void TunePage::updateAnalysis() {
  tuner_.setAnalysis(session_.activeAnalysis());
  calibrated_.reset();
  moving_ = false;
  held_top_.reset();
  showAvailable();
  // Compute only while the page is visible.
  if (isVisible()) {
    tuner_.prepare();
  }
}

void TunePage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  tuner_.prepare();
}

void TunePage::showAvailable() {
  const AnalysisPtr& analysis = tuner_.analysis();
  parts_ = analysis ? tunableParts(*analysis) : TunableParts();
  const QString empty = !analysis ? tr("Compute or open a run to adjust its temperature, draws, "
                                       "link and prior; the plots follow")
                        : parts_.temperature ? QString()
                                             : tr("This run stores confidences only; tuning "
                                                  "requires the probabilities of all classes");
  controls_->setEmptyText(empty);
  // Never show results of the previous run.
  showPlaceholder(empty.isEmpty() ? tr("Preparing…") : empty);
  draws_->setVisible(parts_.draws > 1);
  if (parts_.draws > 1) {
    draws_->setRange({1.0, static_cast<double>(parts_.draws), false, true});
  }
  link_row_->setVisible(!parts_.link.empty());
  link_->setToolTip(parts_.tau ? tr("How probabilities are computed from the Gaussian over logits")
                               : tr("How probabilities are computed from the Gaussian over logits. "
                                    "The run stores variances but no covariances: probit is exact "
                                    "for three classes or more, the others only for independent "
                                    "logits"));
  tau_->setVisible(parts_.tau.has_value());
  // The slider range always includes the run's own value.
  const double own = parts_.tau.value_or(1.0);
  tau_->setRange({std::min(kMinTunedTau, own), std::max(kMaxTunedTau, own), true, false});
  over_tau_ = false;
  landscape_card_->setChoices(
      parts_.tau ? QStringList{tr("Metrics by temperature"), tr("Metrics by prior")}
                 : QStringList());
  if (!parts_.tau) {
    landscape_card_->setTitle(tr("Metrics by temperature"));
  }
  landscape_->setLandscape({});
  showMarks();
  reset();
  showState();
}

void TunePage::showPlaceholder(const QString& text) {
  for (Card* const card : {reliability_card_, histogram_card_, landscape_card_, changes_card_}) {
    card->setEmptyText(text);
    card->setSubtitle({});
  }
  reliability_card_->setFigure({});
}

void TunePage::reset() {
  temperature_->setValue(1.0);
  temperature_source_.clear();
  note_.clear();
  draws_->setValue(static_cast<double>(parts_.draws));
  tau_->setValue(parts_.tau.value_or(1.0));
  link_->setCurrentText(QString::fromStdString(parts_.link));
}

RunTuning TunePage::tuning() const {
  RunTuning tuning;
  if (parts_.draws > 1) {
    tuning.draws = static_cast<std::int64_t>(draws_->value());
  }
  if (!parts_.link.empty()) {
    tuning.link = link_->currentText().toStdString();
  }
  // With the network any link is exact; an unchanged run does not need it.
  if (parts_.tau && (tau_->value() != *parts_.tau || *tuning.link != parts_.link)) {
    tuning.tau = tau_->value();
  }
  tuning.temperature = temperature_->value();
  tuning.temperature_source = temperature_source_.toStdString();
  return tuning;
}

void TunePage::setTemperature(double temperature) {
  temperature_->setValue(temperature);
  temperature_source_.clear();
  change(false);
}

std::vector<ScreenshotStep> TunePage::screenshots() {
  // Different from 1, so that the picture shows a change.
  constexpr double kShownTemperature = 0.6;
  return {ScreenshotStep{}, ScreenshotStep{.name = QStringLiteral("tune"),
                                           .show = [this] { setTemperature(kShownTemperature); }}};
}

void TunePage::followLandscape(double position, bool moving) {
  if (over_tau_) {
    tau_->setValue(position);
  } else {
    temperature_->setValue(position);
    temperature_source_.clear();
  }
  change(moving);
}

void TunePage::change(bool moving) {
  note_.clear();
  if (RunTuning now = beforeTemperature(tuning()); now != fit_key_) {
    fit_key_ = std::move(now);
    temperature_source_.clear();
    calibrated_.reset();
    showMarks();
  }
  landscape_->setPosition(over_tau_ ? tau_->value() : temperature_->value());
  moving_ = moving;
  if (tuner_.ready()) {
    tuner_.change(tuning(), moving);
  }
  showState();
}

void TunePage::computeLandscape() {
  if (!tuner_.ready()) {
    return;
  }
  // The temperature landscape is also needed for the priors: a button and a mark show its optimum.
  tuner_.computeLandscape(tuning());
  if (over_tau_) {
    tuner_.computeTauLandscape(tuning());
  }
}

DatasetPtr TunePage::calibration() const {
  for (const DatasetEntry& entry : session_.datasets()) {
    if (entry.dataset->info().role == Role::kCalibration) {
      return entry.dataset;
    }
  }
  return nullptr;
}

void TunePage::applyOptimum() {
  const TemperatureFit& fit = tuner_.landscape()->fit;
  QString source = tr("tuned on %1 of the evaluated items").arg(countText(fit.items));
  if (const QString labels = labelsText(*tuner_.analysis()); !labels.isEmpty()) {
    source = tr("%1, %2").arg(source, labels);
  }
  applyTemperature(fit.temperature, source);
}

void TunePage::applyFit(const RunTuning& fitted_for, double temperature, const QString& source) {
  if (beforeTemperature(fitted_for) != fit_key_) {
    note_ = tr("Fit discarded because draws, link or prior changed");
    showState();
    return;
  }
  calibrated_ = temperature;
  showMarks();
  applyTemperature(temperature, source);
}

void TunePage::applyTemperature(double temperature, const QString& source) {
  temperature_->setValue(temperature);
  const bool reached = temperature_->value() == temperature;
  temperature_source_ =
      reached
          ? source
          : tr("clamped to the slider range; %1: T %2").arg(source, temperatureText(temperature));
  change(false);
}

// --- what is shown -----------------------------------------------------------------------------

void TunePage::showResult() {
  const TuneResult& result = *tuner_.result();
  const QString of_labelled = withLabels(*tuner_.analysis(), tuneCaption(result, false));
  const QString of_all = withLabels(*tuner_.analysis(), tuneCaption(result, true));
  const ReliabilityDiagram& diagram = result.overview.reliability;
  const QString convention = QString::fromStdString(diagram.convention);
  reliability_->setDiagram(diagram);
  reliability_card_->setEmptyText(diagram.total > 0 ? QString()
                                                    : tr("Calibration requires labels"));
  reliability_card_->setFigure(
      diagram.total > 0 ? tr("ECE %1 %").arg(diagram.ece * 100.0, 0, 'f', 2) : QString(),
      tr("expected calibration error, %1").arg(convention));
  setCaptions(*reliability_card_, *reliability_,
              QStringLiteral("%1 · %2").arg(of_labelled, convention));
  histogram_card_->setSubtitle(of_all);
  histogram_card_->setEmptyText({});
  showHistogram();
  changes_->setChanges(tuneChanges(result.stage->items->before, result.now));
  changes_card_->setSubtitle(of_all);
  changes_card_->setEmptyText({});
  showLandscape();
}

void TunePage::showHistogram() {
  setHelpTopic(*histogram_card_, helpTopicOf(measure_));
  if (!tuner_.result()) {
    return;
  }
  HistogramPlotValue value = tunedHistogram(*tuner_.result(), measure_, session_);
  // Keep the axis fixed while a slider moves.
  if (moving_) {
    value.top_share = held_top_;
  }
  histogram_->setHistograms(std::move(value));
  held_top_ = histogram_->topShare();
  histogram_->setCaption(histogram_card_->title(), histogram_card_->subtitle());
}

void TunePage::showLandscape() {
  setHelpTopic(*landscape_card_, helpTopicOf(over_tau_ ? Metric::kEvidence : Metric::kNll));
  showMarks();
  if (over_tau_) {
    showTauLandscape();
    return;
  }
  if (!tuner_.landscape()) {
    if (tuner_.ready()) {
      landscape_card_->setEmptyText(tuner_.basis()->resting->labelled > 0
                                        ? tr("Evaluating all temperatures…")
                                        : tr("NLL and calibration require labels"));
    }
    return;
  }
  const TuneLandscape& landscape = *tuner_.landscape();
  if (landscape.fit.items == 0) {
    landscape_card_->setEmptyText(tr("NLL and calibration require labels"));
    return;
  }
  landscape_->setLandscape(landscapeValue(landscape.curves));
  landscape_->setPosition(temperature_->value());
  landscape_card_->setEmptyText({});
  const QString best =
      isDetermined(landscape.fit)
          ? tr("lowest NLL at T %1").arg(temperatureText(landscape.fit.temperature))
          : tr("(nearly) all items are predicted correctly: no T is the best");
  setCaptions(*landscape_card_, *landscape_,
              withLabels(*tuner_.analysis(),
                         tr("%1 · not for reporting · tuned on the evaluated items · %2 labelled · "
                            "ECE: %3 bins, L1, equal width")
                             .arg(best, countText(landscape.fit.items))
                             .arg(kCalibrationBins)));
}

void TunePage::showTauLandscape() {
  if (!tuner_.tauLandscape()) {
    landscape_card_->setSubtitle({});
    landscape_card_->setEmptyText(
        tuner_.network() ? tr("Evaluating all priors…")
                         : tr("Move the prior slider once to run the images through the network"));
    return;
  }
  landscape_->setLandscape(landscapeValue(*tuner_.tauLandscape()));
  landscape_->setPosition(tau_->value());
  landscape_card_->setEmptyText({});
  setCaptions(*landscape_card_, *landscape_,
              withLabels(*tuner_.analysis(),
                         tr("dashed: prior of the run · not for reporting · computed on the "
                            "evaluated items · %1 labelled · ECE: %2 bins, L1, equal width")
                             .arg(countText(tuner_.network()->items->labelled))
                             .arg(kCalibrationBins)));
}

void TunePage::showMarks() {
  if (calibrated_) {
    temperature_->setMark(
        calibrated_, tr("fitted on calibration items: T %1").arg(temperatureText(*calibrated_)));
  } else if (tuner_.hasLandscapeOf(tuning()) && isDetermined(tuner_.landscape()->fit)) {
    const double best = tuner_.landscape()->fit.temperature;
    temperature_->setMark(best,
                          tr("lowest NLL on the items shown: T %1").arg(temperatureText(best)));
  } else {
    temperature_->setMark({});
  }
  tau_->setMark(parts_.tau, tr("prior precision of the run"));
  landscape_->setMark(over_tau_ ? tau_->mark() : temperature_->mark());
}

void TunePage::showBusy(bool computes_result) {
  for (Card* const card : {reliability_card_, histogram_card_, changes_card_}) {
    card->setBusy(computes_result);
  }
  landscape_card_->setBusy(tuner_.computesLandscape());
}

void TunePage::showState() {
  showBusy(tuner_.computesResult());
  const AnalysisPtr& analysis = tuner_.analysis();
  const TuneController::Activity activity = tuner_.activity();
  const bool ready = tuner_.ready();
  const bool changed = ready && !changesNothing(tuning(), *analysis->in().run);
  keep_->setEnabled(changed && activity != TuneController::Activity::kAdding);
  reset_->setEnabled(changed);
  optimum_->setEnabled(ready && tuner_.hasLandscapeOf(tuning()) &&
                       isDetermined(tuner_.landscape()->fit));
  const DatasetPtr dataset = calibration();
  const bool can_predict = ready && analysis->model && analysis->method;
  fit_->setEnabled(can_predict && dataset && activity != TuneController::Activity::kFitting);
  fit_->setToolTip(
      !dataset ? tr("Requires labelled items used for neither training nor evaluation. Open them "
                    "and set their role to calibration (Edit dataset…)")
      : !can_predict
          ? tr("This run was loaded from a file; compute it with its model to fit its temperature")
          : tr("Fit the temperature on %1").arg(QString::fromStdString(dataset->info().name)));
  switch (activity) {
    case TuneController::Activity::kFitting:
      status_->setText(tr("Fitting on calibration items…"));
      break;
    case TuneController::Activity::kAdding:
      status_->setText(tr("Adding run…"));
      break;
    case TuneController::Activity::kPassing:
      status_->setText(tr("Running the images through the network once…"));
      break;
    case TuneController::Activity::kPreparing:
      status_->setText(tr("Preparing…"));
      break;
    case TuneController::Activity::kNone:
      status_->setText(note_.isEmpty() ? temperature_source_ : note_);
  }
}

}  // namespace dubito
