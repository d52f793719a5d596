// SPDX-License-Identifier: GPL-3.0-or-later
// The pixels that matter, on the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/attribution/attribute.h"
#include "core/data/items/dataset.h"
#include "core/io/npy.h"
#include "core/models/model.h"
#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using nlohmann::json;

// Passes of other numbers of rows sum in another order, in float32.
constexpr double kRounding = 1e-4;

std::string sampleFile(const std::string& name) {
  return (test::sourceDir() / "datasets/samples" / name).string();
}

class CliWhy : public testing::Test {
 protected:
  static std::string digits() {
    return "idx:" + sampleFile("mnist-2000-images-idx3-ubyte.gz") + "," +
           sampleFile("mnist-2000-labels-idx1-ubyte.gz");
  }
  static test::ProcessResult why(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(),
                     {DUBITO_CLI, "why", sampleFile("lenet-mnist.pt"), digits(), "--threads", "1"});
    return test::runProcess(arguments);
  }
  static json okWhy(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--json", "-"});
    const auto result = why(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out, nullptr, false);
  }
  [[nodiscard]] Expected<Attribution> ofCore(std::int64_t item, const MethodOptions& method,
                                             const AttributionTarget& target,
                                             const AttributionOptions& options = {}) {
    context_.threads = 1;
    const auto model = loadModel(sampleFile("lenet-mnist.pt"), {}, context_);
    const auto dataset = openDataset(digits(), context_);
    if (!model || !dataset) {
      return fail(ErrorCode::kReadFailed, "no samples");
    }
    return attribute(**model, **dataset, item, method, target, options, context_);
  }

  test::TempDir folder_;
  RunContext context_;
};

TEST_F(CliWhy, GivesTheMapOfTheCore) {
  const json result = okWhy({"--item", "7", "--class", "3", "-o", folder_.file("map.npy"), "-o",
                             folder_.file("map.png")});
  const auto expected = ofCore(7, MapOptions(), {.class_number = 3});
  ASSERT_OK(expected);
  EXPECT_EQ(result.at("class"), 3);
  EXPECT_EQ(result.at("method"), "integrated-gradients");
  EXPECT_EQ(result.at("shape"), json({28, 28}));
  EXPECT_NEAR(result.at("value").get<double>(), expected->value, kRounding);
  EXPECT_NEAR(result.at("sum").get<double>(), expected->sum, kRounding);
  EXPECT_NEAR(result.at("completeness_gap").get<double>(), *expected->completeness_gap, kRounding);
  EXPECT_NEAR(result.at("positive_sum").get<double>() + result.at("negative_sum").get<double>(),
              expected->sum, kRounding);
  EXPECT_GT(result.at("positive_sum"), 0.0);
  EXPECT_LT(result.at("negative_sum"), 0.0);

  const auto map = readNpy(folder_.file("map.npy"));
  ASSERT_OK(map);
  const auto& pixels = std::get<Array<float>>(*map);
  EXPECT_EQ(pixels.shape(), expected->map.shape());
  double sum = 0.0;
  for (std::size_t i = 0; i < pixels.values().size(); ++i) {
    ASSERT_NEAR(pixels.values()[i], expected->map.values()[i], kRounding) << i;
    sum += static_cast<double>(pixels.values()[i]);
  }
  EXPECT_NEAR(sum, result.at("sum").get<double>(), kRounding);

  // Every pixel is a square, so that the picture is at least 256 pixels high.
  const std::string png = test::readBytes(folder_.file("map.png"));
  ASSERT_GT(png.size(), 24U);
  EXPECT_EQ(png.substr(1, 3), "PNG");
  EXPECT_EQ(static_cast<std::uint8_t>(png[18]) * 256 + static_cast<std::uint8_t>(png[19]), 280);
}

TEST_F(CliWhy, ExplainsThePredictionUnlessAClassIsNamed) {
  const json prediction = okWhy({"--item", "2"});
  ASSERT_TRUE(prediction.at("class").is_number());
  EXPECT_EQ(
      okWhy({"--item", "2", "--class", std::to_string(prediction.at("class").get<std::int64_t>())})
          .at("value"),
      prediction.at("value"));
  EXPECT_EQ(
      okWhy({"--item", "2", "--class", prediction.at("class_name").get<std::string>()}).at("value"),
      prediction.at("value"));
  // The prediction is the class with the largest logit, so it lies above the mean.
  EXPECT_GT(prediction.at("value"), 0.0);
}

TEST_F(CliWhy, ExplainsDrawsTheirSpreadAndTheirMutualInformation) {
  McDropoutOptions dropout;
  dropout.draws = 4;
  context_.seed = 3;
  const std::vector<std::string> common{"--item", "5", "--draws", "4",
                                        "--seed", "3", "--steps", "8"};
  const auto with = [&common](std::vector<std::string> more) {
    more.insert(more.begin(), common.begin(), common.end());
    return more;
  };
  const AttributionOptions options{.steps = 8};
  const json draw = okWhy(with({"--draw", "2", "--class", "1"}));
  EXPECT_NEAR(draw.at("sum").get<double>(),
              ofCore(5, dropout, {.class_number = 1, .draw = 2}, options)->sum, kRounding);
  const json spread = okWhy(with({"--spread", "--class", "1"}));
  EXPECT_NEAR(spread.at("sum").get<double>(),
              ofCore(5, dropout, {.class_number = 1, .spread = true}, options)->sum, kRounding);
  const json information = okWhy(with({"--mutual-information"}));
  const auto expected = ofCore(5, dropout, {.mutual_information = true}, options);
  ASSERT_OK(expected);
  EXPECT_NEAR(information.at("sum").get<double>(), expected->sum, kRounding);
  EXPECT_TRUE(information.at("class").is_null());
}

TEST_F(CliWhy, PrintsTheSumsAndTheGap) {
  const auto gradients = why({"--item", "1", "--steps", "64"});
  EXPECT_EQ(gradients.exit_code, 0) << gradients.err;
  EXPECT_THAT(gradients.out, HasSubstr("integrated gradients: logit of"));
  EXPECT_THAT(gradients.out, HasSubstr("sum of the map"));
  EXPECT_THAT(gradients.out, HasSubstr("completeness gap  "));
  const auto occlusion = why({"--item", "1", "--method", "occlusion", "--window", "0.5"});
  EXPECT_EQ(occlusion.exit_code, 0) << occlusion.err;
  EXPECT_THAT(occlusion.out, HasSubstr("completeness gap  none"));
}

TEST_F(CliWhy, RefusesWhatDoesNotExistOrHasNoEffect) {
  const auto refused = [](const std::vector<std::string>& arguments, int code,
                          const std::string& words) {
    const auto result = why(arguments);
    EXPECT_EQ(result.exit_code, code) << result.err;
    EXPECT_THAT(result.err, HasSubstr(words));
  };
  refused({"--item", "2000"}, 1, "item 2000 does not exist");
  refused({"--class", "zebra"}, 1, "it has no class 'zebra'");
  refused({"--class", "10"}, 1, "class 10 does not exist");
  refused({"--draw", "0", "--spread"}, 1, "exclude each other");
  refused({"-o", folder_.file("map.jpg")}, 2, "written as .png or .npy");
  refused({"--draws", "3"}, 2, "--draws has no effect here");
  refused({"--window", "0.5"}, 2, "--window has no effect here");
  refused({"--method", "occlusion", "--steps", "8"}, 2, "--steps has no effect here");
  refused({"--mutual-information", "--class", "1"}, 2, "--class has no effect here");
  refused({"-o", folder_.file("none/map.png")}, 1, "none/map.png");
}

}  // namespace
}  // namespace dubito
