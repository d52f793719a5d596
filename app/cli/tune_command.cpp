// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/calibration_pair.h"
#include "app/cli/command.h"
#include "app/cli/whole_number.h"
#include "core/base/json_text.h"
#include "core/io/mapped_file.h"
#include "core/io/run_file.h"
#include "core/io/run_needs.h"
#include "core/runs/tuned_run.h"

namespace dubito::cli {
namespace {

struct Arguments {
  CalibrationPairFlags runs;
  std::int64_t draws = 0;  ///< 0: all
  std::string link;        ///< empty: unchanged
  double temperature = 1.0;
  std::string output;
  bool as_json = false;
};

/// The tuned run, and the fit of its temperature if it was fitted.
struct Tuned {
  Run run;
  std::optional<TemperatureFit> fit;
};

Expected<Tuned> tuned(const Arguments& arguments, RunContext& context) {
  RunTuning tuning;
  if (arguments.draws > 0) {
    tuning.draws = arguments.draws;
  }
  if (!arguments.link.empty()) {
    tuning.link = arguments.link;
  }
  if (arguments.runs.calibration.empty()) {
    const auto run = arguments.runs.input.open(arguments.runs.run, context);
    if (!run) {
      return failWith(run);
    }
    tuning.temperature = arguments.temperature;
    if (changesNothing(tuning, *run)) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: already has these draws, this link and this temperature; choose "
                              "other values",
                              arguments.runs.run));
    }
    auto result = tunedRun(*run, tuning, context);
    if (!result) {
      return failWith(result);
    }
    return Tuned{*std::move(result), std::nullopt};
  }
  const auto pair = arguments.runs.open(context);
  if (!pair) {
    return failWith(pair);
  }
  const std::string& name = arguments.runs.calibration;
  if (Status labelled = requireLabels(pair->calibration, name); !labelled) {
    return failWith(labelled);
  }
  const auto calibrated = fitTunedTemperature(pair->calibration, name, tuning, context);
  if (!calibrated) {
    return failWith(calibrated);
  }
  tuning.temperature = calibrated->fit.temperature;
  tuning.temperature_source = calibrated->source;
  auto result = tunedRun(pair->run, tuning, context);
  if (!result) {
    return failWith(result);
  }
  addMissing(pair->notes, result->meta.notes);
  addMissing(calibrated->notes, result->meta.notes);
  addMissing(std::vector<std::string>{describe(calibrated->fit)}, result->meta.notes);
  return Tuned{*std::move(result), calibrated->fit};
}

Status tune(const Arguments& arguments, RunContext& context) {
  if (arguments.runs.allow_same_split && arguments.runs.calibration.empty()) {
    return usageError("--allow-same-split has no effect without --calibration; remove it");
  }
  if (arguments.runs.calibration.empty() && arguments.temperature == 1.0 && arguments.draws == 0 &&
      arguments.link.empty()) {
    return usageError("nothing to tune; pass --calibration, --temperature, --draws or --link");
  }
  if (arguments.draws > 0 && !arguments.link.empty()) {
    return usageError(
        "--draws and --link cannot be combined: a link applies to the logit Gaussians of all "
        "draws; use one of them");
  }
  for (const std::string& input : {arguments.runs.run, arguments.runs.calibration}) {
    std::error_code missing;
    if (std::filesystem::equivalent(input, arguments.output, missing)) {
      return usageError(fmt::format(
          "{}: --output would overwrite this input; choose another output file", input));
    }
  }
  const auto result = tuned(arguments, context);
  if (!result) {
    return failWith(result);
  }
  if (Status unchanged = mappedFilesUnchanged(); !unchanged) {
    return unchanged;
  }
  if (Status written = writeRun(result->run, arguments.output, context); !written) {
    return written;
  }
  const RunMeta& meta = result->run.meta;
  if (arguments.as_json) {
    nlohmann::json report = {
        {"output", arguments.output},
        {"n", result->run.itemCount()},
        {"method", meta.method},
        {"options", nlohmann::json::parse(meta.method_options, nullptr, false)},
        {"notes", textsOf(meta.notes)}};
    if (const auto& fit = result->fit) {
      report["fitted"] = {{"n", fit->items},
                          {"nll_before", fit->before.nll},
                          {"nll_after", fit->after.nll},
                          {"ece_before", fit->before.ece},
                          {"ece_after", fit->after.ece}};
    }
    fmt::print("{}\n", jsonText(report, 2));
    return {};
  }
  fmt::print("{}: {} items\n", arguments.output, result->run.itemCount());
  for (const std::string& note : textsOf(meta.notes)) {
    fmt::print("note: {}\n", note);
  }
  return {};
}

}  // namespace

Command tuneCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  arguments->runs.declare(app, CalibrationPairFlags::Calibration::kOptional);
  CLI::Option* const temperature =
      app.add_option("--temperature", arguments->temperature,
                     "divisor of the run's logits or, if it has none that apply, of the logarithms "
                     "of its mean probabilities")
          ->capture_default_str();
  temperature->excludes(app.get_option("--calibration"));
  app.add_option("--draws", arguments->draws, "number of draws to use, starting with the first")
      ->transform(wholeNumber<std::int64_t>())
      ->check(CLI::PositiveNumber);
  app.add_option("--link", arguments->link, "link to apply to the logit Gaussians");
  app.add_option("-o,--output", arguments->output, "run file to write (.npz)")->required();
  app.add_flag("--json", arguments->as_json, "print JSON");
  return {[arguments](RunContext& context) { return tune(*arguments, context); }};
}

}  // namespace dubito::cli
