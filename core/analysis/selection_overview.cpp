// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/selection_overview.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <span>
#include <utility>

#include "core/analysis/item_chunks.h"
#include "core/analysis/listed_items.h"
#include "core/metrics/calibration_error.h"

namespace dubito {
namespace {

constexpr std::size_t kGroups = SelectionColumns::kGroups;

Histogram& histogramOf(Overview::ScoreHistograms& histograms, ItemGroup group) {
  switch (group) {
    case ItemGroup::kCorrect:
      return histograms.correct;
    case ItemGroup::kMisclassified:
      return histograms.misclassified;
    case ItemGroup::kOod:
      return histograms.ood;
    case ItemGroup::kUnlabelled:
      break;
  }
  return histograms.unlabelled;
}

ItemMark markOf(ItemGroup group) {
  // By ItemGroup; no curve counts unlabelled items.
  static constexpr std::array kMarks{ItemMark::kCorrect, ItemMark::kMisclassified, ItemMark::kOod,
                                     ItemMark::kNotChosen};
  return kMarks[static_cast<std::size_t>(group)];
}

/// Adds up numbers by place. The same place often occurs several times in a row; neighbours are
/// counted apart, so that they do not wait for each other.
template <class T>
class Tally {
 public:
  explicit Tally(std::size_t places) : places_(places), sums_(kApart * places) {}

  /// Calls each(i, add) for every i < count, which may call add(place, value).
  template <class Each>
  void addEach(std::size_t count, const Each& each) {
    T* const sums = sums_.data();
    const std::size_t places = places_;
    for (std::size_t i = 0; i < count; ++i) {
      each(i, [sums, places, i](std::size_t place, T value) {
        sums[i % kApart * places + place] += value;
      });
    }
  }
  [[nodiscard]] T sum(std::size_t place) const {
    T sum = 0;
    for (std::size_t apart = 0; apart < kApart; ++apart) {
      sum += sums_[apart * places_ + place];
    }
    return sum;
  }

 private:
  static constexpr std::size_t kApart = 4;

  std::size_t places_;
  std::vector<T> sums_;
};

/// The positions of the items of a chunk that are listed.
std::vector<std::uint32_t> positionsOf(std::span<const std::uint8_t> listed) {
  std::vector<std::uint32_t> positions(listed.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    positions[count] = static_cast<std::uint32_t>(i);
    count += listed[i];
  }
  positions.resize(count);
  return positions;
}

/// Counts over the listed items of one chunk; chunks are added up in their order, so that the
/// result does not depend on the number of threads.
class Counts {
 public:
  /// `judged` may be null; both must outlive this.
  Counts(const SelectionColumns& columns, const JudgedItems* judged)
      : columns_(columns),
        judged_(judged != nullptr && judged->binCount() > 0 ? judged : nullptr),
        cells_(columns.scores.size()),
        reliability_(judged_ != nullptr ? judged_->binCount() : 0) {
    for (std::size_t s = 0; s < cells_.size(); ++s) {
      cells_[s].resize(columns.scores[s].noCell());
    }
  }

  /// `listed`: positions in the chunk of the items to count.
  void add(const Run& run, const ItemChunk& chunk, std::span<const std::uint32_t> listed) {
    addGroups(chunk, listed);
    addConfidence(run, chunk, listed);
    for (std::size_t s = 0; s < cells_.size(); ++s) {
      addCells(chunk, listed, columns_.scores[s], cells_[s]);
    }
    if (judged_ != nullptr) {
      addJudged(run, chunk, listed);
    }
  }

  void add(const Counts& other) {
    for (std::size_t s = 0; s < cells_.size(); ++s) {
      for (std::size_t cell = 0; cell < cells_[s].size(); ++cell) {
        cells_[s][cell] += other.cells_[s][cell];
      }
    }
    for (std::size_t group = 0; group < kGroups; ++group) {
      items_[group] += other.items_[group];
    }
    for (std::size_t bin = 0; bin < reliability_.size(); ++bin) {
      reliability_[bin].add(other.reliability_[bin]);
    }
    confidence_.add(other.confidence_);
  }

  [[nodiscard]] std::int64_t itemsOf(ItemGroup group) const {
    return items_[static_cast<std::size_t>(group)];
  }
  [[nodiscard]] const std::vector<BinSums>& reliability() const { return reliability_; }
  [[nodiscard]] double confidenceSum() const { return confidence_.value(); }

  /// Over the edges of score `s` of the columns.
  [[nodiscard]] Histogram histogram(std::size_t s, ItemGroup group) const {
    const SelectionColumns::Score& score = columns_.scores[s];
    Histogram histogram;
    histogram.edges = score.edges;
    const auto first = cells_[s].begin() + static_cast<std::ptrdiff_t>(score.cell(group, 0));
    histogram.counts.assign(first, first + static_cast<std::ptrdiff_t>(score.binCount()));
    for (const std::int64_t count : histogram.counts) {
      histogram.total += count;
    }
    return histogram;
  }

 private:
  void addGroups(const ItemChunk& chunk, std::span<const std::uint32_t> listed) {
    const ItemGroup* const groups = columns_.groups.data() + chunk.number(chunk.begin);
    Tally<std::uint32_t> items(kGroups);
    items.addEach(listed.size(), [&](std::size_t i, const auto& add) {
      add(static_cast<std::size_t>(groups[listed[i]]), 1);
    });
    for (std::size_t group = 0; group < kGroups; ++group) {
      items_[group] += items.sum(group);
    }
  }

  void addConfidence(const Run& run, const ItemChunk& chunk,
                     std::span<const std::uint32_t> listed) {
    const double* const confidence = run.confidence.data() + chunk.begin;
    Tally<double> sum(1);
    sum.addEach(listed.size(),
                [&](std::size_t i, const auto& add) { add(0, confidence[listed[i]]); });
    confidence_.add(sum.sum(0));
  }

  static void addCells(const ItemChunk& chunk, std::span<const std::uint32_t> listed,
                       const SelectionColumns::Score& score, std::vector<std::int64_t>& cells) {
    const std::uint16_t* const cell_of = score.cells.data() + chunk.number(chunk.begin);
    Tally<std::uint32_t> items(score.noCell() + 1);
    items.addEach(listed.size(),
                  [&](std::size_t i, const auto& add) { add(cell_of[listed[i]], 1); });
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      cells[cell] += items.sum(cell);
    }
  }

  void addJudged(const Run& run, const ItemChunk& chunk, std::span<const std::uint32_t> listed) {
    const JudgedItems::Place* const places = judged_->places.data() + chunk.number(chunk.begin);
    const ReliabilityOptions& options = judged_->reliability->options;
    const std::size_t bins = reliability_.size();
    Tally<std::uint32_t> items(2 * bins);
    Tally<double> probabilities(bins);
    items.addEach(listed.size(), [&](std::size_t i, const auto& add) {
      if (const JudgedItems::Place place = places[listed[i]]; place.isJudged()) {
        add(2 * place.bin() + (place.isRight() ? 1 : 0), 1);
      }
    });
    probabilities.addEach(listed.size(), [&](std::size_t i, const auto& add) {
      if (const JudgedItems::Place place = places[listed[i]]; place.isJudged()) {
        add(place.bin(), assessedProbability(run, chunk.begin + listed[i], options));
      }
    });
    for (std::size_t bin = 0; bin < bins; ++bin) {
      const std::int64_t right = items.sum(2 * bin + 1);
      reliability_[bin].count += items.sum(2 * bin) + right;
      reliability_[bin].correct += right;
      reliability_[bin].confidence.add(probabilities.sum(bin));
    }
  }

  const SelectionColumns& columns_;
  const JudgedItems* judged_;                     ///< null without bins
  std::vector<std::vector<std::int64_t>> cells_;  ///< [score, cell]
  std::array<std::int64_t, kGroups> items_{};
  std::vector<BinSums> reliability_;
  CompensatedSum confidence_;
};

/// Whether enough of the sample is selected for curves.
bool isSampleEnough(const std::vector<ItemRanking>& sample, std::int64_t selected) {
  constexpr double kEnough = 20'000;
  return !sample.empty() &&
         static_cast<double>(selected) * static_cast<double>(sample.front().item_at.size()) >=
             kEnough * static_cast<double>(sample.front().items);
}

/// Curves in the order of the rankings.
std::vector<RankedCurves> curvesOf(const std::vector<ItemRanking>& rankings,
                                   const std::vector<ItemMark>& marks, ItemMark negatives,
                                   CurveDetail detail, const RunContext& context) {
  std::vector<RankedCurves> curves(rankings.size());
  context.parallelFor(
      static_cast<std::int64_t>(rankings.size()), 1, [&](std::int64_t begin, std::int64_t end) {
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
          curves[i] = curvesOfChosen(rankings[i], marks, negatives, detail, context);
        }
      });
  return curves;
}

/// Appends only curves with points.
void addCurves(std::vector<RankedCurves> curves, SelectionOverview& overview) {
  const auto keep = [](Curve& curve, std::vector<Curve>& list) {
    if (!curve.x.empty()) {
      list.push_back(std::move(curve));
    }
  };
  for (RankedCurves& of_score : curves) {
    keep(of_score.roc, overview.roc);
    keep(of_score.precision_recall, overview.precision_recall);
    keep(of_score.rejection, overview.rejection);
  }
}

}  // namespace

Expected<SelectionOverviewPtr> overviewOfSelection(const Analysis& analysis, const ItemQuery& query,
                                                   const SelectionBasis& basis,
                                                   RunContext& context) {
  const Overview& all = analysis.overview;
  const SelectionColumns& columns = *basis.columns;
  const JudgedItems* const judged = basis.judged.get();
  std::vector<ItemMark> marks(columns.groups.size());
  std::mutex joining;
  std::map<std::size_t, Counts> chunks;  // by the number of their first item
  if (!forEachItemChunk(analysis, context, [&](const ItemChunk& chunk) {
        std::vector<std::uint8_t> listed(static_cast<std::size_t>(chunk.end - chunk.begin));
        markListed(analysis, query, {chunk.part, chunk.begin}, listed);
        const std::size_t first = chunk.number(chunk.begin);
        for (std::size_t i = 0; i < listed.size(); ++i) {
          marks[first + i] =
              listed[i] != 0 ? markOf(columns.groups[first + i]) : ItemMark::kNotChosen;
        }
        Counts mine(columns, judged);
        mine.add(*analysis.parts[static_cast<std::size_t>(chunk.part)].run, chunk,
                 positionsOf(listed));
        const std::lock_guard lock(joining);
        chunks.emplace(first, std::move(mine));
      })) {
    return cancelled();
  }
  Counts counts(columns, judged);
  for (const auto& [first, of_chunk] : chunks) {
    counts.add(of_chunk);
  }

  auto result = std::make_shared<SelectionOverview>();
  result->histograms.resize(all.histograms.size());
  for (std::size_t i = 0; i < all.histograms.size(); ++i) {
    result->histograms[i].measure = all.histograms[i].measure;
  }
  for (std::size_t s = 0; s < columns.scores.size(); ++s) {
    for (std::size_t group = 0; group < kGroups; ++group) {
      histogramOf(result->histograms[columns.scores[s].position], static_cast<ItemGroup>(group)) =
          counts.histogram(s, static_cast<ItemGroup>(group));
    }
  }
  result->reliability =
      diagramOf(counts.reliability(), judged != nullptr ? judged->edges : std::vector<double>());
  if (judged != nullptr) {
    result->reliability.convention = judged->reliability->diagram.convention;
  }
  result->correct = counts.itemsOf(ItemGroup::kCorrect);
  result->misclassified = counts.itemsOf(ItemGroup::kMisclassified);
  result->ood = counts.itemsOf(ItemGroup::kOod);
  result->unlabelled = counts.itemsOf(ItemGroup::kUnlabelled);
  result->mmc = result->itemCount() > 0
                    ? counts.confidenceSum() / static_cast<double>(result->itemCount())
                    : std::numeric_limits<double>::quiet_NaN();
  const bool against_ood = all.ood > 0;
  const std::int64_t negatives = against_ood ? result->ood : result->misclassified;
  result->positive_share =
      result->correct > 0 && negatives > 0
          ? static_cast<double>(result->correct) / static_cast<double>(result->correct + negatives)
          : std::numeric_limits<double>::quiet_NaN();
  if (basis.rankings) {
    const bool sampled = basis.preview && isSampleEnough(*basis.preview, result->itemCount());
    addCurves(curvesOf(sampled ? *basis.preview : *basis.rankings, marks,
                       against_ood ? ItemMark::kOod : ItemMark::kMisclassified,
                       basis.preview ? CurveDetail::kPoints : CurveDetail::kWithSummary, context),
              *result);
  }
  return SelectionOverviewPtr(std::move(result));
}

}  // namespace dubito
