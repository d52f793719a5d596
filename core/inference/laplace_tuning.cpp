// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/data/prefetcher.h"
#include "core/inference/labels.h"
#include "core/inference/laplace_tuning_torch.h"
#include "core/laplace/link.h"

namespace dubito {
namespace {

std::vector<std::int64_t> evenlySpread(std::int64_t size, std::int64_t most) {
  const std::int64_t count = std::min(size, most);
  std::vector<std::int64_t> indices;
  for (std::int64_t i = 0; i < count; ++i) {
    indices.push_back(i * size / count);
  }
  return indices;
}

}  // namespace

Expected<TuningSet> TuningSet::of(const Model& model, const Dataset& dataset,
                                  const NetworkOnDevice& network, const LaplacePosterior& posterior,
                                  const PredictOptions& options, RunContext& context) {
  auto head = HeadNetwork::of(model, network);
  if (!head) {
    return failWith(head);
  }
  const auto labels = LabelsForModel::of(model, dataset);
  if (!labels) {
    return failWith(labels);
  }
  TuningSet set(posterior);
  const LastLayerGaussians gaussians(posterior, {});
  std::vector<at::Tensor> in_basis;
  std::vector<at::Tensor> logits;
  const auto plan = BatchPlan::ofItems(evenlySpread(dataset.size(), kMostItems), options.batch);
  Prefetcher batches(dataset, plan, model.metadata().preprocessing, context);
  while (batches.remaining() > 0) {
    const std::int64_t done = plan.batchCount() - batches.remaining();
    if (context.step("tuning data", done, plan.batchCount()) == Step::kCancel) {
      return cancelled();
    }
    const auto batch = batches.next();
    if (!batch) {
      return failWith(batch);
    }
    if (batch->indices.empty()) {
      continue;
    }
    const auto outputs = head->run(*batch, dataset);
    if (!outputs) {
      return failWith(outputs);
    }
    in_basis.push_back(gaussians.inBasis(outputs->features).to(at::kFloat));
    logits.push_back(outputs->logits);
    for (const std::int64_t index : batch->indices) {
      set.ids_.push_back(dataset.ids()[static_cast<std::size_t>(index)]);
      set.labels_.push_back(labels->at(index));
    }
  }
  if (set.ids_.empty()) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: none of its {} items could be read; check the files",
                            dataset.info().name, dataset.size()));
  }
  set.in_basis_ = at::cat(in_basis);
  set.logits_ = at::cat(logits);
  if (plan.itemCount() < dataset.size()) {
    set.notes_.push_back(
        fmt::format("The prior was chosen on {} of the {} items of {}, evenly "
                    "spread",
                    plan.itemCount(), dataset.size(), dataset.info().name));
  }
  return set;
}

double TuningSet::confidenceOfMap() const {
  return std::get<0>(at::softmax(logits_.to(at::kDouble), 1).max(1)).mean().item().toDouble();
}

Expected<Array<float>> TuningSet::probsAt(const LaplaceScale& scale, const std::string& link,
                                          std::int64_t samples, RunContext& context) const {
  const LastLayerGaussians gaussians(*posterior_, scale);
  const std::int64_t items = logits_.size(0);
  const std::int64_t rows = gaussians.rowsTogether();
  Array<float> probs = Array<float>::zeros({items, logits_.size(1)});
  for (std::int64_t begin = 0; begin < items; begin += rows) {
    const std::int64_t end = std::min(items, begin + rows);
    const LogitGaussians part =
        gaussians.of(in_basis_.slice(0, begin, end).to(at::kDouble), logits_.slice(0, begin, end));
    const auto ids = std::span(ids_).subspan(static_cast<std::size_t>(begin),
                                             static_cast<std::size_t>(end - begin));
    const LinkedPredictions linked = applyLink(link, part, ids, samples, context.seed, context);
    if (context.cancelRequested()) {
      return cancelled();
    }
    std::ranges::transform(linked.probs.values(), probs.mutableRow(begin).data(),
                           [](double prob) { return static_cast<float>(prob); });
  }
  return probs;
}

}  // namespace dubito
