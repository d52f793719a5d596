// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/run_uncertainty.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "core/io/log_rest.h"
#include "core/metrics/run_scores.h"

namespace dubito {

namespace {

/// 1 - confidence, computed from log_rest for confidences that round to 1.
Array<double> restOf(const ItemScore& confidence) {
  constexpr double kExact = kResolvedRest<float>;
  Array<double> values = Array<double>::zeros(confidence.values.shape());
  std::ranges::transform(confidence.values.values(), confidence.log_rest.values(),
                         values.mutableData(), [&](double value, double log_rest) {
                           const double rest = 1.0 - value;
                           return rest < kExact ? std::min(std::exp(log_rest), kExact) : rest;
                         });
  return values;
}

Array<double> lessThanOne(const Array<double>& certainty) {
  Array<double> values = Array<double>::zeros(certainty.shape());
  std::ranges::transform(certainty.values(), values.mutableData(),
                         [](double value) { return 1.0 - value; });
  return values;
}

}  // namespace

Expected<RunUncertainty> uncertaintyOf(const Run& run, const std::string& name, Measure measure,
                                       const RunContext& context) {
  const auto scores = gatherScores(run, name, {measure}, context);
  if (!scores) {
    return failWith(scores);
  }
  const ItemScore* const score = scores->find(measure);
  if (score == nullptr) {
    std::vector<Measure> others;
    std::ranges::copy_if(allMeasures(), std::back_inserter(others), [&](Measure other) {
      return describe(other).compute(run, context).has_value();
    });
    const MeasureInfo& info = describe(measure);
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: has no {}, which needs {}; use one of {}", name, info.key,
                            info.needs, keysText(others)));
  }
  RunUncertainty uncertainty;
  uncertainty.values = measure == Measure::kConfidence ? restOf(*score)
                       : highIsCertain(measure)        ? lessThanOne(score->values)
                                                       : score->values;
  const double bound = describe(measure).upper_bound(scores->classes);
  if (std::isfinite(bound)) {
    uncertainty.top = bound;
  } else if (uncertainty.values.size() > 0) {
    uncertainty.top = std::ranges::max(uncertainty.values.values());
  }
  return uncertainty;
}

}  // namespace dubito
