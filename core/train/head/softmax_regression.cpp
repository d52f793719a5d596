// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/head/softmax_regression.h"

#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <stdexcept>

#include "core/train/head/lbfgs.h"

namespace dubito {
namespace {

constexpr std::int64_t kRowsPerProduct = 16'384;

void checkItems(const LabelledFeatures& items, std::int64_t classes) {
  const bool fits = items.features.rank() == 2 && items.features.extent(0) == items.size();
  if (!fits || std::ranges::any_of(items.labels, [classes](std::int64_t label) {
        return label < 0 || label >= classes;
      })) {
    throw std::invalid_argument("fitSoftmaxRegression: features or labels do not fit");
  }
}

/// Cross entropy of items as a function of the weights [K, Q + 1], whose last column is the bias.
class CrossEntropy {
 public:
  CrossEntropy(const LabelledFeatures& items, const SoftmaxRegressionOptions& options,
               const at::Device& device)
      : classes_(options.classes), has_bias_(options.has_bias), device_(device) {
    if (items.size() == 0) {
      return;
    }
    // Never written to; torch has no type for constant memory.
    features_ = at::from_blob(const_cast<float*>(items.features.data()),  // NOLINT
                              {items.size(), items.features.extent(1)}, at::kFloat)
                    .to(device);
    labels_ = at::tensor(items.labels, at::kLong).to(device);
    if (items.size() <= kRowsPerProduct) {
      // Converted once rather than at every evaluation, which needs as much memory.
      rows_ = convertedRows(0, items.size());
    }
  }

  [[nodiscard]] std::int64_t columns() const { return features_.size(1) + (has_bias_ ? 1 : 0); }

  /// Mean loss and accuracy; adds the gradient of the loss if `gradient` is not empty.
  [[nodiscard]] HeadQuality of(std::span<const double> weights, std::span<double> gradient) const {
    const at::Tensor matrix = at::tensor(at::ArrayRef<double>(weights.data(), weights.size()),
                                         at::TensorOptions(at::kDouble))
                                  .view({classes_, columns()})
                                  .to(device_);
    const std::int64_t n = features_.size(0);
    at::Tensor loss = at::zeros({}, matrix.options());
    at::Tensor right = at::zeros({}, labels_.options());
    at::Tensor sum = at::zeros_like(matrix);
    for (std::int64_t begin = 0; begin < n; begin += kRowsPerProduct) {
      const std::int64_t end = std::min(n, begin + kRowsPerProduct);
      const at::Tensor rows = rowsFrom(begin, end);
      const at::Tensor labels = labels_.slice(0, begin, end);
      const at::Tensor log_probs = at::log_softmax(at::mm(rows, matrix.t()), 1);
      loss -= log_probs.gather(1, labels.unsqueeze(1)).sum();
      right += (log_probs.argmax(1) == labels).sum();
      if (!gradient.empty()) {
        at::Tensor residual = log_probs.exp();
        residual.scatter_add_(1, labels.unsqueeze(1),
                              at::full({end - begin, 1}, -1.0, residual.options()));
        sum += at::mm(residual.t(), rows);
      }
    }
    if (!gradient.empty()) {
      const at::Tensor mean = (sum / static_cast<double>(n)).cpu().contiguous();
      std::copy_n(mean.const_data_ptr<double>(), gradient.size(), gradient.begin());
    }
    return {loss.item<double>() / static_cast<double>(n),
            static_cast<double>(right.item<std::int64_t>()) / static_cast<double>(n)};
  }

 private:
  [[nodiscard]] at::Tensor rowsFrom(std::int64_t begin, std::int64_t end) const {
    return rows_.defined() ? rows_.slice(0, begin, end) : convertedRows(begin, end);
  }

  /// [end - begin, columns()] in double; the last column is 1 if there is a bias.
  [[nodiscard]] at::Tensor convertedRows(std::int64_t begin, std::int64_t end) const {
    const at::Tensor rows = features_.slice(0, begin, end).to(at::kDouble);
    return has_bias_ ? at::cat({rows, at::ones({end - begin, 1}, rows.options())}, 1) : rows;
  }

  std::int64_t classes_;
  bool has_bias_;
  at::Device device_;
  at::Tensor features_;
  at::Tensor rows_;  ///< all rows in double; undefined if there are many
  at::Tensor labels_;
};

LinearHead headOf(std::span<const double> weights, std::int64_t features,
                  const SoftmaxRegressionOptions& options) {
  LinearHead head{Array<double>::zeros({options.classes, features}), {}};
  const std::int64_t columns = features + (options.has_bias ? 1 : 0);
  for (std::int64_t k = 0; k < options.classes; ++k) {
    const auto row =
        weights.subspan(static_cast<std::size_t>(k * columns), static_cast<std::size_t>(columns));
    std::copy_n(row.begin(), features, head.weight.mutableRow(k).begin());
    if (options.has_bias) {
      head.bias.push_back(row.back());
    }
  }
  return head;
}

}  // namespace

Expected<SoftmaxRegression> fitSoftmaxRegression(const LabelledFeatures& items,
                                                 const LabelledFeatures& validation,
                                                 const SoftmaxRegressionOptions& options,
                                                 RunContext& context) {
  checkItems(items, options.classes);
  if (items.size() == 0) {
    throw std::invalid_argument("fitSoftmaxRegression: there are no items");
  }
  const bool validates = validation.size() > 0;
  if (validates) {
    checkItems(validation, options.classes);
  }
  at::set_num_threads(context.threads);
  const at::NoGradGuard no_gradients;
  const at::Device device =
      context.device.isCuda()
          ? at::Device(at::kCUDA, static_cast<at::DeviceIndex>(context.device.index))
          : at::Device(at::kCPU);
  const CrossEntropy train(items, options, device);
  const CrossEntropy held_out(validation, options, device);
  std::vector<double> weights(static_cast<std::size_t>(options.classes * train.columns()));
  const auto objective = [&](std::span<const double> point, std::span<double> gradient) {
    double value = train.of(point, gradient).loss;
    for (std::size_t i = 0; i < point.size(); ++i) {
      value += 0.5 * options.l2 * point[i] * point[i];
      gradient[i] += options.l2 * point[i];
    }
    return value;
  };
  std::vector<double> best = weights;
  double best_loss = validates ? held_out.of(weights, {}).loss : 0.0;
  std::int64_t best_iteration = 0;
  bool is_cancelled = false;
  const auto after = [&](const LbfgsStep& step, std::span<const double> point) {
    if (validates) {
      const double loss = held_out.of(point, {}).loss;
      if (loss < best_loss) {
        best.assign(point.begin(), point.end());
        best_loss = loss;
        best_iteration = step.iteration;
      }
    }
    const Step next = context.step(kTrainingHeadStage, step.iteration, options.max_iterations);
    is_cancelled = next == Step::kCancel;
    const bool waits = !validates || step.iteration - best_iteration < options.patience;
    return next == Step::kContinue && waits;
  };
  if (context.step(kTrainingHeadStage, 0, options.max_iterations) == Step::kCancel) {
    return cancelled();
  }
  const LbfgsStep last =
      minimise(objective, weights,
               {.max_iterations = options.max_iterations, .tolerance = options.tolerance}, after);
  if (is_cancelled) {
    return cancelled();
  }
  SoftmaxRegression result;
  result.iterations = last.iteration;
  result.converged = last.largest_gradient <= options.tolerance;
  if (validates) {
    weights = best;
    result.validation = held_out.of(weights, {});
  }
  result.train = train.of(weights, {});
  result.head = headOf(weights, items.features.extent(1), options);
  return result;
}

}  // namespace dubito
