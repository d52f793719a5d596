// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/study_data.h"

#include <fmt/format.h>

#include "core/io/atomic_file.h"
#include "core/methods/laplace/posterior_walk_torch.h"
#include "core/network/network_batches_torch.h"

namespace dubito::study {
namespace {

constexpr std::int64_t kBatch = 100;

}  // namespace

Expected<LaplaceOptions> fitted(const Model& model, const LaplaceOptions& method, const Sets& sets,
                                RunContext& context) {
  MethodData data;
  for (const auto& [spec, dataset] :
       {std::pair{&sets.fit, &data.fit}, std::pair{&sets.calibration, &data.calibration}}) {
    auto opened = openDataset(*spec, context);
    if (!opened) {
      return failWith(opened);
    }
    *dataset = *std::move(opened);
  }
  const auto ready = prepareMethod(model, method, data, {.batch = kBatch}, context);
  if (!ready) {
    return failWith(ready);
  }
  return std::get<LaplaceOptions>(*ready);
}

Status forEachLabelledGaussian(const Model& model, const LaplaceOptions& method,
                               const Dataset& dataset, RunContext& context,
                               const TakeLabelled& take) {
  const auto placed = placeNetwork(model, context.device);
  if (!placed) {
    return failWith(placed);
  }
  const auto network =
      makePosteriorNetwork(model, *placed, method.fitted->posterior, method.fitted->scale);
  if (!network) {
    return failWith(network);
  }
  const auto plan = BatchPlan::ofRange(0, dataset.size(), kBatch);
  DeviceBatches batches = networkBatches(model, dataset, plan, placed->device, context);
  RowsThatFit rows(!model.audit().batch.depends_on_batch);
  while (batches.remaining() > 0) {
    const auto loaded = batches.next();
    if (!loaded) {
      return failWith(loaded);
    }
    const std::vector<std::int64_t>& indices = loaded->batch.indices;
    if (indices.empty()) {
      continue;
    }
    const auto hand = [&](const LogitGaussians& gaussians, std::int64_t first) {
      std::vector<std::int64_t> ids;
      std::vector<std::int64_t> labels;
      for (std::int64_t i = first; i < first + gaussians.mean.extent(0); ++i) {
        const auto index = static_cast<std::size_t>(indices[static_cast<std::size_t>(i)]);
        ids.push_back(dataset.ids()[index]);
        labels.push_back(dataset.labels()[index]);
      }
      take(gaussians, ids, labels);
    };
    if (Status walked =
            forEachGaussian(**network, loaded->inputs, indices, dataset, rows, context, hand);
        !walked) {
      return walked;
    }
  }
  return {};
}

Status writeLines(const std::string& path, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  if (path.empty()) {
    fmt::print("{}", text);
    return {};
  }
  return writeFileAtomically(path, text);
}

}  // namespace dubito::study
