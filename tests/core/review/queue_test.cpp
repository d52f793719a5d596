// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>

#include "core/base/nan.h"
#include "core/io/run_needs.h"
#include "core/measures/measures.h"
#include "core/review/label_errors.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using Rows = std::vector<std::int64_t>;

/// A run with everything that a queue can need.
struct Everything {
  dubito::Run run;
  dubito::Run other;
  RealArray features;

  /// Two items have the same image.
  static std::optional<SmallImage> imageOf(std::int64_t id) {
    std::mt19937_64 random(static_cast<std::uint64_t>(id) / 2);
    SmallImage image{};
    std::ranges::generate(image, [&] { return static_cast<std::uint8_t>(random() >> 56); });
    return image;
  }

  [[nodiscard]] QueueInputs inputs() const {
    return {.name = "run.npz",
            .other = &other,
            .other_name = "other.npz",
            .features = &features,
            .small_image = [this](std::int64_t row) { return imageOf(run.ids.data()[row]); }};
  }
};

Array<float> randomDraws(std::int64_t draws, std::int64_t items, std::int64_t classes,
                         unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0.0, 1.5);
  Array<float> samples = Array<float>::zeros({draws, items, classes});
  for (std::int64_t row = 0; row < draws * items; ++row) {
    std::vector<double> logits(static_cast<std::size_t>(classes));
    std::ranges::generate(logits, [&] { return normal(random); });
    std::ranges::copy(softmax(logits), samples.mutableData() + row * classes);
  }
  return samples;
}

Everything everything(std::int64_t items, unsigned seed) {
  Everything made{test::randomRun(items, 4, 1.5, seed, true, true),
                  test::randomRun(items, 4, 1.5, seed + 1, true, false), Array<float>()};
  std::mt19937_64 random(seed + 2);
  std::normal_distribution<float> normal;
  Array<float> features = Array<float>::zeros({items, 5});
  std::ranges::generate(features.mutableValues(), [&] { return normal(random); });
  made.features = features;
  made.run.samples = randomDraws(3, items, 4, seed + 3);
  std::vector<std::int64_t> ids(made.run.ids.values().begin(), made.run.ids.values().end());
  std::shuffle(ids.begin(), ids.end(), random);
  made.run.ids = Array<std::int64_t>::fromVector(ids);
  std::shuffle(ids.begin(), ids.end(), random);
  made.other.ids = Array<std::int64_t>::fromVector(ids);
  std::vector<std::int64_t> labels(made.run.labels.values().begin(),
                                   made.run.labels.values().end());
  labels[1] = labels[4] = -1;
  // The other run has the same items.
  std::vector<std::int64_t> other_labels;
  for (const std::int64_t id : ids) {
    const auto row = std::ranges::find(made.run.ids.values(), id) - made.run.ids.values().begin();
    other_labels.push_back(labels[static_cast<std::size_t>(row)]);
  }
  made.other.labels = Array<std::int64_t>::fromVector(std::move(other_labels));
  made.run.labels = Array<std::int64_t>::fromVector(std::move(labels));
  return made;
}

template <class T>
Array<T> pickRows(const Array<T>& from, const Rows& rows) {
  std::vector<std::int64_t> shape = from.shape();
  shape[0] = static_cast<std::int64_t>(rows.size());
  Array<T> picked = Array<T>::zeros(shape);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::ranges::copy(from.row(rows[i]), picked.mutableRow(static_cast<std::int64_t>(i)).begin());
  }
  return picked;
}

/// The same items in another order of rows.
Everything reordered(const Everything& from, const Rows& rows) {
  Everything made = from;
  dubito::Run& run = made.run;
  run.probs = pickRows(std::get<Array<float>>(*run.probs), rows);
  run.labels = pickRows(run.labels, rows);
  run.ids = pickRows(run.ids, rows);
  run.predictions = pickRows(run.predictions, rows);
  run.confidence = pickRows(run.confidence, rows);
  for (auto* const column : {&run.entropy, &run.expected_entropy, &run.mutual_information,
                             &run.variation_ratio, &run.variance, &run.log_rest}) {
    if (*column) {
      *column = pickRows(**column, rows);
    }
  }
  const std::int64_t draws = run.samples->extent(0);
  Array<float> samples = Array<float>::zeros(run.samples->shape());
  for (std::int64_t t = 0; t < draws; ++t) {
    const Array<float> draw =
        run.samples->slice(t, t + 1).reshaped({run.samples->extent(1), run.samples->extent(2)});
    std::ranges::copy(pickRows(draw, rows).values(), samples.mutableRow(t).begin());
  }
  run.samples = samples;
  made.features = pickRows(std::get<Array<float>>(from.features), rows);
  return made;
}

Queue built(const dubito::Run& run, const QueueOptions& options, const QueueInputs& inputs = {},
            int threads = 1) {
  RunContext context;
  context.threads = threads;
  const auto queue = buildQueue(run, options, inputs, context);
  EXPECT_OK(queue) << options.by;
  return queue.value_or(Queue());
}

TEST(Queue, HasEveryItemOnceInTheOrderOfItsScore) {
  const Everything made = everything(500, 1);
  for (const QueueId id : allQueueKinds()) {
    const QueueKind& kind = describe(id);
    const Queue queue = built(made.run, {.by = kind.key}, made.inputs());
    EXPECT_EQ(queue.key, kind.key);
    EXPECT_EQ(queue.why, kind.why);
    EXPECT_EQ(queue.items, 500);
    EXPECT_EQ(queue.length() + queue.without_score, 500) << kind.key;
    EXPECT_EQ(queue.settled + queue.not_chosen + queue.beyond_limit, 0);
    EXPECT_EQ(std::set<std::int64_t>(queue.ids.begin(), queue.ids.end()).size(), queue.ids.size());
    for (std::size_t i = 0; i < queue.rows.size(); ++i) {
      EXPECT_EQ(made.run.ids.data()[queue.rows[i]], queue.ids[i]);
      EXPECT_TRUE(std::isfinite(queue.scores[i])) << kind.key;
    }
    const bool is_special = kind.key == "label-errors" || kind.key == "disagreement" ||
                            kind.key == "batch-bald" ||
                            kind.key == "duplicates";  // two parts, or growing values
    if (!is_special && kind.high_first) {
      EXPECT_TRUE(std::ranges::is_sorted(queue.scores, std::ranges::greater())) << kind.key;
    } else if (!is_special) {
      EXPECT_TRUE(std::ranges::is_sorted(queue.scores)) << kind.key;
    }
  }
}

TEST(Queue, DependsOnNeitherRowsNorThreads) {
  const Everything made = everything(300, 2);
  Rows order(300);
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937_64(9));
  const Everything other = reordered(made, order);
  for (const std::string& key : queueKeys()) {
    const Queue queue = built(made.run, {.by = key}, made.inputs());
    if (!describe(queueOfKey(key).value()).follows_rows) {
      EXPECT_EQ(queue.ids, built(other.run, {.by = key}, other.inputs()).ids) << key;
    }
    EXPECT_EQ(queue.ids, built(made.run, {.by = key}, made.inputs(), 4).ids) << key;
  }
}

TEST(Queue, ALimitGivesTheBeginning) {
  const Everything made = everything(400, 3);
  for (const std::string& key : queueKeys()) {
    const Queue all = built(made.run, {.by = key}, made.inputs());
    const Queue some = built(made.run, {.by = key, .limit = 7}, made.inputs());
    const auto length = std::min<std::int64_t>(7, all.length());
    EXPECT_EQ(some.ids, Rows(all.ids.begin(), all.ids.begin() + length)) << key;
    EXPECT_EQ(some.length() + some.beyond_limit + some.without_score, 400) << key;
  }
}

TEST(Queue, SortsManyItemsInPartsAsAWhole) {
  const dubito::Run run = test::randomRun(150'000, 3, 1.0, 4, true, false);
  const Queue queue = built(run, {.by = "margin"}, {}, 4);
  std::vector<std::pair<double, std::int64_t>> expected;
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    expected.emplace_back(marginOf(std::get<Array<float>>(*run.probs).row(i)), run.ids.data()[i]);
  }
  std::ranges::sort(expected);
  ASSERT_EQ(queue.length(), 150'000);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(queue.ids[i], expected[i].second) << i;
    ASSERT_EQ(queue.scores[i], expected[i].first) << i;
  }
}

TEST(Queue, EqualScoresAreInTheOrderOfTheirIds) {
  dubito::Run run = test::randomRun(6, 2, 1.0, 5, true, false);
  run.entropy = Array<double>::fromVector({0.1, 0.5, 0.5, 0.0, -0.0, 0.5});
  run.ids = Array<std::int64_t>::fromVector({1, 30, 4, 8, 7, -2});
  EXPECT_EQ(built(run, {.by = "entropy"}).ids, (Rows{-2, 4, 30, 1, 7, 8}));
}

TEST(Queue, LeavesOutSettledItemsAndRowsThatWereNotChosen) {
  const Everything made = everything(200, 6);
  const Queue all = built(made.run, {.by = "entropy"});
  QueueInputs inputs = made.inputs();
  const Rows settled = {all.ids[0], all.ids[3], 123'456'789, all.ids[7]};
  inputs.settled_ids = settled;
  const Queue open = built(made.run, {.by = "entropy"}, inputs);
  EXPECT_EQ(open.settled, 3);
  Rows expected = all.ids;
  std::erase_if(expected, [&](std::int64_t id) { return std::ranges::count(settled, id) > 0; });
  EXPECT_EQ(open.ids, expected);

  const Rows rows = {all.rows[1], all.rows[0], all.rows[5]};
  inputs.only_rows = rows;
  const Queue few = built(made.run, {.by = "entropy"}, inputs);
  EXPECT_EQ(few.rows, (Rows{all.rows[1], all.rows[5]}));
  EXPECT_EQ(few.settled, 1);
  EXPECT_EQ(few.not_chosen, 197);

  // Greedy queues choose among the remaining items only.
  for (const char* const key : {"varied", "batch-bald"}) {
    const Queue greedy = built(made.run, {.by = key, .limit = 3}, inputs);
    EXPECT_EQ(std::set<std::int64_t>(greedy.rows.begin(), greedy.rows.end()),
              (std::set<std::int64_t>{all.rows[1], all.rows[5]}))
        << key;
  }
}

TEST(Queue, EverythingSettledIsAnEmptyQueue) {
  const Everything made = everything(20, 7);
  QueueInputs inputs = made.inputs();
  inputs.settled_ids = made.run.ids.values();
  for (const std::string& key : queueKeys()) {
    const Queue queue = built(made.run, {.by = key}, inputs);
    EXPECT_EQ(queue.length(), 0) << key;
    EXPECT_EQ(queue.settled, describe(queueOfKey(key).value()).revisits ? 0 : 20) << key;
  }
}

TEST(Queue, ConfidencesThatRoundToOneAreStillOrdered) {
  dubito::Run run = test::randomRun(3, 2, 1.0, 8, true, false);
  run.probs = Array<float>::fromVector({3, 2}, {1.0F, 1e-30F, 1.0F, 1e-12F, 1.0F, 1e-20F});
  run.confidence = Array<double>::fromVector({1.0, 1.0, 1.0});
  run.predictions = Array<std::int64_t>::fromVector({0, 0, 0});
  run.log_rest.reset();
  run.ids = Array<std::int64_t>::fromVector({1, 2, 3});
  EXPECT_EQ(built(run, {.by = "confidence"}).ids, (Rows{2, 3, 1}));
}

TEST(Queue, ItemsWithoutAValueAreLeftOutAndCounted) {
  dubito::Run run = test::randomRun(3, 2, 1.0, 8, true, false);
  run.entropy = Array<double>::fromVector({0.1, std::nan(""), 0.3});
  const Queue queue = built(run, {.by = "entropy"});
  EXPECT_EQ(queue.rows, (Rows{2, 0}));
  EXPECT_EQ(queue.without_score, 1);
}

TEST(Queue, LabelQueuesPutContradictedLabelsFirst) {
  dubito::Run run = test::randomRun(4, 3, 1.0, 8, true, false);
  run.probs = Array<float>::fromVector(
      {4, 3}, {0.6F, 0.3F, 0.1F, 0.1F, 0.1F, 0.8F, 0.4F, 0.35F, 0.25F, 0.2F, 0.2F, 0.6F});
  run.labels = Array<std::int64_t>::fromVector({0, 0, 1, -1});
  run.meta.role = "train";
  const Queue doubtful = built(run, {.by = "self-confidence"});
  EXPECT_EQ(doubtful.rows, (Rows{1, 2, 0}));
  EXPECT_NEAR(doubtful.scores[0], 0.1, 1e-7);
  EXPECT_EQ(doubtful.without_score, 1);
  EXPECT_THAT(doubtful.notes.at(0), HasSubstr("role train"));
  EXPECT_EQ(doubtful.first_part, std::nullopt);
  const Queue margin = built(run, {.by = "label-margin"});
  EXPECT_EQ(margin.first_part, 2);  // in row 0 the given label leads
  EXPECT_EQ(margin.rows, (Rows{1, 2, 0}));
  EXPECT_NEAR(margin.scores[0], 0.5 * (0.1 - 0.8 + 1.0), 1e-7);
  const Queue errors = built(run, {.by = "label-errors"}, {.rule = "predicted-neq-given"});
  EXPECT_EQ(errors.rows, (Rows{1, 2, 0}));
  EXPECT_THAT(errors.notes.at(0), HasSubstr("role train"));
}

TEST(Queue, SuspectedErrorsComeBeforeAllOthers) {
  const Everything made = everything(400, 9);
  for (const char* const rule : {"prune-by-noise-rate", "prune-by-class", "confident-learning"}) {
    QueueInputs inputs = made.inputs();
    inputs.rule = rule;
    const auto errors = findLabelErrors(made.run, "run", {.rule = rule}, RunContext());
    ASSERT_OK(errors);
    const Queue queue = built(made.run, {.by = "label-errors"}, inputs);
    ASSERT_GT(errors->issues.size(), 3U);
    const auto end = static_cast<std::ptrdiff_t>(errors->issues.size());
    Rows first(queue.rows.begin(), queue.rows.begin() + end);
    std::ranges::sort(first);
    EXPECT_EQ(first, errors->issues) << rule;
    EXPECT_EQ(queue.first_part, end);
    EXPECT_EQ(queue.first_part_name, "suspected label errors");
    EXPECT_TRUE(std::is_sorted(queue.scores.begin(), queue.scores.begin() + end));
    EXPECT_TRUE(std::is_sorted(queue.scores.begin() + end, queue.scores.end()));
  }
}

TEST(Queue, DisagreementJoinsOnIds) {
  dubito::Run run = test::randomRun(3, 2, 1.0, 8, true, false);
  dubito::Run other = run;
  const auto set = [](dubito::Run& one, std::vector<float> probs, Rows ids, Rows predictions) {
    one.probs = Array<float>::fromVector({3, 2}, std::move(probs));
    one.ids = Array<std::int64_t>::fromVector(std::move(ids));
    one.predictions = Array<std::int64_t>::fromVector(std::move(predictions));
  };
  set(run, {0.55F, 0.45F, 0.95F, 0.05F, 0.5F, 0.5F}, {10, 11, 12}, {0, 0, 0});
  set(other, {0.55F, 0.45F, 0.45F, 0.55F, 0.9F, 0.1F}, {11, 10, 99}, {0, 1, 0});
  other.labels = Array<std::int64_t>::fromVector(
      {run.labels.data()[1], run.labels.data()[0], run.labels.data()[2]});
  const Queue queue =
      built(run, {.by = "disagreement"}, {.name = "a", .other = &other, .other_name = "b"});
  dubito::Run relabelled = other;
  relabelled.labels = Array<std::int64_t>::fromVector(
      {1 - run.labels.data()[1], other.labels.data()[1], other.labels.data()[2]});
  RunContext context;
  const auto refused = buildQueue(run, {.by = "disagreement"},
                                  {.name = "a", .other = &relabelled, .other_name = "b"}, context);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("b: item 11 has the label"));
  // Different predictions come first, although the probabilities of 11 differ more.
  EXPECT_EQ(queue.ids, (Rows{10, 11}));
  EXPECT_EQ(queue.first_part, 1);
  EXPECT_NEAR(queue.scores[0], 0.1, 1e-6);
  EXPECT_NEAR(queue.scores[1], 0.4, 1e-6);
  EXPECT_EQ(queue.without_score, 1);
}

TEST(Queue, FollowsTheFilesAndTheClassesOfTheRun) {
  const Everything made = everything(300, 2);
  const Queue files = built(made.run, {.by = "file-order"});
  Rows rows(300);
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  EXPECT_EQ(files.rows, rows);
  EXPECT_EQ(files.scores.front(), 1.0);
  const Queue classes = built(made.run, {.by = "by-class"});
  std::ranges::stable_sort(rows, {},
                           [&](std::int64_t row) { return made.run.predictions.data()[row]; });
  EXPECT_EQ(classes.rows, rows);
}

/// Labels of another program: [N] labels, as they are suggested, with their scores.
dubito::Run labelsOf(const std::vector<std::int64_t>& ids, const std::vector<std::int64_t>& labels,
                     const std::vector<double>& scores, std::vector<std::string> names) {
  dubito::Run run;
  run.ids = Array<std::int64_t>::fromVector(ids);
  run.labels = Array<std::int64_t>::fromVector(labels);
  run.predictions = Array<std::int64_t>::fromVector(labels);
  run.confidence = Array<double>::fromVector(scores);
  run.meta.method = kLabelsMethod;
  run.meta.class_names = std::move(names);
  return run;
}

TEST(Queue, LabelsOfTwoProgramsAreComparedByTheNamesOfTheirClasses) {
  const dubito::Run run =
      labelsOf({1, 2, 3, 4}, {0, 1, 0, 1}, {0.9, 0.8, 0.7, 0.6}, {"cat", "dog"});
  // The same classes in another order; items 3 and 9 are not shared.
  const dubito::Run other =
      labelsOf({4, 9, 2, 1}, {0, 0, 1, 1}, {kNaN, kNaN, kNaN, kNaN}, {"dog", "cat"});
  const Queue queue =
      built(run, {.by = "disagreement"}, {.name = "a", .other = &other, .other_name = "b"});
  EXPECT_EQ(queue.ids, (std::vector<std::int64_t>{2, 1, 4}));
  EXPECT_EQ(queue.scores, (std::vector<double>{1.0, 0.0, 0.0}));
  EXPECT_EQ(queue.first_part, 1);
  EXPECT_EQ(queue.without_score, 1);
  const dubito::Run strange = labelsOf({7}, {0}, {kNaN}, {"cat"});
  RunContext context;
  const auto refused = buildQueue(run, {.by = "disagreement"},
                                  {.name = "a", .other = &strange, .other_name = "b"}, context);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("no item in common"));
}

TEST(Queue, OfLabelsSaysThatAProgramWasUnsure) {
  const dubito::Run run = labelsOf({1, 2, 3}, {0, 1, 0}, {0.9, 0.3, kNaN}, {"cat", "dog"});
  const Queue queue = built(run, {.by = "confidence"});
  EXPECT_EQ(queue.ids, (std::vector<std::int64_t>{2, 1}));
  EXPECT_EQ(queue.without_score, 1);
  EXPECT_EQ(queue.why, "The program gave its label a low score; the lowest scores come first.");
  EXPECT_THAT(built(everything(10, 1).run, {.by = "confidence"}).why, HasSubstr("network"));
}

TEST(Queue, RandomOrderIsKeyedBySeedAndItem) {
  const dubito::Run run = test::randomRun(2000, 2, 1.0, 8, false, false);
  RunContext context;
  context.seed = 1;
  const Queue one = buildQueue(run, {.by = "random"}, {}, context).value();
  EXPECT_EQ(one.ids, buildQueue(run, {.by = "random"}, {}, context)->ids);
  context.seed = 2;
  EXPECT_NE(one.ids, buildQueue(run, {.by = "random"}, {}, context)->ids);
  // The score of an item does not depend on the others, and scores are uniform.
  const double mean = std::accumulate(one.scores.begin(), one.scores.end(), 0.0) / 2000.0;
  EXPECT_NEAR(mean, 0.5, 0.03);
  EXPECT_GE(one.scores.front(), 0.0);
  EXPECT_LT(one.scores.back(), 1.0);
}

TEST(Queue, BatchBaldAndVariedExplainWhereTheyEnd) {
  const Everything made = everything(1100, 10);
  const Queue varied = built(made.run, {.by = "varied"}, made.inputs());
  EXPECT_EQ(varied.length(), 1000);
  EXPECT_THAT(varied.notes.at(0), HasSubstr("first 1000"));
  EXPECT_EQ(varied.rows.front(), built(made.run, {.by = "entropy", .limit = 1}).rows.front());
  const Queue batch = built(made.run, {.by = "batch-bald"}, made.inputs());
  EXPECT_EQ(batch.length(), 8);  // 4^8 = 2^16
  EXPECT_THAT(batch.notes.at(0), HasSubstr("after 8 items"));
  EXPECT_TRUE(std::ranges::is_sorted(batch.scores));
}

TEST(Queue, RefusesWhatItCannotBuild) {
  const Everything made = everything(30, 11);
  const dubito::Run plain = test::randomRun(30, 4, 1.0, 12, false, false);
  RunContext context;
  const auto refused = [&](const dubito::Run& run, const QueueOptions& options,
                           const QueueInputs& inputs) {
    const auto queue = buildQueue(run, options, inputs, context);
    EXPECT_FALSE(queue) << options.by;
    EXPECT_EQ(queue.error().code, ErrorCode::kInvalidArgument);
    return queue ? "" : queue.error().message;
  };
  const QueueInputs named{.name = "p.npz"};
  EXPECT_THAT(refused(plain, {.by = "luck"}, named), HasSubstr("entropy"));
  EXPECT_THAT(refused(plain, {.by = "entropy", .limit = -1}, named), HasSubstr("Limit is -1"));
  EXPECT_THAT(refused(plain, {.by = "bald"}, named),
              HasSubstr("p.npz: has no mutual information, which needs draws"));
  EXPECT_THAT(refused(plain, {.by = "batch-bald"}, named), HasSubstr("p.npz: has no kept draws"));
  for (const char* const key : {"label-errors", "self-confidence", "label-margin"}) {
    EXPECT_THAT(refused(plain, {.by = key}, named), HasSubstr("p.npz: none of its 30 items"));
    EXPECT_THAT(refused(test::confidenceOnly(made.run), {.by = key}, named),
                HasSubstr("no probabilities"));
  }
  EXPECT_THAT(refused(plain, {.by = "varied"}, named), HasSubstr("features"));
  EXPECT_THAT(refused(plain, {.by = "disagreement"}, named), HasSubstr("second run"));
  const dubito::Run narrow = test::randomRun(30, 3, 1.0, 13, true, false);
  EXPECT_THAT(refused(plain, {.by = "disagreement"},
                      {.name = "p.npz", .other = &narrow, .other_name = "q.npz"}),
              HasSubstr("q.npz: has 3 classes, not 4, unlike p.npz"));
  dubito::Run elsewhere = plain;
  elsewhere.ids = Array<std::int64_t>::fromVector(std::vector<std::int64_t>(30, -5));
  EXPECT_THAT(refused(plain, {.by = "disagreement"},
                      {.name = "p.npz", .other = &elsewhere, .other_name = "q.npz"}),
              HasSubstr("no item in common"));
  const Rows outside = {30};
  EXPECT_THROW(static_cast<void>(buildQueue(plain, {}, {.only_rows = outside}, context)),
               std::out_of_range);
  context.control()->requestCancel();
  for (const std::string& key : queueKeys()) {
    const auto queue = buildQueue(made.run, {.by = key}, made.inputs(), context);
    ASSERT_FALSE(queue);
    EXPECT_EQ(queue.error().code, ErrorCode::kCancelled) << key;
  }
}

}  // namespace
}  // namespace dubito
