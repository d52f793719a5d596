// SPDX-License-Identifier: GPL-3.0-or-later
// Several processes that share one prediction, as mpirun starts them: their run is that of one.
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/laplace/posterior/posterior_file.h"
#include "tests/app/cli/long_run_fixture.h"
#include "tests/app/cli/same_run.h"
#include "tests/support/matchers.h"
#include "tests/support/sanitized.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using test::LongRun;
using test::ProcessResult;
using test::readWholeRun;
using test::runProcess;

class Ranks : public LongRun {
 protected:
  static std::vector<std::string> onRanks(int size, const std::vector<std::string>& command) {
    std::vector<std::string> launched{"/usr/bin/env", "OMPI_ALLOW_RUN_AS_ROOT=1",
                                      "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"};
    if (test::kSanitized) {
      // Open MPI keeps memory in plug-ins that are gone, without a name, when leaks are counted.
      launched.emplace_back("ASAN_OPTIONS=detect_leaks=0");
    }
    launched.insert(launched.end(), {"mpirun", "--oversubscribe", "-n", std::to_string(size)});
    launched.insert(launched.end(), command.begin(), command.end());
    return launched;
  }
};

/// Not a multiple of the batch (100), so that the last share ends in a part of one.
constexpr const char* kItems = "synthetic:blobs?n=1730&seed=4&blobs=200";

TEST_F(Ranks, TwoAndThreeEqualOne) {
  ASSERT_EQ(runProcess(predictCommand(output_, {}, kItems)).exit_code, 0);
  const dubito::Run expected = readWholeRun(output_);
  for (const int size : {2, 3}) {
    const std::string shared = folder_.file("shared" + std::to_string(size) + ".npz");
    const ProcessResult result = runProcess(onRanks(size, predictCommand(shared, {}, kItems)));
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const dubito::Run run = readWholeRun(shared);
    test::expectSameRun(run, expected);
    EXPECT_TRUE(std::ranges::any_of(textsOf(run.meta.notes), [&](const std::string& note) {
      return note.starts_with("Computed by " + std::to_string(size) + " processes");
    }));
    EXPECT_FALSE(fs::exists(shared + ".parts"));
    // One of them speaks.
    EXPECT_EQ(result.out.find("shared"), result.out.rfind("shared")) << result.out;
  }
}

TEST_F(Ranks, WhatFailsInAllIsSaidOnce) {
  auto command = predictCommand(output_, {}, "npz:" + folder_.file("none.npz"));
  const ProcessResult result = runProcess(onRanks(2, command));
  EXPECT_EQ(result.exit_code, 1);
  const std::string words = "none.npz";
  EXPECT_THAT(result.err, HasSubstr(words));
  EXPECT_EQ(result.err.find("dubito-cli: "), result.err.rfind("dubito-cli: ")) << result.err;
  EXPECT_FALSE(fs::exists(output_));
}

/// The processes that `parent` started.
std::vector<pid_t> childrenOf(pid_t parent) {
  const fs::path list =
      fs::path("/proc") / std::to_string(parent) / "task" / std::to_string(parent) / "children";
  std::ifstream file(list);
  std::vector<pid_t> children;
  for (pid_t child = 0; file >> child;) {
    children.push_back(child);
  }
  return children;
}

TEST_F(Ranks, ADeadOneEndsTheJobAndLeavesWhatIsDone) {
  bool sent = false;
  const ProcessResult result =
      test::watchProcess(onRanks(2, predictCommand(output_)), [&](pid_t launcher) {
        const auto children = childrenOf(launcher);
        if (!sent && partsOf(output_).size() >= 3 && children.size() == 2) {
          kill(children[1], SIGKILL);
          sent = true;
        }
      });
  ASSERT_TRUE(sent);
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("rank 1"));
  EXPECT_FALSE(fs::exists(output_));
  EXPECT_GE(partsOf(output_).size(), 3U);
  const ProcessResult resumed = runProcess(onRanks(3, predictCommand(output_, {"--resume"})));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_THAT(resumed.out, HasSubstr("items already computed"));
  const std::string whole = folder_.file("whole.npz");
  ASSERT_EQ(runProcess(predictCommand(whole)).exit_code, 0);
  test::expectSameRun(readWholeRun(output_), readWholeRun(whole));
}

/// The factors are sums over items, so that they can be shared; the predictions follow.
TEST_F(Ranks, APosteriorOfTwoAndThreeIsThatOfOne) {
  const std::vector<std::vector<std::string>> kinds = {{"--layers", "last"},
                                                       {"--layers", "all", "--structure", "diag"}};
  for (const auto& kind : kinds) {
    const auto command = [&](const std::string& name) {
      std::vector<std::string> fit{DUBITO_CLI, "laplace", model(),       "--fit",
                                   kItems,     "--batch", "100",         "--threads",
                                   "1",        "--json",  "--posterior", folder_.file(name)};
      fit.insert(fit.end(), kind.begin(), kind.end());
      return fit;
    };
    const ProcessResult one = runProcess(command(kind[1] + "1.npz"));
    ASSERT_EQ(one.exit_code, 0) << one.err;
    const auto expected = nlohmann::json::parse(one.out);
    const auto posterior = readPosterior(folder_.file(kind[1] + "1.npz"));
    ASSERT_TRUE(posterior);
    for (const int size : {2, 3}) {
      const std::string name = kind[1] + std::to_string(size) + ".npz";
      const ProcessResult result = runProcess(onRanks(size, command(name)));
      ASSERT_EQ(result.exit_code, 0) << result.err;
      const auto object = nlohmann::json::parse(result.out);
      EXPECT_EQ(object.at("fit_hash"), expected.at("fit_hash"));
      EXPECT_EQ(object.at("items"), 1730);
      for (const char* const key : {"log_evidence", "tau"}) {
        const auto wanted = expected.at(key).get<double>();
        EXPECT_NEAR(object.at(key).get<double>(), wanted, 1e-8 * std::abs(wanted)) << key;
      }
      const auto shared = readPosterior(folder_.file(name));
      ASSERT_OK(shared);
      EXPECT_TRUE(std::ranges::equal(shared->origin.ids.values(), posterior->origin.ids.values()));
      const LaplaceScale scale{1730.0, 0.5};
      const double wanted = logDetPrecision(posterior->posterior, scale);
      EXPECT_NEAR(logDetPrecision(shared->posterior, scale), wanted, 1e-10 * std::abs(wanted));
    }
  }
}

/// Linearising needs passes back and forth, in groups of items that do not depend on where a
/// process begins.
TEST_F(Ranks, ALinearisedPredictionOfTwoAndThreeIsThatOfOne) {
  const std::string posterior = folder_.file("posterior.npz");
  const ProcessResult fitted =
      runProcess({DUBITO_CLI, "laplace", model(), "--fit", kItems, "--layers", "all", "--threads",
                  "1", "--posterior", posterior});
  ASSERT_EQ(fitted.exit_code, 0) << fitted.err;
  const auto command = [&](const std::string& output) {
    return std::vector<std::string>{
        DUBITO_CLI,    "predict", model(),     "synthetic:blobs?n=330&seed=5&blobs=200",
        "--method",    "laplace", "--layers",  "all",
        "--posterior", posterior, "--threads", "1",
        "--batch",     "100",     "--tau",     "1",
        "--gauge",     "0",       "-o",        output};
  };
  ASSERT_EQ(runProcess(command(output_)).exit_code, 0);
  const dubito::Run expected = readWholeRun(output_);
  for (const int size : {2, 3}) {
    const std::string shared = folder_.file("linearised" + std::to_string(size) + ".npz");
    const ProcessResult result = runProcess(onRanks(size, command(shared)));
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const dubito::Run run = readWholeRun(shared);
    EXPECT_TRUE(test::same(run.ids, expected.ids));
    EXPECT_TRUE(test::same(*run.logit_mean, *expected.logit_mean));
    EXPECT_TRUE(test::same(*run.logit_var, *expected.logit_var));
    EXPECT_TRUE(
        test::same(std::get<Array<float>>(*run.probs), std::get<Array<float>>(*expected.probs)));
  }
}

/// Each member is shared; the first process joins them.
TEST_F(Ranks, AnEnsembleOfTwoAndThreeIsThatOfOne) {
  const std::string other = folder_.file("other.pt");
  const ProcessResult trained =
      runProcess({DUBITO_CLI, "train", "mlp", "synthetic:blobs?n=400&seed=3&blobs=200", "-o", other,
                  "--epochs", "1", "--width", "0.2", "--threads", "1", "--seed", "2"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const std::string third = folder_.file("third.npz");
  ASSERT_EQ(runProcess(predictCommand(third, {}, kItems)).exit_code, 0);
  const auto command = [&](const std::string& output) {
    return std::vector<std::string>{
        DUBITO_CLI, "predict", model(),   kItems, "--method",  "ensemble", "--member", other,
        "--member", third,     "--batch", "100",  "--threads", "1",        "-o",       output};
  };
  ASSERT_EQ(runProcess(command(output_)).exit_code, 0);
  const dubito::Run expected = readWholeRun(output_);
  for (const int size : {2, 3}) {
    const std::string shared = folder_.file("ensemble" + std::to_string(size) + ".npz");
    const ProcessResult result = runProcess(onRanks(size, command(shared)));
    ASSERT_EQ(result.exit_code, 0) << result.err;
    test::expectSameRun(readWholeRun(shared), expected);
    EXPECT_FALSE(fs::exists(shared + ".members"));
    EXPECT_EQ(result.out.find("ensemble on"), result.out.rfind("ensemble on")) << result.out;
  }
}

TEST_F(Ranks, AnEnsembleFailsInAllProcesses) {
  const ProcessResult twice =
      runProcess(onRanks(2, {DUBITO_CLI, "predict", model(), kItems, "--method", "ensemble",
                             "--member", model(), "-o", output_}));
  EXPECT_EQ(twice.exit_code, 1);
  const std::string words = "same network as";
  EXPECT_THAT(twice.err, HasSubstr(words));
  EXPECT_EQ(twice.err.find(words), twice.err.rfind(words)) << twice.err;
  EXPECT_FALSE(fs::exists(output_));
}

/// Each process trains some of the members; the first one reports all.
TEST_F(Ranks, TheMembersOfAnEnsembleOfTwoAreThoseOfOne) {
  const auto command = [&](const std::string& output) {
    return std::vector<std::string>{
        DUBITO_CLI,  "train", "mlp",       "synthetic:blobs?n=400&seed=3",
        "-o",        output,  "--epochs",  "2",
        "--width",   "0.2",   "--threads", "1",
        "--members", "3",     "--seed",    "4"};
  };
  fs::create_directory(folder_.file("one"));
  fs::create_directory(folder_.file("two"));
  ASSERT_EQ(runProcess(command(folder_.file("one/m.pt"))).exit_code, 0);
  auto shared = command(folder_.file("two/m.pt"));
  shared.emplace_back("--json");
  ProcessResult result = runProcess(onRanks(2, shared));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto members = nlohmann::json::parse(result.out).at("members");
  ASSERT_EQ(members.size(), 3U);
  for (int member = 1; member <= 3; ++member) {
    const std::string name = "m-" + std::to_string(member) + ".pt";
    EXPECT_EQ(members[static_cast<std::size_t>(member - 1)].at("member"), member);
    EXPECT_EQ(test::readBytes(folder_.file("two/" + name)),
              test::readBytes(folder_.file("one/" + name)));
  }
  // Finished ones are kept by any number of processes.
  result = runProcess(onRanks(3, shared));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const auto& member : nlohmann::json::parse(result.out).at("members")) {
    EXPECT_EQ(member.at("was_trained"), true);
  }
}

TEST_F(Ranks, OneNetworkIsNotTrainedByTwo) {
  const ProcessResult result = runProcess(
      onRanks(2, {DUBITO_CLI, "train", "mlp", "synthetic:blobs?n=400&seed=3", "-o", output_}));
  EXPECT_EQ(result.exit_code, 2);
  const std::string words = "--members";
  EXPECT_THAT(result.err, HasSubstr(words));
  EXPECT_EQ(result.err.find(words), result.err.rfind(words)) << result.err;
}

TEST_F(Ranks, ACommandThatSharesNothingIsRefused) {
  const ProcessResult result = runProcess(onRanks(2, {DUBITO_CLI, "inspect", model()}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("inspect"));
  EXPECT_THAT(result.err, HasSubstr("without mpirun"));
}

}  // namespace
}  // namespace dubito
