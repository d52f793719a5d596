// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/field_flags.h"
#include "app/cli/networks/compute_flags.h"
#include "app/cli/networks/dataset_help.h"
#include "app/cli/networks/method_data_flags.h"
#include "core/base/json_text.h"
#include "core/base/stopwatch.h"
#include "core/io/atomic_file.h"
#include "core/laplace/link.h"
#include "core/methods/laplace/laplace_landscape.h"
#include "core/models/program/network_format.h"
#include "core/network/device_memory.h"

namespace dubito::cli {
namespace {

struct Arguments {
  std::string model;
  LoadModelOptions loading;
  std::string landscape;
  LaplaceOptions method;
  FieldFlags method_flags;
  MethodDataFlags data;
  PredictOptions options;
  ComputeFlags compute;
  bool as_json = false;
};

void report(const MethodFit& fit, double seconds, const Arguments& arguments,
            const RunContext& context) {
  nlohmann::json object = nlohmann::json::parse(fit.json);
  if (arguments.as_json) {
    object["notes"] = fit.notes;
    object["seconds"] = seconds;
    object["peak_device_bytes"] = peakDeviceBytes(context.device);
    fmt::print("{}\n", jsonText(object, 2));
    return;
  }
  for (const std::string& note : fit.notes) {
    fmt::print("note: {}\n", note);
  }
  for (const auto& [name, value] : object.items()) {
    fmt::print("{:<20} {}\n", name,
               value.is_string() ? value.get<std::string>() : jsonText(value, -1));
  }
}

/// This command predicts only to choose a prior and for the landscape; other flags are refused.
Status checkUse(const Arguments& arguments) {
  const PriorRule::Kind kind = arguments.method.priorRule().kind;
  const bool landscape = !arguments.landscape.empty();
  const bool links = landscape || kind == PriorRule::Kind::kNll;
  LaplaceOptions options = arguments.method;
  std::vector<Field> fields = options.fields();
  for (Field& field : fields) {
    if (field.value == FieldValue(&options.predictive) ||
        field.value == FieldValue(&options.weight_draws) ||
        field.value == FieldValue(&options.gauge)) {
      field.info.unmet_requirement = {{neededWords("the predict command")}};
    } else if (field.value == FieldValue(&options.link) && !links) {
      field.info.unmet_requirement = {{setting("landscape"), setting("prior", "auto-nll")},
                                      /*one_is_enough=*/true};
    } else if (field.value == FieldValue(&options.samples) &&
               !(links && options.link == kSamplingLink) && kind != PriorRule::Kind::kMmcDrop) {
      field.info.unmet_requirement = {
          {neededWords("--prior mmc-drop=SHARE, or --link mc with --landscape")}};
    }
  }
  if (Status used = rejectIneffectiveFlags(arguments.method_flags.uses(fields)); !used) {
    return used;
  }
  MethodNeeds used = inputsUsedBy(arguments.method);
  used.calibration = used.calibration || landscape;
  if (Status checked = arguments.data.check(arguments.method, used); !checked) {
    return checked;
  }
  return landscape && !arguments.data.calibrates()
             ? Status(usageError("--landscape requires items not used in training; pass them with "
                                 "--calibration"))
             : Status();
}

/// A model and the data to fit it on.
struct Work {
  ModelPtr model;
  MethodData data;
};

Expected<Work> openAll(const Arguments& arguments, RunContext& context) {
  if (const Status checked = arguments.method.check(); !checked) {
    return usageError(checked.error());
  }
  if (const Status checked = arguments.options.check(); !checked) {
    return usageError(checked.error());
  }
  if (Status checked = checkUse(arguments); !checked) {
    return failWith(checked);
  }
  if (Status applied = arguments.compute.apply(context); !applied) {
    return failWith(applied);
  }
  const auto model = loadModel(arguments.model, arguments.loading, context);
  if (!model) {
    return failWith(model);
  }
  const auto data = arguments.data.open(nullptr, RunInput{}, context);
  if (!data) {
    return failWith(data);
  }
  return Work{*model, *data};
}

Status fitAndReport(const Arguments& arguments, RunContext& context) {
  const auto work = openAll(arguments, context);
  if (Status opened = agreeOnFailure(context, work); !opened) {
    return opened;
  }
  const Stopwatch watch;
  const auto ready =
      prepareMethod(*work->model, arguments.method, work->data, arguments.options, context);
  const double seconds = watch.seconds();
  if (Status prepared = agreeOnFailure(context, ready); !prepared) {
    return prepared;
  }
  const auto& method = std::get<LaplaceOptions>(*ready);
  const bool leads = !context.ranks || context.ranks->rank() == 0;
  if (!arguments.landscape.empty() && leads) {
    const auto landscape =
        laplaceLandscape(*work->model, method, work->data, arguments.options, context);
    if (!landscape) {
      return failWith(landscape);
    }
    if (Status written = writeFileAtomically(arguments.landscape, toCsv(*landscape)); !written) {
      return written;
    }
  }
  report(*method.fit, seconds, arguments, context);
  return {};
}

}  // namespace

Command laplaceCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("model", arguments->model, "network: " + networkFormatsText())->required();
  declareFields(app, arguments->loading.fields(), "Model");
  app.add_option(
      "--landscape", arguments->landscape,
      "CSV file to write: NLL, ECE and mean confidence (on --calibration), and evidence, by "
      "prior precision");
  arguments->method_flags = declareFields(app, arguments->method.fields(), "Method laplace");
  arguments->data.declare(app);
  // This command stores no draws.
  std::vector<Field> computing = arguments->options.fields();
  std::erase_if(computing, [&](const Field& field) {
    return field.value == FieldValue(&arguments->options.keep_samples_mb);
  });
  declareFields(app, computing, "Computing");
  arguments->compute.declare(app);
  app.add_flag("--json", arguments->as_json, "print JSON");
  app.footer("Datasets: " + datasetHelp());
  return {[arguments](RunContext& context) { return fitAndReport(*arguments, context); },
          /*shares_work=*/true};
}

}  // namespace dubito::cli
