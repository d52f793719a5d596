// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/selection_counts.h"

#include <limits>

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

void addCells(const ItemChunk& chunk, std::span<const std::uint32_t> positions,
              const SelectionColumns::Score& score, std::vector<std::int64_t>& cells) {
  const std::uint16_t* const cell_of = score.cells.data() + chunk.number(chunk.begin);
  Tally<std::uint32_t> items(score.noCell() + 1);
  items.addEach(positions.size(),
                [&](std::size_t i, const auto& add) { add(cell_of[positions[i]], 1); });
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    cells[cell] += items.sum(cell);
  }
}

}  // namespace

SelectionCounts::SelectionCounts(const SelectionColumns& columns, const JudgedItems* judged)
    : columns_(columns),
      judged_(judged),
      cells_(columns.scores.size()),
      reliability_(judged != nullptr ? judged->binCount() : 0) {
  for (std::size_t s = 0; s < cells_.size(); ++s) {
    cells_[s].resize(columns.scores[s].noCell());
  }
}

void SelectionCounts::add(const Run& run, const ItemChunk& chunk,
                          std::span<const std::uint32_t> positions) {
  addGroups(chunk, positions);
  addConfidence(run, chunk, positions);
  for (std::size_t s = 0; s < cells_.size(); ++s) {
    addCells(chunk, positions, columns_.scores[s], cells_[s]);
  }
  if (!reliability_.empty()) {
    addJudged(run, chunk, positions);
  }
}

void SelectionCounts::add(const SelectionCounts& other) {
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

Histogram SelectionCounts::histogram(std::size_t s, ItemGroup group) const {
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

void SelectionCounts::addGroups(const ItemChunk& chunk, std::span<const std::uint32_t> positions) {
  const ItemGroup* const groups = columns_.groups.data() + chunk.number(chunk.begin);
  Tally<std::uint32_t> items(kGroups);
  items.addEach(positions.size(), [&](std::size_t i, const auto& add) {
    add(static_cast<std::size_t>(groups[positions[i]]), 1);
  });
  for (std::size_t group = 0; group < kGroups; ++group) {
    items_[group] += items.sum(group);
  }
}

void SelectionCounts::addConfidence(const Run& run, const ItemChunk& chunk,
                                    std::span<const std::uint32_t> positions) {
  const double* const confidence = run.confidence.data() + chunk.begin;
  Tally<double> sum(1);
  sum.addEach(positions.size(),
              [&](std::size_t i, const auto& add) { add(0, confidence[positions[i]]); });
  confidence_.add(sum.sum(0));
}

void SelectionCounts::addJudged(const Run& run, const ItemChunk& chunk,
                                std::span<const std::uint32_t> positions) {
  const JudgedItems::Place* const places = judged_->places.data() + chunk.number(chunk.begin);
  const ReliabilityOptions& options = judged_->reliability->options;
  const std::size_t bins = reliability_.size();
  Tally<std::uint32_t> items(2 * bins);
  Tally<double> probabilities(bins);
  items.addEach(positions.size(), [&](std::size_t i, const auto& add) {
    if (const JudgedItems::Place place = places[positions[i]]; place.isJudged()) {
      add(2 * place.bin() + (place.isRight() ? 1 : 0), 1);
    }
  });
  probabilities.addEach(positions.size(), [&](std::size_t i, const auto& add) {
    if (const JudgedItems::Place place = places[positions[i]]; place.isJudged()) {
      add(place.bin(), assessedProbability(run, chunk.begin + positions[i], options));
    }
  });
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const std::int64_t right = items.sum(2 * bin + 1);
    reliability_[bin].count += items.sum(2 * bin) + right;
    reliability_[bin].correct += right;
    reliability_[bin].confidence.add(probabilities.sum(bin));
  }
}

SelectionOverview SelectionCounts::overview(const Analysis& analysis) const {
  const Overview& all = analysis.overview;
  SelectionOverview result;
  result.histograms.resize(all.histograms.size());
  for (std::size_t i = 0; i < all.histograms.size(); ++i) {
    result.histograms[i].measure = all.histograms[i].measure;
  }
  for (std::size_t s = 0; s < columns_.scores.size(); ++s) {
    for (std::size_t group = 0; group < kGroups; ++group) {
      histogramOf(result.histograms[columns_.scores[s].position], static_cast<ItemGroup>(group)) =
          histogram(s, static_cast<ItemGroup>(group));
    }
  }
  result.reliability =
      diagramOf(reliability_, judged_ != nullptr ? judged_->edges : std::vector<double>());
  if (judged_ != nullptr) {
    result.reliability.convention = judged_->reliability->diagram.convention;
  }
  result.correct = itemsOf(ItemGroup::kCorrect);
  result.misclassified = itemsOf(ItemGroup::kMisclassified);
  result.ood = itemsOf(ItemGroup::kOod);
  result.unlabelled = itemsOf(ItemGroup::kUnlabelled);
  result.mmc = result.itemCount() > 0
                   ? confidence_.value() / static_cast<double>(result.itemCount())
                   : std::numeric_limits<double>::quiet_NaN();
  const std::int64_t negatives = all.ood > 0 ? result.ood : result.misclassified;
  result.positive_share =
      result.correct > 0 && negatives > 0
          ? static_cast<double>(result.correct) / static_cast<double>(result.correct + negatives)
          : std::numeric_limits<double>::quiet_NaN();
  return result;
}

}  // namespace dubito
