// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/reliability_card.h"

#include <vector>

#include "app/explore/overview_values.h"
#include "app/explore/reliability_form.h"
#include "app/words/glossary_entries.h"
#include "app/words/plot_caption.h"
#include "app/words/words.h"
#include "widgets/help_topic.h"
#include "widgets/reliability_plot.h"

namespace dubito {

ReliabilityCard::ReliabilityCard(Session& session, QWidget* parent)
    : Card(tr("Reliability"), parent),
      session_(session),
      plot_(new ReliabilityPlot(this)),
      form_(new ReliabilityForm(this)) {
  setObjectName(QStringLiteral("reliabilityPlotCard"));
  plot_->setObjectName(QStringLiteral("reliabilityPlot"));
  setContent(plot_);
  setHelpTopic(*this, helpTopicOf(Metric::kEce));
  setOptionsText(tr("Bins, class and OOD items…"));
  connect(this, &Card::optionsRequested, this, &ReliabilityCard::openOptions);
  connect(form_, &ReliabilityForm::edited, &session_.plots(), &PlotState::setReliabilityOptions);
  connect(plot_, &ReliabilityPlot::binSelected, &session_, &Session::selectReliabilityBin);
  connect(plot_, &ReliabilityPlot::selectionCleared, &session_.listing(),
          &ItemListing::clearSelection);
  connect(plot_, &PlotBase::failed, this, &ReliabilityCard::failed);
  connect(&session_, &Session::activeAnalysisChanged, this, &ReliabilityCard::showAnalysis);
  connect(&session_.plots(), &PlotState::reliabilityChanged, this, &ReliabilityCard::showDiagram);
  connect(&session_.listing(), &ItemListing::selectionOverviewChanged, this,
          &ReliabilityCard::showSelected);
  connect(&session_.listing(), &ItemListing::queryChanged, this,
          [this] { plot_->setSelectedBin(markedBin()); });
  showAnalysis();
}

void ReliabilityCard::showAnalysis() {
  form_->hide();  // its classes belong to another run
  if (!session_.activeAnalysis()) {
    return;
  }
  if (!session_.plots().reliability()) {
    plot_->setDiagram({});
    setFigure({});
    setEmptyText(tr("Computing…"));
  }
  showDiagram();
  showSelected();
}

void ReliabilityCard::showDiagram() {
  const AnalysisPtr analysis = session_.activeAnalysis();
  const ReliabilityPtr& reliability = session_.plots().reliability();
  if (!analysis || !reliability) {
    return;  // keep showing the old diagram until the new one is ready
  }
  draw(*analysis, *reliability, 0);
}

void ReliabilityCard::showSample(const AnalysisSample& sample) {
  if (sample.analysis && !session_.activeAnalysis()) {
    draw(*sample.analysis, {{}, sample.analysis->overview.reliability}, sample.of);
  }
}

void ReliabilityCard::draw(const Analysis& analysis, const Reliability& reliability,
                           std::int64_t sample_of) {
  const ReliabilityDiagram& diagram = reliability.diagram;
  QString convention = QString::fromStdString(diagram.convention);
  if (const auto of_class = reliability.options.of_class) {
    const QString name = className(analysis, *of_class);
    convention.replace(tr("class %1").arg(*of_class), tr("class %1").arg(name));
    plot_->setQuantities(tr("probability of %1").arg(name), tr("share of %1").arg(name));
  } else {
    plot_->setQuantities(tr("confidence"), tr("accuracy"));
  }
  plot_->setDiagram(diagram);
  plot_->setSelected(std::nullopt);  // until counted in these bins
  plot_->setSelectedBin(markedBin());
  setFigure(diagram.total > 0 ? tr("ECE %1").arg(shareText(diagram.ece)) : QString(),
            tr("expected calibration error, %1").arg(convention));
  const QString line =
      tr("%1 · Wilson 95 % · %2")
          .arg(convention, provenance(analysis, diagram, reliability.options.with_ood));
  setCaptions(*this, *plot_, withLabels(analysis, withSample(sample_of, line)));
  setEmptyText(diagram.total > 0 ? QString() : tr("Calibration requires labels"));
}

void ReliabilityCard::showSelected() {
  if (session_.activeAnalysis()) {
    const SelectionOverviewPtr& selection = session_.listing().selectionOverview();
    plot_->setSelected(selection ? std::optional(selection->reliability) : std::nullopt);
  }
}

std::optional<int> ReliabilityCard::markedBin() const {
  const auto& chosen = session_.listing().query().reliability_bin;
  const ReliabilityPtr& reliability = session_.plots().reliability();
  return chosen && reliability && chosen->options == reliability->options
             ? std::optional(chosen->bin)
             : std::nullopt;
}

void ReliabilityCard::openOptions(const QPoint& position) {
  const AnalysisPtr analysis = session_.activeAnalysis();
  if (!analysis) {
    return;
  }
  std::vector<QString> classes;
  if (const Run& run = *analysis->in().run; run.probs) {
    for (std::int64_t k = 0; k < run.classCount(); ++k) {
      classes.push_back(className(*analysis, k));
    }
  }
  form_->setChoices(classes, analysis->overview.ood > 0);
  form_->setOptions(session_.plots().reliabilityOptions());
  form_->move(position);
  form_->show();
}

}  // namespace dubito
