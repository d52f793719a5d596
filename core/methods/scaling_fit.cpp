// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/methods/scaling_fit.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/json_text.h"
#include "core/data/overlap/overlap_check.h"
#include "core/decisions/temperature_scaling.h"
#include "core/decisions/vector_scaling.h"
#include "core/methods/map/map_options.h"
#include "core/methods/method_data.h"
#include "core/models/network_hash.h"

namespace dubito {
namespace {

tl::unexpected<Error> unfit(const std::string& reason) {
  return fail(ErrorCode::kInvalidArgument, reason);
}

Expected<Calibration> calibrationFromDataset(const Model& model, const MethodData& data,
                                             const PredictOptions& options, RunContext& context) {
  auto notes = checkSplit(model, "calibration", *data.calibration, data, options, context);
  if (!notes) {
    return failWith(notes);
  }
  auto run = predict(model, *data.calibration, MapOptions{}, options, context);
  if (!run) {
    return failWith(run);
  }
  return Calibration{{data.calibration->info().name, std::make_shared<const Run>(*std::move(run))},
                     *std::move(notes)};
}

Expected<Calibration> calibrationFromRun(const Model& model, const MethodData& data) {
  const auto& [name, run] = data.calibration_run;
  Calibration calibration{data.calibration_run, {}};
  const bool foreign = run->meta.method == "predictions";
  if (!foreign && run->meta.method != MapOptions::kName) {
    return unfit(
        fmt::format("{}: is a run of {}, but the scaling applies to the network's own logits; give "
                    "a run of the method map, or scale a finished run with dubito-cli tune",
                    name, run->meta.method));
  }
  if (run->classCount() != model.audit().classes) {
    return unfit(fmt::format("{}: has {} classes, the model {} has {}; give a run of this model",
                             name, run->classCount(), model.path(), model.audit().classes));
  }
  if (const std::string& hash = run->meta.network_hash; !hash.empty()) {
    if (hash != networkHash(model)) {
      calibration.notes.push_back(
          fmt::format("{} was computed by another network than {}; its scaling is valid for this "
                      "model only if both give the same logits",
                      name, model.path()));
    }
  } else if (foreign || run->meta.model_name != model.metadata().name) {
    calibration.notes.push_back(
        fmt::format("{} was computed by {}; its scaling is valid for this model only if they are "
                    "the same network",
                    name, foreign ? "another program" : run->meta.model_name));
  }
  for (const DatasetPtr& evaluated : data.evaluated) {
    const SharedItems shared =
        sharedItems({run->meta.dataset_spec, run->meta.dataset_hash, run->ids.values()},
                    {evaluated->info().spec, "", evaluated->ids()});
    auto notes = checkSharedItems(shared, "calibration", name, evaluated->info().name,
                                  data.allow_same_split);
    if (!notes) {
      return failWith(notes);
    }
    calibration.notes.insert(calibration.notes.end(), notes->begin(), notes->end());
  }
  return calibration;
}

}  // namespace

Expected<CalibrationLogits> calibrationLogits(const Model& model, const MethodData& data,
                                              const PredictOptions& options, RunContext& context) {
  auto calibration = data.calibration ? calibrationFromDataset(model, data, options, context)
                                      : calibrationFromRun(model, data);
  if (!calibration) {
    return failWith(calibration);
  }
  auto table = logitsOfRun(*calibration->source.run, calibration->source.name);
  if (!table) {
    return failWith(table);
  }
  return CalibrationLogits{*std::move(calibration), *std::move(table)};
}

nlohmann::json scalingJson(const Calibration& calibration, std::int64_t items,
                           const CalibrationScores& before, const CalibrationScores& after) {
  const RunMeta& meta = calibration.source.run->meta;
  return {{"order", "of the network's own logits, before any posterior"},
          {"calibration", meta.dataset_name},
          {"calibration_spec", meta.dataset_spec},
          {"calibration_hash", meta.dataset_hash},
          {"n", items},
          {"nll_before", before.nll},
          {"nll_after", after.nll},
          {"ece_before", before.ece},
          {"ece_after", after.ece},
          {"ece_bins", kCalibrationBins}};
}

MethodFitPtr scalingReport(const nlohmann::json& fit, std::string description,
                           const CalibrationLogits& logits) {
  MethodFit report{jsonText(fit, -1), {std::move(description)}};
  for (const std::vector<std::string>* notes : {&logits.table.notes, &logits.calibration.notes}) {
    report.notes.insert(report.notes.end(), notes->begin(), notes->end());
  }
  return std::make_shared<const MethodFit>(std::move(report));
}

}  // namespace dubito
