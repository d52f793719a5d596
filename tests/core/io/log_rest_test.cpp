// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/log_rest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace dubito {
namespace {

using testing::ElementsAre;

/// Two items whose confidence rounds to 1.
Run certainRun() {
  Run run;
  Array<float> probs = Array<float>::zeros({2, 2});
  probs.mutableRow(0)[0] = 1.0F;
  probs.mutableRow(1)[0] = 1.0F;
  run.probs = std::move(probs);
  run.ids = Array<std::int64_t>::fromVector({0, 1});
  run.predictions = Array<std::int64_t>::fromVector({0, 0});
  run.confidence = Array<double>::fromVector({1.0, 1.0});
  return run;
}

TEST(LogRest, TheStoredOneTellsCertainItemsApart) {
  dubito::Run run = certainRun();
  run.log_rest = Array<double>::fromVector({-60.0, -40.0});
  EXPECT_THAT(logRestOf(run, RunContext()).values(), ElementsAre(-60.0, -40.0));
}

TEST(LogRest, WithoutItLogitsTellThemApart) {
  dubito::Run run = certainRun();
  Array<float> logits = Array<float>::zeros({2, 2});
  logits.mutableRow(0)[0] = 60.0F;
  logits.mutableRow(1)[0] = 40.0F;
  run.logits = std::move(logits);
  const Array<double> rest = logRestOf(run, RunContext());
  EXPECT_NEAR(rest.data()[0], -60.0, 1e-12);
  EXPECT_NEAR(rest.data()[1], -40.0, 1e-12);
}

}  // namespace
}  // namespace dubito
