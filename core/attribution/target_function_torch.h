// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/jit/runtime/interpreter.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/attribution/attribution_options.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/models/model.h"
#include "core/network/dropout_plan.h"
#include "core/network/network_on_device_torch.h"
#include "core/network/rows_that_fit.h"

namespace dubito {

/// The draws that a TargetFunction uses.
struct TargetDraws {
  std::optional<DropoutPlan> plan;  ///< empty: the network without dropout
  std::int64_t first = 0;
  std::int64_t count = 1;
};

/// The number to explain, as a function of images, with its gradients. One thread at a time.
class TargetFunction {
 public:
  /// `model`, `dataset` and `context` must outlive the object; `index` names the item in errors and
  /// keys the masks. `flat`: the network takes the images as vectors. Errors of placeNetwork;
  /// kUnsupported if the plan cannot be applied.
  [[nodiscard]] static Expected<std::unique_ptr<TargetFunction>> of(
      const Model& model, const Dataset& dataset, std::int64_t index,
      const AttributionTarget& target, const TargetDraws& draws, bool flat, RunContext& context);
  ~TargetFunction();
  TargetFunction(const TargetFunction&) = delete;
  TargetFunction& operator=(const TargetFunction&) = delete;

  /// Announces evaluations, for the progress.
  void expect(std::int64_t values, std::int64_t gradients);
  /// The numbers [R] for the images [R, C, H, W]. kMalformed if one is not finite.
  [[nodiscard]] Expected<std::vector<double>> values(const at::Tensor& images);
  /// The gradients [R, C, H, W], in double on the CPU. kUnsupported, naming the operator if it is
  /// known, if the network has no gradient or one that is not finite.
  [[nodiscard]] Expected<at::Tensor> gradients(const at::Tensor& images);

  /// The first operator of the network through which no gradient passes; empty if none is known.
  [[nodiscard]] std::string operatorWithoutGradient() const;
  [[nodiscard]] std::vector<std::string> notes() const { return rows_.notes(); }

 private:
  TargetFunction(const Model& model, const Dataset& dataset, std::int64_t index,
                 const AttributionTarget& target, const TargetDraws& draws, bool flat,
                 const NetworkOnDevice& network, std::shared_ptr<torch::jit::Graph> graph,
                 RunContext& context);

  /// Evaluations are numbered: image r with draw t is r * draws + t.
  struct Range {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    [[nodiscard]] std::int64_t count() const { return end - begin; }
  };
  /// Position of the image of every evaluation of `range`.
  [[nodiscard]] at::Tensor imagesOf(const Range& range) const;
  /// The network's output rows for the inputs of `range`.
  [[nodiscard]] at::Tensor run(const at::Tensor& x, const Range& range) const;
  /// Numbers that numbers() gives for a row: all probabilities if the mutual information is
  /// explained, else 1.
  [[nodiscard]] std::int64_t numbersPerRow() const;
  /// The class probabilities if the mutual information is explained, the probability of the class
  /// if its spread is, else its centred logit; [rows, numbersPerRow()], in double.
  [[nodiscard]] at::Tensor numbers(const at::Tensor& rows) const;
  /// numbers() for all evaluations of `images`, without gradients; [R, draws, numbersPerRow()].
  [[nodiscard]] Expected<at::Tensor> evaluations(const at::Tensor& images);
  /// Gradients of the numbers of `range` times `factors`, of their shape, with respect to their
  /// images.
  [[nodiscard]] Expected<at::Tensor> gradientsOf(const at::Tensor& images, const Range& range,
                                                 const at::Tensor& factors) const;
  /// The gradients of the numbers, summed over the draws with these factors [R, draws,
  /// numbersPerRow()].
  [[nodiscard]] Expected<at::Tensor> weightedGradients(const at::Tensor& images,
                                                       const at::Tensor& factors);
  using Pass = std::function<Status(const Range&)>;
  /// Calls `pass` for ranges that fit into memory; measures the first, of a single row, in `bytes`.
  [[nodiscard]] Status walk(std::int64_t images, std::int64_t& bytes, const Pass& pass);

  const Model& model_;
  const Dataset& dataset_;
  std::int64_t index_;
  AttributionTarget target_;
  TargetDraws draws_;
  bool flat_;
  NetworkOnDevice network_;
  std::shared_ptr<torch::jit::Graph> graph_;
  torch::jit::Code code_;
  RunContext& context_;
  RowsThatFit rows_;
  std::vector<at::Tensor> frozen_;   ///< parameters that get gradients again afterwards
  std::int64_t bytes_of_value_ = 0;  ///< of a row; 0: not measured yet
  std::int64_t bytes_of_gradient_ = 0;
  std::int64_t done_ = 0;
  std::int64_t total_ = 0;
};

}  // namespace dubito
