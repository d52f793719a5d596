// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "app/cli/csv_text.h"
#include "app/cli/lab/experiment.h"
#include "app/cli/lab/lab_commands.h"
#include "app/cli/run_input.h"
#include "core/labs/referral/referral_lab.h"

namespace dubito::cli {
namespace {

using nlohmann::json;

struct ReferralArguments : OptionArguments<ReferralOptions> {
  std::string run;
  RunInput input;
};

/// Without the threshold of the rule that refers all.
json ruleToJson(const ReferralRule& rule) {
  json object{{"share", rule.share},
              {"referred", rule.referred},
              {"errors", rule.errors},
              {"cost", rule.cost}};
  if (rule.threshold) {
    object["threshold"] = *rule.threshold;
  }
  return object;
}

json referralToJson(const ReferralArguments& arguments, const ReferralRanking& ranking,
                    const ReferralCosts& costs) {
  json measures = json::object();
  for (std::size_t i = 0; i < costs.measures.size(); ++i) {
    const MeasureCosts& by = costs.measures[i];
    json rules = json::array();
    for (const ReferralRule& rule : by.rules) {
      rules.push_back(ruleToJson(rule));
    }
    json roc = json::array();
    for (std::size_t k = 0; k < ranking.measures[i].roc.size(); ++k) {
      const Curve& curve = ranking.measures[i].roc[k];
      json one{{"percent", arguments.options.roc_percents[k]}, {"x", curve.x}, {"y", curve.y}};
      if (!std::isnan(curve.summary)) {
        one["auroc"] = curve.summary;
      }
      roc.push_back(std::move(one));
    }
    measures[describe(by.measure).key] = {
        {"optimum", ruleToJson(by.optimum)}, {"rules", std::move(rules)}, {"roc", std::move(roc)}};
  }
  return {{"run", arguments.run},
          {"items", ranking.items},
          {"unlabelled", ranking.unlabelled},
          {"errors", ranking.errors()},
          {"cost_of_none", costs.none},
          {"cost_of_all", costs.all},
          {"cost_of_oracle", costs.oracle},
          {"roc_groups", ranking.roc_groups},
          {"measures", std::move(measures)}};
}

std::string referralToText(const ReferralRanking& ranking, const ReferralCosts& costs) {
  std::string text = fmt::format("{} labelled items, {} errors\n", ranking.items, ranking.errors());
  if (ranking.unlabelled > 0) {
    text += fmt::format("note: {} unlabelled items are left out\n", ranking.unlabelled);
  }
  text += fmt::format("{:<22}{:>12}{:>12}{:>12}{:>14}\n", "cheapest rule", "threshold", "referred",
                      "errors left", "cost per item");
  for (const MeasureCosts& by : costs.measures) {
    const ReferralRule& rule = by.optimum;
    text += fmt::format("{:<22}{:>12}{:>11.2f}%{:>12}{:>14.4g}\n", describe(by.measure).name,
                        rule.threshold ? fmt::format("{:.4g}", *rule.threshold) : "-",
                        100.0 * rule.share, rule.errors, rule.cost);
  }
  text += fmt::format("{:<22}{:>12}{:>11.2f}%{:>12}{:>14.4g}\n", "refer none", "-", 0.0,
                      ranking.errors(), costs.none);
  text +=
      fmt::format("{:<22}{:>12}{:>11.2f}%{:>12}{:>14.4g}\n", "refer all", "-", 100.0, 0, costs.all);
  return text + fmt::format("{:<22}{:>50.4g}\n", "refer exactly errors", costs.oracle);
}

std::vector<std::string> ruleLines(const ReferralCosts& costs) {
  std::vector<std::string> lines;
  for (const MeasureCosts& by : costs.measures) {
    for (const ReferralRule& rule : by.rules) {
      lines.push_back(fmt::format("{},{},{},{},{},{}", describe(by.measure).key,
                                  rule.threshold ? numberText(*rule.threshold) : "",
                                  numberText(rule.share), rule.referred, rule.errors,
                                  numberText(rule.cost)));
    }
  }
  return lines;
}

Expected<ExperimentReport> analyseReferral(const ReferralArguments& arguments,
                                           RunContext& context) {
  const auto run = arguments.input.openLabelled(arguments.run, context);
  if (!run) {
    return failWith(run);
  }
  const auto ranking = rankReferral(*run, arguments.options, context);
  if (!ranking) {
    return failWith(ranking);
  }
  const auto costs = costsOfReferral(*ranking, arguments.options);
  if (!costs) {
    return failWith(costs);
  }
  const std::vector<std::string> lines = ruleLines(*costs);
  return ExperimentReport{
      referralToJson(arguments, *ranking, *costs), referralToText(*ranking, *costs),
      "measure,threshold,share,referred,errors,cost", std::ssize(lines),
      [lines](std::int64_t row) { return lines[static_cast<std::size_t>(row)]; }};
}

}  // namespace

Command labReferralCommand(CLI::App& app) {
  const auto arguments = std::make_shared<ReferralArguments>();
  app.add_option("run", arguments->run, "a labelled run, or a predictions file")->required();
  arguments->input.declare(app);
  arguments->input.declareLabels(app);
  arguments->declare(app, "Options");
  arguments->output.declare(app, "CSV file to write: the cost per threshold");
  return experimentCommand(arguments, analyseReferral);
}

}  // namespace dubito::cli
