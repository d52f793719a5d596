// SPDX-License-Identifier: GPL-3.0-or-later
// The program as scripts use it: arguments in; output, files and exit code out.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

test::ProcessResult cli(std::vector<std::string> arguments,
                        std::chrono::milliseconds interrupt_after = {}) {
  arguments.insert(arguments.begin(), DUBITO_CLI);
  return test::runProcess(arguments, interrupt_after);
}

constexpr const char* kBlobs = "synthetic:blobs?n=400&seed=3";

/// A small trained network, made once for all tests of this file.
const std::string& trainedModel() {
  static const test::TempDir folder;
  static const std::string path = [] {
    const auto trained = cli({"train", "mlp", kBlobs, "-o", folder.file("mlp.pt"), "--epochs", "15",
                              "--width", "0.2", "--threads", "1"});
    EXPECT_EQ(trained.exit_code, 0) << trained.err;
    return folder.file("mlp.pt");
  }();
  return path;
}

TEST(Cli, helpOfEveryCommand) {
  EXPECT_EQ(cli({"--help"}).exit_code, 0);
  EXPECT_EQ(cli({"--version"}).exit_code, 0);
  for (const char* command : {"devices", "inspect", "predict", "evaluate", "conformal", "select",
                              "tune", "train", "convert"}) {
    const auto result = cli({command, "--help"});
    EXPECT_EQ(result.exit_code, 0) << command;
    EXPECT_NE(result.out.find("--json"), std::string::npos) << command;
  }
}

TEST(Cli, wrongUsageEndsWithTwo) {
  const test::TempDir folder;
  EXPECT_EQ(cli({}).exit_code, 2);
  EXPECT_EQ(cli({"frobnicate"}).exit_code, 2);
  EXPECT_EQ(cli({"predict", "model.pt"}).exit_code, 2);
  EXPECT_EQ(cli({"evaluate", "run.npz", "--bins", "many"}).exit_code, 2);
  EXPECT_EQ(cli({"predict", "m.pt", kBlobs, "-o", folder.file("r.npz"), "--draws", "5"}).exit_code,
            2);
  const auto range = cli({"predict", "m.pt", kBlobs, "-o", folder.file("r.npz"), "--method",
                          "mc-dropout", "--draws", "0"});
  EXPECT_EQ(range.exit_code, 2);
  EXPECT_NE(range.err.find("--draws is 0"), std::string::npos) << range.err;
}

TEST(Cli, failureEndsWithOneAndOneLineThatNamesTheFile) {
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"inspect", "/nonexistent/model.pt"},
           {"evaluate", "/nonexistent/run.npz"},
           {"convert", "/nonexistent/run.csv", "-o", "/tmp/never-written.npz"},
           {"train", "mlp", "idx:/nonexistent/images", "-o", "/tmp/never-written.pt"}}) {
    const auto result = cli(arguments);
    EXPECT_EQ(result.exit_code, 1) << arguments[0];
    EXPECT_NE(result.err.find("/nonexistent/"), std::string::npos) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_TRUE(result.out.empty()) << result.out;
  }
}

TEST(Cli, devicesNamesTheReasonWhereThereIsNoGpu) {
  const auto result = cli({"devices", "--json"});
  ASSERT_EQ(result.exit_code, 0);
  const auto object = nlohmann::json::parse(result.out);
  EXPECT_GE(object.at("cpu").at("threads").get<int>(), 1);
  EXPECT_EQ(object.at("cuda").empty(), object.contains("cuda_unavailable_reason"));
}

TEST(Cli, trainInspectPredictEvaluateConvert) {
  const test::TempDir folder;
  const std::string& model = trainedModel();
  const auto inspected = cli({"inspect", model, "--json"});
  ASSERT_EQ(inspected.exit_code, 0) << inspected.err;
  const auto audit = nlohmann::json::parse(inspected.out);
  EXPECT_EQ(audit.at("classes"), 4);
  EXPECT_FALSE(audit.at("dropout_sites").empty());
  EXPECT_FALSE(audit.at("batch").at("depends_on_batch").get<bool>());

  const std::string run = folder.file("run.npz");
  const auto predicted = cli({"predict", model, "synthetic:blobs?n=300&seed=4", "--method",
                              "mc-dropout", "--draws", "20", "--seed", "1", "-o", run});
  ASSERT_EQ(predicted.exit_code, 0) << predicted.err;
  const std::string ood = folder.file("ood.npz");
  ASSERT_EQ(cli({"predict", model, "synthetic:moons?n=100&seed=5&role=ood", "--method",
                 "mc-dropout", "--draws", "20", "-o", ood})
                .exit_code,
            0);

  const auto evaluated =
      cli({"evaluate", run, "--ood", "moons=" + ood, "--json", "-", "--csv", folder.file("csv")});
  ASSERT_EQ(evaluated.exit_code, 0) << evaluated.err;
  const auto metrics = nlohmann::json::parse(evaluated.out);
  EXPECT_EQ(metrics.at("n"), 300);
  EXPECT_GT(metrics.at("accuracy").get<double>(), 0.8);
  EXPECT_EQ(metrics.at("ece_bins"), 15);
  for (const char* score : {"confidence", "entropy", "mutual_information"}) {
    EXPECT_TRUE(metrics.at("misclassified").contains(score));
    EXPECT_TRUE(metrics.at("ood").at("moons").at("correct_vs_ood").contains(score));
    EXPECT_TRUE(metrics.at("ood").at("moons").at("in_vs_ood").contains(score));
  }
  EXPECT_TRUE(metrics.at("with_ood").contains("moons"));
  for (const char* file : {"metrics.csv", "reliability.csv", "roc.csv", "precision_recall.csv",
                           "histogram_entropy.csv"}) {
    EXPECT_GT(std::filesystem::file_size(folder.path() / "csv" / file), 20U) << file;
  }

  const std::string converted = folder.file("converted.npz");
  ASSERT_EQ(cli({"convert", run, "-o", converted}).exit_code, 0);
  const auto again = cli({"evaluate", converted, "--json"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(nlohmann::json::parse(again.out).at("nll"), metrics.at("nll"));
}

TEST(Cli, aMapRunHasNoMutualInformation) {
  const test::TempDir folder;
  const std::string run = folder.file("map.npz");
  ASSERT_EQ(cli({"predict", trainedModel(), kBlobs, "-o", run}).exit_code, 0);
  const auto metrics = nlohmann::json::parse(cli({"evaluate", run, "--json"}).out);
  EXPECT_TRUE(metrics.at("misclassified").contains("entropy"));
  EXPECT_FALSE(metrics.at("misclassified").contains("mutual_information"));
}

TEST(Cli, ctrlCBeforeTheFirstBatchLeavesNothingBehindAndEndsWith130) {
  const test::TempDir folder;
  const auto result =
      cli({"predict", trainedModel(), "synthetic:blobs?n=200000&seed=4", "--method", "mc-dropout",
           "--draws", "100000", "--batch", "1000000", "-o", folder.file("run.npz")},
          std::chrono::milliseconds(1500));
  EXPECT_EQ(result.exit_code, 130) << result.err;
  EXPECT_NE(result.err.find("nothing was kept"), std::string::npos) << result.err;
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Cli, aFailedWriteKeepsTheOldFile) {
  const test::TempDir folder;
  test::writeBytes(folder.path() / "old.npz", "precious");
  EXPECT_EQ(cli({"convert", folder.file("old.npz"), "-o", folder.file("old.npz")}).exit_code, 1);
  EXPECT_EQ(test::readBytes(folder.path() / "old.npz"), "precious");
}

}  // namespace
}  // namespace dubito
