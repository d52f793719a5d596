// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/item_ranking.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/metrics/risk_sums.h"
#include "core/metrics/sorted_scores.h"

namespace dubito {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
// Of an axis: less than a pixel of the plots that follow a mouse.
constexpr std::int64_t kStepsOfAxis = 800;

using Counts = std::array<std::int64_t, 4>;  // by ItemMark

std::size_t indexOf(ItemMark mark) {
  return static_cast<std::size_t>(mark);
}

/// Points of an ROC curve wherever one of the rates has moved by a step.
class RocPoints {
 public:
  RocPoints(std::int64_t positives, std::int64_t negatives)
      : positives_(positives),
        negatives_(negatives),
        positive_step_(std::max<std::int64_t>(1, positives / kStepsOfAxis)),
        negative_step_(std::max<std::int64_t>(1, negatives / kStepsOfAxis)) {
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

/// Points of the share of good ones among those passed, against how far one has come.
class SharePoints {
 public:
  /// `all`: as many as will be passed.
  explicit SharePoints(std::int64_t all) : all_(all) {}

  /// `good` of `passed` ones; `come` of `way` is how far.
  void add(std::int64_t good, std::int64_t passed, std::int64_t come, std::int64_t way) {
    // Before the next look neither of the two can have moved by more than a step.
    if (passed < next_look_ && passed < all_) {
      return;
    }
    next_look_ = passed + std::max<std::int64_t>(1, passed / kStepsOfAxis);
    const double x = static_cast<double>(come) / static_cast<double>(way);
    const double y = static_cast<double>(good) / static_cast<double>(passed);
    constexpr double kStep = 1.0 / kStepsOfAxis;
    if (curve_.x.empty() || passed == all_ || std::abs(x - curve_.x.back()) >= kStep ||
        std::abs(y - curve_.y.back()) >= kStep) {
      curve_.x.push_back(x);
      curve_.y.push_back(y);
    }
  }

  [[nodiscard]] Curve take() { return std::move(curve_); }

 private:
  std::int64_t all_;
  std::int64_t next_look_ = 0;
  Curve curve_;
};

/// Calls visit(counts of what has been passed, counts of the ties just passed) after every score
/// that a chosen item has.
template <class Visit>
void walkChosen(const ItemRanking& ranking, std::span<const ItemMark> marks, const Visit& visit) {
  Counts passed{};
  Counts before{};
  bool any = false;
  for (std::size_t place = 0; place < marks.size(); ++place) {
    if (marks[place] != ItemMark::kNotChosen) {
      ++passed[indexOf(marks[place])];
      any = true;
    }
    if (any && ranking.ends_tie[place] != 0) {
      visit(passed, before);
      before = passed;
      any = false;
    }
  }
}

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
    throw std::length_error("more than 4e9 items cannot be ranked together");
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
  ranking.place_of.resize(items);
  ranking.ends_tie.resize(items);
  for (std::size_t place = 0; place < items; ++place) {
    ranking.place_of[entries[place].item] = static_cast<std::uint32_t>(place);
    ranking.ends_tie[place] =
        place + 1 == items || entries[place + 1].key != entries[place].key ? 1 : 0;
  }
  return ranking;
}

ChosenCurves curvesOfChosen(const ItemRanking& ranking, std::span<const ItemMark> marks,
                            ItemMark negatives) {
  if (marks.size() != ranking.ends_tie.size()) {
    throw std::invalid_argument("one mark a place is needed");
  }
  Counts all{};
  for (const ItemMark mark : marks) {
    ++all[indexOf(mark)];
  }
  const std::int64_t correct = all[indexOf(ItemMark::kCorrect)];
  const std::int64_t negative = all[indexOf(negatives)];
  const std::int64_t labelled = correct + all[indexOf(ItemMark::kMisclassified)];
  const bool ranks = correct > 0 && negative > 0;

  RocPoints roc(correct, negative);
  SharePoints precision_recall(correct + negative);
  SharePoints rejection(labelled);
  RankSums rank_sums(static_cast<double>(correct), static_cast<double>(negative));
  RiskSums risk_sums;
  walkChosen(ranking, marks, [&](const Counts& passed, const Counts& before) {
    const auto since = [&](ItemMark mark) { return passed[indexOf(mark)] - before[indexOf(mark)]; };
    const std::int64_t right = passed[indexOf(ItemMark::kCorrect)];
    if (ranks && since(ItemMark::kCorrect) + since(negatives) > 0) {
      const std::int64_t wrong = passed[indexOf(negatives)];
      rank_sums.add(static_cast<double>(right), static_cast<double>(wrong));
      roc.add(right, wrong);
      precision_recall.add(right, right + wrong, right, correct);
    }
    const std::int64_t errors = since(ItemMark::kMisclassified);
    if (const std::int64_t kept = since(ItemMark::kCorrect) + errors; kept > 0) {
      risk_sums.add(kept, errors);
      const std::int64_t so_far = right + passed[indexOf(ItemMark::kMisclassified)];
      rejection.add(right, so_far, so_far, labelled);
    }
  });

  ChosenCurves curves;
  if (ranks) {
    curves.roc = roc.take();
    curves.precision_recall = precision_recall.take();
    // The precision of the highest threshold holds from recall 0 on.
    curves.precision_recall.x.insert(curves.precision_recall.x.begin(), 0.0);
    curves.precision_recall.y.insert(curves.precision_recall.y.begin(),
                                     curves.precision_recall.y.front());
  }
  curves.rejection = rejection.take();
  // A single item of the first ties has their accuracy in expectation.
  if (labelled > 0 && curves.rejection.x.front() * static_cast<double>(labelled) > 1.5) {
    curves.rejection.x.insert(curves.rejection.x.begin(), 1.0 / static_cast<double>(labelled));
    curves.rejection.y.insert(curves.rejection.y.begin(), curves.rejection.y.front());
  }
  curves.roc.name = curves.precision_recall.name = curves.rejection.name = ranking.score;
  curves.roc.summary = ranks ? rank_sums.areaUnderRoc() : kNaN;
  curves.precision_recall.summary = ranks ? rank_sums.averagePrecision() : kNaN;
  curves.rejection.summary = labelled > 0 ? risk_sums.aurc() : kNaN;
  return curves;
}

}  // namespace dubito
