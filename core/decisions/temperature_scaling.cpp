// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/temperature_scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "core/base/compensated_sum.h"

namespace dubito {
namespace {

constexpr std::int64_t kSummedAtATime = 1024;
constexpr int kMaxSteps = 200;
/// Fisher information about log T below which the items do not determine a T < 1: its standard
/// error is then above 1, a factor of e.
constexpr double kLeastInformation = 1.0;

/// First and second derivative of the mean negative log likelihood by the inverse temperature.
struct Derivatives {
  double first = 0.0;
  double second = 0.0;
};

/// Mean over the items of E[z] - z_label and Var[z] under softmax(beta z).
Derivatives derivativesAt(double beta, const LogitTable& table, const RunContext& context) {
  const std::int64_t items = table.logits.extent(0);
  std::vector<Derivatives> terms(static_cast<std::size_t>(items));
  context.parallelFor(items, kSummedAtATime, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::span<const double> row = table.logits.row(i);
      const double label = row[static_cast<std::size_t>(table.labels[static_cast<std::size_t>(i)])];
      const double largest = *std::ranges::max_element(row);
      // Distances to the label's logit, so that a large common part costs no digits.
      double sum = 0.0;
      double first = 0.0;
      double second = 0.0;
      for (const double z : row) {
        if (std::isinf(z)) {
          continue;  // masked: probability 0 at every temperature
        }
        const double weight = std::exp(beta * (z - largest));
        const double distance = z - label;
        sum += weight;
        first += weight * distance;
        second += weight * distance * distance;
      }
      const double mean = first / sum;
      terms[static_cast<std::size_t>(i)] = {mean, std::max(0.0, second / sum - mean * mean)};
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

/// The root of the first derivative in [low, high], where it changes sign.
Expected<double> solve(double low, double high, const LogitTable& table, RunContext& context) {
  double beta = 1.0;
  for (int step = 0; step < kMaxSteps; ++step) {
    if (context.step("fitting the temperature", step, 0) == Step::kCancel) {
      return cancelled();
    }
    const Derivatives at = derivativesAt(beta, table, context);
    if (at.first == 0.0) {
      return beta;
    }
    (at.first < 0.0 ? low : high) = beta;
    double next = beta - at.first / at.second;
    // Where Newton leaves the bracket, its geometric middle: T may lie anywhere in six decades.
    if (!(next > low && next < high)) {
      next = std::sqrt(low * high);
    }
    if (std::abs(next - beta) <= 1e-14 * beta) {
      return next;
    }
    beta = next;
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
  // At infinite temperature: where the likelihood does not rise from there, it never does.
  const Derivatives at_zero = derivativesAt(0.0, table, context);
  if (at_zero.first == 0.0 && at_zero.second == 0.0) {
    return Solution{1.0, TemperatureLimit::kInside};  // equal logits: T changes nothing
  }
  if (at_zero.first >= 0.0 || derivativesAt(low, table, context).first >= 0.0) {
    return Solution{kLargestTemperature, TemperatureLimit::kLargest};
  }
  if (everyLabelHasTheLargestLogit(table)) {
    return Solution{1.0, TemperatureLimit::kUndetermined};
  }
  const bool is_below = derivativesAt(high, table, context).first <= 0.0;
  const auto beta = is_below ? Expected<double>(high) : solve(low, high, table, context);
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
  const std::vector<double> none(static_cast<std::size_t>(table.logits.extent(1)), 0.0);
  const std::vector<double> one(none.size(), 1.0);
  const std::vector<double> scale(none.size(), 1.0 / solution->temperature);
  TemperatureFit fit;
  fit.temperature = solution->temperature;
  fit.limit = solution->limit;
  fit.curvature = derivativesAt(1.0 / fit.temperature, table, context).second;
  fit.before = calibrationScores(table, one, none, context);
  fit.after = calibrationScores(table, scale, none, context);
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
  const std::vector<double> none(static_cast<std::size_t>(table.logits.extent(1)), 0.0);
  const double first = std::log10(low);
  const double last = std::log10(high);
  TemperatureLandscape landscape;
  for (int point = 0; point < points; ++point) {
    if (context.step("landscape", point, points) == Step::kCancel) {
      return cancelled();
    }
    const double place = first + (last - first) * point / (points - 1);
    const std::vector<double> scale(none.size(), std::pow(10.0, -place));
    const CalibrationScores scores = calibrationScores(table, scale, none, context);
    landscape.log10_temperature.push_back(place);
    landscape.nll.push_back(scores.nll);
    landscape.ece.push_back(scores.ece);
  }
  return landscape;
}

}  // namespace dubito
