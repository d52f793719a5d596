// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/density_color.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace dubito {
namespace {

/// Viridis, sampled at tenths.
constexpr std::array<QRgb, 11> kStops = {0xff440154, 0xff482475, 0xff414487, 0xff355f8d,
                                         0xff2a788e, 0xff21918c, 0xff22a884, 0xff44bf70,
                                         0xff7ad151, 0xffbddf26, 0xfffde725};

}  // namespace

QColor densityColor(double share) {
  const double place = std::clamp(std::isnan(share) ? 0.0 : share, 0.0, 1.0) * (kStops.size() - 1);
  const auto below = std::min(kStops.size() - 2, static_cast<std::size_t>(place));
  const double part = place - static_cast<double>(below);
  const auto mixed = [&](int (*channel)(QRgb)) {
    return static_cast<int>(
        std::lround((1.0 - part) * channel(kStops[below]) + part * channel(kStops[below + 1])));
  };
  return QColor(mixed(qRed), mixed(qGreen), mixed(qBlue));
}

QColor onDensityColor(double share) {
  constexpr double kBright = 0.6;
  return share > kBright ? QColor(0x16, 0x18, 0x1d) : QColor(Qt::white);
}

}  // namespace dubito
