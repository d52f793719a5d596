// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/compute_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "app/jobs/guard.h"
#include "app/workbench/whole_progress.h"
#include "core/methods/mc_dropout/recompute_draw.h"

namespace dubito {
namespace {

std::vector<NamedDataset> datasetsOf(const ComputeRequest& request) {
  std::vector<NamedDataset> datasets = {request.in};
  datasets.insert(datasets.end(), request.ood.begin(), request.ood.end());
  return datasets;
}

}  // namespace

std::vector<std::int64_t> fitSizes(const ComputeRequest& request) {
  const MethodNeeds used = inputsUsedBy(request.method);
  std::vector<std::int64_t> sizes;
  if (used.fit && request.data.fit) {
    sizes.push_back(request.data.fit->size());
  }
  if (used.calibration && request.data.calibration) {
    sizes.push_back(request.data.calibration->size());
  }
  return sizes;
}

std::int64_t networkItemCount(const ComputeRequest& request) {
  const std::vector<std::int64_t> fit = fitSizes(request);
  std::int64_t items = std::accumulate(fit.begin(), fit.end(), std::int64_t{0});
  for (const NamedDataset& named : datasetsOf(request)) {
    items += named.dataset->size();
  }
  return items;
}

Expected<std::vector<AnalysisPart>> predictParts(const ComputeRequest& request,
                                                 const PredictDataset& predict,
                                                 RunContext& context) {
  std::vector<AnalysisPart> parts;
  std::vector<std::string> left_out;
  for (const NamedDataset& named : datasetsOf(request)) {
    if (!parts.empty() && context.control()->stopEarlyRequested()) {
      left_out.push_back(named.name);
      continue;
    }
    Expected<Run> run = predict(named, parts.size());
    if (!run) {
      return failWith(run);
    }
    run->meta.dataset_name = named.name;
    if (parts.empty() && !request.note.empty()) {
      run->meta.notes.push_back(request.note);
    }
    parts.push_back(
        makePart(named.name, std::make_shared<const Run>(std::move(*run)), named.dataset, context));
  }
  if (!left_out.empty()) {
    Run in = *parts.front().run;
    for (const std::string& name : left_out) {
      in.meta.notes.push_back(fmt::format("{}: skipped, stopped early", name));
    }
    parts.front().run = std::make_shared<const Run>(std::move(in));
  }
  return parts;
}

Expected<AnalysisPtr> computeAnalysis(const ComputeRequest& request, RunContext& context) {
  MethodData data = request.data;
  for (const NamedDataset& named : datasetsOf(request)) {
    data.evaluated.push_back(named.dataset);
  }
  WholeProgress progress(context, networkItemCount(request));
  RunContext fit_context = progress.stage("Fitting", fitSizes(request));
  const auto method =
      prepareMethod(*request.model, request.method, data, request.predict, fit_context);
  if (!method) {
    return failWith(method);
  }
  // If a later step fails, even by an exception, the fit must not be lost.
  const Expected<AnalysisPtr> analysis = guarded<AnalysisPtr>(
      describe(*method).label,
      [&](RunContext& later) -> Expected<AnalysisPtr> {
        Expected<std::vector<AnalysisPart>> parts = predictParts(
            request,
            [&](const NamedDataset& named, std::size_t) {
              RunContext part_context = progress.stage(named.name, {named.dataset->size()});
              return predict(*request.model, *named.dataset, *method, request.predict,
                             part_context);
            },
            later);
        if (!parts) {
          return failWith(parts);
        }
        RunContext last_context = progress.stage("Evaluating", {});
        return analyse(std::move(*parts), request.model, *method, request.evaluation, last_context);
      },
      context);
  if (!analysis) {
    return tl::unexpected<Error>(savePosteriorOnFailure(analysis.error(), *method, data, context));
  }
  return analysis;
}

bool hasDropout(const Model& model) {
  return std::ranges::any_of(model.audit().dropout_sites, &drawsByDefault);
}

bool wouldInsertDropout(const MethodOptions& method, const Model& model) {
  return dropoutOf(method) != nullptr && !hasDropout(model);
}

MethodOptions suitableMethod(const Model& model) {
  return hasDropout(model) ? MethodOptions(McDropoutOptions{}) : MethodOptions(MapOptions{});
}

bool drawsNeedModel(const Analysis& analysis, ItemRef item) {
  const AnalysisPart& part = analysis.partOf(item);
  return !part.run->samples && part.dataset && analysis.model && analysis.method &&
         canRecomputeDraws(*analysis.method);
}

Expected<Array<float>> drawsOf(const Analysis& analysis, ItemRef item, RunContext& context) {
  const AnalysisPart& part = analysis.partOf(item);
  const Run& run = *part.run;
  const std::int64_t classes = run.classCount();
  if (run.samples) {
    const std::int64_t draws = run.drawCount();
    Array<float> rows = Array<float>::zeros({draws, classes});
    for (std::int64_t t = 0; t < draws; ++t) {
      const std::span<const float> all = run.samples->row(t);
      const auto first = all.begin() + item.row * classes;
      std::copy(first, first + classes, rows.mutableRow(t).begin());
    }
    return rows;
  }
  if (!drawsNeedModel(analysis, item)) {
    return Array<float>();
  }
  const std::int64_t index = part.dataset_index[static_cast<std::size_t>(item.row)];
  if (index < 0) {
    return Array<float>();
  }
  const std::int64_t draws = dubito::drawsOf(*analysis.method);
  Array<float> rows = Array<float>::zeros({draws, classes});
  context.seed = run.meta.seed;
  for (std::int64_t t = 0; t < draws; ++t) {
    if (context.step("Recomputing draws", t, draws) == Step::kCancel) {
      return cancelled();
    }
    const Expected<std::vector<float>> row =
        recomputeDraw(*analysis.model, *part.dataset, index, *analysis.method, t, context);
    if (!row) {
      return failWith(row);
    }
    std::copy(row->begin(), row->end(), rows.mutableRow(t).begin());
  }
  return rows;
}

}  // namespace dubito
