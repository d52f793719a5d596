// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito {

/// e^x with relative error below 1e-15 and the same bits on every machine, unlike std::exp. 0 for x
/// < -708 (where the result is almost subnormal), infinity for x > 709; NaN for NaN.
[[nodiscard]] double portableExp(double x);

/// tanh x with relative error below 1e-15 and the same bits on every machine: the activation of
/// networks.
[[nodiscard]] double portableTanh(double x);

}  // namespace dubito
