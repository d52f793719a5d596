// SPDX-License-Identifier: GPL-3.0-or-later
// Laplace as scripts use it, with the demo's network on real digits.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using nlohmann::json;

class CliLaplace : public testing::Test {
 protected:
  static test::ProcessResult cli(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), DUBITO_CLI);
    return test::runProcess(arguments);
  }
  static test::ProcessResult ok(const std::vector<std::string>& arguments) {
    auto result = cli(arguments);
    EXPECT_EQ(result.exit_code, 0) << arguments.front() << ": " << result.err;
    return result;
  }
  static json jsonOf(std::vector<std::string> arguments) {
    arguments.emplace_back("--json");
    return json::parse(ok(arguments).out, nullptr, false);
  }
  [[nodiscard]] static std::string digits(const std::string& query) {
    return "idx:" +
           (test::sourceDir() / "datasets/samples/mnist-2000-images-idx3-ubyte.gz").string() + "?" +
           query;
  }

  test::TempDir folder_;
  std::string model_ = (test::sourceDir() / "datasets/samples/lenet-mnist.pt").string();
  std::string fit_ = digits("items=0:1000&role=train");
  std::string calibration_ = digits("items=1000:1500&role=calibration");
  std::string test_ = digits("items=1500:2000");
  std::string posterior_ = folder_.file("posterior.npz");
  std::string run_ = folder_.file("run.npz");
};

TEST_F(CliLaplace, FitsPredictsAndIsEvaluated) {
  const json map = jsonOf({"predict", model_, test_, "-o", folder_.file("map.npz")});
  const json laplace =
      jsonOf({"predict", model_, test_, "--method", "laplace", "--fit", fit_, "-o", run_});
  EXPECT_EQ(laplace.at("peak_device_bytes"), 0);  // on the processor
  const json& options = laplace.at("meta").at("options");
  EXPECT_EQ(options.at("structure"), "kron");
  EXPECT_EQ(options.at("fitted").at("items"), 1000);
  EXPECT_GT(options.at("fitted").at("tau").get<double>(), 0.0);
  const json of_map = json::parse(ok({"evaluate", folder_.file("map.npz"), "--json"}).out);
  const json of_laplace = json::parse(ok({"evaluate", run_, "--json"}).out);
  EXPECT_NEAR(of_laplace.at("accuracy").get<double>(), of_map.at("accuracy").get<double>(), 0.01);
  EXPECT_LT(of_laplace.at("mmc").get<double>(), of_map.at("mmc").get<double>());
  EXPECT_TRUE(of_laplace.at("misclassified").contains("mutual_information"));
}

TEST_F(CliLaplace, APosteriorIsKeptAndAnotherLinkNeedsNoFit) {
  const json fitted = jsonOf({"laplace", model_, "--fit", fit_, "--posterior", posterior_});
  EXPECT_GT(fitted.at("seconds").get<double>(), 0.0);
  EXPECT_TRUE(std::filesystem::exists(posterior_));
  const json run = jsonOf({"predict", model_, test_, "--method", "laplace", "--posterior",
                           posterior_, "--link", "probit", "-o", run_});
  EXPECT_EQ(run.at("meta").at("options").at("fitted").at("tau"), fitted.at("tau"));
  const auto itself = cli({"predict", model_, fit_, "--method", "laplace", "--posterior",
                           posterior_, "-o", folder_.file("other.npz")});
  EXPECT_EQ(itself.exit_code, 1);
  EXPECT_THAT(itself.err, HasSubstr("--allow-same-split"));
}

TEST_F(CliLaplace, TheLandscapeIsATable) {
  const std::string csv = folder_.file("landscape.csv");
  const json fitted = jsonOf({"laplace", model_, "--fit", fit_, "--calibration", calibration_,
                              "--prior", "auto-nll", "--landscape", csv});
  EXPECT_EQ(fitted.at("fit_dataset").get<std::string>().empty(), false);
  std::istringstream lines(test::readBytes(csv));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "log10_tau,nll,ece,evidence,confidence");
  int rows = 0;
  while (std::getline(lines, line)) {
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), 4);
    ++rows;
  }
  EXPECT_EQ(rows, 41);
}

TEST_F(CliLaplace, WrongUsageIsSaid) {
  const auto no_fit = cli({"predict", model_, test_, "--method", "laplace", "-o", run_});
  EXPECT_EQ(no_fit.exit_code, 1);
  EXPECT_THAT(no_fit.err, HasSubstr("give them (--fit)"));
  const auto both = cli({"predict", model_, test_, "--method", "laplace", "--fit", fit_, "--prior",
                         "auto-nll", "--tau", "2", "-o", run_});
  EXPECT_EQ(both.exit_code, 2);
  const auto other = cli({"predict", model_, test_, "--posterior", posterior_, "-o", run_});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("does not use --posterior"));
  const auto same =
      cli({"predict", model_, test_, "--method", "laplace", "--fit", test_, "-o", run_});
  EXPECT_EQ(same.exit_code, 1);
  EXPECT_THAT(same.err, HasSubstr("--allow-same-split"));
  const auto no_batch = cli({"laplace", model_, "--fit", fit_, "--batch", "0"});
  EXPECT_EQ(no_batch.exit_code, 2);
  EXPECT_THAT(no_batch.err, HasSubstr("batch"));
}

}  // namespace
}  // namespace dubito
