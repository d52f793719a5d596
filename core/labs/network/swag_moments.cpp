// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/swag_moments.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dubito {

SwagMoments::SwagMoments(std::int64_t size, std::int64_t rank)
    : rank_(rank),
      mean_(static_cast<std::size_t>(size)),
      squares_(static_cast<std::size_t>(size)) {}

void SwagMoments::add(std::span<const double> iterate) {
  ++count_;
  std::vector<double> deviation(mean_.size());
  for (std::size_t i = 0; i < mean_.size(); ++i) {
    // Welford's update does not cancel, unlike the mean of squares minus the squared mean.
    const double from_old = iterate[i] - mean_[i];
    mean_[i] += from_old / static_cast<double>(count_);
    deviation[i] = iterate[i] - mean_[i];
    squares_[i] += from_old * deviation[i];
  }
  // The first deviation is 0.
  if (count_ > 1) {
    deviations_.push_back(std::move(deviation));
  }
  if (std::ssize(deviations_) > rank_) {
    deviations_.pop_front();
  }
}

std::vector<double> SwagMoments::variance() const {
  std::vector<double> result = squares_;
  for (double& value : result) {
    value /= static_cast<double>(count_);
  }
  return result;
}

std::vector<double> SwagMoments::draw(std::span<const double> normals) const {
  std::vector<double> result = mean_;
  const std::size_t size = mean_.size();
  for (std::size_t i = 0; i < size; ++i) {
    result[i] += std::sqrt(0.5 * squares_[i] / static_cast<double>(count_)) * normals[i];
  }
  const auto columns = static_cast<double>(deviations_.size());
  // A single deviation has no K - 1.
  const double scale = 1.0 / std::sqrt(2.0 * std::max(columns - 1.0, 1.0));
  for (std::size_t k = 0; k < deviations_.size(); ++k) {
    const double factor = scale * normals[size + k];
    for (std::size_t i = 0; i < size; ++i) {
      result[i] += factor * deviations_[k][i];
    }
  }
  return result;
}

}  // namespace dubito
