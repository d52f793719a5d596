// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito {

/// ln of the density of Beta(a, b) at x in (0, 1): the marginal of class k of Dir(alpha) has a =
/// alpha_k and b = the sum of the other alphas (theory, section 6). In Loader's saddle-point form,
/// which keeps its digits for a and b up to 1e30. Throws std::invalid_argument for anything else.
[[nodiscard]] double betaLogDensity(double a, double b, double x);

}  // namespace dubito
