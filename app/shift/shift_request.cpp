// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shift/shift_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "app/workbench/whole_progress.h"
#include "core/analysis/same_items.h"
#include "core/data/images/corrupted_dataset.h"
#include "core/data/images/preprocessing.h"
#include "core/data/pixels/corrupted.h"
#include "core/data/sources/dataset_view.h"

namespace dubito {
namespace {

DatasetPtr evenlySpread(const DatasetPtr& dataset, std::int64_t max_items) {
  if (dataset->size() <= max_items) {
    return dataset;
  }
  std::vector<std::int64_t> rows;
  for (std::int64_t i = 0; i < max_items; ++i) {
    rows.push_back(i * dataset->size() / max_items);
  }
  return std::make_shared<const DatasetView>(dataset, std::move(rows), dataset->info());
}

/// Gives the items of `run` the labels that they have in `part`, if these are reviewed ones: the
/// dataset only has the given labels.
void takeReviewedLabels(const AnalysisPart& part, Run& run) {
  if (!part.run->meta.reviewed_labels) {
    return;
  }
  auto labels = Array<std::int64_t>::zeros({run.itemCount()});
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    const auto row = rowOfId(part, run.ids.data()[i]);
    labels.mutableData()[i] = row ? part.run->labels.data()[*row] : run.labels.data()[i];
  }
  run.labels = std::move(labels);
  run.meta.reviewed_labels = part.run->meta.reviewed_labels;
}

Expected<ShiftStep> stepAt(const ShiftRequest& request, const DatasetPtr& items, double severity,
                           RunContext& part) {
  const Corruption corruption{request.kind, severity};
  const DatasetPtr dataset = severity == 0.0 ? items : corruptedDataset(items, corruption);
  auto run =
      predict(*request.analysis->model, *dataset, *request.analysis->method, request.predict, part);
  if (!run) {
    return failWith(run);
  }
  takeReviewedLabels(request.analysis->in(), *run);
  return shiftStep(severity, std::make_shared<const Run>(*std::move(run)), request.evaluation,
                   part);
}

}  // namespace

std::vector<double> severitiesOf(CorruptionKind kind) {
  const int last = kind == CorruptionKind::kRotation ? 12 : 5;
  std::vector<double> severities;
  for (int severity = 0; severity <= last; ++severity) {
    severities.push_back(severity);
  }
  return severities;
}

std::string whyNoShift(const Analysis& analysis) {
  const std::string& method = analysis.in().run->meta.method;
  if (method == "predictions") {
    return "Predictions from another program cannot be repeated; compute a run with a model";
  }
  if (!analysis.model) {
    return "The model of this run is not open; open it, then open the run file again";
  }
  if (!analysis.in().dataset) {
    return "The images of this run are not open; open them and compute the run again";
  }
  if (analysis.method) {
    return {};
  }
  if (const auto known = methodFromName(method); known && describe(*known).needs.posterior) {
    return "The posterior of this run is missing or belongs to another model; compute the run "
           "again";
  }
  return method == "tuned" || method == "context" || method == "ensemble"
             ? "This run was derived from other runs; choose one of them"
             : "This run is not from the open model; compute it again";
}

Expected<ShiftResultPtr> computeShift(const ShiftRequest& request, RunContext& context) {
  if (!request.analysis || !whyNoShift(*request.analysis).empty()) {
    throw std::invalid_argument("computeShift: the analysis has no model, method or dataset");
  }
  const DatasetPtr items = evenlySpread(request.analysis->in().dataset, request.max_items);
  context.seed = request.analysis->in().run->meta.seed;
  auto result = std::make_shared<ShiftResult>();
  result->kind = request.kind;
  result->analysis = request.analysis;
  result->items = items->size();
  const std::vector<double> severities = severitiesOf(request.kind);
  WholeProgress progress(context, items->size() * static_cast<std::int64_t>(severities.size()));
  for (const double severity : severities) {
    if (!result->steps.empty() && context.control()->stopEarlyRequested()) {
      break;
    }
    RunContext part = progress.stage(toString(Corruption{request.kind, severity}), {items->size()});
    auto step = stepAt(request, items, severity, part);
    if (!step) {
      return failWith(step);
    }
    result->steps.push_back(*std::move(step));
  }
  return ShiftResultPtr(std::move(result));
}

std::vector<Image8> shiftedImages(const ShiftResult& result, std::int64_t id) {
  if (!result.analysis->in().dataset) {
    return {};
  }
  const Dataset& dataset = *result.analysis->in().dataset;
  const auto ids = dataset.ids();
  const auto found = std::ranges::find(ids, id);
  if (found == ids.end()) {
    return {};
  }
  const auto sample = dataset.read(found - ids.begin());
  if (!sample) {
    return {};
  }
  std::vector<Image8> images;
  for (const ShiftStep& step : result.steps) {
    const auto changed = corrupted(*sample, {result.kind, step.severity}, id);
    const auto image = changed ? toDisplayImage(*changed) : Expected<Image8>(failWith(changed));
    if (!image) {
      return {};
    }
    images.push_back(*image);
  }
  return images;
}

}  // namespace dubito
