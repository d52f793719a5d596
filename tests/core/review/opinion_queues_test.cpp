// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/review/queue.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

/// Six items with the ids 10 to 15, over two classes.
dubito::Run sixItems() {
  dubito::Run run = test::runOf(
      Array<float>::fromVector(
          {6, 2}, {0.9F, 0.1F, 0.2F, 0.8F, 0.6F, 0.4F, 0.3F, 0.7F, 0.5F, 0.5F, 0.75F, 0.25F}),
      {0, 0, 0, 0, 0, 0}, "six");
  run.ids = Array<std::int64_t>::fromVector({10, 11, 12, 13, 14, 15});
  return run;
}

PresentLabel label(std::int64_t item, LabelAction action, std::optional<std::int64_t> class_id,
                   const std::string& annotator, std::int64_t annotators, bool conflict = false) {
  return {.item = item,
          .action = action,
          .class_id = class_id,
          .annotator = annotator,
          .annotators = annotators,
          .conflict = conflict};
}

/// What anna, ben and the model have said, in no order.
std::vector<PresentLabel> labels() {
  std::vector<PresentLabel> all = {
      label(13, LabelAction::kCorrect, 0, "anna", 1),
      label(10, LabelAction::kAccept, 0, "anna", 1),
      label(12, LabelAction::kNotInClasses, {}, "anna", 1),
      label(11, LabelAction::kCorrect, 0, "ben", 2, true),
      label(14, LabelAction::kSkip, {}, "anna", 1),
      label(15, LabelAction::kAccept, 0, "model", 0),
  };
  all.back().origin = LabelOrigin::kModel;
  return all;
}

Expected<Queue> queueBy(const std::string& by, const std::string& annotator) {
  const dubito::Run run = sixItems();
  const std::vector<PresentLabel> present = labels();
  const std::vector<std::int64_t> settled = {10, 11, 12, 13, 15};
  RunContext context;
  return buildQueue(
      run, {.by = by},
      {.name = "six.npz", .settled_ids = settled, .labels = present, .annotator = annotator},
      context);
}

TEST(OpinionQueues, ASecondOpinionIsAskedOfSomebodyElse) {
  const auto queue = queueBy("second-opinion", "ben");
  ASSERT_OK(queue);
  // "None of the classes" has no probability; then the least probable class.
  EXPECT_THAT(queue->ids, ElementsAre(12, 13, 10));
  EXPECT_THAT(queue->scores,
              ElementsAre(DoubleEq(0.0), DoubleEq(double{0.3F}), DoubleEq(double{0.9F})));
  EXPECT_EQ(queue->settled, 0);
  EXPECT_EQ(queue->without_score, 3);

  const auto own = queueBy("second-opinion", "anna");
  ASSERT_OK(own);
  EXPECT_EQ(own->length(), 0);
}

TEST(OpinionQueues, ConflictsAreShownToEverybody) {
  for (const char* const annotator : {"anna", "ben", "carla"}) {
    const auto queue = queueBy("conflicts", annotator);
    ASSERT_OK(queue);
    EXPECT_THAT(queue->ids, ElementsAre(11)) << annotator;
    EXPECT_THAT(queue->scores, ElementsAre(DoubleEq(double{0.2F}))) << annotator;
  }
}

TEST(OpinionQueues, AClassThatTheNetworkDoesNotKnowHasNoProbability) {
  const dubito::Run run = sixItems();
  const std::vector<PresentLabel> present = {label(10, LabelAction::kCorrect, 2, "anna", 1),
                                             label(11, LabelAction::kCorrect, 0, "anna", 1)};
  RunContext context;
  const auto queue =
      buildQueue(run, {.by = "second-opinion"}, {.labels = present, .annotator = "ben"}, context);
  ASSERT_OK(queue);
  EXPECT_THAT(queue->ids, ElementsAre(10, 11));
  EXPECT_EQ(queue->scores.front(), 0.0);
}

}  // namespace
}  // namespace dubito
