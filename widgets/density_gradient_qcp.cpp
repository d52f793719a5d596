// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/density_gradient_qcp.h"

#include "widgets/density_color.h"

namespace dubito {

QCPColorGradient densityGradient() {
  QCPColorGradient gradient;
  constexpr int kStops = 21;
  for (int i = 0; i < kStops; ++i) {
    const double share = i / (kStops - 1.0);
    gradient.setColorStopAt(share, densityColor(share));
  }
  return gradient;
}

}  // namespace dubito
