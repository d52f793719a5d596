// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of review, as scripts use them.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/io/npy.h"
#include "core/io/run_file.h"
#include "core/review/simulate.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using nlohmann::json;
using Ids = std::vector<std::int64_t>;

test::ProcessResult cli(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), DUBITO_CLI);
  return test::runProcess(arguments);
}

test::ProcessResult ok(const std::vector<std::string>& arguments) {
  auto result = cli(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result;
}

/// Runs with draws and wrong labels, made once for this file.
struct ReviewFiles {
  test::TempDir folder;
  dubito::Run run = test::randomRun(400, 4, 3.0, 1, true, true);
  std::string run_file = folder.file("run.npz");
  std::string other_file = folder.file("other.npz");
  std::string plain_file = folder.file("plain.npz");
  std::string truth_file = folder.file("truth.npy");

  ReviewFiles() {
    RunContext context;
    EXPECT_OK(writeNpy(truth_file, run.labels));
    run.labels = flipLabels(run, "run", 0.05, LabelFlip::kRandom, 1).value();
    run.meta.role = "test";
    run.meta.class_names = {"cat", "dog", "fox", "owl"};
    EXPECT_OK(writeRun(run, run_file, context));
    dubito::Run other = test::randomRun(400, 4, 3.0, 2, true, false);
    other.labels = run.labels;  // the same items
    EXPECT_OK(writeRun(other, other_file, context));
    EXPECT_OK(writeRun(test::randomRun(30, 4, 3.0, 3, false, false), plain_file, context));
  }

  static const ReviewFiles& get() {
    static const ReviewFiles files;
    return files;
  }
};

Ids idsOf(const json& queue) {
  Ids ids;
  for (const json& item : queue.at("queue")) {
    ids.push_back(item.at("id").get<std::int64_t>());
  }
  return ids;
}

TEST(CliReviewQueue, ListsItemsWithScoreSuggestionAndLabel) {
  const ReviewFiles& files = ReviewFiles::get();
  const json queue =
      json::parse(ok({"review", "queue", files.run_file, "--by", "entropy", "--json", "-"}).out);
  EXPECT_EQ(queue.at("by"), "entropy");
  EXPECT_EQ(queue.at("name"), "unsure first");
  EXPECT_EQ(queue.at("why"),
            "The network hesitates between classes; the most uncertain come first.");
  EXPECT_EQ(queue.at("length"), 400);
  EXPECT_EQ(queue.at("items"), 400);
  ASSERT_EQ(queue.at("queue").size(), 400U);
  double previous = 10.0;
  for (const json& item : queue.at("queue")) {
    const std::int64_t row = item.at("id").get<std::int64_t>() - 100;
    EXPECT_EQ(item.at("score"), files.run.entropy->data()[row]);
    EXPECT_EQ(item.at("suggested"), files.run.predictions.data()[row]);
    EXPECT_EQ(item.at("given"), files.run.labels.data()[row]);
    EXPECT_LE(item.at("score").get<double>(), previous);
    previous = item.at("score").get<double>();
  }
  const json limited = json::parse(
      ok({"review", "queue", files.run_file, "--by", "entropy", "--limit", "5", "--json"}).out);
  const Ids all = idsOf(queue);
  EXPECT_EQ(idsOf(limited), Ids(all.begin(), all.begin() + 5));
  EXPECT_EQ(limited.at("beyond_limit"), 395);
}

TEST(CliReviewQueue, BuildsEveryKindThatTheRunAllows) {
  const ReviewFiles& files = ReviewFiles::get();
  for (const char* const by : {"confidence", "margin", "bald", "label-errors", "self-confidence",
                               "label-margin", "random"}) {
    const json queue = json::parse(
        ok({"review", "queue", files.run_file, "--by", by, "--limit", "9", "--json", "-"}).out);
    EXPECT_EQ(queue.at("queue").size(), 9U) << by;
  }
  const json differing =
      json::parse(ok({"review", "queue", files.run_file, "--by", "disagreement", "--other",
                      files.other_file, "--limit", "3", "--json", "-"})
                      .out);
  EXPECT_EQ(differing.at("other").at("path"), files.other_file);
  const json few = json::parse(ok({"review", "queue", files.run_file, "--by", "disagreement",
                                   "--other", files.plain_file, "--json", "-"})
                                   .out);
  EXPECT_EQ(few.at("length"), 30);
  EXPECT_EQ(few.at("without_score"), 370);
  const std::string features = files.folder.file("features.npy");
  ASSERT_OK(writeNpy(features, Array<float>::fromVector({400, 1}, std::vector<float>(400, 1.0F))));
  const json varied = json::parse(ok({"review", "queue", files.run_file, "--by", "varied",
                                      "--features", features, "--json", "-"})
                                      .out);
  EXPECT_EQ(varied.at("length"), 400);
  const auto seed = [&](const char* number) {
    return idsOf(json::parse(
        ok({"review", "queue", files.run_file, "--by", "random", "--seed", number, "--json", "-"})
            .out));
  };
  EXPECT_EQ(seed("3"), seed("3"));
  EXPECT_NE(seed("3"), seed("4"));
}

TEST(CliReviewQueue, WritesTextAndTable) {
  const ReviewFiles& files = ReviewFiles::get();
  const std::string csv = files.folder.file("queue.csv");
  const std::string text =
      ok({"review", "queue", files.run_file, "--by", "self-confidence", "--csv", csv}).out;
  EXPECT_THAT(text, HasSubstr("improbable labels first (self-confidence)"));
  EXPECT_THAT(text, HasSubstr("The network gives the given label a low probability"));
  EXPECT_THAT(text, HasSubstr("400 of 400 items"));
  EXPECT_THAT(text, HasSubstr("... and 380 more"));
  EXPECT_THAT(text, HasSubstr("fox"));
  std::ifstream lines(csv);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "place,id,score,suggested,given");
  int count = 0;
  while (std::getline(lines, line)) {
    EXPECT_EQ(std::ranges::count(line, ','), 4) << line;
    EXPECT_TRUE(line.starts_with(std::to_string(++count) + ",")) << line;
  }
  EXPECT_EQ(count, 400);
}

TEST(CliReviewQueue, RefusesWhatMakesNoSense) {
  const ReviewFiles& files = ReviewFiles::get();
  const auto refused = [&](std::vector<std::string> more, int code) {
    std::vector<std::string> arguments = {"review", "queue"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto result = cli(arguments);
    EXPECT_EQ(result.exit_code, code) << result.err;
    return result.err;
  };
  EXPECT_THAT(refused({files.run_file, "--by", "luck"}, 2), HasSubstr("luck"));
  EXPECT_THAT(refused({files.run_file, "--by", "disagreement"}, 2), HasSubstr("--other RUN"));
  EXPECT_THAT(refused({files.run_file, "--by", "varied"}, 2), HasSubstr("--features"));
  EXPECT_THAT(refused({files.run_file, "--other", files.other_file}, 2),
              HasSubstr("it requires --by disagreement"));
  EXPECT_THAT(refused({files.run_file, "--rule", "both"}, 2),
              HasSubstr("it requires --by label-errors"));
  EXPECT_THAT(refused({files.run_file, "--seed", "2"}, 2), HasSubstr("it requires --by random"));
  EXPECT_THAT(refused({files.run_file, "--by", "label-errors", "--rule", "x"}, 2),
              HasSubstr("prune-by-class"));
  EXPECT_THAT(refused({files.run_file, "--limit", "-1"}, 2), HasSubstr("limit"));
  EXPECT_THAT(refused({files.plain_file, "--by", "bald"}, 1), HasSubstr("needs draws"));
  EXPECT_THAT(refused({files.plain_file, "--by", "label-errors"}, 1), HasSubstr("has a label"));
  EXPECT_THAT(refused({files.folder.file("none.npz")}, 1), HasSubstr("none.npz"));
  const std::string features = files.folder.file("short.npy");
  ASSERT_OK(writeNpy(features, Array<float>::zeros({3, 2})));
  EXPECT_THAT(refused({files.run_file, "--by", "varied", "--features", features}, 1),
              HasSubstr("has the shape (3, 2)"));
  EXPECT_EQ(cli({"review"}).exit_code, 2);
  EXPECT_EQ(cli({"review", "nothing"}).exit_code, 2);
  EXPECT_THAT(ok({"review", "--help"}).out, HasSubstr("simulate"));
  EXPECT_THAT(ok({"review", "queue", "--help"}).out, HasSubstr("least confident first"));
}

TEST(CliReviewErrors, ReportsTheReferenceVectors) {
  const json vectors = test::readVectors("review").at("label_errors");
  const test::TempDir folder;
  std::vector<double> probs;
  for (const json& row : vectors.at("probs")) {
    for (const json& prob : row) {
      probs.push_back(prob.get<double>());
    }
  }
  ASSERT_OK(writeNpy(folder.file("probs.npy"), Array<double>::fromVector({240, 5}, probs)));
  ASSERT_OK(writeNpy(folder.file("labels.npy"),
                     Array<std::int64_t>::fromVector(vectors.at("given").get<Ids>())));
  const std::string run = folder.file("probs.npy") + "," + folder.file("labels.npy");
  const json errors = json::parse(ok({"review", "errors", run, "--json", "-"}).out);
  EXPECT_EQ(errors.at("issues"), vectors.at("issues_prune_by_noise_rate"));
  EXPECT_EQ(errors.at("confident_joint"), vectors.at("confident_joint_uncalibrated"));
  EXPECT_EQ(errors.at("num_label_issues"), vectors.at("num_label_issues"));
  EXPECT_EQ(errors.at("rule"), "prune-by-noise-rate");
  EXPECT_EQ(errors.at("n"), 240);
  EXPECT_EQ(errors.at("left_out"), 0);
  EXPECT_EQ(errors.at("ids").size(), 240U);
  EXPECT_EQ(errors.at("trained_on_items"), false);
  EXPECT_THAT(errors.at("notes").dump(), HasSubstr("does not say whether the network was trained"));
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(errors.at("thresholds")[k].get<double>(), vectors.at("thresholds")[k].get<double>(),
                1e-12);
    for (std::size_t l = 0; l < 5; ++l) {
      EXPECT_NEAR(errors.at("joint")[k][l].get<double>(), vectors.at("joint")[k][l].get<double>(),
                  1e-14);
    }
  }
  for (std::size_t i = 0; i < 240; ++i) {
    EXPECT_NEAR(errors.at("self_confidence")[i].get<double>(),
                vectors.at("self_confidence")[i].get<double>(), 1e-12);
    EXPECT_NEAR(errors.at("normalized_margin")[i].get<double>(),
                vectors.at("normalized_margin")[i].get<double>(), 1e-12);
  }
  const std::string csv = folder.file("items.csv");
  for (const auto& [rule, key] : {std::pair("prune-by-class", "issues_prune_by_class"),
                                  {"both", "issues_both"},
                                  {"confident-learning", "issues_confident_learning"},
                                  {"predicted-neq-given", "issues_predicted_neq_given"}}) {
    EXPECT_EQ(
        json::parse(ok({"review", "errors", run, "--rule", rule, "--csv", csv, "--json", "-"}).out)
            .at("issues"),
        vectors.at(key));
  }
  std::ifstream lines(csv);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "id,given,suggested,self_confidence,normalized_margin,suspected");
  std::size_t suspected = 0;
  while (std::getline(lines, line)) {
    suspected += line.ends_with(",1") ? 1U : 0U;
  }
  EXPECT_EQ(suspected, vectors.at("issues_predicted_neq_given").size());
  const std::string text = ok({"review", "errors", run}).out;
  EXPECT_THAT(text, HasSubstr("51 of 240 labels are suspected (prune-by-noise-rate); about 37"));
  EXPECT_THAT(text, HasSubstr("given "));
}

TEST(CliReviewErrors, RefusesWhatMakesNoSense) {
  const ReviewFiles& files = ReviewFiles::get();
  EXPECT_EQ(cli({"review", "errors", files.run_file, "--rule", "guess"}).exit_code, 2);
  EXPECT_EQ(cli({"review", "errors"}).exit_code, 2);
  const auto plain = cli({"review", "errors", files.plain_file});
  EXPECT_EQ(plain.exit_code, 1);
  EXPECT_THAT(plain.err, HasSubstr("has a label"));
}

TEST(CliReviewSimulate, CountsFoundErrorsNextToRandomOrder) {
  const ReviewFiles& files = ReviewFiles::get();
  const json result =
      json::parse(ok({"review", "simulate", files.run_file, "--truth", files.truth_file, "--by",
                      "label-errors", "--shares", "0.05,0.1,1", "--json", "-"})
                      .out);
  EXPECT_EQ(result.at("n"), 400);
  EXPECT_EQ(result.at("errors"), 20);
  EXPECT_EQ(result.at("reviewed"), json::array({20, 40, 400}));
  const auto found = result.at("found").get<Ids>();
  const auto random = result.at("random").at("found").get<Ids>();
  EXPECT_EQ(found.back(), 20);
  EXPECT_EQ(random.back(), 20);
  EXPECT_GT(found[1], 2 * random[1]);
  EXPECT_NEAR(result.at("random").at("expected")[1].get<double>(), 2.0, 1e-12);
  const std::string text = ok({"review", "simulate", files.run_file, "--truth", files.truth_file,
                               "--by", "self-confidence"})
                               .out;
  EXPECT_THAT(text, HasSubstr("20 of 400 given labels are wrong"));
  EXPECT_THAT(text, HasSubstr("7.5 %"));

  const auto missing = cli({"review", "simulate", files.run_file});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, HasSubstr("--truth"));
  EXPECT_EQ(
      cli({"review", "simulate", files.run_file, "--truth", files.truth_file, "--shares", "0.5,2"})
          .exit_code,
      2);
  const auto foreign = cli({"review", "simulate", files.plain_file, "--truth", files.truth_file});
  EXPECT_EQ(foreign.exit_code, 1);
  EXPECT_THAT(foreign.err, HasSubstr("has 400 labels for 30 items"));
}

}  // namespace
}  // namespace dubito
