// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/overview_page.h"

#include <QStackedLayout>
#include <QStackedWidget>
#include <algorithm>
#include <iterator>

#include "app/explore/conventions_view.h"
#include "app/explore/images/gallery_binder.h"
#include "app/explore/images/item_table.h"
#include "app/explore/overview_values.h"
#include "app/explore/ranking_card.h"
#include "app/explore/reliability_card.h"
#include "app/explore/start_page.h"
#include "app/pictures/picture_source.h"
#include "app/words/glossary_entries.h"
#include "app/words/plot_caption.h"
#include "app/words/words.h"
#include "core/models/program/network_format.h"
#include "widgets/card.h"
#include "widgets/card_rows.h"
#include "widgets/card_scroll.h"
#include "widgets/drop_target.h"
#include "widgets/help_topic.h"
#include "widgets/histogram_plot.h"
#include "widgets/image_gallery.h"
#include "widgets/metric_table.h"

namespace dubito {

OverviewPage::OverviewPage(const Parts& parts, QWidget* parent)
    : Page(PageId::kOverview, parent),
      parts_(parts),
      session_(parts.session),
      stack_(new QStackedLayout(this)),
      start_(new StartPage(parts.opener, parts.jobs, this)) {
  setObjectName(QStringLiteral("overviewPage"));
  auto* const rows = new CardRows(QStringLiteral("overviewRows"), this);
  stack_->addWidget(makeCardScroll(start_, this));
  stack_->addWidget(makeCardScroll(rows, this));
  // The square plots in the middle need the most height.
  rows->addRow(200,
               {{addHistogram(Measure::kConfidence, tr("Confidence"), "confidenceHistogram"), 1},
                {addHistogram(Measure::kEntropy, tr("Predictive entropy"), "entropyHistogram"), 1},
                {addHistogram(Measure::kMutualInformation, tr("Mutual information"),
                              "mutualInformationHistogram"),
                 1}});
  addSecondRow(*rows);
  addThirdRow(*rows);

  connect(&start_->dropTarget(), &DropTarget::pathsDropped, this, &OverviewPage::pathsDropped);
  connect(&start_->dropTarget(), &DropTarget::primaryRequested, this, [this] {
    if (parts_.computer.canCompute()) {
      Q_EMIT computeRequested();
    } else {
      Q_EMIT openRequested();
    }
  });
  connect(&session_, &Session::workspaceChanged, this, &OverviewPage::showState);
  connect(&parts_.jobs, &WindowJobs::started, this, &OverviewPage::showState);
  connect(&parts_.jobs, &WindowJobs::finished, this, &OverviewPage::showState);
  connect(&session_, &Session::activeAnalysisChanged, this, &OverviewPage::showAnalysis);
  connect(&parts_.evaluator, &RunEvaluator::sampleChanged, this, &OverviewPage::showSample);
  connect(&session_.listing(), &ItemListing::queryChanged, this, &OverviewPage::showSelection);
  connect(&session_.listing(), &ItemListing::itemsChanged, this, &OverviewPage::showSelection);
  connect(&session_.listing(), &ItemListing::selectionOverviewChanged, this,
          &OverviewPage::showSelected);
  connect(&session_.listing(), &ItemListing::selectionOverviewChanged, this,
          &OverviewPage::showTable);
  connect(&session_.plots(), &PlotState::thresholdChanged, this, &OverviewPage::showThresholds);
  connect(&session_.plots(), &PlotState::groupVisibilityChanged, this,
          &OverviewPage::showHistograms);
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
  card->setShortTitle(measure == Measure::kMutualInformation ? tr("Mutual info.")
                      : measure == Measure::kEntropy         ? tr("Entropy")
                                                             : QString());
  histograms_[measure] = {card, plot};
  setHelpTopic(*card, helpTopicOf(measure));
  connect(plot, &HistogramPlot::rangeSelected, this, [this, measure](const Interval& range) {
    if (session_.activeAnalysis()) {  // not a sample
      session_.listing().selectRange(measure, range);
      parts_.brushing.endPreview();
    }
  });
  connect(plot, &HistogramPlot::rangeDragged, this, [this, measure](const Interval& range) {
    if (session_.activeAnalysis()) {
      parts_.brushing.previewRange(measure, range);
    }
  });
  connect(plot, &HistogramPlot::selectionCleared, &session_.listing(),
          &ItemListing::clearSelection);
  const auto move = [this, measure](double threshold) {
    session_.plots().setThreshold(measure, threshold);
  };
  connect(plot, &HistogramPlot::thresholdMoved, this, move);
  connect(plot, &HistogramPlot::thresholdReleased, this, move);
  connect(plot, &PlotBase::failed, this, &OverviewPage::failed);
  return card;
}

void OverviewPage::addSecondRow(CardRows& rows) {
  reliability_ = new ReliabilityCard(session_, this);
  auto* const roc = new RankingCard(session_, parts_.brushing, QStringLiteral("rocPlot"),
                                    {RankingCurve::kRoc}, this);
  auto* const precision_recall =
      new RankingCard(session_, parts_.brushing, QStringLiteral("precisionRecallPlot"),
                      {RankingCurve::kPrecisionRecall, RankingCurve::kRejection}, this);
  connect(reliability_, &ReliabilityCard::failed, this, &OverviewPage::failed);
  connect(roc, &RankingCard::failed, this, &OverviewPage::failed);
  connect(precision_recall, &RankingCard::failed, this, &OverviewPage::failed);
  rankings_ = {roc, precision_recall};
  rows.addRow(306, {{reliability_, 1}, {roc, 1}, {precision_recall, 1}});
}

void OverviewPage::addThirdRow(CardRows& rows) {
  tables_ = new QStackedWidget(this);
  table_ = new MetricTable(tables_);
  conventions_ = new ConventionsView(session_, parts_.jobs, tables_);
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
  items_ = new QStackedWidget(this);
  gallery_card_ = addCard(tr("Images"), "overviewGallery", items_);
  items_->setObjectName(QStringLiteral("overviewItems"));
  gallery_ = new ImageGallery(items_);
  gallery_->setObjectName(QStringLiteral("overviewGallery"));
  auto* const table = new ItemTable(session_, items_);
  table->setObjectName(QStringLiteral("overviewTable"));
  connect(table, &ItemTable::failed, this, &OverviewPage::failed);
  items_->addWidget(gallery_);
  items_->addWidget(table);
  new GalleryBinder(session_, parts_.thumbnails, *gallery_, GalleryBinder::Browsing::kIgnores);
  connect(&gallery_->exporter(), &Exporter::failed, this, &OverviewPage::failed);
  connect(gallery_, &ImageGallery::activated, this, &OverviewPage::imagesRequested);
  rows.addRow(264, {{table_card_, 5}, {gallery_card_, 7}});
}

void OverviewPage::showState() {
  const bool pending = isActive(parts_.computer.queue().job().state());
  const bool has_sample = parts_.evaluator.sample().analysis != nullptr;
  if (session_.activeAnalysis() || pending || has_sample) {
    stack_->setCurrentIndex(1);
    if (!session_.activeAnalysis()) {
      const QString waiting = tr("Computing…");
      table_card_->setEmptyText(waiting);
      gallery_card_->setEmptyText(waiting);
      if (!has_sample) {
        for (const auto& [measure, entry] : histograms_) {
          entry.card->setEmptyText(waiting);
        }
        reliability_->setEmptyText(waiting);
        for (RankingCard* const card : rankings_) {
          card->setEmptyText(waiting);
        }
      }
    }
    return;
  }
  stack_->setCurrentIndex(0);
  DropTarget& drop = start_->dropTarget();
  const bool nothing =
      !parts_.jobs.busy() && session_.models().empty() && session_.datasets().empty();
  start_->setStartVisible(nothing);
  if (nothing) {
    drop.setTexts(
        tr("Drop a model and images here"),
        tr("A model (.pt2, .onnx or .pt), image folder, idx or npz; saved predictions (npz, npy, "
           "csv); or a workspace"));
    drop.setAction({});
  } else if (parts_.jobs.busy()) {
    drop.setTexts(tr("Opening…"), tr("Auditing models and indexing datasets"));
    drop.setAction({});
  } else if (parts_.computer.canCompute()) {
    drop.setTexts(tr("Ready to compute"),
                  tr("Compute now, or hold Shift and drop OOD images first"));
    drop.setAction(tr("Compute…"));
  } else if (session_.activeModel()) {
    drop.setTexts(tr("Drop images here"),
                  tr("A folder with one subfolder per class, an idx file or an .npz file"));
    drop.setAction(tr("Open…"));
  } else {
    drop.setTexts(tr("Drop a model here"),
                  tr("A file of a network: %1").arg(QString::fromStdString(networkFormatsText())));
    drop.setAction(tr("Open…"));
  }
}

void OverviewPage::showAnalysis() {
  showState();
  const AnalysisPtr analysis = session_.activeAnalysis();
  if (!analysis) {
    return;
  }
  showHistograms();
  rows_of_run_ = tableRows(analysis->evaluation);
  showTable();
  showTableCaption();
  table_card_->setEmptyText({});
  gallery_card_->setEmptyText({});
  items_->setCurrentIndex(hasPictures(*analysis) ? 0 : 1);
  showSelection();
  showThresholds();
}

void OverviewPage::showSample() {
  showState();
  const AnalysisSample& sample = parts_.evaluator.sample();
  if (sample.analysis) {
    showHistogramsOf(*sample.analysis, sample.of);
  }
  reliability_->showSample(sample);
  for (RankingCard* const card : rankings_) {
    card->showSample(sample);
  }
}

void OverviewPage::showTableCaption() {
  const AnalysisPtr analysis = session_.activeAnalysis();
  if (!analysis) {
    return;
  }
  const QString convention = QString::fromStdString(analysis->overview.reliability.convention);
  table_card_->setSubtitle(withLabels(
      *analysis,
      tables_->currentIndex() == 0
          ? tr("%1 · ECE: %2").arg(provenance(*analysis), convention)
          : tr("same predictions, conventions of other tools · %1").arg(provenance(*analysis))));
}

void OverviewPage::showHistograms() {
  if (const AnalysisPtr analysis = session_.activeAnalysis()) {
    showHistogramsOf(*analysis, 0);
    showSelected();
  }
}

void OverviewPage::showHistogramsOf(const Analysis& analysis, std::int64_t sample_of) {
  for (const auto& [measure, entry] : histograms_) {
    entry.card->setEmptyText(
        measure == Measure::kMutualInformation
            ? tr("This run has no draws. Compute MC dropout to see where draws disagree")
            : tr("Not available for this run: requires %1")
                  .arg(QString::fromUtf8(describe(measure).needs)));
    entry.card->setSubtitle({});
  }
  for (const Overview::ScoreHistograms& value : analysis.overview.histograms) {
    const auto found = histograms_.find(value.measure);
    if (found == histograms_.end()) {
      continue;
    }
    const ScoreCard& entry = found->second;
    entry.plot->setHistograms(histogramValue(value, shownGroups(session_)));
    entry.card->setEmptyText({});
    const std::size_t bins =
        std::max({value.correct.counts.size(), value.misclassified.counts.size(),
                  value.ood.counts.size(), value.unlabelled.counts.size()});
    const QString line =
        tr("share of each group · %1 bins · %2").arg(bins).arg(provenance(analysis));
    setCaptions(*entry.card, *entry.plot, withLabels(analysis, withSample(sample_of, line)));
  }
}

void OverviewPage::showSelected() {
  const AnalysisPtr analysis = session_.activeAnalysis();
  if (!analysis) {
    return;
  }
  const SelectionOverviewPtr& selection = session_.listing().selectionOverview();
  for (const auto& [measure, entry] : histograms_) {
    entry.plot->setSelected(selection ? selectedHistograms(*analysis, *selection, measure, session_)
                                      : std::vector<Histogram>());
  }
}

void OverviewPage::showTable() {
  if (!session_.activeAnalysis()) {
    return;
  }
  std::vector<MetricTableRow> rows;
  if (session_.listing().selectionOverview()) {
    rows = selectionRows(*session_.listing().selectionOverview());
  }
  std::ranges::copy(rows_of_run_, std::back_inserter(rows));
  table_->setRows(std::move(rows));
}

void OverviewPage::showSelection() {
  if (!session_.activeAnalysis()) {
    return;
  }
  const ItemQuery& query = session_.listing().query();
  for (const auto& [measure, entry] : histograms_) {
    const bool here = query.range && query.range->measure == measure;
    entry.plot->setSelectedRange(here ? std::optional(query.range->range) : std::nullopt);
  }
  const auto count = session_.listing().items()
                         ? static_cast<std::int64_t>(session_.listing().items()->size())
                         : std::int64_t{0};
  gallery_card_->setSubtitle(withLabels(
      *session_.activeAnalysis(),
      describeQuery(query, count) +
          (hasSelection(query) ? tr(" · Esc clears") : tr(" · drag in a plot to select"))));
}

void OverviewPage::showThresholds() {
  const AnalysisPtr analysis = session_.activeAnalysis();
  if (!analysis) {
    return;
  }
  for (const auto& [measure, entry] : histograms_) {
    entry.plot->setThreshold(session_.plots().threshold(measure));
  }
}

}  // namespace dubito
