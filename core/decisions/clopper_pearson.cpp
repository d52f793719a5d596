// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/clopper_pearson.h"

#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <stdexcept>

namespace dubito {

double clopperPearsonUpper(std::int64_t errors, std::int64_t n, double confidence) {
  if (errors < 0 || errors > n || !(confidence > 0.0 && confidence < 1.0)) {
    throw std::invalid_argument("clopperPearsonUpper: needs 0 <= errors <= n, 0 < confidence < 1");
  }
  if (errors == n) {
    return 1.0;
  }
  const auto right = static_cast<double>(n - errors);
  return errors == 0 ? -std::expm1(std::log1p(-confidence) / right)
                     : boost::math::ibeta_inv(static_cast<double>(errors) + 1.0, right, confidence);
}

Interval clopperPearson(std::int64_t count, std::int64_t n, double confidence) {
  const double one_sided = 0.5 * (1.0 + confidence);
  return {1.0 - clopperPearsonUpper(n - count, n, one_sided),
          clopperPearsonUpper(count, n, one_sided)};
}

}  // namespace dubito
