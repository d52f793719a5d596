// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/inspector/logits_of_item.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <variant>

#include "core/methods/laplace/item_gaussian.h"

namespace dubito {

Expected<LogitsOfItem> logitsOfItem(const Analysis& analysis, ItemRef item, RunContext& context) {
  const AnalysisPart& part = analysis.partOf(item);
  const Run& run = *part.run;
  const std::int64_t index =
      part.dataset ? part.dataset_index[static_cast<std::size_t>(item.row)] : -1;
  LogitsOfItem result;
  result.name = fmt::format(
      "{} of {}",
      index >= 0 ? part.dataset->itemName(index) : fmt::format("#{}", run.ids.data()[item.row]),
      part.name);
  for (std::int64_t k = 0; k < run.classCount(); ++k) {
    result.class_names.push_back(run.className(k));
  }
  const auto* const laplace =
      analysis.method ? std::get_if<LaplaceOptions>(&*analysis.method) : nullptr;
  if (analysis.model && laplace != nullptr && laplace->fitted && !laplace->drawsWeights() &&
      index >= 0) {
    auto gaussian = itemGaussian(*analysis.model, *part.dataset, index, *laplace, context);
    if (!gaussian) {
      return failWith(gaussian);
    }
    result.gaussian = *std::move(gaussian);
    return result;
  }
  const auto mean = run.logit_mean->row(item.row);
  const auto variance = run.logit_var->row(item.row);
  result.gaussian.mean.assign(mean.begin(), mean.end());
  result.gaussian.covariance.assign(mean.size() * mean.size(), 0.0);
  for (std::size_t k = 0; k < mean.size(); ++k) {
    result.gaussian.covariance[k * mean.size() + k] = static_cast<double>(variance[k]);
  }
  result.has_only_variances = true;
  return result;
}

std::vector<std::size_t> likeliestClasses(const LogitGaussian& gaussian, std::size_t count) {
  std::vector<std::size_t> order(gaussian.mean.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](std::size_t k) { return gaussian.mean[k]; });
  order.resize(std::min(count, order.size()));
  return order;
}

LogitGaussian marginalOf(const LogitGaussian& gaussian, const std::vector<std::size_t>& classes) {
  LogitGaussian marginal;
  for (const std::size_t k : classes) {
    marginal.mean.push_back(gaussian.mean[k]);
    for (const std::size_t l : classes) {
      marginal.covariance.push_back(gaussian.covariance[k * gaussian.mean.size() + l]);
    }
  }
  return marginal;
}

}  // namespace dubito
