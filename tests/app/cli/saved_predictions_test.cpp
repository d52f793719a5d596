// SPDX-License-Identifier: GPL-3.0-or-later
// Predictions of other programs, through every command that scripts use on them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/array.h"
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

json jsonOf(const std::vector<std::string>& arguments) {
  const test::ProcessResult result = cli(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out, nullptr, /*allow_exceptions=*/false);
}

bool hasNote(const json& report, const std::string& part) {
  const auto& notes = report.at("notes");
  return std::ranges::any_of(notes, [&part](const json& note) {
    return note.get<std::string>().find(part) != std::string::npos;
  });
}

/// The same accuracy and note from evaluate, convert, conformal and review errors.
void expectEverywhere(const std::string& file, double accuracy, const std::string& note,
                      bool has_probs = true) {
  SCOPED_TRACE(file);
  const test::TempDir dir;
  const json direct = jsonOf({"evaluate", file, "--json"});
  EXPECT_NEAR(direct.at("accuracy").get<double>(), accuracy, 1e-12);
  EXPECT_TRUE(hasNote(direct, note)) << direct.at("notes");
  const json converted = jsonOf({"convert", file, "-o", dir.file("run.npz"), "--json"});
  EXPECT_TRUE(hasNote(converted, note)) << converted.at("notes");
  const json again = jsonOf({"evaluate", dir.file("run.npz"), "--json"});
  EXPECT_NEAR(again.at("accuracy").get<double>(), accuracy, 1e-12);
  EXPECT_TRUE(hasNote(again, note)) << again.at("notes");
  if (!has_probs) {
    const auto refused = cli({"review", "errors", file});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.err, HasSubstr("no probabilities"));
    return;
  }
  const json errors = jsonOf({"review", "errors", file, "--json"});
  EXPECT_TRUE(hasNote(errors, note)) << errors.at("notes");
  const json sets =
      jsonOf({"conformal", file, "--calibration", file, "--allow-same-split", "--json"});
  EXPECT_GE(sets.at("coverage").get<double>(), 0.85);
  EXPECT_TRUE(hasNote(sets, note)) << sets.at("notes");
}

TEST(SavedPredictions, GoThroughEveryCommand) {
  const test::TempDir dir;
  std::string ranked = "target,index_0,index_1,index_2,prob_0,prob_1,prob_2\n";
  std::string confidences = "actual,predicted,confidence\n";
  for (int i = 0; i < 60; ++i) {
    const int predicted = i % 10 == 3 ? (i + 1) % 3 : i % 3;
    ranked += fmt::format("{},{},{},{},{:.3f},0.2,{:.3f}\n", i % 3, predicted, (predicted + 1) % 3,
                          (predicted + 2) % 3, 0.6 + 0.001 * i, 0.2 - 0.001 * i);
    confidences += fmt::format("{},{},{:.3f}\n", i % 3, predicted, 0.6 + 0.001 * i);
  }
  test::writeBytes(dir.path() / "ranked.csv", ranked);
  test::writeBytes(dir.path() / "confidences.csv", confidences);
  expectEverywhere(dir.file("ranked.csv"), 0.9, "sorted by rank");
  expectEverywhere(dir.file("confidences.csv"), 0.9, "confidences but no probabilities", false);
}

TEST(SavedPredictions, OfOtherItemsUnderTheSameIdsAreNotJoined) {
  const test::TempDir dir;

  const auto write = [&](const char* name, bool reversed, const std::vector<std::string>& names) {
    Array<float> probs = Array<float>::zeros({30, 3});
    std::vector<std::int64_t> labels;
    for (std::int64_t i = 0; i < 30; ++i) {
      const std::int64_t item = reversed ? 29 - i : i;
      labels.push_back(item % 3);
      for (std::size_t k = 0; k < 3; ++k) {
        probs.mutableRow(i)[k] = static_cast<std::size_t>(item % 3) == k ? 0.5F : 0.25F;
      }
    }
    std::string text = names.empty() ? "label,prob_0,prob_1,prob_2\n"
                                     : fmt::format("label,prob_{},prob_{},prob_{}\n", names[0],
                                                   names[1], names[2]);
    for (std::int64_t i = 0; i < 30; ++i) {
      text += fmt::format("{},{},{},{}\n", labels[static_cast<std::size_t>(i)], probs.row(i)[0],
                          probs.row(i)[1], probs.row(i)[2]);
    }
    test::writeBytes(dir.path() / name, text);
    return dir.file(name);
  };
  const std::string one = write("one.csv", false, {});
  const std::string other = write("other.csv", true, {});
  EXPECT_EQ(cli({"review", "queue", one, "--by", "disagreement", "--other", one}).exit_code, 0);
  const auto refused = cli({"review", "queue", one, "--by", "disagreement", "--other", other});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("other.csv: item 0 has the label 2, not 0, unlike "));
  const std::string cats = write("cats.csv", false, {"cat", "dog", "owl"});
  const std::string owls = write("owls.csv", true, {"owl", "dog", "cat"});
  const auto conformal = cli({"conformal", cats, "--calibration", owls, "--allow-same-split"});
  EXPECT_EQ(conformal.exit_code, 1);
  EXPECT_THAT(conformal.err, HasSubstr("has other class names"));
  const auto tuned =
      cli({"tune", cats, "--calibration", owls, "--allow-same-split", "-o", dir.file("t.npz")});
  EXPECT_EQ(tuned.exit_code, 1);
  EXPECT_THAT(tuned.err, HasSubstr("has other class names"));
}

TEST(SavedPredictions, SharedCasesGoThroughEveryCommand) {
  DUBITO_NEEDS_SHARED();
  const std::filesystem::path folder = *test::sharedDir() / "cases" / "predictions";
  if (!std::filesystem::is_directory(folder)) {
    GTEST_SKIP() << "no cases in " << folder;
  }
  const auto check = [&](const char* file, double accuracy, const char* note, bool probs = true) {
    expectEverywhere((folder / file).string(), accuracy, note, probs);
  };
  check("p42.csv", 0.91, "sorted by rank");
  check("p40.npz", 0.765, "of the predicted class");
  check("p50.npz", 0.765, "classes 0 and 1");
  check("p49.csv", 0.91, "owl = 2", false);
  check("v_fold_num.csv", 0.91, "fold");
  check("p5.npz", 0.755, "imprecise");
  check("p25.npz", 0.91, "per cent");
  check("p9.npz", 0.9, "transposed");
  const auto queue = cli({"review", "queue", (folder / "ens_same.npz").string(), "--by",
                          "disagreement", "--other", (folder / "ens_shuf.npz").string()});
  EXPECT_EQ(queue.exit_code, 1);
  EXPECT_THAT(queue.err, HasSubstr("has the label"));
}

}  // namespace
}  // namespace dubito
