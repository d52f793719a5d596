// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/stochastic_network_torch.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/models/model_torch.h"
#include "tests/core/network/list_dataset.h"

namespace dubito {
namespace {

std::int64_t countOf(torch::jit::Graph& graph, const std::string& op) {
  std::int64_t count = 0;
  forEachNode(graph.block(), [&](torch::jit::Node* node) { count += opName(node) == op ? 1 : 0; });
  return count;
}

SplitNetwork splitOf(const ModelPtr& model) {
  return splitAtFirstSite(*model->impl().network.graph);
}

TEST(Split, LeavesConvolutionsInThePartThatRunsOnce) {
  const ModelPtr model = test::loadFixture("scripted_functional.pt");
  const SplitNetwork split = splitOf(model);
  ASSERT_NE(split.prefix, nullptr);
  EXPECT_EQ(countOf(*split.prefix, "aten::conv2d"), 1);
  EXPECT_EQ(countOf(*split.suffix, "aten::conv2d"), 0);
  EXPECT_EQ(countOf(*split.prefix, "aten::linear"), 1);
  EXPECT_EQ(countOf(*split.suffix, "aten::linear"), 1);
  EXPECT_EQ(countOf(*split.prefix, "dubito::keyed_dropout"), 0);
  EXPECT_EQ(split.depends_on_items, std::vector<bool>{true});
  EXPECT_FALSE(split.reads_items);
}

at::Tensor itemsOf(const ModelPtr& model, std::int64_t count) {
  std::vector<std::int64_t> shape = {count};
  const auto& item = model->audit().input_shape;
  shape.insert(shape.end(), item.begin(), item.end());
  return at::sin(at::arange(0, count * item[0] * item[1] * item[2], at::kFloat)).reshape(shape);
}

struct Case {
  std::string file;
  bool shares;
};

class StochasticNetworks : public testing::TestWithParam<Case> {};

TEST_P(StochasticNetworks, AgreeWithTheWholeNetworkHoweverPassesAreShared) {
  const ModelPtr model = test::loadFixture(GetParam().file);
  const auto network = placeNetwork(*model, Device());
  const auto plan = planDropout(*model, McDropoutOptions());
  ASSERT_TRUE(network && plan);
  StochasticNetwork stochastic(*network, *plan, 11, true);
  stochastic.setBatch(itemsOf(model, 5), {4, 8, 15, 16, 23});
  stochastic.verify();
  EXPECT_EQ(stochastic.drawsPerPass() > 1, GetParam().shares);
  const std::int64_t together = std::min<std::int64_t>(3, stochastic.drawsPerPass());
  const at::Tensor rows = stochastic.draw(2, together);
  ASSERT_EQ(rows.size(0), 5 * together);
  for (std::int64_t t = 0; t < together; ++t) {
    const at::Tensor whole = stochastic.drawWhole(2 + t);
    EXPECT_TRUE(at::allclose(rows.slice(0, 5 * t, 5 * (t + 1)), whole, 0.0, 1e-6));
    // Passes may write into what they are given; the next one must not see it.
    EXPECT_TRUE(stochastic.draw(2 + t, 1).equal(stochastic.draw(2 + t, 1)));
  }
  EXPECT_FALSE(stochastic.drawWhole(0).equal(stochastic.drawWhole(1)));
}

INSTANTIATE_TEST_SUITE_P(Inference, StochasticNetworks,
                         testing::Values(Case{"traced_eval.pt", true}, Case{"scripted.pt", true},
                                         Case{"scripted_in_place.pt", true},
                                         Case{"frozen.pt", true}, Case{"windows.pt", true},
                                         Case{"unit_rates_scripted.pt", true}),
                         [](const auto& test_case) {
                           return test_case.param.file.substr(0, test_case.param.file.find('.'));
                         });

}  // namespace
}  // namespace dubito
