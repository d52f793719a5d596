// SPDX-License-Identifier: GPL-3.0-or-later
// What follows from runs, as scripts use it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "core/data/items/dataset.h"
#include "core/io/npz_writer.h"
#include "core/io/run_file.h"
#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using nlohmann::json;

test::ProcessResult cli(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), DUBITO_CLI);
  return test::runProcess(arguments);
}

constexpr const char* kCalibration = "synthetic:blobs?n=900&seed=5&items=0:400&role=calibration";
constexpr const char* kTest = "synthetic:blobs?n=900&seed=5&items=400:900";

/// A network and its map runs over a calibration set and a test set, made once for this file.
struct Workshop {
  test::TempDir folder;
  std::string model = folder.file("mlp.pt");
  std::string calibration = folder.file("calibration.npz");
  std::string evaluated = folder.file("test.npz");

  Workshop() {
    ok({"train", "mlp", "synthetic:blobs?n=400&seed=3", "-o", model, "--epochs", "15", "--width",
        "0.2", "--threads", "1"});
    ok({"predict", model, kCalibration, "-o", calibration});
    ok({"predict", model, kTest, "-o", evaluated});
  }

  static test::ProcessResult ok(const std::vector<std::string>& arguments) {
    auto result = cli(arguments);
    EXPECT_EQ(result.exit_code, 0) << arguments.front() << ": " << result.err;
    return result;
  }
  static const Workshop& get() {
    static const Workshop workshop;
    return workshop;
  }
};

json predicted(const std::vector<std::string>& more, const test::TempDir& folder) {
  std::vector<std::string> arguments{
      "predict", Workshop::get().model,  kTest,   "--method", "temperature",
      "-o",      folder.file("run.npz"), "--json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const auto result = Workshop::ok(arguments);
  return json::parse(result.out, nullptr, false);
}

TEST(CliTemperature, FittedOnADatasetOrOnItsMapRunIsTheSame) {
  const test::TempDir folder;
  const json of_run = predicted({"--calibration", Workshop::get().calibration}, folder);
  const json of_dataset = predicted({"--calibration", kCalibration}, folder);
  const json& options = of_run.at("meta").at("options");
  EXPECT_EQ(options.at("temperature"), of_dataset.at("meta").at("options").at("temperature"));
  EXPECT_EQ(options.at("fitted").at("n"), 400);
  EXPECT_LE(options.at("fitted").at("nll_after").get<double>(),
            options.at("fitted").at("nll_before").get<double>());
  EXPECT_THAT(of_run.at("meta").at("notes").at(0).get<std::string>(), HasSubstr("NLL"));

  // Other confidences, the same predictions.
  const json plain =
      json::parse(Workshop::ok({"evaluate", Workshop::get().evaluated, "--json"}).out);
  const json scaled = json::parse(Workshop::ok({"evaluate", folder.file("run.npz"), "--json"}).out);
  EXPECT_EQ(plain.at("accuracy"), scaled.at("accuracy"));
  EXPECT_NE(plain.at("nll"), scaled.at("nll"));
}

TEST(CliTemperature, RefusesTheSetThatIsEvaluated) {
  const test::TempDir folder;
  for (const std::string& calibration : {std::string(kTest), Workshop::get().evaluated}) {
    const auto refused = cli({"predict", Workshop::get().model, kTest, "--method", "temperature",
                              "--calibration", calibration, "-o", folder.file("run.npz")});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.err, HasSubstr("500 of the 500 items"));
    EXPECT_THAT(refused.err, HasSubstr("--allow-same-split"));
    EXPECT_FALSE(std::filesystem::exists(folder.file("run.npz")));
  }
  const json allowed = predicted({"--calibration", kTest, "--allow-same-split"}, folder);
  EXPECT_THAT(allowed.at("meta").at("notes").dump(), HasSubstr("(allowed)"));
}

TEST(CliTemperature, DataThatAMethodHasNoUseForIsWrongUsage) {
  const test::TempDir folder;
  const auto map = cli({"predict", Workshop::get().model, kTest, "--calibration", kCalibration,
                        "-o", folder.file("run.npz")});
  EXPECT_EQ(map.exit_code, 2);
  EXPECT_THAT(map.err, HasSubstr("--method map does not use --calibration"));
  const auto none = cli({"predict", Workshop::get().model, kTest, "--method", "temperature", "-o",
                         folder.file("run.npz")});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.err, HasSubstr("--calibration"));
}

TEST(CliConformal, TellsCoverageSizesAndTheSetOfEveryItem) {
  const test::TempDir folder;
  const Workshop& made = Workshop::get();
  for (const char* score : {"lac", "aps", "raps"}) {
    SCOPED_TRACE(score);
    const json result = json::parse(
        Workshop::ok({"conformal", made.evaluated, "--calibration", made.calibration, "--alpha",
                      "0.1", "--score", score, "--json", "--csv", folder.file("sets.csv")})
            .out);
    EXPECT_EQ(result.at("n"), 500);
    EXPECT_EQ(result.at("calibration").at("n"), 400);
    EXPECT_EQ(result.at("calibration").at("order"), 361);
    // 400 + 500 items: a standard deviation of 0.02.
    EXPECT_NEAR(result.at("coverage").get<double>(), 0.9, 0.08);
    const auto sizes = result.at("sizes").get<std::vector<std::int64_t>>();
    ASSERT_EQ(sizes.size(), 5U);
    EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}), 500);
    EXPECT_EQ(result.at("empty_share").get<double>(), static_cast<double>(sizes[0]) / 500.0);

    std::istringstream csv(test::readBytes(folder.path() / "sets.csv"));
    std::string line;
    std::getline(csv, line);
    EXPECT_EQ(line, "id,label,size,covered,classes");
    std::int64_t covered = 0;
    std::int64_t total = 0;
    int items = 0;
    for (; std::getline(csv, line); ++items) {
      std::vector<std::string> fields;
      std::istringstream row(line);
      for (std::string field; std::getline(row, field, ',');) {
        fields.push_back(field);
      }
      ASSERT_GE(fields.size(), 4U) << line;
      fields.resize(5);
      total += std::stoll(fields[2]);
      covered += std::stoll(fields[3]);
      std::istringstream classes(fields[4]);
      std::int64_t size = 0;
      bool holds_label = false;
      for (std::string k; classes >> k; ++size) {
        holds_label = holds_label || k == fields[1];
      }
      EXPECT_EQ(size, std::stoll(fields[2])) << line;
      EXPECT_EQ(holds_label, fields[3] == "1") << line;
    }
    EXPECT_EQ(items, 500);
    EXPECT_DOUBLE_EQ(static_cast<double>(covered) / 500.0, result.at("coverage").get<double>());
    EXPECT_DOUBLE_EQ(static_cast<double>(total) / 500.0, result.at("mean_size").get<double>());
  }
}

TEST(CliSelect, ChoosesAThresholdAndTellsWhatItSelects) {
  const test::TempDir folder;
  const Workshop& made = Workshop::get();
  std::int64_t by_sgr = 0;
  for (const char* rule : {"sgr", "fixed-sequence", "bonferroni-grid", "pointwise"}) {
    SCOPED_TRACE(rule);
    const json result = json::parse(
        Workshop::ok({"select", made.evaluated, "--calibration", made.calibration, "--target",
                      "0.97", "--rule", rule, "--json", "--csv", folder.file("items.csv")})
            .out);
    EXPECT_EQ(result.at("guaranteed"), rule != std::string("pointwise"));
    EXPECT_EQ(result.at("measure"), "entropy");
    ASSERT_TRUE(result.contains("threshold")) << result.dump();
    const auto selected = result.at("selected").get<std::int64_t>();
    by_sgr = rule == std::string("sgr") ? selected : by_sgr;
    EXPECT_GT(selected, 100);
    EXPECT_GT(result.at("precision").get<double>(), 0.93);
    EXPECT_LE(result.at("calibration").at("upper_error_unadjusted").get<double>(), 0.03);
    std::istringstream csv(test::readBytes(folder.path() / "items.csv"));
    std::int64_t lines = 0;
    std::int64_t ones = 0;
    for (std::string line; std::getline(csv, line); ++lines) {
      const auto first = line.find(',', line.find(',') + 1);
      ones += line.substr(first, 3) == ",1," ? 1 : 0;
    }
    EXPECT_EQ(lines, 501);
    EXPECT_EQ(ones, selected);
    if (rule == std::string("pointwise")) {
      EXPECT_GE(selected, by_sgr);
      EXPECT_THAT(Workshop::ok(
                      {"select", made.evaluated, "--calibration", made.calibration, "--rule", rule})
                      .out,
                  HasSubstr("no guarantee"));
    }
  }
  const auto confident = Workshop::ok({"select", made.evaluated, "--calibration", made.calibration,
                                       "--measure", "confidence", "--target", "0.97"});
  EXPECT_THAT(confident.out, HasSubstr("by confidence"));
}

TEST(CliDecisions, RefuseACalibrationRunOverTheSameItems) {
  const test::TempDir folder;
  const Workshop& made = Workshop::get();
  const std::string overlapping = folder.file("overlapping.npz");
  Workshop::ok(
      {"predict", made.model, "synthetic:blobs?n=900&seed=5&items=390:420", "-o", overlapping});
  for (const char* command : {"conformal", "select"}) {
    SCOPED_TRACE(command);
    const auto refused = cli({command, overlapping, "--calibration", made.calibration});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.err, HasSubstr("10 of the 30 items"));
    const json allowed =
        json::parse(Workshop::ok({command, overlapping, "--calibration", made.calibration,
                                  "--allow-same-split", "--json"})
                        .out);
    EXPECT_THAT(allowed.at("notes").dump(), HasSubstr("(allowed)"));
    EXPECT_FALSE(allowed.value("guaranteed", false));
  }
}

/// Predictions as another program writes them: probabilities and labels, no source.
std::string asCsv(const dubito::Run& run, const std::vector<std::int64_t>& rows,
                  const std::string& path) {
  std::ofstream csv(path);
  csv << "label";
  for (std::int64_t k = 0; k < run.classCount(); ++k) {
    csv << ",p" << k;
  }
  csv << '\n';
  csv.precision(9);
  for (const std::int64_t i : rows) {
    csv << run.labels.data()[i];
    for (std::int64_t k = 0; k < run.classCount(); ++k) {
      csv << ',' << run.prob(i, k);
    }
    csv << '\n';
  }
  return path;
}

TEST(CliDecisions, RefuseACopyOfTheCalibrationItems) {
  const test::TempDir folder;
  const Workshop& made = Workshop::get();
  RunContext context;
  const auto calibration = readRun(made.calibration, context);
  const auto evaluated = readRun(made.evaluated, context);
  ASSERT_TRUE(calibration && evaluated);
  std::vector<std::int64_t> all(400);
  std::iota(all.begin(), all.end(), 0);
  std::vector<std::int64_t> shuffled = all;
  std::ranges::reverse(shuffled);
  std::rotate(shuffled.begin(), shuffled.begin() + 123, shuffled.end());
  const std::string original = asCsv(*calibration, all, folder.file("calibration.csv"));
  const std::string other_order = asCsv(*calibration, shuffled, folder.file("shuffled.csv"));
  const std::string apart = asCsv(*evaluated, all, folder.file("apart.csv"));
  const std::string half =
      asCsv(*evaluated, {all.begin(), all.begin() + 200}, folder.file("half.csv"));
  {
    std::ofstream more(half, std::ios::app);
    std::ifstream rows(original);
    std::string line;
    std::getline(rows, line);
    for (int i = 0; i < 200 && std::getline(rows, line); ++i) {
      more << line << '\n';
    }
  }
  const std::string copy = folder.file("copy.npz");
  std::filesystem::copy_file(made.calibration, copy);
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"conformal"}, {"select"}, {"tune", "-o", folder.file("t.npz")}}) {
    SCOPED_TRACE(command.front());
    const auto with = [&command](const std::string& run, const std::string& on) {
      std::vector<std::string> arguments = command;
      arguments.insert(arguments.begin() + 1, {run, "--calibration", on});
      return cli(arguments);
    };
    for (const auto& [run, on] : {std::pair(original, other_order),
                                  {other_order, original},
                                  {half, original},
                                  {copy, made.calibration},
                                  {original, made.calibration}}) {
      const auto refused = with(run, on);
      EXPECT_EQ(refused.exit_code, 1) << run << ' ' << on << ' ' << refused.out;
      EXPECT_THAT(refused.err, HasSubstr("are also in"));
    }
    const auto fine = with(apart, original);
    EXPECT_EQ(fine.exit_code, 0) << fine.err;
    EXPECT_THAT(fine.out, Not(HasSubstr("share items")));
  }
}

TEST(CliDecisions, RefuseARunOverACopyOfTheCalibrationData) {
  const test::TempDir folder;
  const Workshop& made = Workshop::get();
  // The same points in another file, in another order under other ids.
  const auto dataset = [&] {
    RunContext context;
    return openDataset(kCalibration, context);
  }();
  ASSERT_TRUE(dataset);
  const std::int64_t items = (*dataset)->size();
  Array<float> points = Array<float>::zeros({items, 2});
  Array<std::int64_t> labels = Array<std::int64_t>::zeros({items});
  for (std::int64_t i = 0; i < items; ++i) {
    const auto sample = (*dataset)->read(items - 1 - i);
    ASSERT_TRUE(sample);
    std::ranges::copy(std::get<Array<float>>(*sample).values(), points.mutableRow(i).begin());
    labels.mutableData()[i] = (*dataset)->labels()[static_cast<std::size_t>(items - 1 - i)];
  }
  auto writer = NpzWriter::create(folder.file("copied.npz"));
  ASSERT_TRUE(writer);
  ASSERT_TRUE(writer->add("x", points) && writer->add("y", labels) && writer->commit());
  const std::string copied = folder.file("copied-run.npz");
  Workshop::ok({"predict", made.model, "npz:" + folder.file("copied.npz"), "-o", copied});
  const auto refused = cli({"conformal", copied, "--calibration", made.calibration});
  EXPECT_EQ(refused.exit_code, 1) << refused.out;
  EXPECT_THAT(refused.err, HasSubstr("are also in"));
}

TEST(CliDecisions, NameTheRunsTheyRestOn) {
  const Workshop& made = Workshop::get();
  RunContext context;
  const auto of_run = readRun(made.evaluated, context);
  ASSERT_TRUE(of_run);
  for (const char* command : {"conformal", "select"}) {
    SCOPED_TRACE(command);
    const json result = json::parse(
        Workshop::ok({command, made.evaluated, "--calibration", made.calibration, "--json"}).out);
    const json& run = result.at("run");
    EXPECT_EQ(run.at("path"), made.evaluated);
    EXPECT_EQ(run.at("method"), "map");
    EXPECT_EQ(run.at("dataset_hash"), of_run->meta.dataset_hash);
    const json& calibration = result.at("calibration").at("run");
    EXPECT_EQ(calibration.at("path"), made.calibration);
    EXPECT_EQ(calibration.at("dataset_spec"), kCalibration);
    EXPECT_EQ(calibration.at("prediction_hash").get<std::string>().size(), 16U);
    EXPECT_NE(calibration.at("prediction_hash"), run.at("prediction_hash"));
    EXPECT_NE(calibration.at("dataset_hash"), run.at("dataset_hash"));
    EXPECT_EQ(result.at("allow_same_split"), false);
    EXPECT_TRUE(result.at("options").is_object());
  }
}

TEST(CliDecisions, KnowTheNetworkOfARunByItsWeights) {
  const test::TempDir folder;
  const Workshop& made = Workshop::get();
  RunContext context;
  const auto calibration = readRun(made.calibration, context);
  ASSERT_TRUE(calibration);
  const auto notesWith = [&](const std::string& name, const std::string& hash) {
    dubito::Run run = *calibration;
    run.meta.model_name = name;
    run.meta.network_hash = hash;
    EXPECT_TRUE(writeRun(run, folder.file("calibration.npz"), context));
    return json::parse(Workshop::ok({"select", made.evaluated, "--calibration",
                                     folder.file("calibration.npz"), "--json"})
                           .out)
        .at("notes")
        .dump();
  };
  ASSERT_EQ(calibration->meta.network_hash.size(), 16U);
  EXPECT_THAT(notesWith("renamed", calibration->meta.network_hash),
              Not(HasSubstr("was computed with")));
  EXPECT_THAT(notesWith(calibration->meta.model_name, "00ff"),
              HasSubstr(" (a different network): results on"));
}

TEST(CliDecisions, SayWhatIsMissing) {
  const Workshop& made = Workshop::get();
  const auto measure = cli({"select", made.evaluated, "--calibration", made.calibration,
                            "--measure", "mutual_information"});
  EXPECT_EQ(measure.exit_code, 1);
  EXPECT_THAT(measure.err, HasSubstr("has no mutual_information"));
  EXPECT_THAT(measure.err, HasSubstr("use one of confidence, margin, entropy"));
  EXPECT_EQ(cli({"conformal", made.evaluated}).exit_code, 2);
  EXPECT_EQ(cli({"conformal", made.evaluated, "--calibration", made.calibration, "--alpha", "1.5"})
                .exit_code,
            2);
  EXPECT_EQ(cli({"select", made.evaluated, "--calibration", made.calibration, "--rule", "best"})
                .exit_code,
            2);
}

TEST(CliEnsemble, JoinsModelsAndRuns) {
  const test::TempDir folder;
  const Workshop& made = Workshop::get();
  const std::string second = folder.file("second.pt");
  Workshop::ok({"train", "mlp", "synthetic:blobs?n=400&seed=3", "-o", second, "--epochs", "15",
                "--width", "0.2", "--threads", "1", "--seed", "8"});
  const std::string of_models = folder.file("models.npz");
  const json report =
      json::parse(Workshop::ok({"predict", made.model, kTest, "--method", "ensemble", "--member",
                                second, "-o", of_models, "--json"})
                      .out);
  EXPECT_EQ(report.at("n"), 500);
  EXPECT_EQ(report.at("meta").at("method"), "ensemble");
  EXPECT_EQ(report.at("meta").at("options").at("draws"), 2);
  EXPECT_FALSE(std::filesystem::exists(of_models + ".members"));

  // A member that is there already as a run gives the same.
  const std::string of_runs = folder.file("runs.npz");
  Workshop::ok({"predict", second, kTest, "-o", folder.file("b.npz")});
  Workshop::ok({"predict", made.evaluated, kTest, "--method", "ensemble", "--member",
                folder.file("b.npz"), "-o", of_runs});
  const json a = json::parse(Workshop::ok({"evaluate", of_models, "--json"}).out);
  const json b = json::parse(Workshop::ok({"evaluate", of_runs, "--json"}).out);
  EXPECT_EQ(a, b);
  EXPECT_TRUE(a.at("misclassified").contains("mutual_information"));

  const json dropout = json::parse(
      Workshop::ok({"predict", made.model, kTest, "--method", "ensemble", "--member", second,
                    "--member-method", "mc-dropout", "--draws", "3", "-o", of_models, "--json"})
          .out);
  EXPECT_EQ(dropout.at("meta").at("options").at("draws"), 6);

  const auto twice = cli({"predict", made.model, kTest, "--method", "ensemble", "--member",
                          made.model, "-o", folder.file("twice.npz")});
  EXPECT_EQ(twice.exit_code, 1);
  EXPECT_THAT(twice.err, HasSubstr("same network as another member"));
  const auto other = cli({"predict", made.evaluated, kTest, "--method", "ensemble", "--member",
                          made.calibration, "-o", folder.file("other.npz")});
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_THAT(other.err, HasSubstr("use runs on the items of DATASET"));
  const auto same = cli({"predict", made.evaluated, kTest, "--method", "ensemble", "--member",
                         made.evaluated, "-o", folder.file("same.npz")});
  EXPECT_EQ(same.exit_code, 1);
  EXPECT_THAT(same.err, HasSubstr("already a member"));
  // What lies in the folder of the members' runs and is not theirs stays.
  const std::string joined = folder.file("joined.npz");
  std::filesystem::create_directory(joined + ".members");
  std::filesystem::copy_file(made.evaluated, joined + ".members/mine.npz");
  const auto beside = cli({"predict", made.model, kTest, "--method", "ensemble", "--member",
                           joined + ".members/mine.npz", "-o", joined});
  EXPECT_EQ(beside.exit_code, 0) << beside.err;
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(joined + ".members"), {}), 1);
  EXPECT_EQ(
      cli({"predict", made.model, kTest, "--member", second, "-o", folder.file("x.npz")}).exit_code,
      2);
}

/// Members are told apart by program and weights, wherever the weights are.
TEST(CliEnsemble, TellsMembersApartByWhatTheyCompute) {
  const test::TempDir folder;
  const std::string source = test::sourceDir().string();
  const std::string digits =
      "idx:" + source + "/datasets/samples/mnist-2000-images-idx3-ubyte.gz?items=0:8";
  const auto join = [&](const std::string& a, const std::string& b) {
    const std::string models = source + "/tests/data/models/";
    return cli({"predict", models + a, digits, "--method", "ensemble", "--member", models + b, "-o",
                folder.file("joined.npz"), "--json"});
  };
  const auto frozen = join("frozen_twin_a.pt", "frozen_twin_b.pt");
  ASSERT_EQ(frozen.exit_code, 0) << frozen.err;
  EXPECT_THAT(frozen.out, Not(HasSubstr("the same weights")));
  const auto twice = join("frozen_twin_a.pt", "frozen_twin_a.pt");
  EXPECT_EQ(twice.exit_code, 1);
  EXPECT_THAT(twice.err, HasSubstr("same network as another member"));
  const auto programs = join("scripted.pt", "traced_eval.pt");
  ASSERT_EQ(programs.exit_code, 0) << programs.err;
  EXPECT_THAT(programs.out, HasSubstr("have the same weights but different programs"));
}

TEST(CliSeeds, GivesMeanAndSampleDeviationOfEveryMetric) {
  const test::TempDir folder;
  const Workshop& made = Workshop::get();
  std::vector<std::string> runs;
  std::vector<double> nll;
  for (const char* seed : {"1", "2", "3"}) {
    runs.push_back(folder.file(std::string("seed") + seed + ".npz"));
    Workshop::ok({"predict", made.model, kTest, "--method", "mc-dropout", "--draws", "4", "--seed",
                  seed, "-o", runs.back()});
    nll.push_back(
        json::parse(Workshop::ok({"evaluate", runs.back(), "--json"}).out).at("nll").get<double>());
  }
  const json result =
      json::parse(Workshop::ok({"evaluate", runs[0], "--seed-run", runs[1], "--seed-run", runs[2],
                                "--ood", "same=" + runs[0] + "," + runs[1] + "," + runs[2],
                                "--json", "--csv", folder.file("csv")})
                      .out);
  const double mean = (nll[0] + nll[1] + nll[2]) / 3.0;
  double squares = 0.0;
  for (const double value : nll) {
    squares += (value - mean) * (value - mean);
  }
  ASSERT_GT(squares, 0.0) << "these seeds do not differ";
  const json& of_nll = result.at("metrics").at("nll");
  EXPECT_NEAR(of_nll.at("mean").get<double>(), mean, 1e-14);
  EXPECT_NEAR(of_nll.at("std_dev").get<double>(), std::sqrt(squares / 2.0), 1e-14);
  EXPECT_EQ(of_nll.at("n"), 3);
  EXPECT_TRUE(result.at("metrics").at("ood").at("same").at("in_vs_ood").contains("entropy"));
  const std::string csv = test::readBytes(folder.path() / "csv" / "metrics_of_seeds.csv");
  EXPECT_EQ(csv.substr(0, csv.find('\n')), "group,metric,score,n,mean,std_dev");
  EXPECT_THAT(csv, HasSubstr("NLL,,3,"));
  const auto table = Workshop::ok({"evaluate", runs[0], "--seed-run", runs[1]});
  EXPECT_THAT(table.out, HasSubstr(" +- "));
  EXPECT_EQ(cli({"evaluate", runs[0], "--seed-run", runs[1], "--ood", "one=" + runs[0]}).exit_code,
            2);
}

/// The same Dirichlets as JSON, as lines and as stored in the run.
TEST(CliDirichlet, TellsSetsAndIntervalsOfEveryItem) {
  const test::TempDir folder;
  const std::string run = folder.file("laplace.npz");
  Workshop::ok({"predict", Workshop::get().model, kTest, "--method", "laplace", "--fit",
                "synthetic:blobs?n=400&seed=3", "-o", run, "--threads", "1"});
  const std::string csv = folder.file("items.csv");
  const json told = json::parse(Workshop::ok({"dirichlet", run, "--json", "--csv", csv}).out);
  EXPECT_EQ(told.at("n"), 500);
  EXPECT_EQ(told.at("source"), "alpha of laplace");
  EXPECT_GE(told.at("mean_size").get<double>(), 1.0);
  EXPECT_GE(told.at("accuracy_of_sets").get<double>(), told.at("accuracy").get<double>());
  EXPECT_GT(told.at("proposition_1").at("classes").get<double>(), 0.0);
  std::ifstream lines(csv);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line,
            "id,label,prediction,precision,mean_variance,probability,lower,upper,size,covered,"
            "classes");
  std::int64_t items = 0;
  std::int64_t sizes = 0;
  while (std::getline(lines, line)) {
    std::vector<std::string> fields;
    std::stringstream row(line);
    for (std::string field; std::getline(row, field, ',');) {
      fields.push_back(field);
    }
    ASSERT_EQ(fields.size(), 11U) << line;
    EXPECT_LE(std::stod(fields[6]), std::stod(fields[5]));
    EXPECT_LE(std::stod(fields[5]), std::stod(fields[7]));
    sizes += std::stoll(fields[8]);
    ++items;
  }
  EXPECT_EQ(items, 500);
  EXPECT_NEAR(told.at("mean_size").get<double>(), static_cast<double>(sizes) / 500.0, 1e-12);

  const std::string text = Workshop::ok({"dirichlet", run}).out;
  EXPECT_THAT(text, HasSubstr("proposition 1 holds"));
  const auto refused = cli({"dirichlet", Workshop::get().evaluated});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("laplace"));

  // The gauge of the same run is one of its metrics.
  const json metrics = json::parse(Workshop::ok({"evaluate", run, "--json"}).out);
  EXPECT_EQ(metrics.at("gauge").at("bridge").at("n"), 500);
  EXPECT_LE(metrics.at("gauge").at("probit").at("mean").get<double>(),
            metrics.at("gauge").at("probit").at("max").get<double>());
}

TEST(CliTune, TheTemperatureComesAfterWhateverMadeTheRun) {
  const Workshop& made = Workshop::get();
  const test::TempDir folder;
  const std::string calibration = folder.file("laplace-calibration.npz");
  const std::string evaluated = folder.file("laplace.npz");
  const std::string posterior = folder.file("posterior.npz");
  Workshop::ok({"predict", made.model, kCalibration, "--method", "laplace", "--fit",
                "synthetic:blobs?n=400&seed=3", "--link", "probit", "--posterior", posterior, "-o",
                calibration});
  Workshop::ok({"predict", made.model, kTest, "--method", "laplace", "--link", "probit",
                "--posterior", posterior, "-o", evaluated});
  const std::string tuned = folder.file("tuned.npz");
  const json report = json::parse(
      Workshop::ok({"tune", evaluated, "--calibration", calibration, "-o", tuned, "--json"}).out);
  EXPECT_EQ(report.at("method"), "tuned");
  EXPECT_EQ(report.at("options").at("of").at("method"), "laplace");
  EXPECT_EQ(report.at("options").at("order"), json::array({"temperature after laplace"}));
  EXPECT_LE(report.at("fitted").at("nll_after").get<double>(),
            report.at("fitted").at("nll_before").get<double>());

  // p^(1/T), normalised, of every item.
  const double temperature = report.at("options").at("temperature").get<double>();
  ASSERT_NE(temperature, 1.0);
  RunContext context;
  const auto before = readRun(evaluated, context);
  const auto after = readRun(tuned, context);
  ASSERT_TRUE(before && after);
  for (std::int64_t i = 0; i < before->itemCount(); ++i) {
    double sum = 0.0;
    for (std::int64_t k = 0; k < before->classCount(); ++k) {
      sum += std::pow(before->prob(i, k), 1.0 / temperature);
    }
    for (std::int64_t k = 0; k < before->classCount(); ++k) {
      EXPECT_NEAR(after->prob(i, k), std::pow(before->prob(i, k), 1.0 / temperature) / sum, 1e-5);
    }
  }
  const json again =
      json::parse(Workshop::ok({"tune", evaluated, "--temperature", std::to_string(temperature),
                                "--link", "probit", "-o", tuned, "--json"})
                      .out);
  EXPECT_EQ(again.at("options").at("temperature_from"), "by hand");
  const auto same = cli({"tune", evaluated, "--link", "probit", "-o", tuned});
  EXPECT_EQ(same.exit_code, 1);
  EXPECT_THAT(same.err, HasSubstr("already has these draws"));

  // Another link comes before the temperature, in both runs; what it could not know is said.
  const json relinked =
      json::parse(Workshop::ok({"tune", evaluated, "--calibration", calibration, "--link",
                                "bridge-centred", "-o", tuned, "--json"})
                      .out);
  EXPECT_EQ(relinked.at("options").at("order"), json::array({"link", "temperature after link"}));
  EXPECT_THAT(relinked.at("notes").dump(), HasSubstr("covariances are not stored"));
  EXPECT_THAT(relinked.at("notes").dump(), HasSubstr("NLL"));
}

TEST(CliTune, RefusesWhatItCannotMean) {
  const Workshop& made = Workshop::get();
  const test::TempDir folder;
  const std::string out = folder.file("tuned.npz");
  const auto same = cli({"tune", made.evaluated, "--calibration", made.evaluated, "-o", out});
  EXPECT_EQ(same.exit_code, 1);
  EXPECT_THAT(same.err, HasSubstr("500 of the 500 items"));
  EXPECT_EQ(cli({"tune", made.evaluated, "--calibration", made.calibration, "--temperature", "2",
                 "-o", out})
                .exit_code,
            2);
  EXPECT_EQ(cli({"tune", made.evaluated, "-o", out}).exit_code, 2);
  EXPECT_EQ(cli({"tune", made.evaluated, "--draws", "5", "--link", "probit", "-o", out}).exit_code,
            2);
  const auto onto_itself =
      cli({"tune", made.evaluated, "--temperature", "2", "-o", made.evaluated});
  EXPECT_EQ(onto_itself.exit_code, 2);
  EXPECT_THAT(onto_itself.err, HasSubstr("another output file"));
  EXPECT_EQ(cli({"tune", made.evaluated, "--temperature", "0", "-o", out}).exit_code, 1);
  EXPECT_EQ(cli({"tune", made.evaluated, "--draws", "5", "-o", out}).exit_code, 1);
  EXPECT_EQ(cli({"tune", made.evaluated, "--link", "probit", "-o", out}).exit_code, 1);
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace dubito
