// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/share_scale.h"

#include <cmath>

namespace dubito {

std::vector<std::pair<double, QString>> shareTicks(bool root, double top) {
  const auto place = [root](double share) { return root ? std::sqrt(share) : share; };
  const auto text = [](double share) {
    return QStringLiteral("%1 %").arg(QString::number(share * 100.0, 'g', 3));
  };
  std::vector<std::pair<double, QString>> ticks{{0.0, QStringLiteral("0")}};
  if (!root) {
    // The smallest step of 1, 2 or 5 times a power of ten that gives at most five intervals.
    double step = std::pow(10.0, std::floor(std::log10(top)) - 1.0);
    for (int k = 0; step * 5.0 < top; ++k) {
      step *= k % 3 == 1 ? 2.5 : 2.0;
    }
    for (int j = 1; j * step <= top * (1.0 + 1e-9); ++j) {
      ticks.emplace_back(j * step, text(j * step));
    }
    return ticks;
  }
  const double gap = 0.18 * place(top);
  double above = 2.0 * place(top);
  std::vector<std::pair<double, QString>> descending;
  for (int exponent = 0; exponent >= -8; --exponent) {
    for (const double mantissa : {1.0, 0.5, 0.2}) {
      const double share = mantissa * std::pow(10.0, exponent);
      const double at = place(share);
      if (share <= top * (1.0 + 1e-9) && at <= above - gap && at >= gap) {
        descending.emplace_back(at, text(share));
        above = at;
      }
    }
  }
  ticks.insert(ticks.end(), descending.rbegin(), descending.rend());
  return ticks;
}

}  // namespace dubito
