// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <stdexcept>

namespace dubito {
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
  const auto add = [&](const std::string& name, double value) {
    const int number = ++seen[name];
    result.push_back({number == 1 ? name : fmt::format("{}_{}", name, number),
                      number == 1 ? labelOf(name) : fmt::format("{} {}", labelOf(name), number),
                      value});
  };
  for (const Node& node : nodes_) {
    if (node.kind == Kind::kConstant) {
      add("variance", values_[node.first_parameter]);
    } else if (node.kind == Kind::kBase) {
      for (std::size_t p = node.first_parameter; p < node.parameter_end; ++p) {
        add(node.base->parameters[p - node.first_parameter], values_[p]);
      }
    }
  }
  return result;
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
