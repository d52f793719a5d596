// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/number_text.h"

#include <cmath>

#include "widgets/plot_table.h"

namespace dubito {

QString countText(std::int64_t count) {
  QString digits = QString::number(count);
  for (qsizetype i = digits.size() - 3; i > (count < 0 ? 1 : 0); i -= 3) {
    digits.insert(i, QChar(0x2009));  // a thin space
  }
  return digits;
}

QString shareText(double share) {
  constexpr double kSmall = 0.0001;  // of which two decimals of a per cent leave one digit or none
  if (std::isnan(share)) {
    return shortText(share);
  }
  const double percent = 100.0 * share;
  const bool is_small = share != 0.0 && std::abs(share) < kSmall;
  return QStringLiteral("%1 %").arg(is_small ? shortText(percent, 2)
                                             : QString::number(percent, 'f', 2));
}

QString scoreText(double score) {
  constexpr double kSmall = 0.001;
  if (!std::isfinite(score)) {
    return shortText(score);
  }
  return score != 0.0 && std::abs(score) < kSmall ? QString::number(score, 'g', 3)
                                                  : QString::number(score, 'f', 4);
}

}  // namespace dubito
