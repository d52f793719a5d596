// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/log_density.h"

#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace dubito {

DataPosterior::DataPosterior(std::shared_ptr<const ItemLikelihood> likelihood,
                             std::vector<double> prior_precision)
    : likelihood_(std::move(likelihood)),
      prior_precision_(std::move(prior_precision)),
      all_items_(static_cast<std::size_t>(likelihood_->items())) {
  if (static_cast<std::int64_t>(prior_precision_.size()) != likelihood_->dimension()) {
    throw std::invalid_argument("DataPosterior: expected one prior precision per parameter");
  }
  std::iota(all_items_.begin(), all_items_.end(), std::int64_t{0});
  for (const double precision : prior_precision_) {
    prior_constant_ += 0.5 * std::log(precision / (2.0 * std::numbers::pi));
  }
}

double DataPosterior::evaluate(std::span<const double> q, std::span<double> gradient) const {
  double value = prior_constant_ + likelihood_->evaluate(q, all_items_, gradient, {});
  for (std::size_t d = 0; d < q.size(); ++d) {
    value -= 0.5 * prior_precision_[d] * q[d] * q[d];
  }
  for (std::size_t d = 0; d < gradient.size(); ++d) {
    gradient[d] -= prior_precision_[d] * q[d];
  }
  return value;
}

void DataPosterior::gradientOfBatch(std::span<const double> q, std::span<const std::int64_t> items,
                                    std::span<double> gradient) const {
  likelihood_->evaluate(q, items, gradient, {});
  const double factor = static_cast<double>(all_items_.size()) / static_cast<double>(items.size());
  for (std::size_t d = 0; d < gradient.size(); ++d) {
    gradient[d] = factor * gradient[d] - prior_precision_[d] * q[d];
  }
}

}  // namespace dubito
