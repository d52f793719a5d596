// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>

#include "core/base/find_by_key.h"

namespace dubito {
namespace {

/// exp(-d^2 / (2 l^2)) with d = x - z.
double squaredExponential(const double* p, double x, double z, double* gradient) {
  const double r = (x - z) / p[0];
  const double k = std::exp(-0.5 * r * r);
  if (gradient != nullptr) {
    gradient[0] = k * r * r;
  }
  return k;
}

/// exp(-|d| / l).
double matern12(const double* p, double x, double z, double* gradient) {
  const double r = std::abs(x - z) / p[0];
  const double k = std::exp(-r);
  if (gradient != nullptr) {
    gradient[0] = k * r;
  }
  return k;
}

/// (1 + s) exp(-s) with s = sqrt(3) |d| / l.
double matern32(const double* p, double x, double z, double* gradient) {
  const double s = std::numbers::sqrt3 * std::abs(x - z) / p[0];
  const double decay = std::exp(-s);
  if (gradient != nullptr) {
    gradient[0] = s * s * decay;
  }
  return (1.0 + s) * decay;
}

/// (1 + s + s^2 / 3) exp(-s) with s = sqrt(5) |d| / l.
double matern52(const double* p, double x, double z, double* gradient) {
  const double s = std::sqrt(5.0) * std::abs(x - z) / p[0];
  const double decay = std::exp(-s);
  if (gradient != nullptr) {
    gradient[0] = s * s * (1.0 + s) * decay / 3.0;
  }
  return (1.0 + s + s * s / 3.0) * decay;
}

/// (1 + d^2 / (2 alpha l^2))^-alpha.
double rationalQuadratic(const double* p, double x, double z, double* gradient) {
  const double alpha = p[0];
  const double r = (x - z) / p[1];
  const double excess = 0.5 * r * r / alpha;
  const double log_base = std::log1p(excess);
  const double k = std::exp(-alpha * log_base);
  if (gradient != nullptr) {
    const double base = 1.0 + excess;
    gradient[0] = alpha * k * (excess / base - log_base);
    gradient[1] = k * r * r / base;
  }
  return k;
}

/// exp(-2 sin^2(pi d / period) / l^2).
double periodic(const double* p, double x, double z, double* gradient) {
  const double angle = std::numbers::pi * (x - z) / p[1];
  const double sine = std::sin(angle) / p[0];
  const double k = std::exp(-2.0 * sine * sine);
  if (gradient != nullptr) {
    gradient[0] = 4.0 * k * sine * sine;
    gradient[1] = 4.0 * k * angle * sine * std::cos(angle) / p[0];
  }
  return k;
}

/// sigma_0^2 + x z.
double linear(const double* p, double x, double z, double* gradient) {
  const double offset = p[0] * p[0];
  if (gradient != nullptr) {
    gradient[0] = 2.0 * offset;
  }
  return offset + x * z;
}

}  // namespace

std::span<const BaseKernel> baseKernels() {
  static const std::vector<BaseKernel> kernels = {
      {"se", "squared exponential", {"length_scale"}, squaredExponential},
      {"matern12", "Matern 1/2", {"length_scale"}, matern12},
      {"matern32", "Matern 3/2", {"length_scale"}, matern32},
      {"matern52", "Matern 5/2", {"length_scale"}, matern52},
      {"rq", "rational quadratic", {"alpha", "length_scale"}, rationalQuadratic},
      {"periodic", "periodic", {"length_scale", "period"}, periodic},
      {"linear", "linear", {"sigma_0"}, linear},
  };
  return kernels;
}

const BaseKernel* findBaseKernel(std::string_view key) {
  return findByKey(baseKernels(), key);
}

namespace {

/// "length_scale" -> "Length scale".
std::string labelOf(const std::string& key) {
  std::string label = key;
  std::ranges::replace(label, '_', ' ');
  label[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(label[0])));
  return label;
}

}  // namespace

Kernel Kernel::constant(double variance) {
  Kernel kernel;
  kernel.values_ = {variance};
  kernel.nodes_ = {{.kind = Kind::kConstant, .parameter_end = 1}};
  return kernel;
}

Kernel Kernel::base(std::string_view key, std::span<const double> parameters) {
  const BaseKernel* const base = findBaseKernel(key);
  if (base == nullptr || base->parameters.size() != parameters.size()) {
    throw std::invalid_argument("Kernel::base: unknown kernel or wrong number of parameters");
  }
  Kernel kernel;
  kernel.values_.assign(parameters.begin(), parameters.end());
  kernel.nodes_ = {{.kind = Kind::kBase, .base = base, .parameter_end = parameters.size()}};
  return kernel;
}

Kernel Kernel::combined(Kind kind, const Kernel& left, const Kernel& right) {
  Kernel kernel = left;
  const std::size_t nodes_before = left.nodes_.size();
  const std::size_t values_before = left.values_.size();
  for (Node node : right.nodes_) {
    node.left += nodes_before;
    node.first_parameter += values_before;
    node.parameter_end += values_before;
    kernel.nodes_.push_back(node);
  }
  kernel.values_.insert(kernel.values_.end(), right.values_.begin(), right.values_.end());
  kernel.nodes_.push_back(
      {.kind = kind, .left = nodes_before - 1, .parameter_end = kernel.values_.size()});
  return kernel;
}

double Kernel::evaluate(std::size_t index, double x, double z, double* gradient) const {
  const Node& node = nodes_[index];
  if (node.kind == Kind::kConstant) {
    const double variance = values_[node.first_parameter];
    if (gradient != nullptr) {
      gradient[node.first_parameter] = variance;
    }
    return variance;
  }
  if (node.kind == Kind::kBase) {
    return node.base->value(&values_[node.first_parameter], x, z,
                            gradient == nullptr ? nullptr : gradient + node.first_parameter);
  }
  const double left = evaluate(node.left, x, z, gradient);
  const double right = evaluate(index - 1, x, z, gradient);
  if (node.kind == Kind::kSum) {
    return left + right;
  }
  if (gradient != nullptr) {
    const std::size_t middle = nodes_[node.left].parameter_end;
    for (std::size_t p = nodes_[node.left].first_parameter; p < middle; ++p) {
      gradient[p] *= right;
    }
    for (std::size_t p = middle; p < node.parameter_end; ++p) {
      gradient[p] *= left;
    }
  }
  return left * right;
}

std::vector<KernelParameter> Kernel::parameters() const {
  std::vector<KernelParameter> result;
  std::map<std::string, int> seen;
  const auto add = [&](const std::string& name, double value, const BaseKernel* base) {
    const int number = ++seen[name];
    result.push_back({number == 1 ? name : fmt::format("{}_{}", name, number),
                      number == 1 ? labelOf(name) : fmt::format("{} {}", labelOf(name), number),
                      value, base});
  };
  for (const Node& node : nodes_) {
    if (node.kind == Kind::kConstant) {
      add("variance", values_[node.first_parameter], nullptr);
    } else if (node.kind == Kind::kBase) {
      for (std::size_t p = node.first_parameter; p < node.parameter_end; ++p) {
        add(node.base->parameters[p - node.first_parameter], values_[p], node.base);
      }
    }
  }
  return result;
}

Kernel Kernel::withParameter(std::size_t index, double value) const {
  if (index >= values_.size() || !(value > 0.0)) {
    throw std::invalid_argument("Kernel::withParameter: no such parameter, or a value <= 0");
  }
  Kernel kernel = *this;
  kernel.values_[index] = value;
  return kernel;
}

std::vector<double> Kernel::logParameters() const {
  std::vector<double> result(values_.size());
  std::ranges::transform(values_, result.begin(), [](double value) { return std::log(value); });
  return result;
}

Kernel Kernel::withLogParameters(std::span<const double> log_parameters) const {
  if (log_parameters.size() != values_.size()) {
    throw std::invalid_argument("Kernel::withLogParameters: wrong number of parameters");
  }
  Kernel kernel = *this;
  std::ranges::transform(log_parameters, kernel.values_.begin(),
                         [](double value) { return std::exp(value); });
  return kernel;
}

std::string Kernel::text() const {
  return textOf(nodes_.size() - 1, 0);
}

std::string Kernel::roundedText(int digits) const {
  return textOf(nodes_.size() - 1, digits);
}

std::optional<double> Kernel::plotSpacing() const {
  constexpr double kPerLengthScale = 3.0;
  constexpr double kPerPeriod = 12.0;
  std::optional<double> spacing;
  for (const Node& node : nodes_) {
    if (node.kind != Kind::kBase) {
      continue;
    }
    double length_scale = 0.0;  // 0: none
    double period = 0.0;
    for (std::size_t p = node.first_parameter; p < node.parameter_end; ++p) {
      const std::string_view name = node.base->parameters[p - node.first_parameter];
      length_scale = name == "length_scale" ? values_[p] : length_scale;
      period = name == "period" ? values_[p] : period;
    }
    const double own = period > 0.0 ? period * std::min(1.0, length_scale) / kPerPeriod
                                    : length_scale / kPerLengthScale;
    if (own > 0.0 && (!spacing || own < *spacing)) {
      spacing = own;
    }
  }
  return spacing;
}

std::string Kernel::textOf(std::size_t index, int digits) const {
  const Node& node = nodes_[index];
  const auto number = [&](double value) {
    return digits > 0 ? fmt::format("{:.{}g}", value, digits) : fmt::format("{}", value);
  };
  switch (node.kind) {
    case Kind::kConstant:
      return number(values_[node.first_parameter]);
    case Kind::kBase: {
      std::vector<std::string> values;
      for (std::size_t p = node.first_parameter; p < node.parameter_end; ++p) {
        values.push_back(number(values_[p]));
      }
      return fmt::format("{}({})", node.base->key, fmt::join(values, ", "));
    }
    case Kind::kSum:
      return textOf(node.left, digits) + " + " + textOf(index - 1, digits);
    case Kind::kProduct:
      break;
  }
  const auto factor = [&](std::size_t child) {
    return nodes_[child].kind == Kind::kSum ? "(" + textOf(child, digits) + ")"
                                            : textOf(child, digits);
  };
  return factor(node.left) + "*" + factor(index - 1);
}

}  // namespace dubito
