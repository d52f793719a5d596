// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/queue_kind.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <stdexcept>

#include "core/base/nan.h"
#include "core/review/queue.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

TEST(QueueKinds, AreCompleteAndHaveDifferentKeysAndNames) {
  std::set<std::string> keys;
  std::set<std::string> names;
  for (const QueueId id : allQueueKinds()) {
    const QueueKind& kind = describe(id);
    EXPECT_TRUE(isComplete(kind)) << kind.key;
    EXPECT_TRUE(keys.insert(kind.key).second) << kind.key;
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
    EXPECT_TRUE(std::ranges::none_of(kind.key, [](unsigned char c) { return std::isspace(c); }));
    EXPECT_TRUE(std::isupper(static_cast<unsigned char>(kind.why.front()))) << kind.why;
    EXPECT_EQ(kind.why.back(), '.') << kind.why;
    EXPECT_EQ(queueOfKey(kind.key), id);
  }
  EXPECT_EQ(queueOfKey("nonsense"), std::nullopt);
}

TEST(QueueKinds, HaveTheKeysThatScriptsUse) {
  const std::vector<std::string> keys = queueKeys();
  for (const char* const key :
       {"entropy", "bald", "margin", "confidence", "variation-ratio", "expected-entropy",
        "variance", "label-errors", "self-confidence", "label-margin", "disagreement", "varied",
        "batch-bald", "duplicates", "file-order", "by-class", "random", "second-opinion",
        "conflicts"}) {
    EXPECT_TRUE(std::ranges::find(keys, key) != keys.end()) << key;
  }
  // The approximation error of a method says nothing about an item.
  EXPECT_TRUE(std::ranges::find(keys, "gauge-bridge") == keys.end());
  EXPECT_EQ(describe(queueOfKey("entropy").value()).name, "unsure first");
  EXPECT_EQ(describe(queueOfKey("entropy").value()).why,
            "The network hesitates between classes; the most uncertain come first.");
}

TEST(QueueKinds, EveryMeasureOfCertaintyHasAQueueThatAgreesWithItsSense) {
  for (const Measure measure : allMeasures()) {
    const auto found = std::ranges::find(allQueueKinds(), std::optional(measure),
                                         [](QueueId id) { return describe(id).measure; });
    if (describe(measure).sense == MeasureSense::kApproximationIsWorse) {
      EXPECT_TRUE(found == allQueueKinds().end());
      continue;
    }
    ASSERT_TRUE(found != allQueueKinds().end()) << describe(measure).key;
    EXPECT_EQ(describe(*found).high_first, !highIsCertain(measure));
    EXPECT_EQ(describe(*found).needs_text, describe(measure).needs);
  }
}

TEST(QueueKinds, ANewMeasureIsOfferedByItself) {
  ASSERT_GT(allQueueKinds().size(), 0U);  // the list exists before the measure
  const Measure added = addMeasure(
      {.key = "id_parity",
       .name = "id parity",
       .short_name = "parity",
       .symbol = "parity",
       .unit = "",
       .axis_label = "parity",
       .sense = MeasureSense::kUncertain,
       .is_default = false,
       .axis_reaches_bound = false,
       .what_it_is = "1 for odd ids",
       .meaning = "A measure of a test.",
       .equation = "id mod 2",
       .range = "0 to 1",
       .source = "a test",
       .needs = "nothing",
       .upper_bound = [](std::int64_t) { return 1.0; },
       .compute = [](const dubito::Run& run, const RunContext&) -> std::optional<Array<double>> {
         Array<double> values = Array<double>::zeros({run.itemCount()});
         for (std::int64_t i = 0; i < run.itemCount(); ++i) {
           values.mutableData()[i] = static_cast<double>(run.ids.data()[i] % 2);
         }
         return values;
       }});
  const auto id = queueOfKey("id-parity");
  ASSERT_TRUE(id);
  EXPECT_EQ(describe(*id).measure, added);
  EXPECT_EQ(describe(*id).name, "high id parity first");
  EXPECT_EQ(describe(*id).why,
            "Ordered by id parity (1 for odd ids); the most uncertain come first.");
  RunContext context;
  const dubito::Run run = test::randomRun(6, 3, 1.0, 1, true, false);
  const auto queue = buildQueue(run, {.by = "id-parity"}, {}, context);
  ASSERT_OK(queue);
  EXPECT_EQ(queue->rows, (std::vector<std::int64_t>{1, 3, 5, 0, 2, 4}));
}

TEST(QueueKinds, ACustomKindIsBuiltLikeTheOthers) {
  QueueKind kind{.key = "by-id",
                 .name = "ids in order",
                 .why = "Items come in the order of their ids.",
                 .group = QueueGroup::kAnything,
                 .needs_text = "nothing",
                 .left_out = "without id",
                 .high_first = false,
                 .compute = [](const QueueSource& source, RunContext&) -> Expected<QueueScores> {
                   QueueScores scores{Array<double>::zeros({source.run.itemCount()})};
                   for (std::int64_t i = 0; i < source.run.itemCount(); ++i) {
                     scores.values.mutableData()[i] =
                         source.run.ids.data()[i] == 102
                             ? kNaN
                             : static_cast<double>(source.run.ids.data()[i]);
                   }
                   return scores;
                 }};
  const QueueId id = addQueueKind(kind);
  EXPECT_EQ(queueOfKey("by-id"), id);
  EXPECT_THROW(addQueueKind(kind), std::invalid_argument);
  kind.key = "by-id-2";
  kind.why = "";
  EXPECT_THROW(addQueueKind(kind), std::invalid_argument);
  RunContext context;
  const auto queue =
      buildQueue(test::randomRun(4, 3, 1.0, 1, true, false), {.by = "by-id"}, {}, context);
  ASSERT_OK(queue);
  EXPECT_EQ(queue->rows, (std::vector<std::int64_t>{0, 1, 3}));
  EXPECT_EQ(queue->without_score, 1);
}

}  // namespace
}  // namespace dubito
