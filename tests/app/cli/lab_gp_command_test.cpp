// SPDX-License-Identifier: GPL-3.0-or-later
// A Gaussian process on the command line.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/support/close_to.h"
#include "tests/support/process.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

test::ProcessResult gp(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {DUBITO_CLI, "lab", "gp"});
  return test::runProcess(arguments);
}

json okGp(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--json", "-"});
  const auto result = gp(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out);
}

/// The points of the reference vectors as a file.
std::string pointsFile(const test::TempDir& folder, const json& vectors) {
  const std::string path = folder.file("points.csv");
  std::ofstream file(path);
  file << "x,y\n";
  for (std::size_t i = 0; i < vectors.at("x").size(); ++i) {
    file << fmt::format("{},{}\n", vectors.at("x")[i].get<double>(),
                        vectors.at("y")[i].get<double>());
  }
  return path;
}

void expectGpClose(const json& actual, const json& expected, double absolute,
                   const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_TRUE(test::closeTo(actual[i], expected[i], 1e-9, absolute)) << what << " " << i;
  }
}

TEST(CliLabGp, EqualsTheReferenceVectors) {
  const std::map<std::string, std::string> texts = {
      {"squared_exponential", "1.5*se(0.8)"},
      {"matern_1_2", "1.5*matern12(0.8)"},
      {"matern_3_2", "1.5*matern32(0.8)"},
      {"matern_5_2", "1.5*matern52(0.8)"},
      {"rational_quadratic", "1.5*rq(0.6, 0.8)"},
      {"periodic", "1.5*periodic(0.9, 2.5)"},
      {"linear", "0.7*linear(0.5)"},
      {"sum_linear_periodic", "0.7*linear(0.5) + 1.5*periodic(0.9, 2.5)"},
      {"product_se_periodic", "1.5*se(2)*periodic(0.9, 2.5)"}};
  const test::TempDir folder;
  const json vectors = test::readVectors("labs2").at("gp");
  const std::string file = pointsFile(folder, vectors);
  ASSERT_EQ(vectors.at("kernels").size(), texts.size());
  for (const auto& [name, expected] : vectors.at("kernels").items()) {
    const json result = okGp({"--kernel", texts.at(name) + " + white(0.04)", "--csv", file,
                              "--from", "-4", "--to", "4", "--grid", "21"});
    EXPECT_TRUE(
        test::closeTo(result.at("log_evidence"), expected.at("log_marginal_likelihood"), 1e-9, 0.0))
        << name;
    json gradient = json::array();
    for (const json& parameter : result.at("parameters")) {
      gradient.push_back(parameter.at("gradient"));
    }
    expectGpClose(gradient, expected.at("gradient_log_parameters"), 1e-9, name + " gradient");
    expectGpClose(result.at("mean"), expected.at("mean"), 1e-11, name + " mean");
    json variance = json::array();
    for (const json& deviation : result.at("std_epistemic")) {
      variance.push_back(deviation.get<double>() * deviation.get<double>());
    }
    expectGpClose(variance, expected.at("latent_variance"), 1e-12, name + " variance");
    EXPECT_EQ(result.at("jitter"), 0.0);
    EXPECT_FALSE(result.contains("log_evidence_given"));
  }
}

TEST(CliLabGp, OptimisesAndPrintsNames) {
  const test::TempDir folder;
  const std::string file = pointsFile(folder, test::readVectors("labs2").at("gp"));
  const json result = okGp({"--kernel", "se", "--csv", file, "--optimise"});
  EXPECT_GT(result.at("log_evidence"), result.at("log_evidence_given"));
  ASSERT_EQ(result.at("parameters").size(), 2U);
  EXPECT_EQ(result["parameters"][0].at("key"), "length_scale");
  EXPECT_EQ(result["parameters"][1].at("key"), "noise_variance");
  EXPECT_EQ(result.at("n"), 18);
  const auto text = gp({"--kernel", "se", "--noise", "0.2", "--csv", file, "--grid", "3"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("kernel        se(1) + white("));
  EXPECT_THAT(text.out, HasSubstr("length_scale"));
}

TEST(CliLabGp, WhatCannotBeFittedIsASentence) {
  const test::TempDir folder;
  const std::string file = pointsFile(folder, test::readVectors("labs2").at("gp"));
  const auto missing = gp({"--csv", folder.file("missing.csv")});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_THAT(missing.err, HasSubstr("missing.csv"));
  const auto kernel = gp({"--csv", file, "--kernel", "sea(1)"});
  EXPECT_EQ(kernel.exit_code, 2);
  EXPECT_THAT(kernel.err, HasSubstr("unknown kernel"));
  const auto steps = gp({"--csv", file, "--steps", "3"});
  EXPECT_EQ(steps.exit_code, 2);
  EXPECT_THAT(steps.err, HasSubstr("--optimise"));
  EXPECT_EQ(gp({}).exit_code, 2);
  std::ofstream(folder.file("text.csv")) << "x,y\none,two\n";
  const auto text = gp({"--csv", folder.file("text.csv")});
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_THAT(text.err, HasSubstr("no row has two numbers"));
}

TEST(CliLabGp, IsListed) {
  const auto listed = test::runProcess({DUBITO_CLI, "lab", "--list", "--json", "-"});
  ASSERT_EQ(listed.exit_code, 0);
  const json list = json::parse(listed.out);
  EXPECT_EQ(list.at("tools").at(0).at("key"), "gp");
  EXPECT_EQ(list.at("laboratories").at(0).at("key"), "regression");
}

}  // namespace
}  // namespace dubito
