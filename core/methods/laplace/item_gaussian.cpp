// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/methods/laplace/item_gaussian.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <stdexcept>
#include <variant>
#include <vector>

#include "core/data/images/load_item.h"
#include "core/methods/laplace/posterior_walk_torch.h"
#include "core/network/network_batch_torch.h"
#include "core/network/network_on_device_torch.h"

namespace dubito {
namespace {

/// The covariance [K, K] of the only row, in double.
std::vector<double> covarianceOf(const LogitCovariance& covariance, std::size_t classes) {
  std::vector<double> dense(classes * classes, 0.0);
  if (const auto* const diagonal = std::get_if<DiagonalCovariance>(&covariance)) {
    for (std::size_t k = 0; k < classes; ++k) {
      dense[k * classes + k] = static_cast<double>(diagonal->variance.data()[k]);
    }
    return dense;
  }
  if (const auto* const full = std::get_if<FullCovariance>(&covariance)) {
    for (std::size_t i = 0; i < dense.size(); ++i) {
      dense[i] = static_cast<double>(full->covariance.data()[i]);
    }
    return dense;
  }
  const auto& factored = std::get<FactoredCovariance>(covariance);
  const auto columns = static_cast<std::size_t>(factored.factor.extent(1));
  const bool has_one_scale = factored.scale.extent(1) == 1;
  for (std::size_t k = 0; k < classes; ++k) {
    for (std::size_t l = 0; l < classes; ++l) {
      double sum = 0.0;
      for (std::size_t r = 0; r < columns; ++r) {
        sum += static_cast<double>(factored.factor.data()[k * columns + r]) *
               static_cast<double>(factored.scale.data()[has_one_scale ? 0 : r]) *
               static_cast<double>(factored.factor.data()[l * columns + r]);
      }
      dense[k * classes + l] = sum;
    }
  }
  return dense;
}

}  // namespace

Expected<LogitGaussian> itemGaussian(const Model& model, const Dataset& dataset, std::int64_t index,
                                     const LaplaceOptions& method, RunContext& context) {
  if (!method.fitted || method.drawsWeights()) {
    throw std::invalid_argument("itemGaussian: the method gives no Gaussians");
  }
  at::set_num_threads(context.threads);
  const auto batch = loadItem(dataset, index, model.metadata().preprocessing, context);
  if (!batch) {
    return failWith(batch);
  }
  const auto network = placeNetwork(model, context.device);
  if (!network) {
    return failWith(network);
  }
  const auto posterior = makePosteriorNetwork(model, *network, method.fitted->posterior,
                                              method.fitted->scale, context.memory_budget_bytes);
  if (!posterior) {
    return failWith(posterior);
  }
  LogitGaussian result;
  RowsThatFit rows(false);
  const Status walked = forEachGaussian(
      **posterior, networkInput(*batch, model), batch->indices, dataset, rows, context,
      [&result](const LogitGaussians& gaussians, std::int64_t) {
        result.mean.assign(gaussians.mean.data(), gaussians.mean.data() + gaussians.mean.size());
        result.covariance = covarianceOf(gaussians.covariance, result.mean.size());
      });
  if (!walked) {
    return failWith(walked);
  }
  return result;
}

}  // namespace dubito
