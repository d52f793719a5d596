// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#ifdef DUBITO_HAS_HIGHWAY

#include <hwy/targets.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/kernels/laplace_bridge.h"
#include "core/kernels/logit_normal_mc.h"
#include "tests/core/kernels/logit_gaussian_samples.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

/// While it lives, kernels are chosen from the given instruction sets.
class OnlyTargets {
 public:
  explicit OnlyTargets(std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().DeInit();
  }
  ~OnlyTargets() {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
  }
  OnlyTargets(const OnlyTargets&) = delete;
  OnlyTargets& operator=(const OnlyTargets&) = delete;
};

TEST(InstructionSets, GiveTheSameButForRounding) {
  const std::int64_t items = 5;
  std::vector<std::int64_t> ids(items);
  std::iota(ids.begin(), ids.end(), std::int64_t{3'000'000'000});
  std::int64_t targets = hwy::SupportedTargets();
  int seen = 0;
  for (const std::int64_t classes : {2, 3, 10, 16, 17, 100}) {
    const LogitGaussians diagonal = test::randomDiagonal(items, classes, 3.0F, 2.0F, 1);
    const LogitGaussians factored = test::randomFactored(items, classes, 7, true, 3.0F, 2);
    const Array<float> log_alpha = laplaceBridge(diagonal, BridgeVariant::kCentred, RunContext());
    const LogitNormalSummary of_diagonal = logitNormalMc(diagonal, ids, 77, 5, RunContext());
    const LogitNormalSummary of_factored = logitNormalMc(factored, ids, 77, 5, RunContext());
    for (std::int64_t left = targets; left != 0; left &= left - 1) {
      const std::int64_t target = left & -left;
      const OnlyTargets only(target);
      SCOPED_TRACE(hwy::TargetName(target));
      ++seen;
      const Array<float> bridged = laplaceBridge(diagonal, BridgeVariant::kCentred, RunContext());
      for (std::int64_t i = 0; i < bridged.size(); ++i) {
        ASSERT_TRUE(test::closeTo(bridged.data()[i], log_alpha.data()[i], 1e-6, 1e-6));
      }
      for (const auto& [gaussians, expected] :
           {std::pair{&diagonal, &of_diagonal}, {&factored, &of_factored}}) {
        const LogitNormalSummary summary = logitNormalMc(*gaussians, ids, 77, 5, RunContext());
        for (std::int64_t i = 0; i < summary.mean_probs.size(); ++i) {
          ASSERT_TRUE(
              test::closeTo(summary.mean_probs.data()[i], expected->mean_probs.data()[i], 1e-5));
        }
        for (std::int64_t i = 0; i < items; ++i) {
          ASSERT_TRUE(test::closeTo(summary.expected_entropy.data()[i],
                                    expected->expected_entropy.data()[i], 1e-5));
        }
      }
    }
  }
  EXPECT_GT(seen, 0);
}

}  // namespace
}  // namespace dubito

#endif
