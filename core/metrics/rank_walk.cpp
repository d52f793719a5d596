// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/rank_walk.h"

#include "core/base/nan.h"

namespace dubito {
namespace {

constexpr double kTruePositiveRate = 0.95;

/// Feeds RankSums with counts and records the false positive rate at kTruePositiveRate.
class RankCounter {
 public:
  explicit RankCounter(const RankedGroups& groups)
      : positives_(static_cast<double>(groups.positiveCount())),
        negatives_(static_cast<double>(groups.negativeCount())),
        sums_(positives_, negatives_) {
    // The smallest sufficient number of positives, computed once to avoid divisions in the loop.
    enough_ = static_cast<std::int64_t>(kTruePositiveRate * positives_);
    while (static_cast<double>(enough_) / positives_ < kTruePositiveRate) {
      ++enough_;
    }
    while (enough_ > 0 && static_cast<double>(enough_ - 1) / positives_ >= kTruePositiveRate) {
      --enough_;
    }
  }

  void add(std::int64_t positives, std::int64_t negatives) {
    true_positives_ += positives;
    false_positives_ += negatives;
    sums_.add(static_cast<double>(true_positives_), static_cast<double>(false_positives_));
    if (!reached_ && true_positives_ >= enough_) {
      reached_ = true;
      fpr95_ = static_cast<double>(false_positives_) / negatives_;
    }
  }

  [[nodiscard]] RankMetrics metrics() const {
    if (!(positives_ > 0.0 && negatives_ > 0.0)) {
      return {kNaN, kNaN, kNaN};
    }
    return {sums_.areaUnderRoc(), sums_.averagePrecision(), fpr95_};
  }

 private:
  double positives_;
  double negatives_;
  std::int64_t true_positives_ = 0;
  std::int64_t false_positives_ = 0;
  RankSums sums_;
  std::int64_t enough_ = 0;
  bool reached_ = false;
  double fpr95_ = 1.0;
};

}  // namespace

double RankSums::areaUnderRoc() const {
  return positives_ > 0.0 && negatives_ > 0.0 ? pairs_.value() / (positives_ * negatives_) : kNaN;
}

double RankSums::averagePrecision() const {
  return positives_ > 0.0 ? precision_.value() / positives_ : kNaN;
}

SelectiveMetrics walkMetrics(const RankedGroups& groups, RankOrder order,
                             const RunContext& context) {
  RankCounter counter(groups);
  RiskSums risk;
  walkRanks(groups, order, context, [&](double, std::int64_t positives, std::int64_t negatives) {
    counter.add(positives, negatives);
    risk.add(positives + negatives, negatives);
  });
  const auto wrong = static_cast<std::int64_t>(groups.negativeCount());
  const std::int64_t items = static_cast<std::int64_t>(groups.positiveCount()) + wrong;
  SelectiveMetrics metrics;
  metrics.rank = counter.metrics();
  metrics.aurc = risk.aurc();
  metrics.eaurc = metrics.aurc - oracleAurcOf(items, wrong);
  metrics.augrc = risk.augrc();
  return metrics;
}

RankMetrics walkRankMetrics(const RankedGroups& groups, RankOrder order,
                            const RunContext& context) {
  RankCounter counter(groups);
  walkRanks(groups, order, context, [&](double, std::int64_t positives, std::int64_t negatives) {
    counter.add(positives, negatives);
  });
  return counter.metrics();
}

ThresholdTable thresholdTableOf(const RankedGroups& groups, RankOrder order,
                                const RunContext& context) {
  ThresholdTable table;
  walkRanks(
      groups, order, context, [&](double score, std::int64_t positives, std::int64_t negatives) {
        table.positives += static_cast<double>(positives);
        table.negatives += static_cast<double>(negatives);
        table.rows.push_back(
            {order == RankOrder::kHighFirst ? score : -score, table.positives, table.negatives});
      });
  return table;
}

}  // namespace dubito
