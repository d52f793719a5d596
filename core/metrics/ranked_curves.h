// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "core/base/plot_values.h"
#include "core/metrics/rank_walk.h"

namespace dubito {

/// The group to which an item belongs, or kNotChosen for items to ignore.
enum class ItemMark : std::uint8_t { kNotChosen = 0, kCorrect = 1, kMisclassified = 2, kOod = 4 };

/// Number of items per group.
struct GroupCounts {
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
  void add(const GroupCounts& other) {
    correct += other.correct;
    misclassified += other.misclassified;
    ood += other.ood;
  }
  [[nodiscard]] bool any() const { return correct + misclassified + ood > 0; }
};

/// The curves of one score. They have no points if a group is empty.
struct RankedCurves {
  Curve roc;
  Curve precision_recall;  ///< draw as steps
  Curve rejection;
};

/// Adds points of an ROC curve whenever one of the rates has changed by a step, 1/`steps`.
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
  /// `all`: number of items that will be passed. If they are no more than `steps`, every point is
  /// kept.
  SharePoints(std::int64_t all, std::int64_t steps) : all_(all), steps_(steps) {}

  /// `good` of `passed` items are good; the progress is `done` of `total`.
  void add(std::int64_t good, std::int64_t passed, std::int64_t done, std::int64_t total) {
    // Until the next check neither coordinate can change by more than a step.
    if (passed < next_check_ && passed < all_) {
      return;
    }
    next_check_ = passed + std::max<std::int64_t>(1, std::min(passed, total) / steps_);
    const double x = static_cast<double>(done) / static_cast<double>(total);
    const double y = static_cast<double>(good) / static_cast<double>(passed);
    const double step = 1.0 / static_cast<double>(steps_);
    if (curve_.x.empty() || passed == all_ || all_ <= steps_ ||
        std::abs(x - curve_.x.back()) >= step || std::abs(y - curve_.y.back()) >= step) {
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

/// The summaries of RankedCurves: AUROC, average precision and AURC, from the counts of the items
/// of each score, the most certain ones first.
class RankedSums {
 public:
  /// `all`: the items that will be passed, here or in sums that are added. `passed`: those before
  /// the first item of these sums.
  RankedSums(const GroupCounts& all, ItemMark negatives, const GroupCounts& passed = {})
      : negatives_(negatives),
        ranks_(all.correct > 0 && all.of(negatives) > 0),
        passed_(passed),
        rank_sums_(static_cast<double>(all.correct), static_cast<double>(all.of(negatives)),
                   static_cast<double>(passed.correct), static_cast<double>(passed.of(negatives))),
        risk_sums_(passed.correct + passed.misclassified, passed.misclassified) {}

  /// Adds the items of one score.
  void add(const GroupCounts& ties) {
    passed_.add(ties);
    if (ranks_ && ties.correct + ties.of(negatives_) > 0) {
      rank_sums_.add(static_cast<double>(passed_.correct),
                     static_cast<double>(passed_.of(negatives_)));
    }
    if (const std::int64_t kept = ties.correct + ties.misclassified; kept > 0) {
      risk_sums_.add(kept, ties.misclassified);
    }
  }
  /// Adds the sums over the items that follow.
  void append(const RankedSums& next) {
    passed_ = next.passed_;
    rank_sums_.append(next.rank_sums_);
    risk_sums_.append(next.risk_sums_);
  }

  /// Sets the summaries of `curves`; NaN where a group is empty.
  void summarise(RankedCurves& curves) const;

 private:
  ItemMark negatives_;
  bool ranks_;
  GroupCounts passed_;
  RankSums rank_sums_;
  RiskSums risk_sums_;
};

/// Builds the curves of one score in one pass over its ranking, the most certain items first.
class RankedCurveMaker {
 public:
  /// `all`: the items that will be passed. The positives of ROC and precision-recall are the
  /// correct items; `negatives` is kMisclassified or kOod. Points are off by at most 1/`steps` of
  /// an axis.
  RankedCurveMaker(const GroupCounts& all, ItemMark negatives, std::int64_t steps)
      : negatives_(negatives),
        steps_(steps),
        all_(all),
        labelled_(all.correct + all.misclassified),
        ranks_(all.correct > 0 && all.of(negatives) > 0),
        roc_(all.correct, all.of(negatives), steps_),
        precision_recall_(all.correct + all.of(negatives), steps_),
        rejection_(labelled_, steps_) {}

  /// Whether the curves may pass `part` in a straight line, or in one step of precision-recall, as
  /// if all its items had the same score: whatever their order, no curve is off by more than
  /// 1/`steps` of an axis.
  [[nodiscard]] bool isOnePoint(const GroupCounts& part) const {
    const std::int64_t ranked = part.correct + part.of(negatives_);
    const std::int64_t kept = part.correct + part.misclassified;
    // A step of precision-recall stays where it is to the end of the part, while the share of
    // correct ones among n items passed may change by ranked / n. ROC then moves by at most 1/steps
    // in one of its coordinates. The line of rejection is off by at most a quarter of kept / n, if
    // the first half of the part is correct and the second is not.
    return ranked * steps_ <= passed_.correct + passed_.of(negatives_) &&
           kept * steps_ <= 4 * (passed_.correct + passed_.misclassified);
  }

  /// Passes the items of one score, or of several that can be drawn as a single point.
  void addPoint(const GroupCounts& ties) {
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

  /// The curves so far, with the name of the score. Their summaries are NaN.
  [[nodiscard]] RankedCurves take(const std::string& score);

 private:
  ItemMark negatives_;
  std::int64_t steps_;
  GroupCounts all_;
  std::int64_t labelled_;
  bool ranks_;
  GroupCounts passed_;
  RocPoints roc_;
  SharePoints precision_recall_;
  SharePoints rejection_;
};

}  // namespace dubito
