// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/methods/laplace/fitted_items_torch.h"

#include <fmt/format.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/rank_share.h"
#include "core/io/mapped_file.h"
#include "core/network/network_batches_torch.h"
#include "core/predict/model_labels.h"

namespace dubito {
namespace {

using TakeBatch = std::function<Status(const FittedBatch&)>;

struct Pass {
  const Model& model;
  const Dataset& dataset;
  const ModelLabels& labels;
  const std::string& task;
  const PredictOptions& options;
  c10::Device device;
  RunContext& context;
  const TakeBatch& take;
};

Status takeOne(const Pass& pass, const DeviceBatch& loaded, FittedItems& items) {
  const Batch& batch = loaded.batch;
  items.unreadable += static_cast<std::int64_t>(batch.unreadable.size());
  if (batch.indices.empty()) {
    return {};
  }
  std::vector<std::int64_t> labels;
  const std::size_t before = items.ids.size();
  for (std::size_t row = 0; row < batch.indices.size(); ++row) {
    const std::int64_t index = batch.indices[row];
    labels.push_back(pass.labels.at(index));
    items.ids.push_back(pass.dataset.ids()[static_cast<std::size_t>(index)]);
    items.hash.add(items.ids.back(), labels.back(),
                   batch.inputs.row(static_cast<std::int64_t>(row)));
  }
  return pass.take({batch.indices, loaded.inputs, std::span(items.ids).subspan(before), labels});
}

Status passOverRange(const Pass& pass, const IndexRange& range, FittedItems& items) {
  const auto plan = BatchPlan::ofRange(range.begin, range.end, pass.options.batch);
  DeviceBatches batches = networkBatches(pass.model, pass.dataset, plan, pass.device, pass.context);
  while (batches.remaining() > 0) {
    const std::int64_t count = range.end - range.begin;
    const std::int64_t done =
        std::min(count, (plan.batchCount() - batches.remaining()) * pass.options.batch);
    if (pass.context.step(pass.task, done, count) == Step::kCancel) {
      return Status(cancelled());
    }
    const auto batch = batches.next();
    if (!batch) {
      return failWith(batch);
    }
    if (Status taken = takeOne(pass, *batch, items); !taken) {
      return taken;
    }
  }
  return mappedFilesUnchanged();
}

/// The items of all ranks, in rank order.
FittedItems merged(RankGroup& ranks, const FittedItems& mine) {
  const nlohmann::json of_mine = {{"sum", mine.hash.sum()},
                                  {"count", mine.hash.count()},
                                  {"ids", mine.ids},
                                  {"unreadable", mine.unreadable}};
  FittedItems all;
  for (const std::string& text : ranks.gather(of_mine.dump())) {
    const nlohmann::json part = nlohmann::json::parse(text);
    all.hash.merge(ContentHash::continued(part.at("sum").get<std::uint64_t>(),
                                          part.at("count").get<std::int64_t>()));
    const auto ids = part.at("ids").get<std::vector<std::int64_t>>();
    all.ids.insert(all.ids.end(), ids.begin(), ids.end());
    all.unreadable += part.at("unreadable").get<std::int64_t>();
  }
  return all;
}

}  // namespace

Expected<FittedItems> forEachFittedBatch(const Model& model, const Dataset& dataset,
                                         const std::string& task, const PredictOptions& options,
                                         c10::Device device, RunContext& context,
                                         const TakeBatch& take) {
  const auto labels = ModelLabels::of(model, dataset);
  if (!labels) {
    return failWith(labels);
  }
  const Pass pass{model, dataset, *labels, task, options, device, context, take};
  FittedItems items;
  if (!context.ranks) {
    if (Status passed = passOverRange(pass, {0, dataset.size()}, items); !passed) {
      return failWith(passed);
    }
  } else {
    RankGroup& ranks = *context.ranks;
    const std::vector<IndexRange> whole = {{0, dataset.size()}};
    Status passed;
    for (const IndexRange& range : rankShare(whole, options.batch, ranks.rank(), ranks.size())) {
      if (passed = passOverRange(pass, range, items); !passed) {
        break;
      }
    }
    if (Status all = agree(ranks, passed); !all) {
      return failWith(all);
    }
    items = merged(ranks, items);
  }
  if (items.ids.empty()) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: none of its {} items could be read; check the files",
                            dataset.info().name, dataset.size()));
  }
  return items;
}

}  // namespace dubito
