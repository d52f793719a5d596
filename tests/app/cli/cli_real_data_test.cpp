// SPDX-License-Identifier: GPL-3.0-or-later
// Published figures of real files, through the program.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

std::string datasets() {
  return (*test::sharedDir() / "datasets").string();
}

nlohmann::json jsonOf(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), DUBITO_CLI);
  const auto result = test::runProcess(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return nlohmann::json::parse(result.out, nullptr, false);
}

TEST(CliRealData, PredictionFilesKeepTheirFiguresThroughConvert) {
  DUBITO_NEEDS_SHARED();
  const test::TempDir folder;
  const std::string file = datasets() + "/predictions/wideresnet-16-4-cifar-10.npz";
  const auto direct = jsonOf({"evaluate", file, "--json"});
  EXPECT_NEAR(direct.at("accuracy").get<double>(), 0.9109, 5e-5);
  EXPECT_NEAR(direct.at("ece").get<double>(), 0.05372, 5e-6);
  jsonOf({"convert", file, "-o", folder.file("run.npz"), "--json"});
  EXPECT_EQ(jsonOf({"evaluate", folder.file("run.npz"), "--json"}), direct);
}

TEST(CliRealData, QuantisedTransformerRunsOneByOneAndItsAuditSaysWhy) {
  DUBITO_NEEDS_SHARED();
  const test::TempDir folder;
  const std::string model = datasets() + "/models/vit4mnist.ptl";
  const auto audit = jsonOf({"inspect", model, "--json"});
  EXPECT_TRUE(audit.at("batch").at("depends_on_batch").get<bool>());
  EXPECT_THAT(audit.at("batch").at("reason").get<std::string>(),
              HasSubstr("quantized::linear_dynamic"));
  EXPECT_TRUE(audit.at("dropout_sites").empty());
  const std::string metadata = (test::sourceDir() / "tests/data/metadata/vit4mnist.json").string();
  const std::string images = "idx:" + datasets() + "/mnist/t10k-images-idx3-ubyte.gz," +
                             datasets() + "/mnist/t10k-labels-idx1-ubyte.gz?items=0:300";
  jsonOf({"predict", model, images, "--metadata", metadata, "--batch", "1", "-o",
          folder.file("vit.npz"), "--json"});
  EXPECT_GE(jsonOf({"evaluate", folder.file("vit.npz"), "--json"}).at("accuracy").get<double>(),
            0.97);
}

TEST(CliRealData, ResidualNetworkOnColourImages) {
  DUBITO_NEEDS_SHARED();
  const test::TempDir folder;
  const std::string images = "cifar10:" + datasets() + "/cifar-10/test_batch_first1000.bin";
  const std::string model = folder.file("r.pt");
  const auto report = jsonOf({"train", "resnet", images, "--epochs", "2", "--batch", "32",
                              "--width", "0.5", "--threads", "1", "-o", model, "--json"});
  EXPECT_EQ(report.at("items"), 1000);
  const auto audit = jsonOf({"inspect", model, "--json"});
  EXPECT_FALSE(audit.at("batch").at("depends_on_batch").get<bool>());
  ASSERT_EQ(audit.at("dropout_sites").size(), 2U);
  EXPECT_EQ(audit.at("dropout_sites").at(0).at("drop_rate"), 0.2);
  jsonOf({"predict", model, images, "--threads", "1", "-o", folder.file("map.npz"), "--json"});
  jsonOf({"predict", model, images, "--method", "mc-dropout", "--draws", "5", "--threads", "1",
          "-o", folder.file("draws.npz"), "--json"});
  for (const char* run : {"map.npz", "draws.npz"}) {
    const auto metrics = jsonOf({"evaluate", folder.file(run), "--json"});
    EXPECT_EQ(metrics.at("n"), 1000);
    EXPECT_GT(metrics.at("accuracy").get<double>(), 0.2) << "ten classes, seen in training";
  }
}

TEST(CliRealData, SignLanguagePhotos) {
  DUBITO_NEEDS_SHARED();
  if (!DUBITO_READS_PHOTOGRAPHS) {
    GTEST_SKIP() << "this build has no OpenCV and reads no photographs";
  }
  const test::TempDir folder;
  const std::string metadata = (test::sourceDir() / "tests/data/metadata/asl.json").string();
  jsonOf({"predict", datasets() + "/models/asl.ptl",
          "folder:" + datasets() + "/photos/asl?labels=prefix:1", "--metadata", metadata, "-o",
          folder.file("asl.npz"), "--json"});
  const auto metrics = jsonOf({"evaluate", folder.file("asl.npz"), "--json"});
  EXPECT_EQ(metrics.at("n"), 26);
  EXPECT_NEAR(metrics.at("accuracy").get<double>(), 25.0 / 26.0, 1e-12);
}

}  // namespace
}  // namespace dubito
