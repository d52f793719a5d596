// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/simplex/logit_sampler.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/labs/random/keyed_random.h"
#include "core/labs/simplex/zero_sum_plane.h"

namespace dubito {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

LogitSampler::LogitSampler(const LogitGaussian& gaussian, std::uint64_t seed)
    : mean_(gaussian.mean), seed_(seed) {
  const std::size_t classes = mean_.size();
  bool is_diagonal = true;
  for (std::size_t k = 0; k < classes; ++k) {
    for (std::size_t l = 0; l < k; ++l) {
      is_diagonal = is_diagonal && gaussian.covariance[k * classes + l] == 0.0;
    }
  }
  if (is_diagonal) {
    for (std::size_t k = 0; k < classes; ++k) {
      deviation_.push_back(std::sqrt(std::max(0.0, gaussian.covariance[k * classes + k])));
    }
    return;
  }
  const auto size = static_cast<Eigen::Index>(classes);
  const Eigen::Map<const Rows> covariance(gaussian.covariance.data(), size, size);
  const Eigen::LDLT<Eigen::MatrixXd> decomposition(covariance);
  Rows factor = decomposition.matrixL();
  factor *= decomposition.vectorD().cwiseMax(0.0).cwiseSqrt().asDiagonal();
  factor = decomposition.transpositionsP().transpose() * factor;
  factor_.assign(factor.data(), factor.data() + factor.size());
}

void LogitSampler::draw(std::uint64_t stream, std::int64_t first, std::span<double> probs) const {
  const std::size_t classes = mean_.size();
  const std::size_t rows = probs.size() / classes;
  const KeyedRandom random(seed_, LabSite::kLogitDraw, stream);
  const auto row_at = [&](std::size_t i) { return probs.subspan(i * classes, classes); };
  for (std::size_t i = 0; i < rows; ++i) {
    random.normals(static_cast<std::uint32_t>(first + static_cast<std::int64_t>(i)), row_at(i));
  }
  if (!factor_.empty()) {
    const auto size = static_cast<Eigen::Index>(classes);
    const Eigen::Map<const Rows> factor(factor_.data(), size, size);
    Eigen::Map<Rows> values(probs.data(), static_cast<Eigen::Index>(rows), size);
    values = values * factor.transpose();
  }
  for (std::size_t i = 0; i < rows; ++i) {
    const auto row = row_at(i);
    for (std::size_t k = 0; k < classes; ++k) {
      row[k] = mean_[k] + (factor_.empty() ? deviation_[k] * row[k] : row[k]);
    }
    softmaxInPlace(row);
  }
}

}  // namespace dubito
