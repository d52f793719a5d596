// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/selective.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/base/compensated_sum.h"

namespace dubito {

RiskCoverage::RiskCoverage(const ThresholdTable& table) {
  if (table.rows.empty()) {
    throw std::invalid_argument("RiskCoverage: needs at least one item");
  }
  points_.reserve(table.rows.size());
  for (const ThresholdRow& row : table.rows) {
    points_.push_back({row.threshold,
                       static_cast<std::int64_t>(row.true_positives + row.false_positives),
                       static_cast<std::int64_t>(row.false_positives)});
  }
}

double RiskCoverage::errorsAmong(std::int64_t kept) const {
  const auto group =
      std::lower_bound(points_.begin(), points_.end(), kept,
                       [](const RiskCoveragePoint& p, std::int64_t k) { return p.kept < k; });
  const RiskCoveragePoint before = group == points_.begin() ? RiskCoveragePoint{} : *(group - 1);
  const double share =
      static_cast<double>(kept - before.kept) / static_cast<double>(group->kept - before.kept);
  return static_cast<double>(before.errors) +
         share * static_cast<double>(group->errors - before.errors);
}

template <class Visit>
void RiskCoverage::forEachKept(const Visit& visit) const {
  RiskCoveragePoint before;
  for (const RiskCoveragePoint& point : points_) {
    const auto size = static_cast<double>(point.kept - before.kept);
    const auto errors = static_cast<double>(point.errors - before.errors);
    for (std::int64_t k = before.kept + 1; k <= point.kept; ++k) {
      const auto place = static_cast<double>(k - before.kept);
      visit(k, static_cast<double>(before.errors) + errors * place / size);
    }
    before = point;
  }
}

RiskSums RiskCoverage::sums() const {
  RiskSums sums;
  RiskCoveragePoint before;
  for (const RiskCoveragePoint& point : points_) {
    sums.add(point.kept - before.kept, point.errors - before.errors);
    before = point;
  }
  return sums;
}

double RiskCoverage::aurc() const {
  return sums().aurc();
}

double RiskCoverage::oracleAurc() const {
  return oracleAurcOf(itemCount(), errorCount());
}

double RiskCoverage::excessAurcGeifman() const {
  const double risk = static_cast<double>(errorCount()) / static_cast<double>(itemCount());
  const double oracle = risk < 1.0 ? risk + (1.0 - risk) * std::log1p(-risk) : 1.0;
  return aurc() - oracle;
}

double RiskCoverage::augrc() const {
  return sums().augrc();
}

double RiskCoverage::aurcTrapezoidFromFirst() const {
  CompensatedSum sum;
  double previous = 0.0;
  forEachKept([&](std::int64_t k, double errors) {
    const double risk = errors / static_cast<double>(k);
    if (k > 1) {
      sum.add(0.5 * (previous + risk));
    }
    previous = risk;
  });
  return itemCount() > 1 ? sum.value() / static_cast<double>(itemCount() - 1)
                         : std::numeric_limits<double>::quiet_NaN();
}

double RiskCoverage::augrcTrapezoidFromFirst() const {
  const auto n = static_cast<double>(itemCount());
  // The trapezoids from k = 0 minus the first one.
  const double from_first = augrc() - 0.5 * errorsAmong(1) / (n * n);
  return itemCount() > 1 ? from_first / (1.0 - 1.0 / n) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace dubito
