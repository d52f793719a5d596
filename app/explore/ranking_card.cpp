// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/ranking_card.h"

#include <QPointF>
#include <optional>
#include <utility>

#include "app/explore/overview_values.h"
#include "app/words/glossary_entries.h"
#include "app/words/plot_caption.h"
#include "app/words/words.h"
#include "widgets/curve_plot.h"
#include "widgets/help_topic.h"

namespace dubito {
namespace {

QString titleOf(RankingCurve curve) {
  switch (curve) {
    case RankingCurve::kRoc:
      return RankingCard::tr("ROC");
    case RankingCurve::kPrecisionRecall:
      return RankingCard::tr("Precision–recall");
    case RankingCurve::kRejection:
      break;
  }
  return RankingCard::tr("Rejection");
}

QString missingInputText(RankingCurve curve) {
  return curve == RankingCurve::kRejection
             ? RankingCard::tr("Requires labels")
             : RankingCard::tr(
                   "Requires items of both groups: open an OOD dataset, or a dataset with labels");
}

QString conventionOf(RankingCurve curve, const Overview& overview) {
  QString ranking = QString::fromStdString(overview.ranking_convention);
  switch (curve) {
    case RankingCurve::kRoc:
      return ranking;
    case RankingCurve::kPrecisionRecall:
      return RankingCard::tr("%1 · step AP").arg(ranking);
    case RankingCurve::kRejection:
      break;
  }
  return RankingCard::tr("most uncertain rejected first · dashed: random");
}

/// Area metric shown for the curve.
Metric summaryOf(RankingCurve curve) {
  switch (curve) {
    case RankingCurve::kRoc:
      return Metric::kAuroc;
    case RankingCurve::kPrecisionRecall:
      return Metric::kAveragePrecision;
    case RankingCurve::kRejection:
      break;
  }
  return Metric::kAurc;
}

CurvePlotValue valueOf(RankingCurve curve, const Overview& overview,
                       const SelectionOverview* selection) {
  switch (curve) {
    case RankingCurve::kRoc:
      return rocValue(overview, selection);
    case RankingCurve::kPrecisionRecall:
      return precisionRecallValue(overview, selection);
    case RankingCurve::kRejection:
      break;
  }
  return rejectionValue(overview, selection);
}

}  // namespace

RankingCard::RankingCard(Session& session, Brushing& brushing, const QString& name,
                         std::vector<RankingCurve> curves, QWidget* parent)
    : Card(titleOf(curves.front()), parent),
      brushing_(brushing),
      session_(session),
      curves_(std::move(curves)),
      plot_(new CurvePlot(this)) {
  setObjectName(name + QStringLiteral("Card"));
  plot_->setObjectName(name);
  setContent(plot_);
  if (curves_.size() > 1) {
    QStringList titles;
    QStringList short_titles;
    for (const RankingCurve curve : curves_) {
      titles.push_back(titleOf(curve));
      short_titles.push_back(curve == RankingCurve::kPrecisionRecall ? tr("PR") : titleOf(curve));
    }
    setChoices(titles, short_titles);
  }
  connect(this, &Card::choiceMade, this, [this](int index) {
    chosen_ = static_cast<std::size_t>(index);
    showAnalysis();
  });
  connect(plot_, &CurvePlot::pointSelected, this, &RankingCard::selectRetained);
  connect(plot_, &PlotBase::failed, this, &RankingCard::failed);
  connect(&session_, &Session::activeAnalysisChanged, this, &RankingCard::showAnalysis);
  connect(&session_.listing(), &ItemListing::selectionOverviewChanged, this,
          &RankingCard::drawCurves);
  connect(&session_.plots(), &PlotState::operatingPointChanged, this,
          &RankingCard::showOperatingPoint);
  showAnalysis();
}

void RankingCard::showSample(const AnalysisSample& sample) {
  sample_ = sample;
  if (sample_.analysis && !session_.activeAnalysis()) {
    showAnalysis();
  }
}

AnalysisPtr RankingCard::plotted() const {
  const AnalysisPtr active = session_.activeAnalysis();
  return active ? active : sample_.analysis;
}

const std::vector<Curve>& RankingCard::curvesOf(const Analysis& analysis) const {
  const Overview& overview = analysis.overview;
  switch (shown()) {
    case RankingCurve::kRoc:
      return overview.roc;
    case RankingCurve::kPrecisionRecall:
      return overview.precision_recall;
    case RankingCurve::kRejection:
      break;
  }
  return overview.rejection;
}

void RankingCard::showAnalysis() {
  setHelpTopic(*this, helpTopicOf(summaryOf(shown())));
  const AnalysisPtr analysis = plotted();
  if (!analysis) {
    return;
  }
  setEmptyText(curvesOf(*analysis).empty() ? missingInputText(shown()) : QString());
  const QString line = QStringLiteral("%1 · %2").arg(conventionOf(shown(), analysis->overview),
                                                     shown() == RankingCurve::kRejection
                                                         ? rejectionProvenance(*analysis)
                                                         : rankingProvenance(*analysis));
  const std::int64_t sample_of = analysis == sample_.analysis ? sample_.of : 0;
  setCaptions(*this, *plot_, withLabels(*analysis, withSample(sample_of, line)));
  drawCurves();
  showOperatingPoint();
}

void RankingCard::drawCurves() {
  if (const AnalysisPtr analysis = plotted()) {
    plot_->setCurves(
        valueOf(shown(), analysis->overview, session_.listing().selectionOverview().get()));
  }
}

void RankingCard::showOperatingPoint() {
  const std::optional<OperatingPoint>& point = session_.plots().operatingPoint();
  plot_->setMarker(
      point && shown() == RankingCurve::kRoc
          ? std::optional(QPointF(point->false_positive_rate, point->true_positive_rate))
          : std::nullopt);
}

void RankingCard::selectRetained(int curve, int point) {
  const AnalysisPtr analysis = session_.activeAnalysis();
  if (!analysis) {
    return;  // a sample, or a floating plot of a closed run
  }
  const std::vector<Curve>& of_run = curvesOf(*analysis);
  const auto number = static_cast<std::size_t>(curve);
  if (number >= of_run.size()) {
    return;  // the oracle has no threshold
  }
  if (const auto measure = measureOfKey(of_run[number].name)) {
    const Curve& line = plot_->curves().curves[number].curve;
    const auto at = static_cast<std::size_t>(point);
    brushing_.selectRetained(*measure, shown(), line.x[at], line.y[at]);
  }
}

}  // namespace dubito
