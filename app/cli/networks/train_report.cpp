// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/networks/train_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "core/base/rank_group.h"

namespace dubito::cli {
namespace {

std::string lineOf(const nlohmann::json& report) {
  const auto networks = report.at("networks").get<std::vector<std::string>>();
  const auto items = report.at("items").get<std::int64_t>();
  std::string line = fmt::format("{}: ", fmt::join(networks, ", "));
  if (report.value("was_trained", false)) {
    return line + fmt::format("trained before, {} items\n", items);
  }
  line += fmt::format("{} parameters, {} items, {:.0f} s\n",
                      report.at("parameters").get<std::int64_t>(), items,
                      report.at("seconds").get<double>());
  if (const auto averaged = report.at("averaged_epochs").get<std::int64_t>(); averaged > 0) {
    line += fmt::format("averaged: weights of {} epochs\n", averaged);
  }
  const auto unlabelled = report.at("unlabelled").get<std::int64_t>();
  const auto unreadable = report.at("unreadable").get<std::int64_t>();
  if (unlabelled + unreadable > 0) {
    line +=
        fmt::format("skipped: {} items without a label, {} unreadable\n", unlabelled, unreadable);
  }
  return line;
}

}  // namespace

nlohmann::json trainReportJson(const TrainReport& report, const std::string& output) {
  nlohmann::json epochs = nlohmann::json::array();
  for (const EpochReport& epoch : report.epochs) {
    epochs.push_back({{"epoch", epoch.epoch},
                      {"train_loss", epoch.train_loss},
                      {"train_accuracy", epoch.train_accuracy},
                      {"seconds", epoch.seconds}});
    if (!epoch.drop_rates.empty()) {
      epochs.back()["drop_rates"] = toJson(epoch.drop_rates);
    }
  }
  return {{"output", output},
          {"networks", report.networks},
          {"parameters", report.parameter_count},
          {"items", report.items},
          {"unlabelled", report.unlabelled},
          {"unreadable", report.unreadable},
          {"averaged_epochs", report.averaged_epochs},
          {"stopped_early", report.stopped_early},
          {"resumed", report.resumed},
          {"seconds", report.seconds},
          {"epochs", epochs}};
}

nlohmann::json memberReportJson(const MemberReport& member, const std::string& output) {
  nlohmann::json report = trainReportJson(member.training, numberedPath(output, member.number));
  report["member"] = member.number;
  report["seed"] = member.seed;
  report["was_trained"] = member.was_trained;
  return report;
}

std::string trainReportText(const std::vector<nlohmann::json>& reports) {
  std::string text;
  std::vector<std::string> networks;
  for (const nlohmann::json& report : reports) {
    text += lineOf(report);
    const auto written = report.at("networks").get<std::vector<std::string>>();
    // The samples around an average stand for it.
    const bool sampled = report.at("averaged_epochs") > 0 && written.size() > 1;
    networks.insert(networks.end(), written.begin() + (sampled ? 1 : 0), written.end());
  }
  return text + ensembleCommandText(networks);
}

std::string ensembleCommandText(const std::vector<std::string>& networks) {
  if (networks.size() < 2) {
    return {};
  }
  std::string text = fmt::format("as an ensemble: dubito-cli predict {} DATASET --method ensemble",
                                 networks.front());
  for (std::size_t i = 1; i < networks.size(); ++i) {
    text += " --member " + networks[i];
  }
  return text + " -o RUN.npz\n";
}

std::vector<nlohmann::json> gatherReports(const nlohmann::json& mine, const RunContext& context) {
  std::vector<std::string> texts{mine.dump()};
  if (context.ranks) {
    texts = context.ranks->gather(texts.front());
  }
  std::vector<nlohmann::json> reports;
  for (const std::string& text : texts) {
    for (const nlohmann::json& report : nlohmann::json::parse(text)) {
      reports.push_back(report);
    }
  }
  std::ranges::sort(reports, {}, [](const nlohmann::json& report) {
    return report.at("member").get<std::int64_t>();
  });
  return reports;
}

}  // namespace dubito::cli
