// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/item_ranking.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/base/nan.h"
#include "core/metrics/rank_walk.h"
#include "core/metrics/sorted_scores.h"

namespace dubito {
namespace {

/// Number of points per axis.
std::int64_t stepsOfAxis(CurveDetail detail) {
  return detail == CurveDetail::kPoints ? 300 : 800;
}

/// Number of items per group.
struct Counts {
  std::int64_t correct = 0;
  std::int64_t misclassified = 0;
  std::int64_t ood = 0;

  [[nodiscard]] std::int64_t of(ItemMark mark) const {
    switch (mark) {
      case ItemMark::kCorrect:
        return correct;
      case ItemMark::kMisclassified:
        return misclassified;
      case ItemMark::kOod:
        return ood;
      case ItemMark::kNotChosen:
        break;
    }
    return 0;
  }
  void add(ItemMark mark) {
    correct += mark == ItemMark::kCorrect ? 1 : 0;
    misclassified += mark == ItemMark::kMisclassified ? 1 : 0;
    ood += mark == ItemMark::kOod ? 1 : 0;
  }
  void add(const Counts& other) {
    correct += other.correct;
    misclassified += other.misclassified;
    ood += other.ood;
  }
  [[nodiscard]] bool any() const { return correct + misclassified + ood > 0; }
};

/// Counts eight marks at a time: their bits are summed in the bytes of a word.
Counts countsOf(std::span<const ItemMark> marks) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::size_t kMaxWords = 255;  // a byte counts to 255
  const auto sumOfBytes = [](std::uint64_t word) {
    std::int64_t sum = 0;
    for (int byte = 0; byte < 8; ++byte) {
      sum += static_cast<std::int64_t>(word >> (8 * byte) & 0xff);
    }
    return sum;
  };
  Counts counts;
  std::size_t i = 0;
  while (i + 8 <= marks.size()) {
    std::uint64_t correct = 0;
    std::uint64_t misclassified = 0;
    std::uint64_t ood = 0;
    for (std::size_t words = 0; words < kMaxWords && i + 8 <= marks.size(); ++words, i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, marks.data() + i, 8);
      correct += word & kOnes;
      misclassified += word >> 1 & kOnes;
      ood += word >> 2 & kOnes;
    }
    counts.correct += sumOfBytes(correct);
    counts.misclassified += sumOfBytes(misclassified);
    counts.ood += sumOfBytes(ood);
  }
  for (; i < marks.size(); ++i) {
    counts.add(marks[i]);
  }
  return counts;
}

/// Adds points of an ROC curve whenever one of the rates has changed by a step.
class RocPoints {
 public:
  RocPoints(std::int64_t positives, std::int64_t negatives, std::int64_t steps)
      : positives_(positives),
        negatives_(negatives),
        positive_step_((positives + steps - 1) / steps),
        negative_step_((negatives + steps - 1) / steps) {
    push(0, 0);
  }

  void add(std::int64_t true_positives, std::int64_t false_positives) {
    if (true_positives - true_positives_ >= positive_step_ ||
        false_positives - false_positives_ >= negative_step_ ||
        true_positives + false_positives == positives_ + negatives_) {
      push(true_positives, false_positives);
    }
  }

  [[nodiscard]] Curve take() { return std::move(curve_); }

 private:
  void push(std::int64_t true_positives, std::int64_t false_positives) {
    true_positives_ = true_positives;
    false_positives_ = false_positives;
    curve_.x.push_back(static_cast<double>(false_positives) / static_cast<double>(negatives_));
    curve_.y.push_back(static_cast<double>(true_positives) / static_cast<double>(positives_));
  }

  std::int64_t positives_;
  std::int64_t negatives_;
  std::int64_t positive_step_;
  std::int64_t negative_step_;
  std::int64_t true_positives_ = 0;
  std::int64_t false_positives_ = 0;
  Curve curve_;
};

/// Adds points of the share of good items among those passed, against the progress of the pass.
class SharePoints {
 public:
  /// `all`: number of items that will be passed.
  SharePoints(std::int64_t all, std::int64_t steps) : all_(all), steps_(steps) {}

  /// `good` of `passed` items are good; the progress is `done` of `total`.
  void add(std::int64_t good, std::int64_t passed, std::int64_t done, std::int64_t total) {
    // Until the next check neither coordinate can change by more than a step.
    if (passed < next_check_ && passed < all_) {
      return;
    }
    next_check_ = passed + std::max<std::int64_t>(1, passed / steps_);
    const double x = static_cast<double>(done) / static_cast<double>(total);
    const double y = static_cast<double>(good) / static_cast<double>(passed);
    const double step = 1.0 / static_cast<double>(steps_);
    if (curve_.x.empty() || passed == all_ || std::abs(x - curve_.x.back()) >= step ||
        std::abs(y - curve_.y.back()) >= step) {
      curve_.x.push_back(x);
      curve_.y.push_back(y);
    }
  }

  [[nodiscard]] Curve take() { return std::move(curve_); }

 private:
  std::int64_t all_;
  std::int64_t steps_;
  std::int64_t next_check_ = 0;
  Curve curve_;
};

std::vector<std::uint32_t> blocksOf(const std::vector<std::uint8_t>& ends_tie) {
  std::vector<std::uint32_t> ends;
  std::size_t begin = 0;
  for (std::size_t place = 0; place < ends_tie.size(); ++place) {
    const std::size_t end = place + 1;
    if (ends_tie[place] != 0 &&
        (end == ends_tie.size() || (end - begin) * ItemRanking::kMaxBlocks >= ends_tie.size())) {
      ends.push_back(static_cast<std::uint32_t>(end));
      begin = end;
    }
  }
  return ends;
}

/// Calls visit(ties) for every score of a chosen item. `marks` [places] begin at place `first`.
template <class Visit>
void walkTies(const ItemRanking& ranking, std::span<const ItemMark> marks, std::size_t first,
              const Visit& visit) {
  Counts ties;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    ties.add(marks[i]);
    if (ranking.ends_tie[first + i] != 0 && ties.any()) {
      visit(ties);
      ties = {};
    }
  }
}

/// Builds all curves in one pass.
class CurveMaker {
 public:
  CurveMaker(const Counts& all, ItemMark negatives, CurveDetail detail)
      : negatives_(negatives),
        detail_(detail),
        steps_(stepsOfAxis(detail)),
        all_(all),
        labelled_(all.correct + all.misclassified),
        ranks_(all.correct > 0 && all.of(negatives) > 0),
        roc_(all.correct, all.of(negatives), steps_),
        precision_recall_(all.correct + all.of(negatives), steps_),
        rejection_(labelled_, steps_),
        rank_sums_(static_cast<double>(all.correct), static_cast<double>(all.of(negatives))) {}

  /// Whether `part` can be drawn as a single point, as if all its items had the same score.
  [[nodiscard]] bool isOnePoint(const Counts& part) const {
    const std::int64_t parts = 2 * steps_;
    const std::int64_t items = part.correct + part.misclassified + part.ood;
    return part.correct * parts <= all_.correct &&
           part.of(negatives_) * parts <= all_.of(negatives_) &&
           (part.correct + part.misclassified) * parts <= labelled_ &&
           // Shares among the items passed change little.
           items * parts <= passed_.correct;
  }

  void addPoint(const Counts& ties) {
    passed_.add(ties);
    if (const std::int64_t wrong = passed_.of(negatives_);
        ranks_ && ties.correct + ties.of(negatives_) > 0) {
      roc_.add(passed_.correct, wrong);
      precision_recall_.add(passed_.correct, passed_.correct + wrong, passed_.correct,
                            all_.correct);
    }
    if (ties.correct + ties.misclassified > 0) {
      const std::int64_t kept = passed_.correct + passed_.misclassified;
      rejection_.add(passed_.correct, kept, kept, labelled_);
    }
  }

  /// Adds items of one score to the sums; their point is already added.
  void addToSums(const Counts& ties) {
    if (ranks_ && ties.correct + ties.of(negatives_) > 0) {
      rank_sums_.add(static_cast<double>(passed_.correct),
                     static_cast<double>(passed_.of(negatives_)));
    }
    if (const std::int64_t kept = ties.correct + ties.misclassified; kept > 0) {
      risk_sums_.add(kept, ties.misclassified);
    }
  }

  [[nodiscard]] ChosenCurves take(const std::string& score) {
    ChosenCurves curves;
    if (ranks_) {
      curves.roc = roc_.take();
      curves.precision_recall = precision_recall_.take();
      // The precision at the highest threshold starts at recall 0.
      prepend(0.0, curves.precision_recall);
    }
    curves.rejection = rejection_.take();
    // A single item of the first tie group has their accuracy in expectation.
    const double one = 1.0 / static_cast<double>(labelled_);
    if (labelled_ > 0 && curves.rejection.x.front() > 1.5 * one) {
      prepend(one, curves.rejection);
    }
    const bool sums = detail_ == CurveDetail::kWithSummary;
    curves.roc.name = curves.precision_recall.name = curves.rejection.name = score;
    curves.roc.summary = sums && ranks_ ? rank_sums_.areaUnderRoc() : kNaN;
    curves.precision_recall.summary = sums && ranks_ ? rank_sums_.averagePrecision() : kNaN;
    curves.rejection.summary = sums && labelled_ > 0 ? risk_sums_.aurc() : kNaN;
    return curves;
  }

 private:
  static void prepend(double x, Curve& curve) {
    curve.x.insert(curve.x.begin(), x);
    curve.y.insert(curve.y.begin(), curve.y.front());
  }

  ItemMark negatives_;
  CurveDetail detail_;
  std::int64_t steps_;
  Counts all_;
  std::int64_t labelled_;
  bool ranks_;
  Counts passed_;
  RocPoints roc_;
  SharePoints precision_recall_;
  SharePoints rejection_;
  RankSums rank_sums_;
  RiskSums risk_sums_;
};

}  // namespace

ItemRanking rankItems(std::string score, const std::vector<std::span<const double>>& scores_of_runs,
                      RankOrder order) {
  struct Entry {
    std::uint64_t key;
    std::uint32_t item;
  };
  std::size_t items = 0;
  for (const std::span<const double> scores : scores_of_runs) {
    items += scores.size();
  }
  if (items > std::numeric_limits<std::uint32_t>::max()) {
    throw std::length_error("rankItems: more than 2^32 - 1 items");
  }
  std::vector<Entry> entries;
  entries.reserve(items);
  for (const std::span<const double> scores : scores_of_runs) {
    for (const double value : scores) {
      const std::uint64_t key = SortedScores::keyOf(value);
      entries.push_back(
          {order == RankOrder::kLowFirst ? key : ~key, static_cast<std::uint32_t>(entries.size())});
    }
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.key != b.key ? a.key < b.key : a.item < b.item;
  });
  ItemRanking ranking;
  ranking.score = std::move(score);
  ranking.items = items;
  ranking.item_at.reserve(items);
  ranking.ends_tie.reserve(items);
  for (std::size_t place = 0; place < items; ++place) {
    ranking.item_at.push_back(entries[place].item);
    ranking.ends_tie.push_back(
        place + 1 == items || entries[place + 1].key != entries[place].key ? 1 : 0);
  }
  ranking.block_ends = blocksOf(ranking.ends_tie);
  return ranking;
}

ItemRanking sampledRanking(const ItemRanking& ranking, std::uint32_t share) {
  ItemRanking sampled;
  sampled.score = ranking.score;
  sampled.items = ranking.items;
  for (std::size_t place = 0; place < ranking.item_at.size(); ++place) {
    // Multiplication by the golden ratio spreads neighbouring numbers evenly.
    const std::uint32_t hash = ranking.item_at[place] * 2654435769U;
    if (hash <= std::numeric_limits<std::uint32_t>::max() / share) {
      sampled.item_at.push_back(ranking.item_at[place]);
      sampled.ends_tie.push_back(ranking.ends_tie[place]);
    } else if (ranking.ends_tie[place] != 0 && !sampled.ends_tie.empty()) {
      sampled.ends_tie.back() = 1;  // the last item of the tie is not in the sample
    }
  }
  sampled.block_ends = blocksOf(sampled.ends_tie);
  return sampled;
}

ChosenCurves curvesOfChosen(const ItemRanking& ranking, std::span<const ItemMark> marks,
                            ItemMark negatives, CurveDetail detail) {
  if (marks.size() < ranking.items) {
    throw std::invalid_argument("curvesOfChosen: needs a mark for every item");
  }
  std::vector<ItemMark> placed(ranking.item_at.size());
  for (std::size_t place = 0; place < placed.size(); ++place) {
    placed[place] = marks[ranking.item_at[place]];
  }
  CurveMaker maker(countsOf(placed), negatives, detail);
  std::size_t begin = 0;
  for (const std::uint32_t end : ranking.block_ends) {
    const std::span<const ItemMark> in_block = std::span(placed).subspan(begin, end - begin);
    const Counts block = countsOf(in_block);
    if (detail == CurveDetail::kPoints && maker.isOnePoint(block)) {
      maker.addPoint(block);
    } else if (block.any()) {
      walkTies(ranking, in_block, begin, [&](const Counts& ties) {
        maker.addPoint(ties);
        if (detail == CurveDetail::kWithSummary) {
          maker.addToSums(ties);
        }
      });
    }
    begin = end;
  }
  return maker.take(ranking.score);
}

}  // namespace dubito
