// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/network_pass.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include "core/kernels/cpu/aligned_memory.h"
#include "core/labs/network/network_kernels.h"

namespace dubito {
namespace {

void require(bool matches, const char* what) {
  if (!matches) {
    throw std::invalid_argument(what);
  }
}

std::int64_t itemCount(const NetworkShape& shape, std::span<const double> parameters,
                       std::span<const double> inputs, InputScales scales) {
  require(std::ssize(parameters) == shape.parameterCount(), "network: wrong number of parameters");
  require(std::ssize(inputs) % shape.inputs == 0, "network: inputs are not [N, inputs]");
  require(scales.empty() || std::ssize(scales) == shape.layerCount(),
          "network: expected one input scale per layer");
  const std::int64_t count = std::ssize(inputs) / shape.inputs;
  for (std::int64_t layer = 0; layer < std::ssize(scales); ++layer) {
    const InputScale& scale = scales[static_cast<std::size_t>(layer)];
    const std::int64_t size = shape.inputsOf(layer) * (scale.per_item ? count : 1);
    require(scale.factors.empty() || std::ssize(scale.factors) == size,
            "network: wrong number of factors");
    require(scale.gradient.empty() || scale.gradient.size() == scale.factors.size(),
            "network: wrong size of the gradient of factors");
  }
  return count;
}

/// Forward and backward pass of one tile of items.
class TilePass {
 public:
  TilePass(const NetworkShape& shape, std::span<const double> parameters, InputScales scales)
      : shape_(shape),
        parameters_(parameters.data()),
        scales_(scales),
        layers_(shape.layerCount()),
        kernels_(networkKernels()) {
    std::int64_t widest = shape.outputs;
    std::int64_t rows = 0;
    for (std::int64_t layer = 0; layer < layers_; ++layer) {
      units_.push_back(rows);
      rows += shape.inputsOf(layer);
      scaled_.push_back(isScaled(layer) ? rows : units_.back());
      rows += isScaled(layer) ? shape.inputsOf(layer) : 0;
      widest = std::max(widest, shape.inputsOf(layer));
    }
    units_.push_back(rows);
    deltas_ = rows + shape.outputs;
    next_deltas_ = deltas_ + widest;
    memory_ = makeAligned<double>((next_deltas_ + widest) * kTileItems);
  }

  /// Computes the outputs of items [first, first + count).
  void forward(std::span<const double> inputs, std::int64_t first, std::int64_t count) {
    first_ = first;
    count_ = count;
    items_ = (count + kItemLanes - 1) / kItemLanes * kItemLanes;
    const double* const from = inputs.data() + first * shape_.inputs;
    for (std::int64_t i = 0; i < shape_.inputs; ++i) {
      double* const row = at(units_[0] + i);
      for (std::int64_t n = 0; n < items_; ++n) {
        // The last item fills the tile up; its copies get no gradient.
        row[n] = from[std::min(n, count - 1) * shape_.inputs + i];
      }
    }
    for (std::int64_t layer = 0; layer < layers_; ++layer) {
      const auto l = static_cast<std::size_t>(layer);
      if (isScaled(layer)) {
        multiplyByFactors(layer, at(units_[l]), at(scaled_[l]));
      }
      kernels_.product({.matrix = parameters_ + shape_.firstWeightOf(layer),
                        .row_step = shape_.inputsOf(layer),
                        .column_step = 1,
                        .rows = shape_.outputsOf(layer),
                        .columns = shape_.inputsOf(layer),
                        .start = parameters_ + shape_.firstBiasOf(layer),
                        .operand = at(scaled_[l]),
                        .result = at(units_[l + 1]),
                        .items = items_,
                        .finish = layer + 1 == layers_ ? ProductFinish::kNone
                                  : isTanh()           ? ProductFinish::kTanh
                                                       : ProductFinish::kRelu});
    }
  }

  /// Copies the outputs to [count, outputs].
  void copyOutputs(double* to) const {
    for (std::int64_t n = 0; n < count_; ++n) {
      for (std::int64_t k = 0; k < shape_.outputs; ++k) {
        to[n * shape_.outputs + k] = at(units_.back() + k)[n];
      }
    }
  }

  /// Starts a backward pass with gradients [count, outputs] of the outputs.
  void startBackward(const double* output_gradient) {
    for (std::int64_t k = 0; k < shape_.outputs; ++k) {
      double* const row = at(deltas_ + k);
      for (std::int64_t n = 0; n < items_; ++n) {
        row[n] = n < count_ ? output_gradient[n * shape_.outputs + k] : 0.0;
      }
    }
  }

  /// Goes from the outputs of `layer` to those of the layer before, or if it is the first, only to
  /// the gradient of its factors.
  void backward(std::int64_t layer) {
    const bool wants_factors = isScaled(layer) && !scale(layer).gradient.empty();
    if (layer == 0 && !wants_factors) {
      return;
    }
    const auto l = static_cast<std::size_t>(layer);
    const std::int64_t width = shape_.inputsOf(layer);
    double* const to = at(next_deltas_);
    // The gradient of a factor does not pass the activation, so the slope is applied after it.
    const ProductFinish finish = wants_factors ? ProductFinish::kNone
                                 : isTanh()    ? ProductFinish::kTanhSlope
                                               : ProductFinish::kReluSlope;
    kernels_.product({.matrix = parameters_ + shape_.firstWeightOf(layer),
                      .row_step = 1,
                      .column_step = width,
                      .rows = width,
                      .columns = shape_.outputsOf(layer),
                      .operand = deltas(),
                      .result = to,
                      .items = items_,
                      .finish = layer == 0 ? ProductFinish::kNone : finish,
                      .activated = at(units_[l])});
    if (wants_factors) {
      addFactorGradient(layer, to);
      if (layer == 0) {
        return;
      }
      multiplyBySlope(layer, to);
    }
    if (isScaled(layer)) {
      multiplyByFactors(layer, to, to);
    }
    std::swap(deltas_, next_deltas_);
  }

  /// Gradients of the outputs of the current layer before its activation, [outputs, items].
  [[nodiscard]] const double* deltas() const { return at(deltas_); }
  /// Inputs of `layer`, times its factors.
  [[nodiscard]] const double* inputsOf(std::int64_t layer) const {
    return at(scaled_[static_cast<std::size_t>(layer)]);
  }
  [[nodiscard]] std::int64_t items() const { return items_; }
  [[nodiscard]] std::int64_t count() const { return count_; }

 private:
  [[nodiscard]] double* at(std::int64_t row) const { return memory_.get() + row * kTileItems; }
  [[nodiscard]] const InputScale& scale(std::int64_t layer) const {
    return scales_[static_cast<std::size_t>(layer)];
  }
  [[nodiscard]] bool isTanh() const { return shape_.activation == Activation::kTanh; }
  [[nodiscard]] bool isScaled(std::int64_t layer) const {
    return !scales_.empty() && !scale(layer).factors.empty();
  }

  void multiplyByFactors(std::int64_t layer, const double* from, double* to) const {
    const std::int64_t width = shape_.inputsOf(layer);
    const InputScale& scale_of_layer = scale(layer);
    const double* const factors = scale_of_layer.factors.data();
    for (std::int64_t i = 0; i < width; ++i) {
      for (std::int64_t n = 0; n < items_; ++n) {
        const std::int64_t item = first_ + std::min(n, count_ - 1);
        const double factor = factors[(scale_of_layer.per_item ? item * width : 0) + i];
        to[i * kTileItems + n] = factor * from[i * kTileItems + n];
      }
    }
  }

  void multiplyBySlope(std::int64_t layer, double* deltas) const {
    const double* const units = at(units_[static_cast<std::size_t>(layer)]);
    for (std::int64_t i = 0; i < shape_.inputsOf(layer); ++i) {
      for (std::int64_t at = i * kTileItems; at < i * kTileItems + items_; ++at) {
        deltas[at] = isTanh() ? deltas[at] * (1.0 - units[at] * units[at])
                              : (units[at] <= 0.0 ? 0.0 : deltas[at]);
      }
    }
  }

  /// Gradient of a factor: that of the scaled input times the input.
  void addFactorGradient(std::int64_t layer, const double* gradient_of_scaled) const {
    const std::int64_t width = shape_.inputsOf(layer);
    const InputScale& scale_of_layer = scale(layer);
    const double* const units = at(units_[static_cast<std::size_t>(layer)]);
    for (std::int64_t n = 0; n < count_; ++n) {
      double* const to =
          scale_of_layer.gradient.data() + (scale_of_layer.per_item ? (first_ + n) * width : 0);
      for (std::int64_t i = 0; i < width; ++i) {
        to[i] += gradient_of_scaled[i * kTileItems + n] * units[i * kTileItems + n];
      }
    }
  }

  const NetworkShape& shape_;
  const double* parameters_;
  InputScales scales_;
  std::int64_t layers_;
  const NetworkKernels& kernels_;
  std::int64_t first_ = 0;
  std::int64_t count_ = 0;
  std::int64_t items_ = 0;  ///< count, rounded up to a multiple of kItemLanes
  // First rows in memory_.
  std::vector<std::int64_t> units_;   ///< inputs of each layer, then the outputs
  std::vector<std::int64_t> scaled_;  ///< the same times the factors
  std::int64_t deltas_ = 0;
  std::int64_t next_deltas_ = 0;
  AlignedMemory<double> memory_;  ///< rows of kTileItems
};

double sumOfLanes(const double* lanes) {
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
         ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

void clearFactorGradients(InputScales scales) {
  for (const InputScale& scale : scales) {
    std::ranges::fill(scale.gradient, 0.0);
  }
}

}  // namespace

void networkOutputs(const NetworkShape& shape, std::span<const double> parameters,
                    std::span<const double> inputs, std::span<double> outputs, InputScales scales) {
  const std::int64_t count = itemCount(shape, parameters, inputs, scales);
  require(std::ssize(outputs) == count * shape.outputs, "network: outputs are not [N, outputs]");
  TilePass pass(shape, parameters, scales);
  for (std::int64_t first = 0; first < count; first += kTileItems) {
    pass.forward(inputs, first, std::min(kTileItems, count - first));
    pass.copyOutputs(outputs.data() + first * shape.outputs);
  }
}

void networkGradient(const NetworkShape& shape, std::span<const double> parameters,
                     std::span<const double> inputs, const OutputLoss& loss,
                     std::span<double> gradient, InputScales scales) {
  const std::int64_t count = itemCount(shape, parameters, inputs, scales);
  require(std::ssize(gradient) == shape.parameterCount(), "network: the gradient is not [P]");
  clearFactorGradients(scales);
  TilePass pass(shape, parameters, scales);
  const NetworkKernels& kernels = networkKernels();
  const std::int64_t size = shape.parameterCount() * kItemLanes;
  const AlignedMemory<double> lanes = makeAligned<double>(size);
  std::fill_n(lanes.get(), size, 0.0);
  std::vector<double> outputs(static_cast<std::size_t>(kTileItems * shape.outputs));
  std::vector<double> output_gradient(outputs.size());
  for (std::int64_t first = 0; first < count; first += kTileItems) {
    const std::int64_t items = std::min(kTileItems, count - first);
    const auto used = static_cast<std::size_t>(items * shape.outputs);
    pass.forward(inputs, first, items);
    pass.copyOutputs(outputs.data());
    loss(first, {outputs.data(), used}, {output_gradient.data(), used});
    pass.startBackward(output_gradient.data());
    for (std::int64_t layer = shape.layerCount(); layer-- > 0;) {
      kernels.outer_sum({.left = pass.deltas(),
                         .right = pass.inputsOf(layer),
                         .rows = shape.outputsOf(layer),
                         .columns = shape.inputsOf(layer),
                         .items = pass.items(),
                         .sums = lanes.get() + shape.firstWeightOf(layer) * kItemLanes,
                         .row_sums = lanes.get() + shape.firstBiasOf(layer) * kItemLanes});
      pass.backward(layer);
    }
  }
  for (std::size_t p = 0; p < gradient.size(); ++p) {
    gradient[p] = sumOfLanes(lanes.get() + p * static_cast<std::size_t>(kItemLanes));
  }
}

void networkGradient(const NetworkShape& shape, std::span<const double> parameters,
                     std::span<const double> inputs, std::span<const double> output_gradient,
                     std::span<double> gradient, InputScales scales) {
  require(std::ssize(output_gradient) * shape.inputs == std::ssize(inputs) * shape.outputs,
          "network: output gradients are not [N, outputs]");
  const auto given = [&](std::int64_t first, std::span<const double> outputs,
                         std::span<double> to) {
    std::ranges::copy(
        output_gradient.subspan(static_cast<std::size_t>(first * shape.outputs), outputs.size()),
        to.begin());
  };
  networkGradient(shape, parameters, inputs, given, gradient, scales);
}

void networkJacobians(const NetworkShape& shape, std::span<const double> parameters,
                      std::span<const double> inputs, std::span<double> jacobians,
                      InputScales scales) {
  const std::int64_t count = itemCount(shape, parameters, inputs, scales);
  const std::int64_t parameter_count = shape.parameterCount();
  require(std::ssize(jacobians) == count * shape.outputs * parameter_count,
          "network: Jacobians are not [N, outputs, P]");
  std::vector<InputScale> plain_scales(scales.begin(), scales.end());
  for (InputScale& scale : plain_scales) {
    scale.gradient = {};
  }
  TilePass pass(shape, parameters, plain_scales);
  std::vector<double> output_gradient(static_cast<std::size_t>(kTileItems * shape.outputs));
  for (std::int64_t first = 0; first < count; first += kTileItems) {
    pass.forward(inputs, first, std::min(kTileItems, count - first));
    for (std::int64_t k = 0; k < shape.outputs; ++k) {
      std::ranges::fill(output_gradient, 0.0);
      for (std::int64_t n = 0; n < pass.count(); ++n) {
        output_gradient[static_cast<std::size_t>(n * shape.outputs + k)] = 1.0;
      }
      pass.startBackward(output_gradient.data());
      for (std::int64_t layer = shape.layerCount(); layer-- > 0;) {
        const double* const deltas = pass.deltas();
        const double* const units = pass.inputsOf(layer);
        const std::int64_t width = shape.inputsOf(layer);
        for (std::int64_t n = 0; n < pass.count(); ++n) {
          double* const row =
              jacobians.data() + ((first + n) * shape.outputs + k) * parameter_count;
          double* const weights = row + shape.firstWeightOf(layer);
          double* const biases = row + shape.firstBiasOf(layer);
          for (std::int64_t o = 0; o < shape.outputsOf(layer); ++o) {
            const double delta = deltas[o * kTileItems + n];
            for (std::int64_t i = 0; i < width; ++i) {
              weights[o * width + i] = delta * units[i * kTileItems + n];
            }
            biases[o] = delta;
          }
        }
        pass.backward(layer);
      }
    }
  }
}

}  // namespace dubito
