// SPDX-License-Identifier: GPL-3.0-or-later
// Several networks by one command: members, samples, snapshots.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

constexpr const char* kItems = "synthetic:blobs?n=400&seed=3&role=train";

class CliTrainEnsemble : public testing::Test {
 protected:
  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }

  /// A quick training to m.pt.
  [[nodiscard]] std::vector<std::string> command(const std::vector<std::string>& further) const {
    std::vector<std::string> all{DUBITO_CLI, "train", "mlp",       kItems, "-o",     file("m.pt"),
                                 "--width",  "0.2",   "--threads", "1",    "--seed", "5"};
    all.insert(all.end(), further.begin(), further.end());
    return all;
  }
  [[nodiscard]] test::ProcessResult train(const std::vector<std::string>& further) const {
    return test::runProcess(command(further));
  }

  [[nodiscard]] std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }

  test::TempDir folder_;
};

TEST_F(CliTrainEnsemble, MembersAreWhatPredictTakes) {
  const auto trained = train({"--epochs", "2", "--members", "3", "--json"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const auto report = nlohmann::json::parse(trained.out);
  ASSERT_EQ(report.at("members").size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const nlohmann::json& member = report["members"][i];
    EXPECT_EQ(member.at("member"), i + 1);
    EXPECT_EQ(member.at("seed"), 5 + i);
    EXPECT_EQ(member.at("was_trained"), false);
    EXPECT_EQ(member.at("networks").front(), file("m-" + std::to_string(i + 1) + ".pt"));
    EXPECT_EQ(member.at("epochs").size(), 2U);
  }
  EXPECT_EQ(files(), (std::set<std::string>{"m-1.pt", "m-2.pt", "m-3.pt"}));

  const auto again = train({"--epochs", "2", "--members", "3"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("m-2.pt: trained before, 400 items"));
  EXPECT_THAT(again.out, Not(HasSubstr("epoch")));
  const std::string hint = "predict " + file("m-1.pt") + " DATASET --method ensemble --member " +
                           file("m-2.pt") + " --member " + file("m-3.pt");
  EXPECT_THAT(again.out, HasSubstr(hint));

  const auto predicted = test::runProcess(
      {DUBITO_CLI, "predict", file("m-1.pt"), "synthetic:blobs?n=50&seed=4", "--method", "ensemble",
       "--member", file("m-2.pt"), "--member", file("m-3.pt"), "-o", file("run.npz"), "--json"});
  ASSERT_EQ(predicted.exit_code, 0) << predicted.err;
  EXPECT_EQ(nlohmann::json::parse(predicted.out).at("meta").at("method"), "ensemble");
}

TEST_F(CliTrainEnsemble, InterruptedKeepsWhatIsFinishedAndResumes) {
  const std::vector<std::string> options{"--epochs", "150", "--batch", "32", "--members", "3"};
  bool sent = false;
  const auto interrupted = test::watchProcess(command(options), [&](pid_t child) {
    if (!sent && std::filesystem::exists(file("m-1.pt"))) {
      kill(child, SIGINT);
      sent = true;
    }
  });
  ASSERT_EQ(interrupted.exit_code, 130) << interrupted.err;
  ASSERT_EQ(files().count("m-3.pt"), 0U);
  EXPECT_THAT(interrupted.err, HasSubstr("resumes from"));
  const auto written = std::filesystem::last_write_time(file("m-1.pt"));
  const auto resumed = train(options);
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_THAT(resumed.out, HasSubstr("m-1.pt: trained before"));
  EXPECT_THAT(resumed.out, HasSubstr("member 3 of 3, seed 7"));
  EXPECT_EQ(std::filesystem::last_write_time(file("m-1.pt")), written);
  EXPECT_EQ(files(), (std::set<std::string>{"m-1.pt", "m-2.pt", "m-3.pt"}));
}

TEST_F(CliTrainEnsemble, SamplesAndSnapshotsAreListed) {
  auto trained = train({"--epochs", "4", "--swag", "2", "--swa-share", "0.5"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.out, HasSubstr("averaged: weights of 2 epochs"));
  EXPECT_THAT(trained.out,
              HasSubstr("predict " + file("m-1.pt") + " DATASET --method ensemble --member " +
                        file("m-2.pt") + " -o"));
  EXPECT_EQ(files(), (std::set<std::string>{"m.pt", "m-1.pt", "m-2.pt"}));
  trained = train({"--epochs", "4", "--snapshots", "2", "--json"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_EQ(nlohmann::json::parse(trained.out).at("networks"),
            (std::vector<std::string>{file("m-1.pt"), file("m-2.pt")}));
}

TEST_F(CliTrainEnsemble, EveryUserErrorHasOneMessage) {
  const auto refused = [&](const std::vector<std::string>& further, int exit_code,
                           const std::string& message) {
    const auto result = train(further);
    EXPECT_EQ(result.exit_code, exit_code) << message;
    EXPECT_EQ(result.err, "dubito-cli: " + message + "\n");
  };
  refused({"--swa-share", "0.5"}, 2, "--swa-share has no effect here; it requires --swa or --swag");
  refused({"--swa-learning-rate", "0.5"}, 2,
          "--swa-learning-rate has no effect here; it requires --swa or --swag");
  refused({"--swa", "--swag-rank", "5"}, 2, "--swag-rank has no effect here; it requires --swag");
  refused({"--snapshot-layers", "last"}, 2,
          "--snapshot-layers has no effect here; it requires --snapshots");
  refused({"--snapshots", "2", "--schedule", "step"}, 2,
          "--schedule has no effect here; it requires no --snapshots");
  refused({"--schedule", "one-cycle", "--warm-up", "0.1"}, 2,
          "--warm-up has no effect here; it requires --schedule cosine, constant or step");
  refused({"--swa", "--snapshots", "2"}, 2,
          "snapshots cannot be combined with averaged weights; choose one of them "
          "(--snapshots, --swa)");
  refused({"--flip"}, 1,
          std::string(kItems) +
              ": the items are vectors, which cannot be mirrored; train without mirroring "
              "(no --flip)");
  refused({"--rotation", "5"}, 1,
          std::string(kItems) +
              ": the items are vectors, which cannot be rotated; train without rotation "
              "(no --rotation)");
  refused({"--dropout", "fixed", "--drop-channels"}, 2,
          "--drop-channels has no effect here; it requires lenet or resnet");
  EXPECT_EQ(train({"--members", "0"}).exit_code, 2);
  const auto head = test::runProcess({DUBITO_CLI, "train", "head", kItems, "-o", file("h.pt"),
                                      "--backbone", file("b.pt"), "--members", "2"});
  EXPECT_EQ(head.exit_code, 2);
  EXPECT_EQ(
      head.err,
      "dubito-cli: --members has no effect here; it requires --layers above 1 or --dropout\n");
  EXPECT_TRUE(files().empty());
}

}  // namespace
}  // namespace dubito
