// SPDX-License-Identifier: GPL-3.0-or-later
#include "studies/study_data.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/data/prefetcher.h"
#include "core/inference/posterior_network_torch.h"
#include "core/io/atomic_file.h"

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

Status eachGaussian(const Model& model, const LaplaceOptions& method, const Dataset& dataset,
                    RunContext& context, const TakeGaussians& take) {
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
  Prefetcher batches(dataset, plan, model.metadata().preprocessing, context);
  while (batches.remaining() > 0) {
    const auto batch = batches.next();
    if (!batch) {
      return failWith(batch);
    }
    const auto count = static_cast<std::int64_t>(batch->indices.size());
    for (std::int64_t begin = 0; begin < count;) {
      const std::int64_t end = begin + std::min(count - begin, (*network)->itemsTogether());
      const auto items = (*network)->prepare(rowsOf(*batch, begin, end), dataset);
      if (!items) {
        return failWith(items);
      }
      for (std::int64_t row = begin; row < end;) {
        const std::int64_t last = std::min(end, row + (*network)->rowsTogether());
        std::vector<std::int64_t> ids;
        std::vector<std::int64_t> labels;
        for (std::int64_t i = row; i < last; ++i) {
          const std::int64_t index = batch->indices[static_cast<std::size_t>(i)];
          ids.push_back(dataset.ids()[static_cast<std::size_t>(index)]);
          labels.push_back(dataset.labels()[static_cast<std::size_t>(index)]);
        }
        take((*network)->gaussians(*items, row - begin, last - begin), ids, labels);
        row = last;
      }
      begin = end;
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
