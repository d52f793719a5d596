// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/referral.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "core/metrics/ranking.h"

namespace dubito {
namespace {

// digits * n stays below 2^64 * 2^63.
__extension__ using Wide = unsigned __int128;

}  // namespace

std::int64_t floorOfShare(double fraction, std::int64_t n) {
  if (!(fraction >= 0.0 && fraction <= 1.0) || n < 0) {
    throw std::invalid_argument("floorOfShare: needs a fraction in [0, 1] and n >= 0");
  }
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), fraction,
                                 std::chars_format::scientific)
                       .ptr;
  // "d.ddd...e-xx", the shortest decimal that prints the fraction.
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t mark = text.find('e');
  Wide digits = 0;
  int decimals = 0;
  for (const char c : text.substr(0, mark)) {
    if (c != '.') {
      digits = digits * 10 + static_cast<unsigned>(c - '0');
      ++decimals;
    }
  }
  int exponent = 0;
  const std::string_view exponent_text = text.substr(mark + 2);
  std::from_chars(exponent_text.data(), exponent_text.data() + exponent_text.size(), exponent);
  decimals += (text[mark + 1] == '-' ? exponent : -exponent) - 1;
  Wide product = digits * static_cast<Wide>(n);
  for (; decimals > 0 && product > 0; --decimals) {
    product /= 10;
  }
  return static_cast<std::int64_t>(product);
}

Curve rocAfterReferral(std::span<const double> scores, std::span<const std::uint8_t> positive,
                       std::span<const double> uncertainty, double referred_share) {
  if (scores.size() != uncertainty.size()) {
    throw std::invalid_argument("rocAfterReferral: needs as many uncertainties as scores");
  }
  if (std::any_of(uncertainty.begin(), uncertainty.end(), [](double u) { return std::isnan(u); })) {
    throw std::invalid_argument("rocAfterReferral: an uncertainty is NaN");
  }
  const auto n = static_cast<std::int64_t>(scores.size());
  const std::int64_t kept = n - floorOfShare(referred_share, n);
  if (kept == 0) {
    return rocCurve({});
  }
  std::vector<double> sorted(uncertainty.begin(), uncertainty.end());
  std::sort(sorted.begin(), sorted.end());
  const double cut = sorted[static_cast<std::size_t>(kept - 1)];
  const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), cut);
  const auto kept_of_ties = static_cast<double>(kept - (first - sorted.begin()));
  const double weight_of_ties = kept_of_ties / static_cast<double>(last - first);
  std::vector<double> weights(scores.size());
  std::transform(uncertainty.begin(), uncertainty.end(), weights.begin(),
                 [&](double u) { return u < cut ? 1.0 : (u == cut ? weight_of_ties : 0.0); });
  return rocCurve(thresholdTable(scores, positive, weights));
}

}  // namespace dubito
