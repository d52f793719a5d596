// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/random/gamma_draw.h"

#include <cmath>
#include <vector>

#include "core/labs/random/keyed_random.h"

namespace dubito {

double gammaDraw(double shape, std::uint64_t seed, std::uint64_t stream, std::uint32_t draw) {
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  // More than 95 % of the proposals are accepted, so these are nearly always enough.
  std::size_t first = 0;
  for (std::size_t count = 4;; count *= 4) {
    std::vector<double> normals(count);
    std::vector<double> uniforms(count);
    KeyedRandom(seed, LabSite::kGammaProposal, stream).normals(draw, normals);
    KeyedRandom(seed, LabSite::kGammaAcceptance, stream).uniforms(draw, uniforms);
    for (std::size_t i = first; i < count; ++i) {
      const double x = normals[i];
      const double root = 1.0 + c * x;
      const double v = root * root * root;
      if (v > 0.0 && std::log(uniforms[i]) < 0.5 * x * x + d - d * v + d * std::log(v)) {
        return d * v;
      }
    }
    first = count;
  }
}

}  // namespace dubito
