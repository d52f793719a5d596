// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/plot_values.h"
#include "core/metrics/rank_walk.h"
#include "core/metrics/ranking.h"

namespace dubito {

/// The items retained by a threshold: those with a score at or above it.
struct RiskCoveragePoint {
  double threshold = 0.0;
  std::int64_t kept = 0;    ///< number of retained items
  std::int64_t errors = 0;  ///< wrong predictions among the retained items

  [[nodiscard]] double accuracy() const {
    return 1.0 - static_cast<double>(errors) / static_cast<double>(kept);
  }
};

/// The risk-coverage curve of N items (theory, section 3): one point per distinct score, the
/// highest (most certain) first. If only some of the items with equal scores are retained, the
/// errors among the tied items are treated as evenly spread over all of them, which gives the
/// expectation over random orders of the ties.
class RiskCoverage {
 public:
  /// `table` must be unweighted, with the correct predictions as positives. Throws
  /// std::invalid_argument if it is empty.
  explicit RiskCoverage(const ThresholdTable& table);

  [[nodiscard]] const std::vector<RiskCoveragePoint>& points() const { return points_; }
  [[nodiscard]] std::int64_t itemCount() const { return points_.back().kept; }
  [[nodiscard]] std::int64_t errorCount() const { return points_.back().errors; }

  /// AURC: mean over k = 1..N of the risk of the k most certain items.
  [[nodiscard]] double aurc() const;
  /// AURC of a score that ranks every error last.
  [[nodiscard]] double oracleAurc() const;
  /// E-AURC: aurc() - oracleAurc().
  [[nodiscard]] double excessAurc() const { return aurc() - oracleAurc(); }
  /// E-AURC with the AURC of the oracle approximated by r + (1 - r) ln(1 - r), r the overall risk.
  [[nodiscard]] double excessAurcGeifman() const;
  /// AUGRC: trapezoids of errors(k)/N over k/N, from k = 0 to N.
  [[nodiscard]] double augrc() const;
  /// AURC and AUGRC by trapezoids over k = 1..N, divided by 1 - 1/N (as in torch-uncertainty); NaN
  /// for a single item.
  [[nodiscard]] double aurcTrapezoidFromFirst() const;
  [[nodiscard]] double augrcTrapezoidFromFirst() const;

 private:
  /// Errors expected among the `kept` most certain items, 0 <= kept <= N.
  [[nodiscard]] double errorsAmong(std::int64_t kept) const;
  [[nodiscard]] RiskSums sums() const;
  /// Calls visit(k, errors among the first k) for k = 1..N.
  template <class Visit>
  void forEachKept(const Visit& visit) const;

  std::vector<RiskCoveragePoint> points_;
};

}  // namespace dubito
