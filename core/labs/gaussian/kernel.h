// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

/// A kernel without an amplitude, as users name it. Conventions and the order of the parameters are
/// those of scikit-learn.
struct BaseKernel {
  const char* key = nullptr;      ///< "se", in the text of a kernel
  const char* meaning = nullptr;  ///< "squared exponential"
  /// Names of the parameters, in snake_case; all parameters are > 0.
  std::vector<const char*> parameters;
  /// k(x, z). If `gradient` is not null, it receives the derivatives with respect to the logarithm
  /// of each parameter.
  double (*value)(const double* parameters, double x, double z, double* gradient) = nullptr;
};

/// All base kernels, in the order of lists.
[[nodiscard]] std::span<const BaseKernel> baseKernels();

/// nullptr if there is no such kernel.
[[nodiscard]] const BaseKernel* findBaseKernel(std::string_view key);

/// One parameter of a kernel.
struct KernelParameter {
  std::string key;   ///< "length_scale"; repeated names get a number: "length_scale_2"
  std::string name;  ///< for the window: "Length scale", "Length scale 2"
  double value = 0.0;
  const BaseKernel* base = nullptr;  ///< whose parameter it is; null: it is a constant factor
};

/// Smallest and largest parameter of a kernel that users give.
inline constexpr double kMinKernelParameter = 1e-9;
inline constexpr double kMaxKernelParameter = 1e9;

/// A covariance function k(x, z) of one-dimensional inputs: constants and base kernels, combined by
/// sums and products. A constant factor is a variance: 1.5 * se has k(x, x) = 1.5. All parameters
/// are > 0; their order is that of the text.
class Kernel {
 public:
  /// The constant covariance `variance`.
  [[nodiscard]] static Kernel constant(double variance);
  /// A base kernel. Throws std::invalid_argument for an unknown key or a wrong number of
  /// parameters.
  [[nodiscard]] static Kernel base(std::string_view key, std::span<const double> parameters);

  [[nodiscard]] friend Kernel operator+(const Kernel& left, const Kernel& right) {
    return combined(Kind::kSum, left, right);
  }
  [[nodiscard]] friend Kernel operator*(const Kernel& left, const Kernel& right) {
    return combined(Kind::kProduct, left, right);
  }

  /// k(x, z).
  [[nodiscard]] double value(double x, double z) const {
    return evaluate(nodes_.size() - 1, x, z, nullptr);
  }
  /// k(x, z), and its derivatives with respect to the logarithms of the parameters, in `gradient`
  /// [parameterCount()].
  double valueAndGradient(double x, double z, std::span<double> gradient) const {
    return evaluate(nodes_.size() - 1, x, z, gradient.data());
  }

  [[nodiscard]] std::size_t parameterCount() const { return values_.size(); }
  [[nodiscard]] std::vector<KernelParameter> parameters() const;
  /// The same kernel with `value` > 0 for parameter `index`, in [0, parameterCount()); the others
  /// keep all their digits. Throws std::invalid_argument for other arguments.
  [[nodiscard]] Kernel withParameter(std::size_t index, double value) const;
  [[nodiscard]] std::vector<double> logParameters() const;
  /// The same kernel with other parameters. Throws std::invalid_argument for a wrong number.
  [[nodiscard]] Kernel withLogParameters(std::span<const double> log_parameters) const;

  /// The text that parseKernel() reads, with all digits of the parameters.
  [[nodiscard]] std::string text() const;
  /// The same with so many significant digits, for people.
  [[nodiscard]] std::string roundedText(int digits) const;

  /// Distance between inputs at which a function of this kernel is drawn without losing its shape:
  /// a third of the smallest length scale, or a twelfth of the smallest period (of its length
  /// scale, if that is below 1). nullopt for kernels of lines and constants.
  [[nodiscard]] std::optional<double> plotSpacing() const;

 private:
  enum class Kind { kConstant, kBase, kSum, kProduct };
  /// A node of the expression. The nodes are in postfix order, so the right operand of node i is
  /// node i - 1; the parameters of a subtree are contiguous in values_.
  struct Node {
    Kind kind = Kind::kConstant;
    const BaseKernel* base = nullptr;
    std::size_t left = 0;
    std::size_t first_parameter = 0;
    std::size_t parameter_end = 0;
  };

  [[nodiscard]] static Kernel combined(Kind kind, const Kernel& left, const Kernel& right);
  double evaluate(std::size_t index, double x, double z, double* gradient) const;
  /// `digits` 0: all digits.
  [[nodiscard]] std::string textOf(std::size_t index, int digits) const;

  std::vector<Node> nodes_;
  std::vector<double> values_;
};

/// Largest number of parameters of a kernel that users give.
inline constexpr std::size_t kMaxKernelParameters = 20;

/// Parses a kernel, such as "1.5*se(0.8) + linear(0.5)*periodic(0.9, 2.5)":
///
///   kernel = term { "+" term }
///   term   = factor { "*" factor }
///   factor = NUMBER | NAME [ "(" [ value { "," value } ] ")" ] | "(" kernel ")"
///   value  = [ PARAMETER "=" ] NUMBER
///
/// A NUMBER as a factor is a variance (the square of an amplitude), a NAME one of baseKernels().
/// Parameters in the order of the kernel come first, named ones after them; a parameter that is not
/// given is 1. Numbers lie in [kMinKernelParameter, kMaxKernelParameter]. Spaces are ignored.
///
/// kInvalidArgument names the position (from 1) and what was expected.
[[nodiscard]] Expected<Kernel> parseKernel(std::string_view text);

/// A kernel and the variance of the noise that was written into it.
struct NoisyKernel {
  Kernel kernel;
  std::optional<double> noise_variance;
};

/// parseKernel(), in which one term of the outermost sum may be "white(VARIANCE)", the variance of
/// independent noise: "1.5*se(0.8) + white(0.04)".
[[nodiscard]] Expected<NoisyKernel> parseNoisyKernel(std::string_view text);

/// "se(length_scale), ..., rq(alpha, length_scale), ...": what users can write.
[[nodiscard]] std::string kernelSignatures();

}  // namespace dubito
