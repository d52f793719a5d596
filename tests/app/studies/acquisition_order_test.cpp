// SPDX-License-Identifier: GPL-3.0-or-later
// The items that the experiment labels next are those that a reviewer would be shown next.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/studies/active_learning/learning_curve.h"
#include "app/studies/active_learning/round.h"
#include "core/predict/predict.h"
#include "core/review/queue.h"
#include "tests/app/studies/tiny_experiment.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

class AcquisitionOrder : public testing::TestWithParam<std::string> {};

TEST_P(AcquisitionOrder, IsThatOfTheReviewQueueOfTheSameRun) {
  const test::TempDir dir;
  const study::ActiveLearning tiny = test::tinyExperiment("");
  RunContext context;
  const auto data = study::openExperiment(tiny.train, tiny.test, tiny.options, context);
  ASSERT_OK(data);
  study::Curve curve{GetParam(), 3, {}, {}};
  study::CurveEvents events{[](const study::Curve&) { return Status(); }, dir.file("m.pt")};
  ASSERT_OK(study::extendCurve(*data, tiny.options, 16, curve, events, context));
  ASSERT_EQ(curve.points.size(), 3U);

  // The second round, from a run on the whole pool, with the labelled items settled.
  const DatasetPtr pool = study::poolOf(*data, tiny.options, 3);
  std::vector<std::int64_t> labelled = curve.initial;
  labelled.insert(labelled.end(), curve.points[0].acquired.begin(), curve.points[0].acquired.end());
  context.seed = study::roundSeed(3, 12);
  const auto model =
      study::trainOn(*study::itemsOf(pool, labelled), tiny.options, dir.file("m.pt"), context);
  ASSERT_OK(model);
  const auto run =
      predict(**model, *pool, McDropoutOptions{.draws = tiny.options.draws}, {}, context);
  ASSERT_OK(run);
  ASSERT_EQ(run->itemCount(), 100);
  const auto queue = buildQueue(*run, {.by = GetParam(), .limit = 0},
                                {.name = "run", .settled_ids = labelled}, context);
  ASSERT_OK(queue);
  ASSERT_GE(queue->length(), 4);
  EXPECT_EQ(curve.points[1].acquired,
            std::vector<std::int64_t>(queue->ids.begin(), queue->ids.begin() + 4));
}

INSTANTIATE_TEST_SUITE_P(Queues, AcquisitionOrder,
                         testing::Values("bald", "variation-ratio", "entropy", "margin",
                                         "confidence", "random", "batch-bald"),
                         [](const auto& test_case) {
                           std::string name = test_case.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(AcquisitionOrder, IsAnErrorIfAQueueIsTooShort) {
  dubito::Run run;
  run.ids = Array<std::int64_t>::fromVector({3, 1, 2});
  RunContext context;
  EXPECT_OK(study::acquire(run, "random", 3, context));
  const auto refused = study::acquire(run, "random", 4, context);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message,
              HasSubstr("only 3 of 4 items; choose a smaller --per-round"));
}

}  // namespace
}  // namespace dubito
