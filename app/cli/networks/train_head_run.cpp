// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/networks/train_head_run.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/networks/train_head_report.h"
#include "app/cli/networks/train_report.h"
#include "core/base/rank_group.h"
#include "core/train/averaging_options.h"
#include "core/train/head/train_head.h"

namespace dubito::cli {
namespace {

Expected<HeadReport> trainTo(const std::string& path, const HeadRun& run, const Model& backbone,
                             const Dataset& dataset, RunContext& context) {
  const auto on_epoch = [&](const HeadEpoch& epoch) {
    if (!run.as_json) {
      fmt::print("{}", headEpochText(epoch));
      std::fflush(stdout);
    }
  };
  auto report = trainHead(backbone, dataset, run.head, run.batch, path, context, on_epoch);
  if (report) {
    const std::vector<std::string>& notes = dataset.info().notes;
    report->notes.insert(report->notes.begin(), notes.begin(), notes.end());
  }
  return report;
}

Status trainOne(const HeadRun& run, const Model& backbone, const Dataset& dataset,
                RunContext& context) {
  const auto report = trainTo(run.output, run, backbone, dataset, context);
  if (!report) {
    return failWith(report);
  }
  fmt::print("{}", run.as_json ? headReportJson(*report, run.output).dump(2) + "\n"
                               : headReportText(*report, run.output));
  return {};
}

/// Every size()-th member, as reports that the processes then exchange.
Expected<nlohmann::json> trainOwnMembers(const HeadRun& run, const Model& backbone,
                                         const Dataset& dataset, const RunContext& context) {
  const std::int64_t rank = context.ranks ? context.ranks->rank() : 0;
  const std::int64_t ranks = context.ranks ? context.ranks->size() : 1;
  nlohmann::json mine = nlohmann::json::array();
  for (std::int64_t i = rank; i < run.members; i += ranks) {
    RunContext own = context;
    own.seed = context.seed + static_cast<std::uint64_t>(i);
    own.ranks = nullptr;
    const std::string path = numberedPath(run.output, i + 1);
    if (!run.as_json) {
      fmt::print("member {} of {}, seed {}\n", i + 1, run.members, own.seed);
    }
    const auto report = trainTo(path, run, backbone, dataset, own);
    if (!report) {
      return failWith(report);
    }
    if (!run.as_json) {
      fmt::print("{}", headReportText(*report, path));
    }
    nlohmann::json object = headReportJson(*report, path);
    object["member"] = i + 1;
    object["seed"] = own.seed;
    mine.push_back(std::move(object));
  }
  return mine;
}

}  // namespace

Status runTrainHead(const HeadRun& run, const Dataset& dataset, RunContext& context) {
  const auto backbone = loadModel(run.backbone, run.loading, context);
  if (Status all = agreeOnFailure(context, backbone); !all) {
    return all;
  }
  if (run.members == 1) {
    return trainOne(run, **backbone, dataset, context);
  }
  const auto mine = trainOwnMembers(run, **backbone, dataset, context);
  if (Status all = agreeOnFailure(context, mine); !all) {
    return all;
  }
  const std::vector<nlohmann::json> members = gatherReports(*mine, context);
  if (run.as_json) {
    fmt::print("{}\n", nlohmann::json{{"output", run.output}, {"members", members}}.dump(2));
  } else {
    std::vector<std::string> networks;
    for (const nlohmann::json& member : members) {
      networks.push_back(member.at("output"));
    }
    fmt::print("{}", ensembleCommandText(networks));
  }
  return {};
}

}  // namespace dubito::cli
