// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/expected.h"
#include "core/labs/gaussian/kernel.h"

namespace dubito {

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
/// given is 1. Numbers lie in [1e-9, 1e9]. Spaces are ignored.
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
