// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/uci/uci_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/splitmix64.h"
#include "core/labs/uci/uci_table.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

constexpr UciOptions kQuick{.draws = 30, .validation_draws = 10, .epochs = 2};

class UciRun : public ::testing::Test {
 protected:
  [[nodiscard]] UciPlan plan(const std::string& name, std::vector<std::string> methods = {
                                                          "mc-dropout-1x", "laplace"}) const {
    return {.data_folder = (*test::sharedDir() / "datasets" / "uci").string(),
            .result_folder = folder_.file(name),
            .sets = {"yacht"},
            .methods = std::move(methods),
            .splits = 3};
  }
  /// All results of a folder without the seconds.
  [[nodiscard]] nlohmann::json contents(const std::string& name) const {
    nlohmann::json all = nlohmann::json::array();
    const auto results = readUciResults(folder_.file(name));
    EXPECT_OK(results);
    for (const UciResult& result : *results) {
      all.push_back(uciResultToJson(result));
      all.back().erase("seconds");
    }
    return all;
  }
  [[nodiscard]] std::set<std::string> fileNames(const std::string& name) const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.file(name))) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }

  test::TempDir folder_;
};

TEST_F(UciRun, ChoosesOnTheValidationItemsAndTrainsAgainOnAll) {
  DUBITO_NEEDS_SHARED();
  const auto data =
      readUciData(*findUciSet("yacht"), (*test::sharedDir() / "datasets" / "uci").string());
  ASSERT_OK(data);
  const UciMethodInfo& method = *findUciMethod("mc-dropout-1x");
  const RunContext context;
  const std::uint64_t seed = 4;
  const auto result = runUciSplit(*data, method, 2, kQuick, seed, context);
  ASSERT_OK(result);
  // The same by hand.
  const UciRows rows = uciSplit(*data, 2);
  const auto inner = uciProblem(*data, uciValidationSplit(rows.train, seed, 2));
  const auto outer = uciProblem(*data, rows);
  const auto fitSeed = [&](std::uint64_t fit) {
    return splitmix64(splitmix64(seed) + 2 * 64 + fit);
  };
  double best = -1e300;
  UciChoice choice;
  std::uint64_t number = 0;
  for (const UciChoice& candidate : method.candidates(*data->set)) {
    const auto score = evaluateMcDropout(
        {*data->set, *inner, candidate, 2, kQuick.validation_draws, fitSeed(number++), context});
    ASSERT_OK(score);
    if (score->log_likelihood > best) {
      best = score->log_likelihood;
      choice = candidate;
    }
  }
  const auto final =
      evaluateMcDropout({*data->set, *outer, choice, 2, kQuick.draws, fitSeed(63), context});
  ASSERT_OK(final);
  EXPECT_EQ(result->choice, choice);
  EXPECT_EQ(result->validation_log_likelihood, best);
  EXPECT_EQ(result->test.rmse, final->rmse);
  EXPECT_EQ(result->test.log_likelihood, final->log_likelihood);
}

TEST_F(UciRun, ThreadsAndPartsGiveTheSameResults) {
  DUBITO_NEEDS_SHARED();
  RunContext one;
  const auto computed = runUci(plan("one"), kQuick, one);
  ASSERT_OK(computed);
  EXPECT_EQ(*computed, 6);
  RunContext many;
  many.threads = 4;
  ASSERT_OK(runUci(plan("many"), kQuick, many));
  EXPECT_EQ(contents("many"), contents("one"));
  for (const std::int64_t part : {1, 0, 2, 3}) {
    UciPlan shared = plan("parts");
    shared.part = part;
    shared.parts = 4;
    const auto share = runUci(shared, kQuick, one);
    ASSERT_OK(share);
    EXPECT_EQ(*share, part < 2 ? 2 : 1);
  }
  EXPECT_EQ(contents("parts"), contents("one"));
}

TEST_F(UciRun, ResumingGivesTheSameTable) {
  DUBITO_NEEDS_SHARED();
  RunContext context;
  ASSERT_OK(runUci(plan("whole"), kQuick, context));
  ASSERT_OK(runUci(plan("resumed"), kQuick, context));
  for (const char* const lost : {"yacht.laplace.01.json", "yacht.mc-dropout-1x.00.json"}) {
    ASSERT_TRUE(std::filesystem::remove(folder_.file("resumed/") + lost));
  }
  UciPlan again = plan("resumed");
  again.resume = true;
  const auto computed = runUci(again, kQuick, context);
  ASSERT_OK(computed);
  EXPECT_EQ(*computed, 2);
  EXPECT_EQ(contents("resumed"), contents("whole"));
  EXPECT_EQ(uciTableToJson(uciTable(*readUciResults(folder_.file("resumed")))),
            uciTableToJson(uciTable(*readUciResults(folder_.file("whole")))));
}

TEST_F(UciRun, KeepsResultsOnlyIfAskedAndOnlyOfTheSameProtocol) {
  DUBITO_NEEDS_SHARED();
  RunContext context;
  ASSERT_OK(runUci(plan("a"), kQuick, context));
  const auto refused = runUci(plan("a"), kQuick, context);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("exists; keep it and continue, or use another"));
  EXPECT_EQ(refused.error().remedy.settings, std::vector{setting("resume")});
  UciPlan again = plan("a");
  again.resume = true;
  UciOptions other = kQuick;
  other.draws = 31;
  EXPECT_THAT(runUci(again, other, context).error().message,
              HasSubstr("was computed with other options or another seed"));
  context.seed = 1;
  EXPECT_THAT(runUci(again, kQuick, context).error().message,
              HasSubstr("was computed with other options or another seed"));
  context.seed = 0;
  test::writeBytes(folder_.file("a/yacht.laplace.02.json"), "{\"set\": \"ya");
  EXPECT_THAT(runUci(again, kQuick, context).error().message,
              HasSubstr("yacht.laplace.02.json: is not JSON, or is incomplete; delete it"));
}

TEST_F(UciRun, CancellingLeavesOnlyFinishedFiles) {
  DUBITO_NEEDS_SHARED();
  RunContext context;
  std::int64_t last = 0;
  context.on_progress = [&](const Progress& progress) {
    last = progress.done;
    if (progress.done >= 2) {
      context.control()->requestCancel();
    }
  };
  // Long enough for several reports of progress, of which there are 25 per second.
  UciOptions slower = kQuick;
  slower.epochs = 100;
  UciPlan slow = plan("cancelled", {"mc-dropout-1x"});
  slow.splits = 20;
  const auto computed = runUci(slow, slower, context);
  ASSERT_FALSE(computed) << last;
  EXPECT_EQ(computed.error().code, ErrorCode::kCancelled);
  const std::set<std::string> names = fileNames("cancelled");
  EXPECT_LT(names.size(), 20U);
  EXPECT_GE(names.size(), 2U);
  for (const std::string& name : names) {
    EXPECT_OK(readUciResult(folder_.file("cancelled/") + name));
  }
  RunContext fresh;
  slow.resume = true;
  const auto rest = runUci(slow, slower, fresh);
  ASSERT_OK(rest);
  EXPECT_EQ(*rest + std::ssize(names), 20);
}

TEST_F(UciRun, NamesUnknownKeysAndMissingData) {
  DUBITO_NEEDS_SHARED();
  RunContext context;
  UciPlan wrong = plan("x");
  wrong.sets = {"mnist"};
  EXPECT_THAT(runUci(wrong, kQuick, context).error().message,
              HasSubstr("mnist: there is no such set; use all or one of boston, concrete"));
  wrong = plan("x", {"magic"});
  EXPECT_THAT(runUci(wrong, kQuick, context).error().message,
              HasSubstr("magic: there is no such method; use all or one of mc-dropout-1x"));
  wrong = plan("x");
  wrong.data_folder = folder_.file("nothing");
  EXPECT_EQ(runUci(wrong, kQuick, context).error().code, ErrorCode::kNotFound);
  UciOptions none = kQuick;
  none.draws = 0;
  EXPECT_EQ(runUci(plan("x"), none, context).error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace dubito
