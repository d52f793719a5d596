// SPDX-License-Identifier: GPL-3.0-or-later
// attribution.json: the formulas of captum; and finite differences of the same network in double.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/attribution/attribute.h"
#include "tests/core/network/list_dataset.h"
#include "tests/core/network/made_network.h"
#include "tests/support/close_to.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using nlohmann::json;
using test::closeTo;

// The network computes in float32, the reference in double; of the largest number of a map.
constexpr double kTolerance = 1e-5;

at::Tensor parameter(const json& vectors, const std::string& name) {
  const json& of_name = vectors.at("parameters").at(name);
  return at::tensor(of_name.at("values").get<std::vector<double>>(), at::kDouble)
      .view(of_name.at("shape").get<std::vector<std::int64_t>>());
}

class AttributionVectors : public testing::Test {
 protected:
  AttributionVectors()
      : vectors_(test::readVectors("attribution")),
        pixels_(vectors_.at("pixels").get<std::vector<std::uint8_t>>()),
        dataset_({Sample(Image8{Array<std::uint8_t>::fromVector({side(), side(), 1}, pixels_)})},
                 {7}, {0}),
        model_(test::madeNetwork(folder_, "vectors", R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.tanh(torch.conv2d(x, self.cw, self.cb))
    return torch.linear(torch.flatten(x, 1), self.w, self.b)
)",
                                 {{"cw", parameter(vectors_, "cw")},
                                  {"cb", parameter(vectors_, "cb")},
                                  {"w", parameter(vectors_, "w")},
                                  {"b", parameter(vectors_, "b")}},
                                 static_cast<int>(side()))) {}

  [[nodiscard]] std::int64_t side() const { return vectors_.at("side").get<std::int64_t>(); }

  /// The centred logit of class `k`, by other code and in double.
  [[nodiscard]] double reference(const at::Tensor& x, std::int64_t k) const {
    const at::Tensor features =
        at::tanh(at::conv2d(x, parameter(vectors_, "cw"), parameter(vectors_, "cb")));
    const at::Tensor logits =
        at::linear(features.flatten(1), parameter(vectors_, "w"), parameter(vectors_, "b"));
    return (logits[0][k] - logits[0].mean()).item<double>();
  }

  json vectors_;
  std::vector<std::uint8_t> pixels_;
  test::ListDataset dataset_;
  test::TempDir folder_;
  ModelPtr model_;
  RunContext context_;
};

TEST_F(AttributionVectors, AreWhatTheFormulasOfCaptumGive) {
  ASSERT_NE(model_, nullptr);
  for (const json& expected : vectors_.at("cases")) {
    const AttributionOptions options{.method = expected.at("method").get<std::string>(),
                                     .steps = 32,
                                     .baseline = expected.at("baseline").get<std::string>(),
                                     .window = 3.0 / 8.0,
                                     .stride = 2.0 / 8.0};
    const AttributionTarget target{.class_number = expected.at("class").get<std::int64_t>()};
    const auto found = attribute(*model_, dataset_, 0, MapOptions(), target, options, context_);
    ASSERT_OK(found);
    const std::string what =
        expected.at("method").get<std::string>() + ", class " + std::to_string(target.class_number);
    EXPECT_EQ(found->method, options.method);
    EXPECT_TRUE(closeTo(found->value, expected.at("value").get<double>(), kTolerance)) << what;
    EXPECT_TRUE(closeTo(found->difference, expected.at("difference").get<double>(), kTolerance))
        << what;
    const auto map = expected.at("map").get<std::vector<double>>();
    ASSERT_EQ(found->map.shape(), (std::vector<std::int64_t>{side(), side()}));
    double largest = 0.0;
    double sum = 0.0;
    for (const double pixel : map) {
      largest = std::max(largest, std::abs(pixel));
      sum += pixel;
    }
    for (std::size_t i = 0; i < map.size(); ++i) {
      ASSERT_NEAR(found->map.values()[i], map[i], kTolerance * largest) << what << ", pixel " << i;
    }
    EXPECT_NEAR(found->sum, sum, kTolerance * largest * static_cast<double>(map.size())) << what;
    EXPECT_EQ(found->completeness_gap.has_value(), options.method == "integrated-gradients");
    EXPECT_TRUE(found->notes.empty()) << what;
  }
}

TEST_F(AttributionVectors, GradientsAreFiniteDifferences) {
  ASSERT_NE(model_, nullptr);
  const auto found = attribute(*model_, dataset_, 0, MapOptions(), {.class_number = 1},
                               {.method = "gradient-input"}, context_);
  ASSERT_OK(found);
  // The error of central differences is of the order of the square of the step.
  constexpr double kStep = 1e-5;
  std::vector<double> numbers(pixels_.begin(), pixels_.end());
  const at::Tensor x = at::tensor(numbers, at::kDouble).view({1, 1, side(), side()}) / 255.0;
  for (std::int64_t i = 0; i < x.numel(); ++i) {
    at::Tensor more = x.clone();
    at::Tensor less = x.clone();
    more.view({-1})[i] += kStep;
    less.view({-1})[i] -= kStep;
    const double slope = (reference(more, 1) - reference(less, 1)) / (2.0 * kStep);
    ASSERT_NEAR(found->map.values()[static_cast<std::size_t>(i)],
                slope * x.view({-1})[i].item<double>(), kTolerance)
        << i;
  }
}

}  // namespace
}  // namespace dubito
