// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>

#include <algorithm>

#include "core/inference/networks/stochastic_network_torch.h"
#include "core/inference/networks/tensor_memory_torch.h"
#include "core/kernels/torch/keyed_dropout_torch.h"
#include "core/kernels/torch/mask_hash_torch.h"
#include "core/models/head_torch.h"
#include "core/models/keyed_sites_torch.h"
#include "core/models/prepare_torch.h"
#include "core/models/program/torch_reason.h"

namespace dubito {
namespace {

/// Limits of a pass shared by several draws; more would only take memory.
struct PassLimits {
  std::int64_t rows = 4096;
  std::int64_t bytes = std::int64_t{64} << 20;  ///< of what crosses the cut
};
// Enough to keep all cores busy.
constexpr PassLimits kOnCpu{};
// A GPU is busy with ten times as much, and every launch costs microseconds.
constexpr PassLimits kOnGpu{.rows = 65'536, .bytes = std::int64_t{1} << 30};
constexpr double kAgreement = 1e-6;
// On a GPU, the algorithm, and with it the order of sums, depends on the number of rows.
constexpr double kAgreementOnGpu = 1e-5;
// Enough to distinguish growth with the draws from mere doubling.
constexpr std::int64_t kDrawsToVerify = 3;
constexpr const char* kNoRoomToShare =
    "Each draw ran in its own pass: memory ran out when several draws shared one";
constexpr const char* kNotShared =
    "Each draw ran in its own pass: a pass shared by several draws did not reproduce their results";

void insertBeforeHead(torch::jit::Graph& graph, const torch::jit::Module& module, std::int64_t site,
                      double drop_rate) {
  const HeadNode head = findHead(graph, module);
  TORCH_CHECK(head.node != nullptr, "no dropout site can be inserted before the head, because ",
              head.reason, " while other sites draw");
  const torch::jit::WithInsertPoint here(head.node);
  torch::jit::Value* const rate = graph.insertConstant(drop_rate);
  torch::jit::Value* const masked = insertKeyedDropout(graph, head.features, rate, {.site = site});
  head.node->replaceInput(head.feature_input, masked);
}

at::Tensor repeated(const at::Tensor& rows, std::int64_t times) {
  std::vector<std::int64_t> repeats(static_cast<std::size_t>(rows.dim()), 1);
  repeats.at(0) = times;
  return rows.repeat(repeats);
}

bool drawsAgree(const at::Tensor& a, const at::Tensor& b) {
  const double difference = at::abs(at::softmax(a, 1) - at::softmax(b, 1)).max().item().toDouble();
  return difference <= (a.is_cpu() ? kAgreement : kAgreementOnGpu);
}

}  // namespace

void applyPlan(const NetworkOnDevice& network, const DropoutPlan& plan) {
  torch::jit::Graph& graph = *network.graph;
  keepSites(graph, [&plan](std::int64_t site) {
    return std::binary_search(plan.sites.begin(), plan.sites.end(), site);
  });
  if (plan.drop_rate) {
    setDropRate(graph, *plan.drop_rate);
  }
  if (plan.inserted) {
    insertBeforeHead(graph, network.module, *plan.inserted, plan.insert_rate);
  }
  graph.lint();
}

StochasticNetwork::StochasticNetwork(const NetworkOnDevice& network, const DropoutPlan& plan,
                                     std::uint64_t seed, bool may_share_pass)
    : network_(network),
      seed_(static_cast<std::int64_t>(seed)),
      shared_masks_(plan.shared_masks),
      may_share_pass_(may_share_pass) {
  applyPlan(network_, plan);
  torch::jit::EliminateDeadCode(network_.graph);
  whole_.emplace(network_.graph, "whole", network_.items_per_pass);
  if (!network_.items_per_pass.isUnlimited()) {
    // Values that cross a cut cannot be divided among passes.
    may_share_pass_ = false;
    disableCut();
    return;
  }
  split_ = splitAtFirstSite(*network_.graph);
  if (split_.prefix) {
    prefix_.emplace(split_.prefix, "before_dropout");
  }
  suffix_.emplace(split_.suffix, "after_dropout");
}

void StochasticNetwork::disableCut() {
  prefix_.reset();
  crossing_.clear();
  layouts_.clear();
  split_ = SplitNetwork();
  suffix_.emplace(network_.graph, "whole", network_.items_per_pass);
}

std::vector<c10::IValue> StochasticNetwork::inputs(const at::Tensor& x, std::int64_t first,
                                                   std::int64_t count) const {
  // On the device: copying them there in every pass would wait for the passes before.
  const at::Tensor draws = at::arange(first, first + count, items_.options())
                               .unsqueeze(1)
                               .expand({count, items_.size(0)})
                               .contiguous()
                               .view({-1});
  const at::Tensor items = count == 1 ? items_ : items_.repeat({count});
  return {network_.module._ivalue(), x, seed_, items, draws};
}

void StochasticNetwork::setBatch(const at::Tensor& x, const std::vector<std::int64_t>& ids) {
  x_ = x.to(network_.device);
  items_ = (shared_masks_ ? at::full({x.size(0)}, -1, at::kLong) : at::tensor(ids, at::kLong))
               .to(network_.device);
  crossing_.clear();
  if (prefix_) {
    crossing_ = prefix_->run(inputs(x_, 0, 1));
  }
}

at::Tensor StochasticNetwork::draw(std::int64_t first, std::int64_t count) {
  if (count > 1 && shares_pass_) {
    try {
      // Local to this pass, so that a failure midway leaves no trace.
      std::optional<MaskHashRecorder> recorder;
      if (isRecordingMaskHashes()) {
        recorder.emplace();
      }
      at::Tensor rows = pass(first, count);
      if (recorder) {
        recorder->handOver();
      }
      return rows;
    } catch (const std::exception& exception) {
      shares_pass_ = false;
      notes_.emplace_back(isOutOfMemory(exception) ? kNoRoomToShare : kNotShared);
    }
  }
  std::vector<at::Tensor> rows;
  for (std::int64_t t = first; t < first + count; ++t) {
    rows.push_back(pass(t, 1));
  }
  return rows.size() == 1 ? rows.front() : at::cat(rows, 0);
}

at::Tensor StochasticNetwork::pass(std::int64_t first, std::int64_t count) {
  const at::Tensor x = split_.reads_items && count > 1 ? repeated(x_, count) : x_;
  std::vector<c10::IValue> values = inputs(x, first, count);
  for (std::size_t i = 0; i < crossing_.size(); ++i) {
    values.push_back(repeatItems(count > 1 ? layouts_.at(i) : CrossingLayout(), crossing_[i],
                                 items_.size(0), count, split_.writes_inputs));
  }
  return suffix_->run(std::move(values)).at(0).toTensor();
}

at::Tensor StochasticNetwork::drawWhole(std::int64_t draw) {
  return whole_->run(inputs(x_, draw, 1)).at(0).toTensor();
}

std::int64_t StochasticNetwork::drawsPerPass() const {
  const std::int64_t items = std::max<std::int64_t>(1, items_.size(0));
  if (!shares_pass_ || !batchHasLayouts()) {
    return 1;
  }
  std::int64_t bytes = 1;
  if (split_.reads_items) {
    bytes += static_cast<std::int64_t>(x_.nbytes());
  }
  for (std::size_t i = 0; i < crossing_.size(); ++i) {
    bytes += bytesOf(layouts_[i], crossing_[i]);
  }
  const PassLimits& limits = network_.device.is_cuda() ? kOnGpu : kOnCpu;
  return std::max<std::int64_t>(
      1, std::min({limits.rows / items, limits.bytes / bytes, pass_bytes_ / (items * row_bytes_)}));
}

at::Tensor StochasticNetwork::measuredPass(std::int64_t first, std::int64_t count,
                                           std::int64_t& bytes) {
  const TensorMemoryMeter meter;
  at::Tensor rows = pass(first, count);
  bytes = network_.device.is_cuda() ? meter.peakBytesOnDevices() : meter.peakBytes();
  return rows;
}

bool StochasticNetwork::batchHasLayouts() const {
  bool fits = layouts_.size() == crossing_.size();
  for (std::size_t i = 0; i < crossing_.size() && fits; ++i) {
    fits = hasLayout(layouts_[i], crossing_[i], items_.size(0));
  }
  return fits;
}

bool StochasticNetwork::findLayouts() {
  layouts_.clear();
  if (!prefix_) {
    return true;
  }
  const std::vector<c10::IValue> twice = prefix_->run(inputs(repeated(x_, 2), 0, 2));
  for (std::size_t i = 0; i < crossing_.size(); ++i) {
    const auto layout = split_.depends_on_items[i]
                            ? findLayout(crossing_[i], twice.at(i), items_.size(0))
                            : CrossingLayout();
    if (!layout) {
      return false;
    }
    layouts_.push_back(*layout);
  }
  return true;
}

void StochasticNetwork::verifyCut(const at::Tensor& first) {
  if (!prefix_) {
    return;
  }
  bool agrees = false;
  try {
    agrees = drawsAgree(pass(0, 1), first);
  } catch (const std::exception& exception) {
    if (isOutOfMemory(exception)) {
      throw;  // not related to the cut
    }
    agrees = false;
  }
  if (!agrees) {
    notes_.emplace_back(
        "The whole network runs for every draw: cutting it before its first dropout changed the "
        "results");
    disableCut();
  }
}

void StochasticNetwork::verifySharing(const at::Tensor& first) {
  if (!may_share_pass_) {
    return;
  }
  try {
    std::vector<at::Tensor> rows = {first};
    for (std::int64_t t = 1; t < kDrawsToVerify; ++t) {
      rows.push_back(drawWhole(t));
    }
    if (findLayouts()) {
      std::int64_t of_one = 0;
      std::int64_t of_all = 0;
      static_cast<void>(measuredPass(0, 1, of_one));
      shares_pass_ = drawsAgree(measuredPass(0, kDrawsToVerify, of_all), at::cat(rows, 0));
      row_bytes_ = std::max<std::int64_t>(
          1,
          (of_all - of_one) / ((kDrawsToVerify - 1) * std::max<std::int64_t>(1, items_.size(0))));
    }
  } catch (const std::exception& exception) {
    shares_pass_ = false;
    if (isOutOfMemory(exception)) {
      notes_.emplace_back(kNoRoomToShare);
      return;
    }
  }
  if (!shares_pass_) {
    notes_.emplace_back(kNotShared);
  }
}

void StochasticNetwork::verify() {
  shares_pass_ = false;
  notes_.clear();
  const at::Tensor first = drawWhole(0);
  verifyCut(first);
  verifySharing(first);
}

}  // namespace dubito
