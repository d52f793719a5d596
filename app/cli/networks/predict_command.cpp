// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/field_flags.h"
#include "app/cli/networks/compute_flags.h"
#include "app/cli/networks/dataset_help.h"
#include "app/cli/networks/method_data_flags.h"
#include "app/cli/networks/predict_ensemble.h"
#include "core/base/process_time.h"
#include "core/base/rank_group.h"
#include "core/io/note_kinds.h"
#include "core/io/run_file.h"
#include "core/methods/method_data.h"
#include "core/metrics/measure_summary.h"
#include "core/models/program/network_format.h"
#include "core/network/device_memory.h"
#include "core/predict/predict_to_file.h"
#include "core/predict/work_estimate.h"

namespace dubito::cli {
namespace {

/// The flags of one method; flags of methods other than the chosen one are refused.
struct MethodFlags {
  MethodOptions options;
  FieldFlags flags;
};

struct Arguments {
  std::string model;
  LoadModelOptions loading;
  std::string dataset;
  std::string output;
  std::string method = "map";
  std::vector<MethodFlags> methods;
  MethodDataFlags data;
  FieldFlags loading_flags;
  CLI::Option* member_flag = nullptr;
  CLI::Option* member_method_flag = nullptr;
  CLI::Option* verify_flag = nullptr;
  FieldFlags computing_flags;
  std::vector<std::string> members;
  RunInput input;
  std::string member_method = "map";
  PredictOptions options;
  ComputeFlags compute;
  bool resume = false;
  bool estimate = false;
  bool as_json = false;
};

constexpr const char* kEnsemble = "ensemble";

/// The method that is run on networks.
const std::string& methodOfNetworks(const Arguments& arguments) {
  return arguments.method == kEnsemble ? arguments.member_method : arguments.method;
}

/// Whether any network is run: an ensemble may consist only of runs.
bool runsNetworks(const Arguments& arguments) {
  return arguments.method != kEnsemble || !isRunFile(arguments.model) ||
         !std::ranges::all_of(arguments.members, isRunFile);
}

bool readsRuns(const Arguments& arguments) {
  const bool member =
      arguments.method == kEnsemble &&
      (isRunFile(arguments.model) || std::ranges::any_of(arguments.members, isRunFile));
  return member || arguments.data.calibratesOnRun();
}

/// Which flags have an effect with these arguments.
std::vector<FlagUse> flagUses(const Arguments& arguments) {
  const bool ensemble = arguments.method == kEnsemble;
  const Requirement networks =
      allUnless(runsNetworks(arguments), {neededWords("members that are models")});
  const Requirement joined = allUnless(ensemble, {setting("method", kEnsemble)});
  std::vector<FlagUse> uses{
      {arguments.member_flag, joined},
      {arguments.member_method_flag, ensemble ? networks : joined},
      {arguments.verify_flag,
       allUnless(readsRuns(arguments), {neededWords("a run as a member or as --calibration")})}};
  const auto add = [&uses](const std::vector<FlagUse>& more) {
    uses.insert(uses.end(), more.begin(), more.end());
  };
  LoadModelOptions loading = arguments.loading;
  add(arguments.loading_flags.uses(loading.fields(), networks));
  bool draws = ensemble;
  for (MethodFlags method : arguments.methods) {
    const std::string name = methodName(method.options);
    const bool chosen = name == methodOfNetworks(arguments);
    draws = draws || (chosen && drawsOf(method.options) > 0);
    add(method.flags.uses(methodFields(method.options),
                          chosen ? networks : Requirement{{neededWords("the method " + name)}}));
  }
  PredictOptions computing = arguments.options;
  std::vector<Field> fields = computing.fields();
  for (Field& field : fields) {
    // The draws of an ensemble are its members, even if all of them are runs.
    const bool of_draws = field.value == FieldValue(&computing.keep_samples_mb);
    field.info.unmet_requirement =
        of_draws ? allUnless(draws, {neededWords("methods with draws")}) : networks;
  }
  add(arguments.computing_flags.uses(fields));
  return uses;
}

Expected<MethodOptions> chosenMethod(const Arguments& arguments) {
  if (Status used = rejectIneffectiveFlags(flagUses(arguments)); !used) {
    return failWith(used);
  }
  const std::string& name = methodOfNetworks(arguments);
  const MethodFlags* chosen = nullptr;
  for (const MethodFlags& method : arguments.methods) {
    if (methodName(method.options) == name) {
      chosen = &method;
    }
  }
  if (chosen == nullptr) {
    const auto unknown = methodFromName(name);
    return unknown ? usageError("method without flags") : usageError(unknown.error());
  }
  if (const Status checked = checkMethod(chosen->options); !checked) {
    return usageError(checked.error());
  }
  if (const Status suitable = arguments.data.check(chosen->options, inputsUsedBy(chosen->options));
      !suitable) {
    return failWith(suitable);
  }
  return chosen->options;
}

Status report(const SavedRun& run, const Arguments& arguments, RunContext& context) {
  if (context.ranks && context.ranks->rank() > 0) {
    return {};  // The first process reports; the file is its own.
  }
  const RunMeta& meta = run.meta;
  if (arguments.as_json) {
    const auto written = readRun(arguments.output, context);
    const auto measures =
        written.and_then([&](const Run& read) { return summariseMeasures(read, context); });
    if (!measures) {
      return failWith(measures);
    }
    nlohmann::json described = dubito::toJson(meta);
    described.erase(kNoteKindsKey);  // only for reading a run again
    fmt::print("{}\n", nlohmann::json{{"output", arguments.output},
                                      {"n", run.items},
                                      {"classes", run.classes},
                                      {"resumed_items", run.resumed_items},
                                      {"parts_ignored", run.parts_ignored},
                                      {"peak_device_bytes", peakDeviceBytes(context.device)},
                                      {"measures", dubito::toJson(*measures)},
                                      {"meta", described}}
                           .dump(2));
    return {};
  }
  fmt::print("{}: {} on {}, {} items, {} classes", arguments.output, meta.method, meta.dataset_name,
             run.items, run.classes);
  if (const auto seconds = meta.timings.find("total"); seconds != meta.timings.end()) {
    fmt::print(", {:.2f} s", seconds->second);
  }
  if (const std::int64_t peak = peakDeviceBytes(context.device); peak > 0) {
    fmt::print(", at most {} on {}", bytesText(static_cast<double>(peak)),
               toString(context.device));
  }
  fmt::print("\n");
  if (run.resumed_items > 0) {
    fmt::print("resumed: {} items already computed\n", run.resumed_items);
  }
  if (run.parts_ignored > 0) {
    fmt::print("resumed: {} incomplete or damaged parts recomputed\n", run.parts_ignored);
  }
  for (const std::string& note : textsOf(meta.notes)) {
    fmt::print("note: {}\n", note);
  }
  for (const SkippedItem& item : meta.skipped) {
    fmt::print("skipped: {}: {}\n", item.name, item.reason);
  }
  return {};
}

Status joinAndWrite(const Arguments& arguments, const MethodOptions& method, RunContext& context) {
  EnsembleRequest request{.members = {arguments.model},
                          .input = arguments.input,
                          .dataset = arguments.dataset,
                          .loading = arguments.loading,
                          .method_of_models = method,
                          .options = arguments.options,
                          .output = arguments.output,
                          .resume = arguments.resume};
  request.members.insert(request.members.end(), arguments.members.begin(), arguments.members.end());
  const auto run = predictEnsemble(request, context);
  if (!run) {
    return failWith(run);
  }
  return report(*run, arguments, context);
}

/// A model, a dataset, a method and the data it is fitted on.
struct Work {
  ModelPtr model;
  DatasetPtr dataset;
  MethodOptions method;
  MethodData data;
};

Expected<Work> openAll(const Arguments& arguments, const MethodOptions& method,
                       RunContext& context) {
  const auto model = loadModel(arguments.model, arguments.loading, context);
  if (!model) {
    return failWith(model);
  }
  const auto dataset = openDataset(arguments.dataset, context);
  if (!dataset) {
    return failWith(dataset);
  }
  auto data = arguments.data.open(*dataset, arguments.input, context);
  if (!data) {
    return failWith(data);
  }
  data->rescue_path = arguments.output + ".posterior.npz";
  return Work{*model, *dataset, method, *data};
}

Expected<MethodOptions> checkedMethod(const Arguments& arguments, RunContext& context) {
  auto method = chosenMethod(arguments);
  if (!method) {
    return method;
  }
  if (const Status checked = arguments.options.check(); !checked) {
    return usageError(checked.error());
  }
  if (Status applied = arguments.compute.apply(context); !applied) {
    return failWith(applied);
  }
  if (arguments.method == kEnsemble && arguments.estimate) {
    return usageError("--estimate does not support ensembles; estimate each member separately");
  }
  return method;
}

Status reportEstimate(const Arguments& arguments, const Work& work, RunContext& context) {
  // A run spends the same time loading libraries, model and data as this process has.
  const double opening = std::max(0.0, secondsSinceStart());
  auto estimate =
      estimateWork(*work.model, {work.dataset}, work.method, work.data, arguments.options, context);
  if (!estimate) {
    return failWith(estimate);
  }
  addSeconds(*estimate, opening);
  if (arguments.as_json) {
    const auto ifKnown = [&](double seconds) {
      return estimate->knows_time ? nlohmann::json(seconds) : nlohmann::json();
    };
    fmt::print("{}\n", nlohmann::json{{"n", work.dataset->size()},
                                      {"seconds", ifKnown(estimate->seconds)},
                                      {"seconds_low", ifKnown(estimate->seconds_low)},
                                      {"seconds_high", ifKnown(estimate->seconds_high)},
                                      {"peak_bytes", estimate->peak_bytes},
                                      {"peak_device_bytes", estimate->peak_device_bytes},
                                      {"result_bytes", estimate->result_bytes}}
                           .dump(2));
  } else {
    fmt::print("{} items of {}: {}\n", work.dataset->size(), work.dataset->info().name,
               describe(*estimate));
  }
  return {};
}

Status predictAndWrite(const Arguments& arguments, RunContext& context) {
  const auto method = checkedMethod(arguments, context);
  if (Status checked = agreeOnFailure(context, method); !checked) {
    return checked;
  }
  if (arguments.method == kEnsemble) {
    return joinAndWrite(arguments, *method, context);
  }
  const auto work = openAll(arguments, *method, context);
  if (Status opened = agreeOnFailure(context, work); !opened) {
    return opened;
  }
  if (arguments.estimate) {
    return reportEstimate(arguments, *work, context);
  }
  const auto ready =
      prepareMethod(*work->model, work->method, work->data, arguments.options, context);
  if (Status prepared = agreeOnFailure(context, ready); !prepared) {
    return prepared;
  }
  const auto run = predictToFile(*work->model, *work->dataset, *ready, arguments.options,
                                 arguments.output, {.resume = arguments.resume}, context);
  if (!run) {
    return tl::unexpected<Error>(savePosteriorOnFailure(run.error(), *ready, work->data, context));
  }
  return report(*run, arguments, context);
}

}  // namespace

Command predictCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("model", arguments->model,
                 "network: " + networkFormatsText() + "; a run if --method is ensemble")
      ->required();
  app.add_option("dataset", arguments->dataset, datasetHelp())->required();
  app.add_option("-o,--output", arguments->output, "run file to write (.npz)")->required();
  arguments->loading_flags = declareFields(app, arguments->loading.fields(), "Model");
  std::vector<std::string> names;
  std::vector<std::string> names_for_members;
  for (const MethodDescription& method : allMethods()) {
    arguments->methods.push_back({method.defaults, {}});
    names.push_back(method.name);
    // Members cannot be fitted: there is no data for each of them.
    if (!method.needs.any()) {
      names_for_members.push_back(method.name);
    }
  }
  app.add_option("--method", arguments->method,
                 fmt::format("{} | {}", fmt::join(names, " | "), kEnsemble))
      ->capture_default_str();
  constexpr const char* kEnsembleGroup = "Method ensemble";
  arguments->member_flag =
      app.add_option("--member", arguments->members,
                     "member in addition to MODEL: a model, or a run on DATASET (repeatable)")
          ->expected(1)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
          ->group(kEnsembleGroup);
  arguments->member_method_flag = app.add_option("--member-method", arguments->member_method,
                                                 "method for members that are models")
                                      ->check(CLI::IsMember(names_for_members))
                                      ->capture_default_str()
                                      ->group(kEnsembleGroup);
  for (MethodFlags& method : arguments->methods) {
    method.flags =
        declareFields(app, methodFields(method.options), "Method " + methodName(method.options));
  }
  arguments->data.declare(app);
  arguments->verify_flag = arguments->input.declare(app);
  arguments->computing_flags = declareFields(app, arguments->options.fields(), "Computing");
  arguments->compute.declare(app);
  app.add_flag("--estimate", arguments->estimate,
               "estimate time, memory and result size without running");
  app.add_flag("--resume", arguments->resume, "resume an interrupted run from OUTPUT.parts");
  app.add_flag("--json", arguments->as_json, "print JSON");
  return {[arguments](RunContext& context) { return predictAndWrite(*arguments, context); },
          /*shares_work=*/true};
}

}  // namespace dubito::cli
