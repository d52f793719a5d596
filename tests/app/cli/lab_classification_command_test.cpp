// SPDX-License-Identifier: GPL-3.0-or-later
// The classification laboratory on the command line.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/labs/classification/class_maps.h"
#include "core/labs/classification/class_methods.h"
#include "core/labs/classification/classification_lab.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using nlohmann::json;

test::ProcessResult labClassification(std::vector<std::string> arguments) {
  const std::vector<std::string> command = {DUBITO_CLI, "lab", "classification"};
  arguments.insert(arguments.begin(), command.begin(), command.end());
  return test::runProcess(arguments);
}

json jsonOf(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--json", "-"});
  const auto result = labClassification(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out);
}

TEST(CliLabClassification, GivesTheNumbersOfTheLaboratory) {
  const json found = jsonOf({"--method", "laplace-full", "--data", "spiral",         "--arms",
                             "4",        "--points",     "80",     "--seed",         "3",
                             "--epochs", "50",           "--link", "bridge-centred", "--grid",
                             "12",       "--zoom",       "3",      "--borders",      "2"});
  ClassificationLabOptions options{.zoom = 3.0, .grid = 12, .borders = 2};
  options.set = {.points = 80, .arms = 4};
  RunContext context;
  const auto method = findClassMethod("laplace-full")->make();
  ASSERT_TRUE(fieldsFromJson({{"epochs", 50}, {"link", "bridge-centred"}}, method->fields()));
  const ClassData data = openClassData("spiral", options.set, 3, context).value();
  auto lab = ClassificationLab::start(data, *method, 3).value();
  ASSERT_TRUE(lab.advance(50, context));
  const ClassPicture picture = lab.picture(options, context).value();
  EXPECT_EQ(found.at("accuracy"), picture.scores.accuracy);
  EXPECT_EQ(found.at("nll"), picture.scores.nll);
  EXPECT_EQ(found.at("mean_confidence"), picture.scores.mean_confidence);
  EXPECT_EQ(found.at("ece"), picture.scores.reliability.ece);
  EXPECT_EQ(found.at("far_confidence"), picture.scores.far_confidence);
  EXPECT_EQ(found.at("classes").size(), 4U);
  EXPECT_EQ(found.at("units"), 50);
  EXPECT_EQ(found.at("x1").at(0), -16.5);
  EXPECT_EQ(found.at("function_borders").size(), 2U);
  EXPECT_EQ(found.at("border").at(0).at("x1"), picture.border.front().x);
  for (const ClassMapInfo& map : classMaps()) {
    const json& rows = found.at("maps").at(map.key);
    ASSERT_EQ(rows.size(), 12U) << map.key;
    EXPECT_EQ(rows.at(2).at(5), map.values(picture.prediction)->data()[2 * 12 + 5]) << map.key;
  }
}

TEST(CliLabClassification, LeavesOutMapsThatAMethodDoesNotGive) {
  const json found = jsonOf({"--method", "map", "--epochs", "20", "--grid", "5"});
  EXPECT_TRUE(found.at("maps").contains("entropy"));
  EXPECT_FALSE(found.at("maps").contains("epistemic"));
  EXPECT_FALSE(found.at("maps").contains("alpha_0"));
  const auto text = labClassification({"--method", "map", "--epochs", "20", "--grid", "5"});
  EXPECT_NE(text.out.find("gives no distribution over probabilities"), std::string::npos)
      << text.out;
}

TEST(CliLabClassification, WritesTheMaps) {
  const test::TempDir folder;
  const std::string path = folder.file("maps.csv");
  const json found =
      jsonOf({"--method", "gp", "--data", "moons", "--points", "30", "--grid", "6", "--csv", path});
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "x1,x2,predicted,max_probability,entropy,aleatoric,epistemic");
  int count = 0;
  while (std::getline(file, line)) {
    ++count;
  }
  EXPECT_EQ(count, 36);
  EXPECT_TRUE(found.at("diagnostics").contains("log_evidence"));
}

TEST(CliLabClassification, SaysWhatIsWrong) {
  const test::TempDir folder;
  const std::string path = folder.file("points.csv");
  std::ofstream(path) << "x1,x2,class\n1,2,a\n3,4,a\n";
  const auto one_class = labClassification({"--data", "csv:" + path});
  EXPECT_NE(one_class.exit_code, 0);
  EXPECT_NE(one_class.err.find("all points are of one class; add points of another"),
            std::string::npos)
      << one_class.err;
  const auto no_link = labClassification({"--method", "map", "--link", "mc"});
  EXPECT_NE(no_link.exit_code, 0);
  EXPECT_NE(no_link.err.find("--link has no effect with --method map"), std::string::npos)
      << no_link.err;
  EXPECT_NE(labClassification({"--zoom", "20"}).exit_code, 0);
  EXPECT_NE(labClassification({"--points", "many"}).exit_code, 0);
}

}  // namespace
}  // namespace dubito
