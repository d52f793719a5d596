// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/centred_logits.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dubito {
namespace {

template <class T, class Logit>
Array<float> shifted(const Array<T>& rows, const Logit& logit) {
  Array<float> result = Array<float>::zeros(rows.shape());
  for (std::int64_t t = 0; t < rows.extent(0); ++t) {
    const std::span<const T> row = rows.row(t);
    double sum = 0.0;
    std::int64_t count = 0;
    for (const T value : row) {
      if (const double z = logit(value); std::isfinite(z)) {
        sum += z;
        ++count;
      }
    }
    const double mean = count > 0 ? sum / static_cast<double>(count) : 0.0;
    std::ranges::transform(row, result.mutableRow(t).begin(),
                           [&](T value) { return static_cast<float>(logit(value) - mean); });
  }
  return result;
}

}  // namespace

Array<float> centredLogits(const Array<float>& probs) {
  return shifted(probs, [](float p) {
    return std::log(static_cast<double>(std::max(p, std::numeric_limits<float>::min())));
  });
}

Array<float> centred(const Array<float>& logits) {
  return shifted(logits, [](float z) { return double{z}; });
}

Array<float> centred(const Array<double>& logits) {
  return shifted(logits, [](double z) { return z; });
}

}  // namespace dubito
