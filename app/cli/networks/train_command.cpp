// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/field_flags.h"
#include "app/cli/networks/compute_flags.h"
#include "app/cli/networks/dataset_help.h"
#include "core/train/train.h"

namespace dubito::cli {
namespace {

struct Arguments {
  std::string dataset;
  std::string output;
  TrainOptions options;
  ComputeFlags compute;
  bool as_json = false;
};

nlohmann::json toJson(const TrainReport& report, const std::string& output) {
  nlohmann::json epochs = nlohmann::json::array();
  for (const EpochReport& epoch : report.epochs) {
    epochs.push_back({{"epoch", epoch.epoch},
                      {"train_loss", epoch.train_loss},
                      {"train_accuracy", epoch.train_accuracy},
                      {"seconds", epoch.seconds}});
  }
  return {{"output", output},
          {"parameters", report.parameter_count},
          {"items", report.items},
          {"unlabelled", report.unlabelled},
          {"unreadable", report.unreadable},
          {"stopped_early", report.stopped_early},
          {"resumed", report.resumed},
          {"seconds", report.seconds},
          {"epochs", epochs}};
}

Status trainAndWrite(const Arguments& arguments, RunContext& context) {
  if (const Status checked = arguments.options.check(); !checked) {
    return usageError(checked.error().message);
  }
  if (Status applied = arguments.compute.apply(context); !applied) {
    return applied;
  }
  const auto dataset = openDataset(arguments.dataset, context);
  if (!dataset) {
    return failWith(dataset);
  }
  TrainEvents events;
  events.on_epoch = [&](const EpochReport& epoch) {
    if (!arguments.as_json) {
      fmt::print("epoch {:>3}  loss {:.4f}  train accuracy {:6.2f} %  {:.1f} s\n", epoch.epoch,
                 epoch.train_loss, 100.0 * epoch.train_accuracy, epoch.seconds);
      std::fflush(stdout);
    }
  };
  events.on_note = [&](const std::string& note) {
    if (!arguments.as_json) {
      fmt::print("{}\n", note);
      std::fflush(stdout);
    }
  };
  const auto report = train(**dataset, arguments.options, arguments.output, context, events);
  if (!report) {
    return failWith(report);
  }
  if (arguments.as_json) {
    fmt::print("{}\n", toJson(*report, arguments.output).dump(2));
  } else {
    fmt::print("{}: {} parameters, {} items, {:.0f} s\n", arguments.output, report->parameter_count,
               report->items, report->seconds);
    if (report->unlabelled + report->unreadable > 0) {
      fmt::print("skipped: {} items without a label, {} unreadable\n", report->unlabelled,
                 report->unreadable);
    }
  }
  return {};
}

}  // namespace

Command trainCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  std::vector<Field> fields = arguments->options.fields();
  const auto architecture = std::find_if(fields.begin(), fields.end(), [](const Field& field) {
    return field.info.name == "architecture";
  });
  app.add_option("architecture", arguments->options.architecture, "lenet, resnet or mlp")
      ->required();
  fields.erase(architecture);
  app.add_option("dataset", arguments->dataset, "training set: " + datasetHelp())->required();
  app.add_option("-o,--output", arguments->output, "model file to write (.pt)")->required();
  declareFields(app, fields, "Training");
  app.add_flag("--restart", arguments->options.restart,
               "start over instead of resuming an interrupted training run");
  arguments->compute.declare(app);
  app.add_flag("--json", arguments->as_json, "print JSON at the end");
  return {[arguments](RunContext& context) { return trainAndWrite(*arguments, context); }};
}

}  // namespace dubito::cli
