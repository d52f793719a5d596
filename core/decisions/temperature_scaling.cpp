// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/temperature_scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "core/base/compensated_sum.h"
#include "core/decisions/tempered_scores.h"
#include "core/measures/vector_math.h"

namespace dubito {
namespace {

constexpr std::int64_t kSummedAtATime = 1024;
constexpr std::int64_t kLogitsTogether = 2048;
constexpr int kMaxSteps = 200;
/// Fisher information about log T below which the items do not determine a T < 1: its standard
/// error is then above 1, a factor of e.
constexpr double kLeastInformation = 1.0;

/// First and second derivative of the mean negative log likelihood by the inverse temperature.
struct Derivatives {
  double first = 0.0;
  double second = 0.0;
};

/// exp(beta (z - max z)) of the rows [begin, end); 0 for a masked class at every beta.
void weightsAt(double beta, const LogitTable& table, std::int64_t begin, std::int64_t end,
               std::vector<double>& weights) {
  weights.resize(static_cast<std::size_t>((end - begin) * table.logits.extent(1)));
  double* weight = weights.data();
  for (std::int64_t i = begin; i < end; ++i) {
    const std::span<const double> row = table.logits.row(i);
    double largest = row.front();
    for (const double z : row) {
      largest = std::max(largest, z);
    }
    for (const double z : row) {
      *weight = std::isinf(z) ? z : beta * (z - largest);
      ++weight;
    }
  }
  exponentials(weights);
}

/// E[z] - z_label and Var[z] for weights proportional to the probabilities.
Derivatives derivativesOf(std::span<const double> row, std::int64_t label, const double* weights) {
  const double of_label = row[static_cast<std::size_t>(label)];
  // Distances to the label's logit, so that a large common part costs no digits.
  double sum = 0.0;
  double first = 0.0;
  double second = 0.0;
  for (std::size_t k = 0; k < row.size(); ++k) {
    // A masked class weighs 0, which must not meet its distance.
    const double distance = std::isinf(row[k]) ? 0.0 : row[k] - of_label;
    const double weighted = weights[k] * distance;
    sum += weights[k];
    first += weighted;
    second += weighted * distance;
  }
  const double mean = first / sum;
  return {mean, std::max(0.0, second / sum - mean * mean)};
}

/// Mean over the items of E[z] - z_label and Var[z] under softmax(beta z).
Derivatives derivativesAt(double beta, const LogitTable& table, const RunContext& context) {
  const std::int64_t items = table.logits.extent(0);
  std::vector<Derivatives> terms(static_cast<std::size_t>(items));
  const std::int64_t together = std::max<std::int64_t>(1, kLogitsTogether / table.logits.extent(1));
  context.parallelFor(items, kSummedAtATime, [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> weights;
    for (std::int64_t i = begin; i < end; i += together) {
      const std::int64_t until = std::min(end, i + together);
      weightsAt(beta, table, i, until, weights);
      for (std::int64_t item = i; item < until; ++item) {
        const std::span<const double> row = table.logits.row(item);
        terms[static_cast<std::size_t>(item)] =
            derivativesOf(row, table.labels[static_cast<std::size_t>(item)],
                          weights.data() + static_cast<std::size_t>(item - i) * row.size());
      }
    }
  });
  CompensatedSum first;
  CompensatedSum second;
  for (const Derivatives& term : terms) {
    first.add(term.first);
    second.add(term.second);
  }
  const auto count = static_cast<double>(items);
  return {first.value() / count, second.value() / count};
}

bool everyLabelHasTheLargestLogit(const LogitTable& table) {
  for (std::int64_t i = 0; i < table.logits.extent(0); ++i) {
    const std::span<const double> row = table.logits.row(i);
    if (row[static_cast<std::size_t>(table.labels[static_cast<std::size_t>(i)])] <
        *std::ranges::max_element(row)) {
      return false;
    }
  }
  return true;
}

/// The root of the first derivative in [low, high], where it changes sign; `at` those of beta = 1.
Expected<double> solve(double low, double high, Derivatives at, const LogitTable& table,
                       RunContext& context) {
  double beta = 1.0;
  for (int step = 0; step < kMaxSteps; ++step) {
    if (context.step("fitting the temperature", step, 0) == Step::kCancel) {
      return cancelled();
    }
    if (at.first == 0.0) {
      return beta;
    }
    (at.first < 0.0 ? low : high) = beta;
    double next = beta - at.first / at.second;
    // If Newton leaves the bracket, use its geometric middle: T may lie anywhere in six decades.
    if (!(next > low && next < high)) {
      next = std::sqrt(low * high);
    }
    if (std::abs(next - beta) <= 1e-14 * beta) {
      return next;
    }
    beta = next;
    at = derivativesAt(beta, table, context);
  }
  return beta;
}

/// Fisher information of all items about log T at T = 1 / beta.
double informationAbout(double beta, const LogitTable& table, const RunContext& context) {
  return static_cast<double>(table.labels.size()) * beta * beta *
         derivativesAt(beta, table, context).second;
}

struct Solution {
  double temperature;
  TemperatureLimit limit;
};

Expected<Solution> bestTemperature(const LogitTable& table, RunContext& context) {
  const double low = 1.0 / kLargestTemperature;
  const double high = 1.0 / kSmallestTemperature;
  // The first derivative rises with beta, so its sign at 1 excludes one of the ends.
  const Derivatives at_one = derivativesAt(1.0, table, context);
  if (at_one.first >= 0.0) {
    // At infinite temperature: where the likelihood does not rise from there, it never does.
    const Derivatives at_zero = derivativesAt(0.0, table, context);
    if (at_zero.first == 0.0 && at_zero.second == 0.0) {
      return Solution{1.0, TemperatureLimit::kInside};  // equal logits: T changes nothing
    }
    if (at_zero.first >= 0.0 || derivativesAt(low, table, context).first >= 0.0) {
      return Solution{kLargestTemperature, TemperatureLimit::kLargest};
    }
  }
  if (everyLabelHasTheLargestLogit(table)) {
    return Solution{1.0, TemperatureLimit::kUndetermined};
  }
  const bool is_below = at_one.first <= 0.0 && derivativesAt(high, table, context).first <= 0.0;
  const auto beta = is_below ? Expected<double>(high) : solve(low, high, at_one, table, context);
  if (!beta) {
    return failWith(beta);
  }
  if (!is_below && *beta > 1.0 && informationAbout(*beta, table, context) < kLeastInformation) {
    return Solution{1.0, TemperatureLimit::kUndetermined};
  }
  return Solution{1.0 / *beta, is_below ? TemperatureLimit::kSmallest : TemperatureLimit::kInside};
}

}  // namespace

Expected<TemperatureFit> fitTemperature(const LogitTable& table, RunContext& context) {
  if (table.labels.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "there is no labelled item to fit a temperature on; give a calibration set with "
                "labels");
  }
  const auto solution = bestTemperature(table, context);
  if (!solution) {
    return failWith(solution);
  }
  TemperatureFit fit;
  fit.temperature = solution->temperature;
  fit.limit = solution->limit;
  fit.curvature = derivativesAt(1.0 / fit.temperature, table, context).second;
  const std::vector<CalibrationScores> scores =
      temperedScores(table, std::vector{1.0, 1.0 / fit.temperature}, context);
  fit.before = scores.front();
  fit.after = scores.back();
  fit.items = static_cast<std::int64_t>(table.labels.size());
  if (context.cancelRequested()) {
    return cancelled();
  }
  return fit;
}

std::string describe(const TemperatureFit& fit) {
  if (fit.limit == TemperatureLimit::kUndetermined) {
    return fmt::format(
        "Temperature 1, not fitted: {} items do not determine it, because (nearly) all of them are "
        "predicted correctly (NLL {:.4g}), so that T would tend to 0 and every wrong prediction on "
        "other items would be certain; use a larger or harder calibration set",
        fit.items, fit.before.nll);
  }
  std::string text = fmt::format(
      "Temperature {:.6g}, fitted on {} items: NLL {:.4g} -> {:.4g}, ECE (15 bins) {:.2f} % -> "
      "{:.2f} %",
      fit.temperature, fit.items, fit.before.nll, fit.after.nll, 100.0 * fit.before.ece,
      100.0 * fit.after.ece);
  if (fit.limit == TemperatureLimit::kSmallest) {
    text += fmt::format(
        "; clamped to the smallest one, {}: the logits differ by very little; check that they are "
        "logits",
        kSmallestTemperature);
  } else if (fit.limit == TemperatureLimit::kLargest) {
    text += fmt::format(
        "; clamped: these logits carry no information about the labels, so T tends to infinity "
        "(limit {}); check that labels and classes match",
        kLargestTemperature);
  }
  return text;
}

Expected<TemperatureLandscape> temperatureLandscape(const LogitTable& table, double low,
                                                    double high, int points, RunContext& context) {
  if (!(low > 0.0) || !(high > low) || points < 2) {
    throw std::invalid_argument(
        "temperatureLandscape requires 0 < low < high and at least two points");
  }
  if (table.labels.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "there is no labelled item to compute a landscape from; give items with labels");
  }
  const double first = std::log10(low);
  const double last = std::log10(high);
  TemperatureLandscape landscape;
  std::vector<double> inverse_temperatures;
  for (int point = 0; point < points; ++point) {
    landscape.log10_temperature.push_back(first + (last - first) * point / (points - 1));
    inverse_temperatures.push_back(std::pow(10.0, -landscape.log10_temperature.back()));
  }
  context.step("landscape", 0, 0);
  for (const CalibrationScores& scores : temperedScores(table, inverse_temperatures, context)) {
    landscape.nll.push_back(scores.nll);
    landscape.ece.push_back(scores.ece);
  }
  if (context.cancelRequested()) {
    return cancelled();
  }
  return landscape;
}

}  // namespace dubito
