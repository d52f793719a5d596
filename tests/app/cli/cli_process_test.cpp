// SPDX-License-Identifier: GPL-3.0-or-later
// The program as scripts use it: arguments in; output, files and exit code out.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/expected.h"
#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/shared_data.h"
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

TEST(Cli, HelpOfEveryCommand) {
  EXPECT_EQ(cli({"--help"}).exit_code, 0);
  EXPECT_EQ(cli({"--version"}).exit_code, 0);
  for (const char* command : {"devices", "inspect", "predict", "evaluate", "conformal", "select",
                              "tune", "train", "convert"}) {
    const auto result = cli({command, "--help"});
    EXPECT_EQ(result.exit_code, 0) << command;
    EXPECT_THAT(result.out, HasSubstr("--json")) << command;
  }
}

TEST(Cli, WrongUsageEndsWithTwo) {
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
  EXPECT_EQ(range.err, "dubito-cli: Draws is 0; it must lie in [1, 1000000] (--draws)\n");
}

TEST(Cli, ReportsErrorsToProgramsAsData) {
  const auto result = cli({"predict", "m.pt", kBlobs, "-o", "r.npz", "--method", "mc-dropout",
                           "--draws", "0", "--progress", "json"});
  EXPECT_EQ(result.exit_code, 2);
  const std::string message = "Draws is 0; it must lie in [1, 1000000]";
  const std::string text = "dubito-cli: " + message + " (--draws)\n";
  ASSERT_TRUE(result.err.starts_with(text + "{\"error\"")) << result.err;
  const auto error = nlohmann::json::parse(result.err.substr(text.size()));
  EXPECT_EQ(error.at("error"), message);
  EXPECT_EQ(error.at("code"), static_cast<int>(ErrorCode::kUsage));
  EXPECT_EQ(error.at("remedy").at("settings"),
            nlohmann::json::parse(R"([{"name": "draws", "value": "", "place": "option"}])"));
}

TEST(Cli, RefusesNumbersThatAreNegativeOrTooLargeForTheirOption) {
  const auto refused = [](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"predict",  "none.pt",         kBlobs,      "-o",
                                       "none.npz", "--method",        "ensemble",  "--threads",
                                       "1",        "--member-method", "mc-dropout"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto result = cli(arguments);
    EXPECT_EQ(result.exit_code, 2) << more[0] << " " << more[1];
    return result.err;
  };
  for (const std::string seed : {"-1", "18446744073709551616", "1e3", "0x10", "1.5", ""}) {
    EXPECT_THAT(refused({"--seed", seed}), HasSubstr("--seed: '" + seed +
                                                     "' is not a whole number from 0 to "
                                                     "18446744073709551615"));
  }
  EXPECT_THAT(refused({"--batch", "99999999999999999999"}), HasSubstr("is not a whole number"));
  EXPECT_THAT(refused({"--batch", "-5"}),
              testing::AllOf(HasSubstr("Batch is -5"), HasSubstr("(--batch)")));
  EXPECT_THAT(refused({"--sites", "0,9223372036854775808"}), HasSubstr("is not a whole number"));
}

TEST(Cli, ReadsNumbersAsDecimal) {
  const test::TempDir folder;
  const auto seedOf = [&folder](const std::string& text) {
    const auto result = cli({"predict", trainedModel(), kBlobs, "-o", folder.file("run.npz"),
                             "--seed", text, "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out).at("meta").at("seed").get<std::uint64_t>();
  };
  EXPECT_EQ(seedOf("010"), 10U);
  const auto gauged =
      cli({"predict", trainedModel(), kBlobs, "--method", "laplace", "--fit", kBlobs,
           "--allow-same-split", "-o", folder.file("gauged.npz"), "--gauge", "0100", "--json"});
  ASSERT_EQ(gauged.exit_code, 0) << gauged.err;
  EXPECT_EQ(nlohmann::json::parse(gauged.out).at("meta").at("options").at("gauge"), 100);
  EXPECT_EQ(seedOf("18446744073709551615"), 18446744073709551615U);
}

TEST(Cli, FailureEndsWithOneAndOneLineThatNamesTheFile) {
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"inspect", "/nonexistent/model.pt"},
           {"evaluate", "/nonexistent/run.npz"},
           {"convert", "/nonexistent/run.csv", "-o", "/tmp/never-written.npz"},
           {"train", "mlp", "idx:/nonexistent/images", "-o", "/tmp/never-written.pt"}}) {
    const auto result = cli(arguments);
    EXPECT_EQ(result.exit_code, 1) << arguments[0];
    EXPECT_THAT(result.err, HasSubstr("/nonexistent/"));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_TRUE(result.out.empty()) << result.out;
  }
}

TEST(Cli, NamesTheTensorWithTheClassScores) {
  const std::string model = (test::sourceDir() / "tests/data/models/two_scores.pt").string();
  const test::TempDir folder;
  const std::vector<std::string> predict{
      "predict", model, "synthetic:glyphs?n=20&role=ood", "-o", folder.file("run.npz"), "--json"};
  const auto refused = cli(predict);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("1 'logits' [N, 4], 2 'auxiliary' [N, 4]"));
  EXPECT_THAT(refused.err, HasSubstr("(\"output_key\" in the metadata)\n"));
  std::vector<std::string> named = predict;
  named.insert(named.end(), {"--output-key", "auxiliary"});
  const auto run = cli(named);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto report = nlohmann::json::parse(run.out);
  for (const char* const measure : {"confidence", "margin", "entropy"}) {
    EXPECT_EQ(report.at("measures").at(measure).at("items"), 20) << measure;
  }
  const std::string notes = report.at("meta").at("notes").dump();
  EXPECT_THAT(notes, HasSubstr("the class scores are 'auxiliary', as the metadata says"));
  const auto inspected = cli({"inspect", model, "--output-key", "1", "--json"});
  ASSERT_EQ(inspected.exit_code, 0) << inspected.err;
  const auto outputs = nlohmann::json::parse(inspected.out).at("outputs");
  ASSERT_EQ(outputs.size(), 3U);
  EXPECT_EQ(
      outputs[1],
      (nlohmann::json{{"name", "logits"}, {"shape", {8, 4}}, {"type", "Float"}, {"used", true}}));
  EXPECT_EQ(outputs[2].at("used"), false);
  const auto text = cli({"inspect", model, "--output-key", "logits"});
  EXPECT_THAT(text.out, HasSubstr("'logits'         8 x 4 Float, used"));
}

TEST(Cli, DevicesNamesTheReasonWhereThereIsNoGpu) {
  const auto result = cli({"devices", "--json"});
  ASSERT_EQ(result.exit_code, 0);
  const auto object = nlohmann::json::parse(result.out);
  EXPECT_GE(object.at("cpu").at("threads").get<int>(), 1);
  EXPECT_EQ(object.at("cuda").empty(), object.contains("cuda_unavailable_reason"));
}

TEST(Cli, TrainInspectPredictEvaluateConvert) {
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

TEST(Cli, BatchesFitIntoTheAllowedMemory) {
  const test::TempDir folder;
  const auto metaWith = [&](const std::string& memory) {
    const auto result = cli({"predict", trainedModel(), "synthetic:blobs?n=6000&seed=4", "--batch",
                             "6000", "--memory", memory, "-o", folder.file(memory), "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out).at("meta");
  };
  EXPECT_EQ(metaWith("4G").at("batch"), 6000);
  const auto tight = metaWith("1M");
  EXPECT_LT(tight.at("batch"), 6000);
  EXPECT_THAT(tight.at("notes").dump(), HasSubstr("instead of 6000 to fit into 1 MB of memory"));
}

TEST(Cli, AMapRunHasNoMutualInformation) {
  const test::TempDir folder;
  const std::string run = folder.file("map.npz");
  ASSERT_EQ(cli({"predict", trainedModel(), kBlobs, "-o", run}).exit_code, 0);
  const auto metrics = nlohmann::json::parse(cli({"evaluate", run, "--json"}).out);
  EXPECT_TRUE(metrics.at("misclassified").contains("entropy"));
  EXPECT_FALSE(metrics.at("misclassified").contains("mutual_information"));
}

TEST(Cli, CtrlCBeforeTheFirstBatchLeavesNothingBehindAndEndsWith130) {
  const test::TempDir folder;
  const auto result =
      cli({"predict", trainedModel(), "synthetic:blobs?n=200000&seed=4", "--method", "mc-dropout",
           "--draws", "100000", "--batch", "1000000", "-o", folder.file("run.npz")},
          std::chrono::milliseconds(1500));
  EXPECT_EQ(result.exit_code, 130) << result.err;
  EXPECT_THAT(result.err, HasSubstr("nothing was saved"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Cli, AFailedWriteKeepsTheOldFile) {
  const test::TempDir folder;
  test::writeBytes(folder.path() / "old.npz", "precious");
  EXPECT_EQ(cli({"convert", folder.file("old.npz"), "-o", folder.file("old.npz")}).exit_code, 1);
  EXPECT_EQ(test::readBytes(folder.path() / "old.npz"), "precious");
}

}  // namespace
}  // namespace dubito
