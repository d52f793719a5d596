// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/number_text.h"

#include <algorithm>
#include <cmath>

#include "core/base/grouped_digits.h"
#include "widgets/plot_table.h"
#include "widgets/tr.h"

namespace dubito {

QString countText(std::int64_t count) {
  return QString::fromStdString(groupedDigits(count));
}

QString countedText(std::int64_t count, const QString& one, const QString& many) {
  const QString& text = count == 1 ? one : many;
  return text.contains(QLatin1String("%1")) ? text.arg(countText(count)) : text;
}

QString shareText(double share) {
  constexpr double kSmall = 0.0001;  // below: two decimals show at most one digit
  if (std::isnan(share)) {
    return shortText(share);
  }
  const double percent = 100.0 * share;
  const bool is_small = share != 0.0 && std::abs(share) < kSmall;
  return QStringLiteral("%1 %").arg(is_small ? shortText(percent, 2)
                                             : QString::number(percent, 'f', 2));
}

QString pointsText(double difference) {
  if (std::isnan(difference)) {
    return shortText(difference);
  }
  const QString digits = QString::number(100.0 * std::abs(difference), 'f', 2);
  const QString sign = digits == QLatin1String("0.00") ? QString()
                       : difference < 0.0              ? QStringLiteral("−")
                                                       : QStringLiteral("+");
  return tr("%1%2 points").arg(sign, digits);
}

QString percentTitle(const QString& name) {
  return QStringLiteral("%1 (%)").arg(name);
}

QString scoreText(double score) {
  constexpr double kSmall = 0.001;
  if (!std::isfinite(score)) {
    return shortText(score);
  }
  return score != 0.0 && std::abs(score) < kSmall ? QString::number(score, 'g', 3)
                                                  : QString::number(score, 'f', 4);
}

QString spreadText(double mean, double spread, int least_decimals) {
  constexpr int kMaxDecimals = 8;
  if (!std::isfinite(mean)) {
    return shortText(mean);
  }
  const bool has_digits = std::isfinite(spread) && spread > 0.0;
  const int two_digits = has_digits ? 1 - static_cast<int>(std::floor(std::log10(spread))) : 0;
  const int decimals = std::clamp(two_digits, least_decimals, kMaxDecimals);
  const QString text = QString::number(mean, 'f', decimals);
  return std::isnan(spread) ? text
                            : text + QStringLiteral(" ± ") + QString::number(spread, 'f', decimals);
}

}  // namespace dubito
