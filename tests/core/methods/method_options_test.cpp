// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/methods/method_options.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "core/methods/mc_dropout/recompute_draw.h"
#include "core/predict/predict.h"
#include "tests/core/network/list_dataset.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using test::ListDataset;
using test::loadFixture;
using test::madeImages;

bool contains(const MethodNeeds& all, const MethodNeeds& some) {
  return all.fit >= some.fit && all.calibration >= some.calibration &&
         all.posterior >= some.posterior;
}

// That no part is missing is checked by the compiler (isInferenceMethod); that parts agree is not.
TEST(MethodOptionsTest, PartsOfEachMethodAgree) {
  const ModelPtr model = loadFixture("scripted.pt");
  for (const MethodDescription& method : allMethods()) {
    SCOPED_TRACE(method.name);
    EXPECT_EQ(describe(method.defaults).name, method.name);
    EXPECT_EQ(methodName(method.defaults), method.name);
    EXPECT_TRUE(checkMethod(method.defaults));
    EXPECT_TRUE(contains(method.needs, inputsRequiredBy(method.defaults)));
    EXPECT_TRUE(contains(method.needs, inputsUsedBy(method.defaults)));
    EXPECT_EQ(posteriorKey(method.defaults).empty(), !method.needs.posterior);
    EXPECT_EQ(posteriorOf(method.defaults), nullptr);
    EXPECT_EQ(fitOf(method.defaults), nullptr);
    const std::int64_t draws = drawsOf(method.defaults);
    EXPECT_EQ(drawsOf(withDraws(method.defaults, 3)), draws > 0 ? 3 : 0);
    EXPECT_EQ(runShape(method.defaults, *model, true).draws, draws);
    EXPECT_TRUE(draws > 0 || !canRecomputeDraws(method.defaults));
  }
}

TEST(MethodOptionsTest, PredictsWithStandInsButNotWithoutRequiredInputs) {
  const ModelPtr model = loadFixture("scripted.pt");
  const ListDataset images = madeImages(3, 28);
  RunContext context;
  for (const MethodDescription& method : allMethods()) {
    SCOPED_TRACE(method.name);
    if (inputsRequiredBy(method.defaults).any()) {
      const auto run = predict(*model, images, method.defaults, {}, context);
      ASSERT_FALSE(run);
      EXPECT_EQ(run.error().code, ErrorCode::kInvalidArgument);
    }
    if (!method.needs.fit) {
      const auto run = predict(*model, images, standInFor(method.defaults), {}, context);
      EXPECT_OK(run);
    }
  }
}

TEST(MethodOptionsTest, RecomputesOnlyDrawsOfKeys) {
  const ModelPtr model = loadFixture("scripted.pt");
  const ListDataset images = madeImages(1, 28);
  RunContext context;
  for (const MethodDescription& method : allMethods()) {
    SCOPED_TRACE(method.name);
    const auto recompute = [&] {
      return recomputeDraw(*model, images, 0, method.defaults, 0, context);
    };
    if (canRecomputeDraws(method.defaults)) {
      EXPECT_TRUE(recompute());
    } else {
      EXPECT_THROW(static_cast<void>(recompute()), std::invalid_argument);
    }
  }
}

}  // namespace
}  // namespace dubito
