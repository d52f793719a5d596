// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/cli/command.h"
#include "app/cli/field_flags.h"
#include "app/cli/networks/compute_flags.h"
#include "app/cli/networks/dataset_help.h"
#include "app/cli/networks/drop_rates_text.h"
#include "app/cli/networks/train_head_run.h"
#include "app/cli/networks/train_report.h"
#include "core/base/rank_group.h"
#include "core/train/train_ensemble.h"

namespace dubito::cli {
namespace {

constexpr const char* kHead = "head";

struct Arguments {
  std::string dataset;
  std::string output;
  std::string backbone;
  LoadModelOptions loading;
  TrainOptions options;
  EnsembleOptions ensemble;
  HeadOptions head;
  FieldFlags network_flags;
  FieldFlags ensemble_flags;
  FieldFlags head_flags;
  FieldFlags loading_flags;
  CLI::Option* backbone_flag = nullptr;
  CLI::Option* validation_flag = nullptr;  ///< a shorter name of --validation-share
  CLI::Option* restart_flag = nullptr;
  ComputeFlags compute;
  bool as_json = false;
};

/// An argument of its own: it has no flag.
bool isArchitecture(const Setting& setting) {
  return setting.name == "architecture";
}

/// The fields with a flag.
std::vector<Field> networkFields(TrainOptions& options) {
  std::vector<Field> fields = options.fields();
  std::erase_if(fields, [](const Field& field) { return field.info.name == "architecture"; });
  for (Field& field : fields) {
    for (Setting& needed : field.info.unmet_requirement.settings) {
      needed = isArchitecture(needed) ? neededWords(needed.value) : needed;
    }
  }
  return fields;
}

bool hasName(const std::vector<Field>& fields, const std::string& name) {
  return std::ranges::any_of(fields, [&](const Field& field) { return field.info.name == name; });
}

/// The fields of a head whose flags are not also those of a network (takeSharedFlags).
std::vector<Field> headFields(HeadOptions& options) {
  TrainOptions network;
  const std::vector<Field> shared = networkFields(network);
  std::vector<Field> fields = options.fields();
  std::erase_if(fields, [&](const Field& field) { return hasName(shared, field.info.name); });
  return fields;
}

/// Sets the options of a head from those flags of a network that were given and mean the same.
Status takeSharedFlags(Arguments& arguments) {
  const std::vector<Field> from = networkFields(arguments.options);
  const std::vector<Field> to = arguments.head.fields();
  const nlohmann::json values = fieldsToJson(from);
  nlohmann::json given = nlohmann::json::object();
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::string& name = from[i].info.name;
    if (arguments.network_flags.options[i]->count() > 0 && hasName(to, name)) {
      given[name] = values.at(name);
    }
  }
  return fieldsFromJson(given, to);
}

/// What a flag requires for a head; null if a head does not have it.
const Requirement* requirementOfHead(const std::vector<Field>& head, const std::string& name) {
  const auto found =
      std::ranges::find(head, name, [](const Field& field) { return field.info.name; });
  return found == head.end() ? nullptr : &found->info.unmet_requirement;
}

Status checkArguments(Arguments& arguments, const RunContext& context) {
  const bool trains_head = arguments.options.architecture == kHead;
  const Requirement networks{{neededWords("train lenet, resnet or mlp")}};
  const Requirement of_head = allUnless(trains_head, {neededWords("train head")});
  std::vector<FlagUse> uses{{arguments.backbone_flag, of_head},
                            {arguments.validation_flag, of_head},
                            {arguments.restart_flag, trains_head ? networks : Requirement()}};
  if (trains_head) {
    if (Status taken = takeSharedFlags(arguments); !taken) {
      return usageError(taken.error());
    }
  }
  TrainOptions network = arguments.options;
  HeadOptions head = arguments.head;
  std::vector<Field> fields = networkFields(network);
  const std::vector<Field> all_of_head = head.fields();
  for (Field& field : fields) {
    if (trains_head && field.value != FieldValue(&network.batch)) {
      const Requirement* const requirement = requirementOfHead(all_of_head, field.info.name);
      field.info.unmet_requirement = requirement == nullptr ? networks : *requirement;
    }
  }
  LoadModelOptions loading = arguments.loading;
  EnsembleOptions ensemble = arguments.ensemble;
  for (const std::vector<FlagUse>& more :
       {arguments.network_flags.uses(fields),
        arguments.ensemble_flags.uses(
            ensemble.fields(), oneUnless(!trains_head || head.isNetwork(),
                                         {setting("layers", "above 1"), setting("dropout")})),
        arguments.head_flags.uses(headFields(head), of_head),
        arguments.loading_flags.uses(loading.fields(), of_head)}) {
    uses.insert(uses.end(), more.begin(), more.end());
  }
  if (Status used = rejectIneffectiveFlags(uses); !used) {
    return used;
  }
  if (trains_head && arguments.backbone.empty()) {
    return usageError("a head needs the network that it belongs to; give it with --backbone");
  }
  for (const Status& checked :
       {trains_head ? Status() : network.check(), ensemble.check(), head.check()}) {
    if (!checked) {
      Error error = checked.error();
      std::erase_if(error.remedy.settings, isArchitecture);
      return usageError(std::move(error));
    }
  }
  if (context.ranks && context.ranks->size() > 1 && ensemble.members == 1) {
    return usageError(
        fmt::format("train shares the members of an ensemble among processes ({} started), but "
                    "trains one network; run it without mpirun or srun, or use --members",
                    context.ranks->size()));
  }
  return {};
}

HeadRun headRunOf(const Arguments& arguments) {
  return {.backbone = arguments.backbone,
          .loading = arguments.loading,
          .head = arguments.head,
          .batch = arguments.options.batch,
          .output = arguments.output,
          .members = arguments.ensemble.members,
          .as_json = arguments.as_json};
}

TrainEvents printedEvents(bool as_json) {
  if (as_json) {
    return {};
  }
  TrainEvents events;
  events.on_epoch = [](const EpochReport& epoch) {
    fmt::print("epoch {:>3}  loss {:.4f}  train accuracy {:6.2f} %  {:.1f} s{}\n", epoch.epoch,
               epoch.train_loss, 100.0 * epoch.train_accuracy, epoch.seconds,
               dropRatesText(epoch.drop_rates));
    std::fflush(stdout);
  };
  events.on_note = [](const std::string& note) {
    fmt::print("{}\n", note);
    std::fflush(stdout);
  };
  return events;
}

Status trainNetwork(const Arguments& arguments, const Dataset& dataset, RunContext& context) {
  const auto report = train(dataset, arguments.options, arguments.output, context,
                            printedEvents(arguments.as_json));
  if (!report) {
    return failWith(report);
  }
  const nlohmann::json object = trainReportJson(*report, arguments.output);
  fmt::print("{}", arguments.as_json ? object.dump(2) + "\n" : trainReportText({object}));
  return {};
}

Status trainMembers(const Arguments& arguments, const Dataset& dataset, RunContext& context) {
  EnsembleEvents events{.training = printedEvents(arguments.as_json), .on_member = {}};
  if (!arguments.as_json) {
    events.on_member = [&](std::int64_t number, std::uint64_t seed) {
      fmt::print("member {} of {}, seed {}\n", number, arguments.ensemble.members, seed);
    };
  }
  const auto members = trainEnsemble(dataset, arguments.options, arguments.ensemble,
                                     arguments.output, context, events);
  if (Status all = agreeOnFailure(context, members); !all) {
    return all;
  }
  nlohmann::json mine = nlohmann::json::array();
  for (const MemberReport& member : *members) {
    mine.push_back(memberReportJson(member, arguments.output));
  }
  const std::vector<nlohmann::json> reports = gatherReports(mine, context);
  const nlohmann::json object{{"output", arguments.output}, {"members", reports}};
  fmt::print("{}", arguments.as_json ? object.dump(2) + "\n" : trainReportText(reports));
  return {};
}

Status trainAndWrite(Arguments& arguments, RunContext& context) {
  if (Status all = agreeOnFailure(context, checkArguments(arguments, context)); !all) {
    return all;
  }
  if (Status all = agreeOnFailure(context, arguments.compute.apply(context)); !all) {
    return all;
  }
  const auto dataset = openDataset(arguments.dataset, context);
  if (Status all = agreeOnFailure(context, dataset); !all) {
    return all;
  }
  if (arguments.options.architecture == kHead) {
    return runTrainHead(headRunOf(arguments), **dataset, context);
  }
  return arguments.ensemble.members > 1 ? trainMembers(arguments, **dataset, context)
                                        : trainNetwork(arguments, **dataset, context);
}

}  // namespace

Command trainCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("architecture", arguments->options.architecture,
                 "lenet, resnet or mlp; head: a new head for the network of --backbone")
      ->required();
  app.add_option("dataset", arguments->dataset, "training set: " + datasetHelp())->required();
  app.add_option("-o,--output", arguments->output, "model file to write (.pt)")->required();
  arguments->network_flags = declareFields(app, networkFields(arguments->options), "Training");
  arguments->ensemble_flags = declareFields(app, arguments->ensemble.fields(), "Training");
  arguments->restart_flag =
      app.add_flag("--restart", arguments->options.restart,
                   "start over instead of resuming an interrupted training run");
  constexpr const char* kHeadGroup = "Head of another network";
  arguments->backbone_flag =
      app.add_option("--backbone", arguments->backbone,
                     "network whose last layer is replaced; the others stay as they are. "
                     "--dropout, --drop-rate, --length-scale, --epochs, --learning-rate and "
                     "--weight-decay are those of the head: at most 100 epochs of Adam at 0.001 by "
                     "default, or, with --layers 1 and --dropout none, the optimum itself")
          ->group(kHeadGroup);
  arguments->head_flags = declareFields(app, headFields(arguments->head), kHeadGroup);
  arguments->validation_flag = app.add_option("--validation", arguments->head.validation_share,
                                              "short for --validation-share")
                                   ->group(kHeadGroup);
  arguments->loading_flags = declareFields(app, arguments->loading.fields(), kHeadGroup);
  arguments->compute.declare(app);
  app.add_flag("--json", arguments->as_json, "print JSON at the end");
  return {[arguments](RunContext& context) { return trainAndWrite(*arguments, context); },
          /*shares_work=*/true};
}

}  // namespace dubito::cli
