// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/brushing.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace dubito {
namespace {

/// A pass over this many items, for their curves, takes some milliseconds.
constexpr std::int64_t kPreviewItems = 2'000'000;

/// A pass over fewer items takes a millisecond.
constexpr std::int64_t kIndexedItems = 100'000;

/// The rankings, sampled down to about kPreviewItems.
ItemRankingsPtr previewOf(const ItemRankingsPtr& rankings) {
  const auto items = rankings->empty() ? 0 : static_cast<std::int64_t>(rankings->front().items);
  if (items <= kPreviewItems) {
    return rankings;
  }
  const auto share = static_cast<std::uint32_t>((items + kPreviewItems - 1) / kPreviewItems);
  std::vector<ItemRanking> sampled;
  for (const ItemRanking& ranking : *rankings) {
    sampled.push_back(sampledRanking(ranking, share));
  }
  return std::make_shared<const std::vector<ItemRanking>>(std::move(sampled));
}

}  // namespace

Brushing::Brushing(Session& session, const JobSettings& settings, QObject* parent)
    : QObject(parent),
      session_(session),
      settings_(settings),
      selection_job_(thread_),
      columns_job_(thread_),
      judging_job_(thread_),
      operating_job_(thread_),
      ranking_job_(ranking_thread_),
      index_job_(ranking_thread_),
      point_job_(thread_),
      reliability_job_(thread_) {
  connect(&session_.listing(), &ItemListing::queryChanged, this, [this] {
    preview_.reset();
    summarise();
  });
  connect(&session_.plots(), &PlotState::thresholdChanged, this, &Brushing::findOperatingPoint);
  connect(&session_, &Session::activeAnalysisChanged, this, &Brushing::findOperatingPoint);
  connect(&session_, &Session::activeAnalysisChanged, this, &Brushing::rankItems);
  connect(&session_, &Session::activeAnalysisChanged, this, &Brushing::makeReliability);
  connect(&session_.plots(), &PlotState::reliabilityOptionsChanged, this,
          &Brushing::makeReliability);
  connect(&session_, &Session::activeAnalysisChanged, this, &Brushing::makeColumns);
  connect(&session_, &Session::activeAnalysisChanged, this, &Brushing::binItems);
  connect(&session_.plots(), &PlotState::reliabilityChanged, this, &Brushing::binItems);
}

void Brushing::previewRange(Measure measure, Interval range) {
  preview_ = session_.listing().rangeQuery(measure, range);
  summarise();
}

void Brushing::endPreview() {
  if (preview_) {
    preview_.reset();
    summarise();
  }
}

bool Brushing::settled() const {
  return std::ranges::none_of(
      std::array{&selection_job_, &columns_job_, &judging_job_, &operating_job_, &ranking_job_,
                 &index_job_, &point_job_, &reliability_job_},
      &NewestJob::busy);
}

void Brushing::selectRetained(Measure measure, RankingCurve curve, double x, double y) {
  const AnalysisPtr analysis = session_.activeAnalysis();
  if (!analysis) {
    return;
  }
  point_job_.submit<std::optional<KeptRange>>(
      tr("Selecting"), {},
      [analysis, measure, curve, x, y](RunContext&) -> Expected<std::optional<KeptRange>> {
        return keptRange(*analysis, measure, curve, x, y);
      },
      this,
      [this, analysis, measure](const Expected<std::optional<KeptRange>>& kept) {
        if (!kept || !*kept || analysis != session_.activeAnalysis()) {
          return;
        }
        session_.plots().setThreshold(measure, (*kept)->threshold);
        session_.listing().selectRange(measure, (*kept)->range);
      });
}

void Brushing::rankItems() {
  rankings_ = preview_rankings_ = nullptr;
  range_index_ = nullptr;
  ranking_job_.abandon();  // of the previous analysis
  index_job_.abandon();
  const AnalysisPtr analysis = session_.activeAnalysis();
  if (!analysis) {
    return;
  }
  using Rankings = std::pair<ItemRankingsPtr, ItemRankingsPtr>;  // of all items, of a sample
  ranking_job_.submit<Rankings>(
      tr("Ranking"), {},
      [analysis](RunContext& context) -> Expected<Rankings> {
        const auto rankings = rankingsOf(*analysis, context);
        if (!rankings) {
          return failWith(rankings);
        }
        return Rankings{*rankings, previewOf(*rankings)};
      },
      this,
      [this, analysis](const Expected<Rankings>& rankings) {
        if (rankings && analysis == session_.activeAnalysis()) {
          std::tie(rankings_, preview_rankings_) = *rankings;
          summarise();
        }
      });
}

void Brushing::makeColumns() {
  columns_ = nullptr;
  columns_job_.abandon();  // of the previous analysis
  selection_job_.abandon();
  const AnalysisPtr analysis = session_.activeAnalysis();
  if (!analysis) {
    return;
  }
  columns_job_.submit<SelectionColumnsPtr>(
      tr("Selecting"), settings_,
      [analysis](RunContext& context) { return selectionColumns(*analysis, context); }, this,
      [this, analysis](const Expected<SelectionColumnsPtr>& columns) {
        if (columns && analysis == session_.activeAnalysis()) {
          columns_ = *columns;
          summarise();
        }
      });
}

void Brushing::binItems() {
  judged_ = nullptr;
  judging_job_.abandon();  // of the previous diagram
  selection_job_.abandon();
  const AnalysisPtr analysis = session_.activeAnalysis();
  const ReliabilityPtr reliability = session_.plots().reliability();
  if (!analysis || !reliability) {
    return;
  }
  judging_job_.submit<JudgedItemsPtr>(
      tr("Selecting"), settings_,
      [analysis, reliability](RunContext& context) {
        return judgedItems(*analysis, reliability, context);
      },
      this,
      [this, reliability](const Expected<JudgedItemsPtr>& judged) {
        if (judged && reliability == session_.plots().reliability()) {
          judged_ = *judged;
          summarise();
        }
      });
}

void Brushing::makeReliability() {
  reliability_job_.abandon();  // of what was shown before
  const AnalysisPtr analysis = session_.activeAnalysis();
  if (!analysis || session_.plots().reliability()) {
    return;
  }
  const ReliabilityOptions options = session_.plots().reliabilityOptions();
  reliability_job_.submit<ReliabilityPtr>(
      tr("Reliability"), {},
      [analysis, options](RunContext& context) {
        return dubito::makeReliability(*analysis->in().run, analysis->oodRuns(), options, context);
      },
      this,
      [this, analysis, options](const Expected<ReliabilityPtr>& reliability) {
        if (reliability && analysis == session_.activeAnalysis() &&
            options == session_.plots().reliabilityOptions()) {
          session_.plots().setReliability(*reliability);
        }
      });
}

void Brushing::summarise() {
  const AnalysisPtr analysis = session_.activeAnalysis();
  const ItemQuery query = preview_.value_or(session_.listing().query());
  if (!analysis || !hasSelection(query)) {
    selection_job_.abandon();
    session_.listing().setSelectionOverview(nullptr);
    return;
  }
  // Ignore bins of a stale diagram.
  const JudgedItemsPtr judged =
      judged_ && judged_->reliability == session_.plots().reliability() ? judged_ : nullptr;
  if (!columns_ || (session_.plots().reliability() && !judged)) {
    return;  // called again when these jobs finish
  }
  const SelectionBasis basis{columns_, judged, rankings_, preview_ ? preview_rankings_ : nullptr};
  const RangeIndexPtr index = indexOfPreview(analysis, basis);
  if (!preview_) {
    selection_job_.abandon();  // a preview that nobody waits for any more
  }
  selection_job_.submit<SelectionOverviewPtr>(
      tr("Selecting"), settings_,
      [analysis, query, basis, index](RunContext& context) {
        return index ? index->overview(query.range->range, context)
                     : overviewOfSelection(*analysis, query, basis, context);
      },
      this,
      [this, analysis](const Expected<SelectionOverviewPtr>& overview) {
        if (overview && analysis == session_.activeAnalysis()) {
          session_.listing().setSelectionOverview(*overview);
        }
      });
}

RangeIndexPtr Brushing::indexOfPreview(const AnalysisPtr& analysis, const SelectionBasis& basis) {
  if (!preview_ || !RangeIndex::isRangeAlone(*preview_)) {
    return nullptr;
  }
  const Measure measure = preview_->range->measure;
  if (range_index_ && range_index_->isOf(analysis, measure, basis)) {
    return range_index_;
  }
  if (index_job_.busy() || !basis.rankings || analysis->itemCount() < kIndexedItems) {
    return nullptr;
  }
  index_job_.submit<RangeIndexPtr>(
      tr("Selecting"), {},  // the preview has the other threads
      [analysis, measure, basis](RunContext& context) {
        return RangeIndex::make(analysis, measure, basis, context);
      },
      this,
      [this, analysis](const Expected<RangeIndexPtr>& index) {
        if (index && analysis == session_.activeAnalysis()) {
          range_index_ = *index;
          if (preview_) {
            summarise();
          }
        }
      });
  return nullptr;
}

void Brushing::findOperatingPoint() {
  const AnalysisPtr analysis = session_.activeAnalysis();
  const Measure measure = session_.plots().thresholdMeasure();
  const std::optional<double> threshold = session_.plots().threshold(measure);
  if (!analysis || !threshold) {
    operating_job_.abandon();
    session_.plots().setOperatingPoint(std::nullopt);
    return;
  }
  operating_job_.submit<std::optional<OperatingPoint>>(
      tr("Threshold"), {},
      [analysis, measure, at = *threshold](RunContext&) -> Expected<std::optional<OperatingPoint>> {
        return operatingPoint(*analysis, measure, at);
      },
      this,
      [this, analysis](const Expected<std::optional<OperatingPoint>>& point) {
        if (point && analysis == session_.activeAnalysis()) {
          session_.plots().setOperatingPoint(*point);
        }
      });
}

}  // namespace dubito
