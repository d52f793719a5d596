// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inference/fit_temperature.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/json_text.h"
#include "core/data/shared_items.h"
#include "core/decisions/temperature.h"
#include "core/models/network_hash.h"

namespace dubito {
namespace {

/// A run to fit on, and what is to be said of it.
struct Calibration {
  CalibrationRun source;
  std::vector<std::string> notes;
};

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
        fmt::format("{}: is a run of {}, but the temperature belongs to the network's own "
                    "logits; give a run of the method map",
                    name, run->meta.method));
  }
  if (run->classCount() != model.audit().classes) {
    return unfit(fmt::format("{}: has {} classes, the model {} has {}; give a run of this model",
                             name, run->classCount(), model.path(), model.audit().classes));
  }
  if (const std::string& hash = run->meta.network_hash; !hash.empty()) {
    if (hash != networkHash(model)) {
      calibration.notes.push_back(
          fmt::format("{} was computed by another network than {}; its temperature is right for "
                      "this model where both give the same logits",
                      name, model.path()));
    }
  } else if (foreign || run->meta.model_name != model.metadata().name) {
    calibration.notes.push_back(
        fmt::format("{} was computed by {}; its temperature is right for this model where they are "
                    "the same network",
                    name, foreign ? "another program" : run->meta.model_name));
  }
  for (const DatasetPtr& evaluated : data.evaluated) {
    const SharedItems shared =
        sharedItems({run->meta.dataset_spec, run->meta.dataset_hash, run->ids.values()},
                    {evaluated->info().spec, "", evaluated->ids()});
    auto notes =
        judgeSplit(shared, "calibration", name, evaluated->info().name, data.allow_same_split);
    if (!notes) {
      return failWith(notes);
    }
    calibration.notes.insert(calibration.notes.end(), notes->begin(), notes->end());
  }
  return calibration;
}

std::string toJsonText(const TemperatureFit& fit, const Calibration& calibration) {
  const RunMeta& meta = calibration.source.run->meta;
  constexpr const char* kLimits[] = {"none", "smallest", "largest"};
  return jsonText({{"temperature", fit.temperature},
                   {"limit", kLimits[static_cast<int>(fit.limit)]},
                   {"order", "divides the network's own logits, before any posterior"},
                   {"calibration", meta.dataset_name},
                   {"calibration_spec", meta.dataset_spec},
                   {"calibration_hash", meta.dataset_hash},
                   {"n", fit.items},
                   {"nll_before", fit.before.nll},
                   {"nll_after", fit.after.nll},
                   {"ece_before", fit.before.ece},
                   {"ece_after", fit.after.ece},
                   {"ece_bins", kCalibrationBins}},
                  -1);
}

}  // namespace

Expected<MethodOptions> fitTemperatureMethod(const Model& model, const TemperatureOptions& method,
                                             const MethodData& data, const PredictOptions& options,
                                             RunContext& context) {
  if (method.temperature) {
    if (data.calibration || data.calibration_run.run) {
      return unfit(
          fmt::format("the temperature (--temperature) is given as {}, so that there is nothing to "
                      "fit on a calibration set (--calibration); leave one of them out",
                      *method.temperature));
    }
    return MethodOptions(method);
  }
  if (!data.calibration && !data.calibration_run.run) {
    return unfit(
        "the temperature is fitted on a calibration set; give one (--calibration), or the number "
        "itself (--temperature)");
  }
  auto calibration = data.calibration ? calibrationFromDataset(model, data, options, context)
                                      : calibrationFromRun(model, data);
  if (!calibration) {
    return failWith(calibration);
  }
  const auto table = logitsOfRun(*calibration->source.run, calibration->source.name);
  if (!table) {
    return failWith(table);
  }
  const auto fit = fitTemperature(*table, context);
  if (!fit) {
    return failWith(fit);
  }
  MethodFit report{toJsonText(*fit, *calibration), {describe(*fit)}};
  report.notes.insert(report.notes.end(), table->notes.begin(), table->notes.end());
  report.notes.insert(report.notes.end(), calibration->notes.begin(), calibration->notes.end());
  TemperatureOptions ready = method;
  ready.temperature = fit->temperature;
  ready.fit = std::make_shared<const MethodFit>(std::move(report));
  return MethodOptions(ready);
}

}  // namespace dubito
