// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/labs/sampling/log_density.h"

namespace dubito::test {

/// y = phi w + N(0, noise_variance), one row of `phi` per item.
class LinearModel : public ItemLikelihood {
 public:
  LinearModel(std::vector<std::vector<double>> phi, std::vector<double> y, double noise_variance)
      : phi_(std::move(phi)), y_(std::move(y)), noise_variance_(noise_variance) {}

  [[nodiscard]] std::int64_t dimension() const override {
    return static_cast<std::int64_t>(phi_[0].size());
  }
  [[nodiscard]] std::int64_t items() const override { return static_cast<std::int64_t>(y_.size()); }
  double evaluate(std::span<const double> q, std::span<const std::int64_t> items,
                  std::span<double> gradient, std::span<double> squared) const override;

 private:
  std::vector<std::vector<double>> phi_;
  std::vector<double> y_;
  double noise_variance_;
};

/// The model of the vectors "labs", with the prior N(0, 2 I).
[[nodiscard]] std::shared_ptr<const DataPosterior> linearModelOfVectors();

/// Mean and covariance [D, D] of a Gaussian.
struct Gaussian {
  std::vector<double> mean;
  std::vector<std::vector<double>> covariance;
};

/// The posterior of a linear model: precision phi^T phi / noise_variance + prior_precision I.
[[nodiscard]] Gaussian exactPosterior(const std::vector<std::vector<double>>& phi,
                                      const std::vector<double>& y, double noise_variance,
                                      double prior_precision);
[[nodiscard]] Gaussian exactPosteriorOfVectors();

/// Inverse of a positive definite matrix (Gauss-Jordan).
[[nodiscard]] std::vector<std::vector<double>> inverseOf(std::vector<std::vector<double>> matrix);

/// N(mean, covariance) as a density.
class GaussianDensity : public LogDensity {
 public:
  explicit GaussianDensity(Gaussian gaussian)
      : gaussian_(std::move(gaussian)), precision_(inverseOf(gaussian_.covariance)) {}
  [[nodiscard]] std::int64_t dimension() const override {
    return static_cast<std::int64_t>(gaussian_.mean.size());
  }
  double evaluate(std::span<const double> q, std::span<double> gradient) const override;

 private:
  Gaussian gaussian_;
  std::vector<std::vector<double>> precision_;
};

}  // namespace dubito::test
