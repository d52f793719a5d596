// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/run_uncertainty.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/io/log_rest.h"
#include "core/metrics/run_scores.h"

namespace dubito {

Expected<RunUncertainty> uncertaintyOf(const Run& run, const std::string& name,
                                       const std::string& measure, const RunContext& context) {
  const auto scores = gatherScores(run, name, context);
  if (!scores) {
    return failWith(scores);
  }
  const ItemScore* const score = scores->find(measure);
  if (score == nullptr) {
    std::vector<std::string> names;
    std::ranges::transform(scores->scores, std::back_inserter(names), &ItemScore::name);
    return fail(ErrorCode::kInvalidArgument, fmt::format("{}: has no {}; take one of {}", name,
                                                         measure, fmt::join(names, ", ")));
  }
  if (!score->high_is_certain) {
    return RunUncertainty{score->values, std::log(static_cast<double>(scores->classes))};
  }
  // 1 - confidence as it is, and what is left of confidences that round to 1.
  constexpr double kExact = kResolvedRest<float>;
  Array<double> values = Array<double>::zeros(score->values.shape());
  std::ranges::transform(score->values.values(), score->log_rest.values(), values.mutableData(),
                         [&](double confidence, double log_rest) {
                           const double rest = 1.0 - confidence;
                           return rest < kExact ? std::min(std::exp(log_rest), kExact) : rest;
                         });
  return RunUncertainty{values, 1.0};
}

}  // namespace dubito
