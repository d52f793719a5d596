// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/shift_result.h"

#include <limits>
#include <optional>
#include <utility>

namespace dubito {
namespace {

double meanOf(const std::optional<Array<double>>& values) {
  if (!values || values->empty()) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  double sum = 0.0;
  for (const double value : values->values()) {
    sum += value;
  }
  return sum / static_cast<double>(values->size());
}

}  // namespace

Expected<ShiftStep> shiftStep(double severity, std::shared_ptr<const Run> run,
                              const EvaluationOptions& options, RunContext& context) {
  auto evaluation = evaluate(*run, {}, options, context);
  if (!evaluation) {
    return failWith(evaluation);
  }
  const double entropy = meanOf(run->entropy);
  const double expected_entropy = meanOf(run->expected_entropy);
  const double mutual_information = meanOf(run->mutual_information);
  return ShiftStep{severity, std::move(run),   *std::move(evaluation),
                   entropy,  expected_entropy, mutual_information};
}

bool isOf(const ShiftResult& result, const Analysis& analysis) {
  return result.analysis->in().run == analysis.in().run;
}

}  // namespace dubito
