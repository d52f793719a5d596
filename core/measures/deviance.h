// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito {

/// count ln(count / expected) + expected - count for positive, finite values: 0 where they are
/// equal, else positive; without cancellation where the two are close. Log densities in Loader's
/// saddle-point form are sums of these.
[[nodiscard]] double deviance(double count, double expected);

}  // namespace dubito
