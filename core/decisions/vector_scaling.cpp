// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/vector_scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "core/base/compensated_sum.h"
#include "core/measures/measures.h"

namespace dubito {
namespace {

constexpr int kMaxVectorSteps = 200;
constexpr double kSmallGradient = 1e-13;

/// Value, gradient and Hessian of the mean negative log likelihood at parameters (w, b).
struct Expansion {
  double value = 0.0;
  std::vector<double> gradient;  ///< [P], P = 2 K
  std::vector<double> hessian;   ///< [P, P]
};

std::vector<double> scaledRow(std::span<const double> logits, std::span<const double> parameters) {
  std::vector<double> row(logits.size());
  for (std::size_t k = 0; k < row.size(); ++k) {
    row[k] = parameters[k] * logits[k] + parameters[row.size() + k];
  }
  return row;
}

double valueAt(const LogitTable& table, std::span<const double> parameters) {
  CompensatedSum sum;
  for (std::size_t i = 0; i < table.labels.size(); ++i) {
    const auto row = scaledRow(table.logits.row(static_cast<std::int64_t>(i)), parameters);
    sum.add(logSumExp(std::span<const double>(row)) -
            row[static_cast<std::size_t>(table.labels[i])]);
  }
  return sum.value() / static_cast<double>(table.labels.size());
}

Expansion expandAt(const LogitTable& table, std::span<const double> parameters) {
  const std::size_t classes = parameters.size() / 2;
  const std::size_t size = parameters.size();
  Expansion at;
  at.value = valueAt(table, parameters);
  std::vector<CompensatedSum> gradient(size);
  at.hessian.assign(size * size, 0.0);
  for (std::size_t i = 0; i < table.labels.size(); ++i) {
    const std::span<const double> logits = table.logits.row(static_cast<std::int64_t>(i));
    const auto row = scaledRow(logits, parameters);
    const std::vector<double> probs = softmax(std::span<const double>(row));
    const auto label = static_cast<std::size_t>(table.labels[i]);
    for (std::size_t k = 0; k < classes; ++k) {
      const double residual = probs[k] - (k == label ? 1.0 : 0.0);
      gradient[k].add(residual * logits[k]);
      gradient[classes + k].add(residual);
      for (std::size_t l = 0; l <= k; ++l) {
        const double curvature = (k == l ? probs[k] : 0.0) - probs[k] * probs[l];
        at.hessian[k * size + l] += curvature * logits[k] * logits[l];
        at.hessian[(classes + k) * size + l] += curvature * logits[l];
        if (l != k) {
          at.hessian[(classes + l) * size + k] += curvature * logits[k];
        }
        at.hessian[(classes + k) * size + classes + l] += curvature;
      }
    }
  }
  const auto items = static_cast<double>(table.labels.size());
  for (const CompensatedSum& sum : gradient) {
    at.gradient.push_back(sum.value() / items);
  }
  for (double& entry : at.hessian) {
    entry /= items;
  }
  return at;
}

/// Solves (H + damping I + 1 1^T on the shifts) x = -gradient by Cholesky; H [P, P] holds its lower
/// triangle. The last term fixes the gauge: along a common shift the likelihood is flat. Nothing if
/// the matrix is not positive definite.
std::optional<std::vector<double>> newtonStep(const Expansion& at, double damping) {
  const std::size_t size = at.gradient.size();
  std::vector<double> lower = at.hessian;
  for (std::size_t i = 0; i < size; ++i) {
    lower[i * size + i] += damping;
    for (std::size_t j = size / 2; i >= size / 2 && j <= i; ++j) {
      lower[i * size + j] += 1.0;
    }
  }
  std::vector<double> step(size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = lower[i * size + j];
      for (std::size_t k = 0; k < j; ++k) {
        sum -= lower[i * size + k] * lower[j * size + k];
      }
      if (i == j && !(sum > 0.0)) {
        return std::nullopt;
      }
      lower[i * size + j] = i == j ? std::sqrt(sum) : sum / lower[j * size + j];
    }
    double sum = -at.gradient[i];
    for (std::size_t k = 0; k < i; ++k) {
      sum -= lower[i * size + k] * step[k];
    }
    step[i] = sum / lower[i * size + i];
  }
  for (std::size_t i = size; i-- > 0;) {
    for (std::size_t k = i + 1; k < size; ++k) {
      step[i] -= lower[k * size + i] * step[k];
    }
    step[i] /= lower[i * size + i];
  }
  return step;
}

double largest(std::span<const double> values) {
  double result = 0.0;
  for (const double value : values) {
    result = std::max(result, std::abs(value));
  }
  return result;
}

/// Damped Newton steps, as long as they lower the likelihood's negative logarithm.
Status minimise(const LogitTable& table, std::vector<double>& parameters, VectorScaling& result,
                RunContext& context) {
  Expansion at = expandAt(table, parameters);
  double damping = 0.0;
  for (int step = 0; step < kMaxVectorSteps && largest(at.gradient) > kSmallGradient; ++step) {
    if (context.step("fitting the scaling", step, 0) == Step::kCancel) {
      return cancelled();
    }
    std::vector<double> next = parameters;
    const auto change = newtonStep(at, damping);
    for (std::size_t i = 0; change && i < next.size(); ++i) {
      next[i] += (*change)[i];
    }
    // Rounding may raise the value in its last digits where the gradient still tells the way.
    const double allowed = at.value + 1e-14 * (1.0 + std::abs(at.value));
    const bool better = change && valueAt(table, next) <= allowed;
    if (!better) {
      damping = std::max(4.0 * damping, 1e-10);
      if (damping > 1e12) {
        break;
      }
      continue;
    }
    parameters = std::move(next);
    damping = damping < 1e-9 ? 0.0 : 0.25 * damping;
    at = expandAt(table, parameters);
  }
  result.gradient_max = largest(at.gradient);
  // On separable data the gradient goes to 0 as well, but the weights run away.
  result.converged = result.gradient_max <= 1e-9 && newtonStep(at, 0.0).has_value() &&
                     largest(*newtonStep(at, 0.0)) <= 1e-6 * (1.0 + largest(parameters));
  return {};
}

/// Whether the likelihood may have a maximum: each class occurs, and some scaled row does not have
/// its largest value at the label.
bool hasMaximum(const LogitTable& table, std::span<const double> parameters) {
  const std::size_t classes = parameters.size() / 2;
  std::vector<bool> occurs(classes, false);
  bool all_right = true;
  for (std::size_t i = 0; i < table.labels.size(); ++i) {
    const auto row = scaledRow(table.logits.row(static_cast<std::int64_t>(i)), parameters);
    const auto label = static_cast<std::size_t>(table.labels[i]);
    occurs[label] = true;
    all_right = all_right && row[label] >= *std::ranges::max_element(row);
  }
  return !all_right && std::ranges::all_of(occurs, std::identity());
}

}  // namespace

Expected<VectorScaling> fitVectorScaling(const LogitTable& table, RunContext& context) {
  if (table.labels.empty()) {
    return fail(
        ErrorCode::kInvalidArgument,
        "there is no labelled item to fit a scaling on; give a calibration set with labels");
  }
  const std::int64_t classes = table.logits.extent(1);
  if (classes > kMaxScaledClasses) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("vector scaling supports at most {} classes, not {}; fit a temperature",
                            kMaxScaledClasses, classes));
  }
  if (std::ranges::any_of(table.logits.values(), [](double z) { return std::isinf(z); })) {
    return fail(ErrorCode::kInvalidArgument,
                "some classes are masked by logits of minus infinity, which no weight and bias can "
                "scale; fit a temperature");
  }
  const auto count = static_cast<std::size_t>(classes);
  std::vector<double> parameters(2 * count, 0.0);
  std::fill_n(parameters.begin(), count, 1.0);
  VectorScaling result;
  result.items = static_cast<std::int64_t>(table.labels.size());
  result.before = calibrationScores(table, std::span(parameters).first(count),
                                    std::span(parameters).last(count), context);
  if (Status fitted = minimise(table, parameters, result, context); !fitted) {
    return failWith(fitted);
  }
  if (!result.converged && !hasMaximum(table, parameters)) {
    result.determined = false;
    std::fill_n(parameters.begin(), count, 1.0);
    std::fill_n(parameters.begin() + classes, count, 0.0);
  }
  const auto shifts = std::span(parameters).last(count);
  CompensatedSum sum;
  for (const double shift : shifts) {
    sum.add(shift);
  }
  for (double& shift : shifts) {
    shift -= sum.value() / static_cast<double>(count);
  }
  result.weight.assign(parameters.begin(), parameters.begin() + classes);
  result.bias.assign(shifts.begin(), shifts.end());
  result.after = calibrationScores(table, result.weight, result.bias, context);
  return result;
}

std::string describe(const VectorScaling& fit) {
  if (!fit.determined) {
    return fmt::format(
        "Vector scaling, not fitted: {} items do not determine it, because (nearly) all of them "
        "are predicted correctly or a class does not occur, so the logits stay as they are (NLL "
        "{:.4g}); use a larger calibration set, or fit a temperature",
        fit.items, fit.before.nll);
  }
  std::string text = fmt::format(
      "Vector scaling, fitted on {} items: NLL {:.4g} -> {:.4g}, ECE (15 bins) {:.2f} % -> "
      "{:.2f} %",
      fit.items, fit.before.nll, fit.after.nll, 100.0 * fit.before.ece, 100.0 * fit.after.ece);
  if (!fit.converged) {
    text += fmt::format(
        "; the optimum was not reached or is not unique (largest remaining derivative: "
        "{:.2g}), for example because logits depend on each other, or hardly any item is "
        "misclassified; use a larger calibration set, or fit a temperature",
        fit.gradient_max);
  }
  return text;
}

}  // namespace dubito
