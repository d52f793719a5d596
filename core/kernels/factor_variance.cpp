// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/factor_variance.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/kernels/cpu/scaled_sums_cpu.h"

namespace dubito {

FactorVariance::FactorVariance(const FactoredCovariance& covariance, bool centred)
    : covariance_(covariance),
      classes_(covariance.factor.extent(0)),
      stride_((classes_ + kScaledSumsBlock - 1) / kScaledSumsBlock * kScaledSumsBlock) {
  const std::int64_t columns = covariance.factor.extent(1);
  const std::int64_t scales = covariance.scale.extent(1);
  const float* const factor = covariance.factor.data();
  std::vector<double> parts(static_cast<std::size_t>(scales * stride_), 0.0);
  for (std::int64_t r = 0; r < columns; ++r) {
    double mean = 0.0;
    for (std::int64_t k = 0; centred && k < classes_; ++k) {
      mean += double{factor[k * columns + r]} / static_cast<double>(classes_);
    }
    for (std::int64_t k = 0; k < classes_; ++k) {
      const double element = double{factor[k * columns + r]} - mean;
      parts[static_cast<std::size_t>((scales == 1 ? 0 : r) * stride_ + k)] += element * element;
    }
  }
  parts_ = makeAligned<float>(scales * stride_);
  std::transform(parts.begin(), parts.end(), parts_.get(),
                 [](double part) { return static_cast<float>(part); });
}

#ifdef DUBITO_HAS_HIGHWAY

void FactorVariance::read(std::int64_t begin, std::int64_t end, float* variance) const {
  const ScaledSumsTask task{covariance_.scale.data(), covariance_.scale.extent(1), parts_.get(),
                            stride_};
  const auto sums = makeAligned<float>((end - begin) * stride_);
  scaledSumsCpu(task, begin, end, sums.get());
  for (std::int64_t row = 0; row < end - begin; ++row) {
    std::copy_n(sums.get() + row * stride_, classes_, variance + row * classes_);
  }
}

#else

void FactorVariance::read(std::int64_t begin, std::int64_t end, float* variance) const {
  const std::int64_t terms = covariance_.scale.extent(1);
  std::vector<double> sums(static_cast<std::size_t>(classes_));
  for (std::int64_t row = begin; row < end; ++row) {
    std::ranges::fill(sums, 0.0);
    for (std::int64_t r = 0; r < terms; ++r) {
      const double scale = covariance_.scale.data()[row * terms + r];
      for (std::int64_t k = 0; k < classes_; ++k) {
        sums[static_cast<std::size_t>(k)] += scale * double{parts_[r * stride_ + k]};
      }
    }
    std::transform(sums.begin(), sums.end(), variance + (row - begin) * classes_,
                   [](double sum) { return static_cast<float>(sum); });
  }
}

#endif

}  // namespace dubito
