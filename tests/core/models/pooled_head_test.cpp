// SPDX-License-Identifier: GPL-3.0-or-later
// Networks whose last layer is a convolution of 1 x 1.
#include <ATen/Functions.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/models/model_torch.h"
#include "core/models/probe_torch.h"
#include "tests/core/network/made_network.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using test::spreadNumbers;
using testing::HasSubstr;

class PooledHead : public testing::Test {
 protected:
  /// A network of images [1, 8, 8] that continues with the maps y [N, 6, 6, 6].
  ModelPtr network(const std::string& continued) {
    return test::madeNetwork(
        folder_, "maps",
        "def forward(self, x):\n  y = torch.relu(torch.conv2d(x, self.kernel))\n" + continued,
        {{"kernel", spreadNumbers({6, 1, 3, 3}, 0.3)},
         {"middle", 2.0 * spreadNumbers({6, 6, 1, 1}, 0.7)},
         {"last", 2.0 * spreadNumbers({3, 6, 1, 1}, 1.1)},
         {"bias", spreadNumbers({3}, 2.2)}},
        8);
  }
  static at::Tensor images() { return spreadNumbers({5, 1, 8, 8}, 0.1).to(at::kFloat); }
  /// What the program as saved returns, and what the prepared one does.
  static void expectSameResults(const Model& model) {
    torch::jit::Module module = model.impl().module;
    const at::Tensor expected = module.forward({images()}).toTensor();
    GraphRunner runner(deterministicGraph(*model.impl().network.graph), "test");
    const at::Tensor found =
        runner.run(deterministicInputs(model.impl().module, images())).at(0).toTensor();
    EXPECT_TRUE(at::allclose(found, expected, 1e-5, 1e-6));
  }

  test::TempDir folder_;
};

TEST_F(PooledHead, AConvolutionAfterGlobalPoolingIsTheHead) {
  for (const std::string continued :
       {"  y = torch.adaptive_avg_pool2d(y, [1, 1])\n"
        "  return torch.flatten(torch.conv2d(y, self.last, self.bias), 1)\n",
        "  y = torch.hardswish(torch.conv2d(torch.mean(y, [2, 3], True), self.middle))\n"
        "  y = torch.conv2d(torch.dropout(y, 0.3, self.training), self.last)\n"
        "  return torch.softmax(y.squeeze(-1).squeeze(-1), 1)\n",
        // As a converter of Keras writes it: channels last, the activation from its parts.
        "  y = torch.mean(y.permute([0, 2, 3, 1]), [1, 2], True)\n"
        "  y = torch.conv2d(y.permute([0, 3, 1, 2]), self.middle).permute([0, 2, 3, 1])\n"
        "  y = y * (torch.clamp(y + 3.0, 0.0, 6.0) * 0.16666667)\n"
        "  y = torch.conv2d(y.permute([0, 3, 1, 2]), self.last, self.bias)\n"
        "  return torch.softmax(y.permute([0, 2, 3, 1]).reshape([-1, 3]), 1)\n",
        // A temperature behind it.
        "  y = torch.conv2d(torch.adaptive_max_pool2d(y, [1, 1])[0], self.last, self.bias)\n"
        "  return torch.flatten(y, 1) / 1.5\n",
        "  y = torch.amax(torch.flatten(y, 2), [2])\n"
        "  return torch.conv2d(y.view([-1, 6, 1, 1]), self.last, self.bias).view([-1, 3])\n"}) {
    SCOPED_TRACE(continued);
    const ModelPtr model = network(continued);
    ASSERT_TRUE(model);
    EXPECT_TRUE(model->audit().head.found) << model->audit().head.reason;
    EXPECT_EQ(model->audit().head.features, 6);
    expectSameResults(*model);
  }
}

TEST_F(PooledHead, AConvolutionOfLargerMapsIsNot) {
  for (const std::string continued :
       {// Pooled after an activation, as in SqueezeNet.
        "  y = torch.relu(torch.conv2d(y, self.last, self.bias))\n"
        "  return torch.flatten(torch.adaptive_avg_pool2d(y, [1, 1]), 1)\n",
        "  y = torch.conv2d(torch.adaptive_avg_pool2d(y, [2, 2]), self.last, self.bias)\n"
        "  return torch.flatten(y, 1)\n",
        "  y = torch.conv2d(torch.mean(y, [2], True), self.last, self.bias)\n"
        "  return torch.flatten(y, 1)\n",
        // The sum has the size of the larger maps.
        "  y = torch.conv2d(torch.mean(y, [2, 3], True) + y, self.last, self.bias)\n"
        "  return torch.flatten(y, 1)\n"}) {
    SCOPED_TRACE(continued);
    const ModelPtr model = network(continued);
    ASSERT_TRUE(model);
    EXPECT_FALSE(model->audit().head.found);
    EXPECT_THAT(model->audit().head.reason, HasSubstr("not linear"));
    expectSameResults(*model);
  }
}

}  // namespace
}  // namespace dubito
