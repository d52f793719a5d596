// SPDX-License-Identifier: GPL-3.0-or-later
// No flag is ignored.
#include <gtest/gtest.h>

#include "core/io/run_file.h"
#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

class CliIdleFlags : public testing::Test {
 protected:
  static test::ProcessResult cli(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), DUBITO_CLI);
    return test::runProcess(arguments);
  }
  /// `command` with `more`; it is wrong usage before any file is opened.
  static void expectRefused(std::vector<std::string> command, const std::vector<std::string>& more,
                            const std::string& message) {
    command.insert(command.end(), more.begin(), more.end());
    const auto result = cli(command);
    EXPECT_EQ(result.exit_code, 2) << message;
    EXPECT_EQ(result.err, "dubito-cli: " + message + "\n");
  }
  /// The same is no wrong usage: only the files are missing.
  static void expectTaken(std::vector<std::string> command, const std::vector<std::string>& more) {
    command.insert(command.end(), more.begin(), more.end());
    const auto result = cli(command);
    EXPECT_EQ(result.exit_code, 1) << more.front();
    EXPECT_THAT(result.err, Not(HasSubstr("no effect")));
  }
  static std::string idle(const std::string& flag, const std::string& owner) {
    return flag + " has no effect here; it requires " + owner;
  }

  test::TempDir folder_;
};

TEST_F(CliIdleFlags, OfPredictAreRefused) {
  const std::vector<std::string> predict{"predict", folder_.file("none.pt"), "synthetic:blobs",
                                         "-o", folder_.file("run.npz")};
  expectRefused(predict, {"--member", "b.pt"}, idle("--member", "--method ensemble"));
  expectRefused(predict, {"--member-method", "mc-dropout"},
                idle("--member-method", "--method ensemble"));
  expectRefused(predict, {"--draws", "3"}, idle("--draws", "the method mc-dropout"));
  expectRefused(predict, {"--method", "ensemble", "--member", "b.pt", "--draws", "3"},
                idle("--draws", "the method mc-dropout"));
  expectRefused(predict, {"--method", "mc-dropout", "--insert", "never", "--insert-rate", "0.2"},
                idle("--insert-rate", "--insert auto or always"));
  expectRefused(predict, {"--keep-samples-mb", "5"},
                idle("--keep-samples-mb", "methods with draws"));
  expectRefused(predict,
                {"--method", "laplace", "--fit", "synthetic:blobs", "--calibration", "cal"},
                "--method laplace does not use --calibration with these options; remove it");
  std::vector<std::string> laplace = predict;
  laplace.insert(laplace.end(), {"--method", "laplace", "--fit", "synthetic:blobs"});
  expectRefused(laplace, {"--link", "probit", "--samples", "9"},
                idle("--samples", "--link mc or --prior mmc-drop=SHARE"));
  expectRefused(laplace, {"--weight-draws", "9"}, idle("--weight-draws", "--predictive sampled"));
  expectRefused(laplace, {"--layers", "all", "--predictive", "sampled", "--gauge", "9"},
                idle("--gauge", "--predictive linearised"));
  expectRefused(laplace, {"--keep-samples-mb", "5"},
                idle("--keep-samples-mb", "methods with draws"));
  expectTaken(laplace, {"--link", "mc", "--samples", "9"});
  expectTaken(laplace, {"--layers", "all", "--separate-bias"});
  expectTaken(predict, {"--method", "mc-dropout", "--insert-rate", "0.2", "--draws", "3",
                        "--keep-samples-mb", "5"});
  expectTaken(predict, {"--method", "laplace", "--fit", "synthetic:blobs", "--calibration", "cal",
                        "--prior", "mmc-drop=0.05"});
}

TEST_F(CliIdleFlags, OfDrawnWeightsAreThoseOfDraws) {
  const std::vector<std::string> sampled{"predict",
                                         folder_.file("none.pt"),
                                         "synthetic:blobs",
                                         "-o",
                                         folder_.file("run.npz"),
                                         "--method",
                                         "laplace",
                                         "--fit",
                                         "synthetic:blobs",
                                         "--layers",
                                         "all",
                                         "--predictive",
                                         "sampled"};
  expectRefused(sampled, {"--link", "bridge-centred"}, idle("--link", "--predictive linearised"));
  expectRefused(sampled, {"--samples", "9"}, idle("--samples", "--prior mmc-drop=SHARE"));
  expectTaken(sampled, {"--weight-draws", "3", "--keep-samples-mb", "5"});
  expectTaken(sampled, {"--prior", "mmc-drop=0.05", "--samples", "9"});
}

TEST_F(CliIdleFlags, OfAnEnsembleOfRunsAreThoseOfNetworks) {
  constexpr std::int64_t kItems = 4;
  dubito::Run run;
  run.probs =
      Array<float>::fromVector({kItems, 2}, {0.5F, 0.5F, 0.25F, 0.75F, 1.0F, 0.0F, 0.5F, 0.5F});
  run.predictions = Array<std::int64_t>::fromVector({0, 1, 0, 0});
  run.confidence = Array<double>::fromVector({0.5, 0.75, 1.0, 0.5});
  run.ids = Array<std::int64_t>::fromVector({0, 1, 2, 3});
  run.labels = Array<std::int64_t>::fromVector({-1, -1, -1, -1});
  RunContext context;
  for (const char* name : {"a.npz", "b.npz"}) {
    ASSERT_TRUE(writeRun(run, folder_.file(name), context));
  }
  std::vector<std::string> join{"predict",
                                folder_.file("a.npz"),
                                "synthetic:blobs?n=4",
                                "--method",
                                "ensemble",
                                "--member",
                                folder_.file("b.npz"),
                                "-o",
                                folder_.file("run.npz")};
  for (const auto& [flag, value] :
       {std::pair("--batch", "2"), {"--member-method", "map"}, {"--metadata", "a.json"}}) {
    expectRefused(join, {flag, value}, idle(flag, "members that are models"));
  }
  join.insert(join.end(), {"--keep-samples-mb", "0"});
  const auto joined = cli(join);
  EXPECT_EQ(joined.exit_code, 0) << joined.err;
}

TEST_F(CliIdleFlags, OfConformalAreRefused) {
  const std::vector<std::string> conformal{"conformal", folder_.file("none.npz"), "--calibration",
                                           folder_.file("nor.npz")};
  expectRefused(conformal, {"--penalty", "0.2"}, idle("--penalty", "--score raps"));
  expectRefused(conformal, {"--score", "aps", "--free-ranks", "2"},
                idle("--free-ranks", "--score raps"));
  expectTaken(conformal, {"--score", "raps", "--free-ranks", "2", "--penalty", "0.2"});
}

TEST_F(CliIdleFlags, OfLaplaceAreRefused) {
  const std::vector<std::string> laplace{"laplace", folder_.file("none.pt"), "--fit",
                                         "synthetic:blobs"};
  const std::string csv = folder_.file("landscape.csv");
  expectRefused(laplace, {"--link", "mc"}, idle("--link", "--landscape or --prior auto-nll"));
  expectRefused(laplace, {"--samples", "9"},
                idle("--samples", "--prior mmc-drop=SHARE, or --link mc with --landscape"));
  expectRefused(laplace, {"--layers", "all", "--predictive", "sampled"},
                idle("--predictive", "the predict command"));
  expectRefused(laplace, {"--weight-draws", "9"}, idle("--weight-draws", "the predict command"));
  expectRefused(laplace, {"--calibration", "cal"},
                "--method laplace does not use --calibration with these options; remove it");
  expectRefused(laplace, {"--landscape", csv},
                "--landscape requires items not used in training; pass them with --calibration");
  EXPECT_EQ(cli({"laplace", "none.pt", "--keep-samples-mb", "5"}).exit_code, 2);
  expectTaken(laplace,
              {"--landscape", csv, "--calibration", "cal", "--link", "mc", "--samples", "9"});
  expectTaken(laplace, {"--prior", "mmc-drop=0.05", "--samples", "9"});
  expectTaken(laplace, {"--prior", "auto-nll", "--calibration", "cal", "--link", "probit"});
}

}  // namespace
}  // namespace dubito
