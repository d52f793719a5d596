// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measures/laplace_bridge.h"

namespace dubito {

/// The Gaussian over logits of which a bridge takes the mean and the diagonal (theory, section 6):
/// its bridge-raw equals `variant` of `gaussian`. Centring gives (P mu, P Sigma P); conditioning on
/// a zero sum gives mu - s 1'mu / 1's and Sigma - s s' / 1's with s = Sigma 1, or no change if 1's
/// is 0; normalising divides the conditioned mean by sqrt(c) and the covariance by c.
[[nodiscard]] LogitGaussian transformedFor(BridgeVariant variant, const LogitGaussian& gaussian);

}  // namespace dubito
