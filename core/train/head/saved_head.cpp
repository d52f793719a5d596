// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "core/network/head_network_torch.h"
#include "core/train/head/saved_head_torch.h"

namespace dubito {
namespace {

/// Items on which the saved network is compared with its head.
constexpr std::size_t kCheckedItems = 8;
/// Relative difference that rounding of the network's own product can explain, by number type.
constexpr double kFloatDifference = 1e-3;
constexpr double kHalfDifference = 0.05;

Status checkSaved(const Model& saved, const Model& backbone, const Dataset& dataset,
                  const BackboneFeatures& features, const HeadFunction& head,
                  const RunContext& context) {
  const auto network = placeNetwork(saved, Device());
  if (!network) {
    return failWith(network);
  }
  auto with_head = HeadNetwork::of(saved, *network);
  if (!with_head) {
    return failWith(with_head);
  }
  const std::vector<std::int64_t> items(
      features.items.begin(), features.items.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                           kCheckedItems, features.items.size())));
  const auto batch = loadBatch(dataset, items, saved.metadata().preprocessing, context);
  if (!batch) {
    return failWith(batch);
  }
  const auto outputs = with_head->run(*batch, dataset);
  if (!outputs) {
    return failWith(outputs);
  }
  const std::int64_t rows = outputs->logits.size(0);
  const at::Tensor inputs = at::from_blob(const_cast<float*>(features.features.data()),
                                          {rows, features.features.extent(1)}, at::kFloat);
  const ExpectedLogits expected = head(inputs);
  const double difference =
      (expected.logits - outputs->logits.to(at::kDouble)).abs().max().item<double>();
  const std::string& type = backbone.audit().number_type;
  const double allowed = type == "Float" || type == "Double" ? kFloatDifference : kHalfDifference;
  if (!(difference <= allowed * std::max(1.0, expected.size))) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: its last layer cannot be replaced (the outputs of the new network "
                            "differ from those of the new head by {:.2g}); train the whole network "
                            "in another program",
                            backbone.path(), difference));
  }
  return {};
}

}  // namespace

Status saveCheckedHead(AtomicFile file, const std::string& archive, const Model& backbone,
                       const Dataset& dataset, const BackboneFeatures& features,
                       const HeadFunction& head, RunContext& context) {
  if (Status written = file.write(std::string_view(archive)); !written) {
    return written;
  }
  const auto saved = loadModel(file.tempPath(), {}, context);
  if (!saved) {
    return failWith(saved);
  }
  if (Status same = checkSaved(**saved, backbone, dataset, features, head, context); !same) {
    return same;
  }
  return context.cancelRequested() ? Status(cancelled()) : file.commit();
}

}  // namespace dubito
