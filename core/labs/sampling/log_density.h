// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace dubito {

/// Logarithm of an unnormalised density on R^D. Immutable; may be evaluated on several threads at
/// once.
class LogDensity {
 public:
  virtual ~LogDensity() = default;
  /// D, >= 1.
  [[nodiscard]] virtual std::int64_t dimension() const = 0;
  /// ln p(q) at `q` [D], up to a constant; -inf if the density is 0. Writes d ln p/dq to `gradient`
  /// [D] unless that is empty; its values are unspecified if the density is 0.
  virtual double evaluate(std::span<const double> q, std::span<double> gradient) const = 0;
};

/// Likelihood of N independent items given parameters q in R^D. Immutable; may be evaluated on
/// several threads at once.
class ItemLikelihood {
 public:
  virtual ~ItemLikelihood() = default;
  [[nodiscard]] virtual std::int64_t dimension() const = 0;  ///< D
  [[nodiscard]] virtual std::int64_t items() const = 0;      ///< N
  /// Sum over `items` of ln p(item | q). Unless they are empty, writes the sum of the gradients of
  /// the items to `gradient` [D], and the sum of their squares, element by element, to `squared`
  /// [D].
  virtual double evaluate(std::span<const double> q, std::span<const std::int64_t> items,
                          std::span<double> gradient, std::span<double> squared) const = 0;
};

/// Posterior of parameters with independent priors N(0, 1/precision).
class DataPosterior : public LogDensity {
 public:
  /// `prior_precision` [D], each > 0. Throws std::invalid_argument for another size.
  DataPosterior(std::shared_ptr<const ItemLikelihood> likelihood,
                std::vector<double> prior_precision);

  [[nodiscard]] std::int64_t dimension() const override { return likelihood_->dimension(); }
  /// ln p(q) + sum of ln p(item | q), with all constants of the prior.
  double evaluate(std::span<const double> q, std::span<double> gradient) const override;
  /// Gradient of ln p(q) + N/n sum ln p(item | q) over n `items`: unbiased for items drawn evenly.
  void gradientOfBatch(std::span<const double> q, std::span<const std::int64_t> items,
                       std::span<double> gradient) const;

  [[nodiscard]] const ItemLikelihood& likelihood() const { return *likelihood_; }
  [[nodiscard]] std::span<const double> priorPrecision() const { return prior_precision_; }
  /// 0 .. N - 1.
  [[nodiscard]] std::span<const std::int64_t> allItems() const { return all_items_; }

 private:
  std::shared_ptr<const ItemLikelihood> likelihood_;
  std::vector<double> prior_precision_;
  std::vector<std::int64_t> all_items_;
  double prior_constant_ = 0.0;
};

}  // namespace dubito
