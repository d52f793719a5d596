// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/study_tables.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/study/study_results.h"
#include "tests/support/temp_dir.h"

namespace dubito::test {
namespace {

using nlohmann::json;

constexpr int kTargets = 6;

json statistics(double mean, double spread) {
  return {{"n", 3}, {"mean", mean}, {"std_dev", spread}};
}

json labellingOf(int row, int target) {
  json list = json::array();
  for (const double guaranteed : {0.95, 0.99}) {
    for (int rule = 0; rule < kLabellingRules; ++rule) {
      const double loss = 0.09 * target * (rule % 2 == 0 ? 1.0 : 0.1);
      list.push_back({{"rule", keyOf(static_cast<LabellingRule>(rule))},
                      {"promised", guaranteed},
                      {"share", statistics(0.9 - 0.12 * target - 0.004 * row, 0.01)},
                      {"kept", statistics(0.997 - loss - 0.001 * row, 0.004)},
                      {"effective_items", 200.0}});
    }
  }
  return list;
}

json cellOf(int row, int target) {
  json columns = json::object();
  for (std::size_t c = 0; c < studyColumns().size(); ++c) {
    const double drop = 0.08 * target + 0.002 * row;
    columns[studyColumns()[c].key] =
        statistics(studyColumns()[c].high_is_good ? 0.97 - drop : 0.02 + drop, 0.006);
  }
  json cell{{"target", target == 0 ? "upright" : "rotation " + std::to_string(target)},
            {"network", "a-network-with-a-name"},
            {"method", "method " + std::to_string(row)},
            {"members", row == 1 ? 3 : 1},
            {"seeds", {1, 2, 3}},
            {"shift", {"rotation"}},
            {"severity", target},
            {"metrics", json::object()},
            {"columns", columns},
            {"differences", json::object()},
            {"runs", json::array()},
            {"labelling", labellingOf(row, target)}};
  if (row > 0) {
    for (const char* const metric : kStudyDifferences) {
      cell["differences"][metric] = {
          {"difference", 0.001 * row}, {"low", -0.002}, {"high", 0.004 * row}, {"p", 0.04}};
    }
  } else {
    cell["retraining"] = {{{"rule", "source"},
                           {"promised", 0.95},
                           {"labels", statistics(120.0, 4.0)},
                           {"before", statistics(0.7, 0.01)},
                           {"automatic", statistics(0.71, 0.01)},
                           {"random", statistics(0.8, 0.01)},
                           {"uncertain", statistics(0.82, 0.01)}}};
  }
  return cell;
}

}  // namespace

void writeStudyTables(const std::string& folder, int rows) {
  json study{{"schema_version", 2},
             {"name", "Digits that turn, with a long name for a study"},
             {"seeds", {1, 2, 3}},
             {"baseline", "a-network-with-a-name/method 0"},
             {"score", {{"misclassified", "confidence"}, {"ood", "mutual_information"}}},
             {"targets", json::array()},
             {"ood", json::array()},
             {"methods", json::array()},
             {"bins", 15},
             {"replicates", 2000},
             {"labelling", {{"measure", "confidence"}, {"delta", 0.1}, {"promises", {0.95, 0.99}}}},
             {"figures", json::array()},
             {"notes",
              {"Ensembles of neighbouring seeds share members, so that they vary less than "
               "independent ones."}},
             {"rows", json::array()},
             {"failures",
              {{{"what", "a-network-with-a-name, seed 3"},
                {"reason", "the loss is not finite; lower the learning rate"}}}}};
  for (int row = 0; row < rows; ++row) {
    for (int target = 0; target < kTargets; ++target) {
      study["rows"].push_back(cellOf(row, target));
    }
    const json& cell = study["rows"].back();
    study["methods"].push_back(
        {{"network", cell["network"]}, {"method", cell["method"]}, {"members", cell["members"]}});
  }
  for (int target = 0; target < kTargets; ++target) {
    const json& cell = study["rows"][static_cast<std::size_t>(target)];
    study["targets"].push_back(
        {{"name", cell["target"]}, {"shift", cell["shift"]}, {"severity", cell["severity"]}});
  }
  std::filesystem::create_directories(folder + "/runs");
  writeBytes(folder + "/table.json", study.dump(1));
}

}  // namespace dubito::test
