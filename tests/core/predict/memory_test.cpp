// SPDX-License-Identifier: GPL-3.0-or-later
// Networks for which memory runs out, and what becomes of their runs.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/core/methods/laplace/laplace_method.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using test::kClasses;
using test::kSide;
using test::LaplaceMethod;
using test::spreadNumbers;

class MemoryThatRunsOut : public LaplaceMethod {
 protected:
  /// A network that asks for 4 million GB where it gets more than `most` items of pixels, which are
  /// steps of 1/255; the random numbers that a network is probed with when it is loaded are not.
  [[nodiscard]] ModelPtr greedy(int most) const {
    return test::madeNetwork(folder_, "greedy" + std::to_string(most),
                             fmt::format(R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.flatten(x, 1)
    if x.size(0) > {} and bool((torch.abs(x * 255 - torch.round(x * 255)) < 1e-3).all()):
        x = x + torch.zeros([1000000000000000])[0]
    x = torch.dropout(x, 0.3, False)
    return torch.linear(x, self.w, self.b)
)",
                                         most),
                             {{"w", spreadNumbers({kClasses, kSide * kSide}, 0.0)},
                              {"b", spreadNumbers({kClasses}, 1.0)}},
                             kSide);
  }

  dubito::Run run(const ModelPtr& model, const MethodOptions& method, std::int64_t batch) {
    auto made = predict(*model, *test_, method, {.batch = batch}, context_);
    EXPECT_OK(made);
    return made.value_or(dubito::Run());
  }
};

bool saysSo(const dubito::Run& run) {
  return std::ranges::any_of(textsOf(run.meta.notes), [](const std::string& note) {
    return note.find("Memory ran out, so at most") != std::string::npos;
  });
}

TEST_F(MemoryThatRunsOut, HasRoomForTwoItems) {
  const ModelPtr model = greedy(2);
  const ModelPtr roomy = greedy(64);
  ASSERT_TRUE(model && roomy);
  McDropoutOptions dropout;
  dropout.draws = 3;
  const dubito::Run halved = run(model, dropout, 30);
  const dubito::Run plain = run(roomy, dropout, 30);
  EXPECT_TRUE(saysSo(halved));
  EXPECT_LT(test::largestDifference(probsOf(halved).values(), probsOf(plain).values()), 1e-6);
}

TEST_F(MemoryThatRunsOut, HalvesTheBatchAndGoesOn) {
  const ModelPtr model = greedy(8);
  ASSERT_TRUE(model);
  context_.seed = 4;
  McDropoutOptions dropout;
  dropout.draws = 6;
  const auto laplace = fitted(model, with("kron", "mc"), 8);
  ASSERT_OK(laplace);
  for (const MethodOptions& method :
       {MethodOptions(MapOptions{}), MethodOptions(dropout), MethodOptions(*laplace)}) {
    SCOPED_TRACE(methodName(method));
    const dubito::Run small = run(model, method, 8);
    const dubito::Run halved = run(model, method, 30);
    EXPECT_FALSE(saysSo(small));
    EXPECT_TRUE(saysSo(halved));
    ASSERT_EQ(halved.itemCount(), 30);
    EXPECT_TRUE(std::ranges::equal(halved.ids.values(), small.ids.values()));
    EXPECT_LT(test::largestDifference(probsOf(halved).values(), probsOf(small).values()), 1e-6);
    ASSERT_EQ(halved.meta.mask_hashes.size(), small.meta.mask_hashes.size());
    for (std::size_t i = 0; i < halved.meta.mask_hashes.size(); ++i) {
      EXPECT_EQ(halved.meta.mask_hashes[i].hash, small.meta.mask_hashes[i].hash);
    }
  }
}

TEST_F(MemoryThatRunsOut, IsAnErrorWhereASingleItemIsTooMuch) {
  // Loading probes a network with random numbers; pixels are steps of 1/255.
  const ModelPtr none = test::madeNetwork(
      folder_, "none", R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.flatten(x, 1)
    if bool((torch.abs(x * 255 - torch.round(x * 255)) < 1e-3).all()):
        x = x + torch.zeros([1000000000000000])[0]
    return torch.linear(x, self.w, self.b)
)",
      {{"w", spreadNumbers({kClasses, kSide * kSide}, 0.0)}, {"b", spreadNumbers({kClasses}, 1.0)}},
      kSide);
  ASSERT_TRUE(none);
  const auto failed = predict(*none, *test_, MapOptions{}, {.batch = 30}, context_);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kOutOfMemory);
  EXPECT_THAT(failed.error().message, HasSubstr("1 item(s) at a time do not fit"));
  EXPECT_EQ(failed.error().remedy, Remedy()) << "there is no smaller batch";
}

}  // namespace
}  // namespace dubito
