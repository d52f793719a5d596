// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/overview_page.h"

#include <QStackedLayout>
#include <QStackedWidget>
#include <algorithm>
#include <iterator>

#include "app/pages/conventions_view.h"
#include "app/pages/gallery_binder.h"
#include "app/pages/overview_values.h"
#include "app/panels/reliability_form.h"
#include "app/panels/words.h"
#include "widgets/card.h"
#include "widgets/card_rows.h"
#include "widgets/curve_plot.h"
#include "widgets/drop_target.h"
#include "widgets/histogram_plot.h"
#include "widgets/image_gallery.h"
#include "widgets/metric_table.h"
#include "widgets/plot_table.h"
#include "widgets/reliability_plot.h"
#include "widgets/theme.h"

namespace dubito {

OverviewPage::OverviewPage(Workbench& workbench, ThumbnailLoader& loader, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      session_(workbench.session()),
      stack_(new QStackedLayout(this)),
      empty_(new DropTarget(this)) {
  setObjectName(QStringLiteral("overviewPage"));
  auto* const rows = new CardRows(QStringLiteral("overviewRows"), this);
  // The square plots in the middle need the most height.
  rows->addRow(200,
               {{addHistogram(Measure::kConfidence, tr("Confidence"), "confidenceHistogram"), 1},
                {addHistogram(Measure::kEntropy, tr("Predictive entropy"), "entropyHistogram"), 1},
                {addHistogram(Measure::kMutualInformation, tr("Mutual information"),
                              "mutualInformationHistogram"),
                 1}});
  addSecondRow(*rows);
  addThirdRow(*rows, loader);
  stack_->addWidget(empty_);
  stack_->addWidget(rows);

  connect(empty_, &DropTarget::pathsDropped, this, &OverviewPage::pathsDropped);
  connect(empty_, &DropTarget::secondaryRequested, this, &OverviewPage::demoRequested);
  connect(empty_, &DropTarget::primaryRequested, this, [this] {
    if (workbench_.canCompute()) {
      Q_EMIT computeRequested();
    } else {
      Q_EMIT openRequested();
    }
  });
  connect(&session_, &Session::workspaceChanged, this, &OverviewPage::showState);
  connect(&workbench_, &Workbench::jobStarted, this, &OverviewPage::showState);
  connect(&workbench_, &Workbench::jobFinished, this, &OverviewPage::showState);
  connect(&session_, &Session::activeAnalysisChanged, this, &OverviewPage::showAnalysis);
  connect(&session_, &Session::queryChanged, this, &OverviewPage::showSelection);
  connect(&session_, &Session::itemsChanged, this, &OverviewPage::showSelection);
  connect(&session_, &Session::selectionOverviewChanged, this, &OverviewPage::showSelected);
  connect(&session_, &Session::selectionOverviewChanged, this, &OverviewPage::showTable);
  connect(&session_, &Session::reliabilityChanged, this, &OverviewPage::showReliability);
  connect(&session_, &Session::thresholdChanged, this, &OverviewPage::showThresholds);
  connect(&session_, &Session::operatingPointChanged, this, &OverviewPage::showOperatingPoint);
  connect(&session_, &Session::groupVisibilityChanged, this, &OverviewPage::showHistograms);
  showAnalysis();
}

Card* OverviewPage::addCard(const QString& title, const char* name, QWidget* content) {
  auto* const card = new Card(title, this);
  card->setObjectName(QLatin1String(name) + QStringLiteral("Card"));
  content->setObjectName(QLatin1String(name));
  card->setContent(content);
  return card;
}

Card* OverviewPage::addHistogram(Measure measure, const QString& title, const char* name) {
  auto* const plot = new HistogramPlot(this);
  Card* const card = addCard(title, name, plot);
  histograms_[measure] = {card, plot};
  connect(plot, &HistogramPlot::rangeSelected, this, [this, measure](const Interval& range) {
    session_.selectRange(measure, range);
    workbench_.brushing().endPreview();
  });
  connect(plot, &HistogramPlot::rangeDragged, this, [this, measure](const Interval& range) {
    workbench_.brushing().previewRange(measure, range);
  });
  connect(plot, &HistogramPlot::selectionCleared, &session_, &Session::clearSelection);
  const auto move = [this, measure](double threshold) {
    session_.setThreshold(measure, threshold);
  };
  connect(plot, &HistogramPlot::thresholdMoved, this, move);
  connect(plot, &HistogramPlot::thresholdReleased, this, move);
  connect(plot, &PlotBase::failed, this, &OverviewPage::failed);
  return card;
}

void OverviewPage::addSecondRow(CardRows& rows) {
  reliability_ = new ReliabilityPlot(this);
  reliability_card_ = addCard(tr("Reliability"), "reliabilityPlot", reliability_);
  reliability_form_ = new ReliabilityForm(this);
  reliability_card_->setOptionsText(tr("Bins, class and OOD items…"));
  connect(reliability_card_, &Card::optionsRequested, this, &OverviewPage::askForReliability);
  connect(reliability_form_, &ReliabilityForm::edited, &session_, &Session::setReliabilityOptions);
  roc_ = new CurvePlot(this);
  roc_card_ = addCard(tr("ROC"), "rocPlot", roc_);
  precision_recall_ = new CurvePlot(this);
  precision_recall_card_ =
      addCard(tr("Precision–recall"), "precisionRecallPlot", precision_recall_);
  precision_recall_card_->setChoices({tr("Precision–recall"), tr("Rejection")});
  connect(precision_recall_card_, &Card::choiceMade, this, [this](int index) {
    shows_rejection_ = index == 1;
    if (session_.activeAnalysis()) {
      showThirdCurve();
      drawCurves();
    }
  });
  rows.addRow(306, {{reliability_card_, 1}, {roc_card_, 1}, {precision_recall_card_, 1}});
  connect(reliability_, &ReliabilityPlot::binSelected, &session_, &Session::selectReliabilityBin);
  connect(reliability_, &ReliabilityPlot::selectionCleared, &session_, &Session::clearSelection);
  connect(roc_, &CurvePlot::pointSelected, this, [this](int curve, int point) {
    selectUpTo(RankingCurve::kRoc, roc_->curves(), curve, point);
  });
  connect(precision_recall_, &CurvePlot::pointSelected, this, [this](int curve, int point) {
    selectUpTo(shows_rejection_ ? RankingCurve::kRejection : RankingCurve::kPrecisionRecall,
               precision_recall_->curves(), curve, point);
  });
  for (PlotBase* const plot : {static_cast<PlotBase*>(reliability_), static_cast<PlotBase*>(roc_),
                               static_cast<PlotBase*>(precision_recall_)}) {
    connect(plot, &PlotBase::failed, this, &OverviewPage::failed);
  }
}

void OverviewPage::addThirdRow(CardRows& rows, ThumbnailLoader& loader) {
  tables_ = new QStackedWidget(this);
  table_ = new MetricTable(tables_);
  conventions_ = new ConventionsView(workbench_, tables_);
  tables_->addWidget(table_);
  tables_->addWidget(conventions_);
  table_card_ = addCard(tr("Metrics"), "metricTable", tables_);
  tables_->setObjectName(QStringLiteral("metricTables"));
  table_card_->setChoices({tr("Metrics"), tr("Conventions")});
  connect(table_card_, &Card::choiceMade, this, [this](int index) {
    tables_->setCurrentIndex(index);
    showTableCaption();
  });
  connect(table_, &MetricTable::failed, this, &OverviewPage::failed);
  connect(conventions_, &ConventionsView::failed, this, &OverviewPage::failed);
  gallery_ = new ImageGallery(this);
  gallery_card_ = addCard(tr("Images"), "overviewGallery", gallery_);
  new GalleryBinder(session_, loader, *gallery_);
  connect(gallery_, &ImageGallery::activated, this, &OverviewPage::imagesRequested);
  rows.addRow(264, {{table_card_, 5}, {gallery_card_, 7}});
}

void OverviewPage::showState() {
  const bool pending = isActive(workbench_.computeJob().state());
  if (session_.activeAnalysis() || pending) {
    stack_->setCurrentIndex(1);
    if (!session_.activeAnalysis()) {
      const QString waiting = tr("Computing…");
      for (const auto& [measure, entry] : histograms_) {
        entry.card->setEmptyText(waiting);
      }
      for (Card* const card :
           {reliability_card_, roc_card_, precision_recall_card_, table_card_, gallery_card_}) {
        card->setEmptyText(waiting);
      }
    }
    return;
  }
  stack_->setCurrentIndex(0);
  if (workbench_.busy()) {
    empty_->setTexts(tr("Opening…"), tr("Models are audited and datasets indexed"));
    empty_->setActions({}, {});
  } else if (workbench_.canCompute()) {
    empty_->setTexts(tr("Ready to compute"),
                     tr("Drop OOD images with Shift held to compare against, or compute now"));
    empty_->setActions(tr("Compute…"), {});
  } else if (session_.activeModel()) {
    empty_->setTexts(tr("Drop images here"),
                     tr("A folder with one subfolder a class, an idx file, or an .npz"));
    empty_->setActions(tr("Open…"), {});
  } else if (session_.activeDataset()) {
    empty_->setTexts(tr("Drop a model here"), tr("A TorchScript file: .pt, .ptl or .pth"));
    empty_->setActions(tr("Open…"), {});
  } else {
    empty_->setTexts(tr("Drop a model and images here"),
                     tr("TorchScript, folders of images, idx, npz; or saved predictions as npz, "
                        "npy or csv"));
    empty_->setActions(tr("Open…"), tr("Show the demo"));
  }
}

void OverviewPage::setCaptions(Card& card, PlotBase& plot, const QString& convention) {
  const QString line =
      QStringLiteral("%1 · %2").arg(convention, provenance(*session_.activeAnalysis()));
  card.setSubtitle(line);
  plot.setCaption(card.title(), line);
}

void OverviewPage::showAnalysis() {
  showState();
  reliability_form_->hide();  // its classes are those of another run
  const AnalysisPtr analysis = session_.activeAnalysis();
  if (!analysis) {
    return;
  }
  showHistograms();
  if (!session_.reliability()) {
    reliability_->setDiagram({});
    reliability_card_->setFigure({});
    reliability_card_->setEmptyText(tr("Computing…"));
  }
  showReliability();
  showCurves();
  rows_of_run_ = tableRows(analysis->evaluation);
  showTable();
  showTableCaption();
  table_card_->setEmptyText({});
  gallery_card_->setEmptyText({});
  showSelection();
  showThresholds();
}

void OverviewPage::showReliability() {
  const AnalysisPtr analysis = session_.activeAnalysis();
  const ReliabilityPtr& reliability = session_.reliability();
  if (!analysis || !reliability) {
    return;  // under other options what is shown stays until it is made
  }
  const ReliabilityDiagram& diagram = reliability->diagram;
  QString convention = QString::fromStdString(diagram.convention);
  if (const auto of_class = reliability->options.of_class) {
    const QString name = className(*analysis, *of_class);
    convention.replace(tr("class %1").arg(*of_class), tr("class %1").arg(name));
    reliability_->setQuantities(tr("probability of %1").arg(name), tr("share of %1").arg(name));
  } else {
    reliability_->setQuantities(tr("confidence"), tr("accuracy"));
  }
  reliability_->setDiagram(diagram);
  reliability_->setSelected(std::nullopt);  // until they are counted in these bins
  reliability_->setSelectedBin(markedBin());
  reliability_card_->setFigure(
      diagram.total > 0 ? tr("ECE %1 %").arg(diagram.ece * 100.0, 0, 'f', 2) : QString(),
      tr("expected calibration error, %1").arg(convention));
  setCaptions(*reliability_card_, *reliability_, tr("%1 · Wilson 95 %").arg(convention));
  reliability_card_->setEmptyText(
      diagram.total > 0 ? QString() : tr("Without labels there is no calibration to show"));
}

std::optional<int> OverviewPage::markedBin() const {
  const auto& chosen = session_.query().reliability_bin;
  const ReliabilityPtr& reliability = session_.reliability();
  return chosen && reliability && chosen->options == reliability->options
             ? std::optional(chosen->bin)
             : std::nullopt;
}

void OverviewPage::askForReliability(const QPoint& position) {
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
  reliability_form_->setChoices(classes, analysis->overview.ood > 0);
  reliability_form_->setOptions(session_.reliabilityOptions());
  reliability_form_->move(position);
  reliability_form_->show();
}

void OverviewPage::showTableCaption() {
  const AnalysisPtr analysis = session_.activeAnalysis();
  if (!analysis) {
    return;
  }
  const QString convention = QString::fromStdString(analysis->overview.reliability.convention);
  table_card_->setSubtitle(
      tables_->currentIndex() == 0
          ? tr("%1 · ECE: %2").arg(provenance(*analysis), convention)
          : tr("the same predictions as other tools count them · %1").arg(provenance(*analysis)));
}

void OverviewPage::showHistograms() {
  const AnalysisPtr analysis = session_.activeAnalysis();
  if (!analysis) {
    return;
  }
  for (const auto& [measure, entry] : histograms_) {
    entry.card->setEmptyText(
        measure == Measure::kMutualInformation
            ? tr("This run holds no draws: compute MC dropout to see what draws disagree about")
            : tr("This run does not hold it"));
    entry.card->setSubtitle({});
  }
  for (const Overview::ScoreHistograms& value : analysis->overview.histograms) {
    const std::optional<Measure> measure = measureOfScore(value.score);
    const auto found = measure ? histograms_.find(*measure) : histograms_.end();
    if (found == histograms_.end()) {
      continue;
    }
    const ScoreCard& entry = found->second;
    entry.plot->setHistograms(histogramValue(value, session_));
    entry.card->setEmptyText({});
    const std::size_t bins =
        std::max({value.correct.counts.size(), value.misclassified.counts.size(),
                  value.ood.counts.size(), value.unlabelled.counts.size()});
    setCaptions(*entry.card, *entry.plot, tr("share of each group · %1 bins").arg(bins));
  }
  showSelected();
}

void OverviewPage::showSelected() {
  const AnalysisPtr analysis = session_.activeAnalysis();
  if (!analysis) {
    return;
  }
  const SelectionOverviewPtr& selection = session_.selectionOverview();
  for (const auto& [measure, entry] : histograms_) {
    entry.plot->setSelected(selection ? selectedHistograms(*analysis, *selection, measure, session_)
                                      : std::vector<Histogram>());
  }
  reliability_->setSelected(selection ? std::optional(selection->reliability) : std::nullopt);
  drawCurves();
}

void OverviewPage::showTable() {
  if (!session_.activeAnalysis()) {
    return;
  }
  std::vector<MetricTableRow> rows;
  if (session_.selectionOverview()) {
    rows = selectionRows(*session_.selectionOverview());
  }
  std::ranges::copy(rows_of_run_, std::back_inserter(rows));
  table_->setRows(std::move(rows));
}

void OverviewPage::showCurves() {
  const Overview& overview = session_.activeAnalysis()->overview;
  const QString convention = QString::fromStdString(overview.ranking_convention);
  const QString none = overview.roc.empty()
                           ? tr("Needs labelled items of both kinds: open an OOD dataset, or "
                                "labels")
                           : QString();
  roc_card_->setEmptyText(none);
  setCaptions(*roc_card_, *roc_, convention);
  showThirdCurve();
}

void OverviewPage::selectUpTo(RankingCurve kind, const CurvePlotValue& drawn, int curve,
                              int point) {
  const AnalysisPtr analysis = session_.activeAnalysis();
  if (!analysis) {
    return;  // a floating plot that shows what was there
  }
  const Overview& overview = analysis->overview;
  const std::vector<Curve>& curves = kind == RankingCurve::kRoc         ? overview.roc
                                     : kind == RankingCurve::kRejection ? overview.rejection
                                                                        : overview.precision_recall;
  const auto number = static_cast<std::size_t>(curve);
  if (number >= curves.size()) {
    return;  // the oracle, which no threshold belongs to
  }
  if (const auto measure = measureOfScore(curves[number].name)) {
    const Curve& line = drawn.curves[number].curve;
    const auto at = static_cast<std::size_t>(point);
    workbench_.brushing().selectUpTo(*measure, kind, line.x[at], line.y[at]);
  }
}

void OverviewPage::drawCurves() {
  const AnalysisPtr analysis = session_.activeAnalysis();
  const SelectionOverview* const selection = session_.selectionOverview().get();
  roc_->setCurves(rocValue(analysis->overview, selection));
  precision_recall_->setCurves(shows_rejection_
                                   ? rejectionValue(analysis->overview, selection)
                                   : precisionRecallValue(analysis->overview, selection));
}

void OverviewPage::showThirdCurve() {
  const Overview& overview = session_.activeAnalysis()->overview;
  if (shows_rejection_) {
    precision_recall_card_->setEmptyText(
        overview.rejection.empty() ? tr("Needs labels to tell right from wrong") : QString());
    setCaptions(*precision_recall_card_, *precision_recall_,
                tr("the most certain kept first · dashed: kept at random"));
    return;
  }
  precision_recall_card_->setEmptyText(
      overview.precision_recall.empty()
          ? tr("Needs labelled items of both kinds: open an OOD dataset, or labels")
          : QString());
  setCaptions(*precision_recall_card_, *precision_recall_,
              tr("%1 · step AP").arg(QString::fromStdString(overview.ranking_convention)));
}

void OverviewPage::showSelection() {
  if (!session_.activeAnalysis()) {
    return;
  }
  const ItemQuery& query = session_.query();
  for (const auto& [measure, entry] : histograms_) {
    const bool here = query.range && query.range->measure == measure;
    entry.plot->setSelectedRange(here ? std::optional(query.range->range) : std::nullopt);
  }
  reliability_->setSelectedBin(markedBin());
  const auto count =
      session_.items() ? static_cast<std::int64_t>(session_.items()->size()) : std::int64_t{0};
  gallery_card_->setSubtitle(
      describeQuery(query, count) +
      (hasSelection(query) ? tr(" · Esc clears") : tr(" · drag in a plot to select")));
}

void OverviewPage::showThresholds() {
  const AnalysisPtr analysis = session_.activeAnalysis();
  if (!analysis) {
    return;
  }
  for (const auto& [measure, entry] : histograms_) {
    entry.plot->setThreshold(session_.threshold(measure));
  }
}

void OverviewPage::showOperatingPoint() {
  const std::optional<OperatingPoint>& point = session_.operatingPoint();
  roc_->setMarker(
      point ? std::optional(QPointF(point->false_positive_rate, point->true_positive_rate))
            : std::nullopt);
}

}  // namespace dubito
