// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/prediction_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "core/io/npy.h"
#include "core/io/npz_writer.h"
#include "core/io/run_file.h"
#include "tests/core/io/mutate.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using Ints = Array<std::int64_t>;
using Floats = Array<float>;
using Doubles = Array<double>;
using Entries = std::vector<std::pair<std::string, AnyArray>>;

Expected<dubito::Run> open(const std::string& spec) {
  RunContext context;
  return openPredictions(spec, context);
}

void writeNpz(const std::string& path, const Entries& entries) {
  auto writer = NpzWriter::create(path);
  ASSERT_TRUE(writer);
  for (const auto& [name, array] : entries) {
    ASSERT_TRUE(writer->add(name, array));
  }
  ASSERT_TRUE(writer->commit());
}

Expected<dubito::Run> openNpz(const Entries& entries) {
  const test::TempDir dir;
  writeNpz(dir.file("x.npz"), entries);
  return open(dir.file("x.npz"));
}

/// What the error says; "opened" where there is none.
std::string messageOf(const Expected<dubito::Run>& run) {
  return run ? "opened" : run.error().message;
}

bool says(const std::string& message, const std::string& part) {
  return message.find(part) != std::string::npos;
}

bool hasNote(const dubito::Run& run, const std::string& part) {
  return std::ranges::any_of(textsOf(run.meta.notes),
                             [&](const auto& note) { return says(note, part); });
}

std::vector<std::int64_t> list(const Ints& array) {
  return {array.values().begin(), array.values().end()};
}

/// Accuracy in per cent and NLL of the labelled items, p clamped to the smallest normal number of
/// the stored type.
struct Score {
  double accuracy = 0.0;
  double nll = 0.0;
};

Score scoreOf(const dubito::Run& run) {
  const double smallest = std::holds_alternative<Floats>(*run.probs)
                              ? double{std::numeric_limits<float>::min()}
                              : std::numeric_limits<double>::min();
  Score score;
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    const std::int64_t label = run.labels.data()[i];
    score.accuracy += run.predictions.data()[i] == label ? 100.0 : 0.0;
    score.nll -= std::log(std::max(run.prob(i, label), smallest));
  }
  const auto n = static_cast<double>(run.itemCount());
  return {score.accuracy / n, score.nll / n};
}

TEST(Predictions, ReproduceThePublishedFigures) {
  DUBITO_NEEDS_SHARED();
  const auto folder = *test::sharedDir() / "datasets" / "predictions";
  const struct {
    const char* file;
    std::int64_t n, k;
    double accuracy, accuracy_digits, nll;
  } cases[] = {
      {"lenet-5-cifar-10.npz", 10000, 10, 53.08, 0.005, 1.36987},
      {"wideresnet-16-4-cifar-10.npz", 10000, 10, 91.09, 0.005, 0.37817},
      {"mnist_test_set_pyx.npy", 10000, 10, 99.13, 0.005, 0.03028},
      {"cifar10_test_set_pyx.npy", 10000, 10, 92.94, 0.005, 0.24917},
      {"imdb_test_set_pyx.npy", 25000, 2, 89.576, 0.0005, 0.30058},
  };
  for (const auto& c : cases) {
    const auto run = open((folder / c.file).string());
    ASSERT_OK(run);
    EXPECT_EQ(run->itemCount(), c.n);
    EXPECT_EQ(run->classCount(), c.k);
    const Score score = scoreOf(*run);
    EXPECT_NEAR(score.accuracy, c.accuracy, c.accuracy_digits) << c.file;
    EXPECT_NEAR(score.nll, c.nll, 0.000005) << c.file;
    EXPECT_EQ(run->meta.method, "predictions");
  }
}

TEST(Predictions, PairsOfNpyAreTheSameAsTheFoundLabels) {
  DUBITO_NEEDS_SHARED();
  const std::string stem =
      (*test::sharedDir() / "datasets" / "predictions" / "imdb_test_set_").string();
  const auto pair = open(stem + "pyx.npy," + stem + "original_labels.npy");
  const auto found = open(stem + "pyx.npy");
  ASSERT_OK(pair);
  ASSERT_TRUE(found);
  EXPECT_EQ(list(pair->labels), list(found->labels));
  EXPECT_TRUE(hasNote(*found, "imdb_test_set_original_labels.npy"));
  EXPECT_TRUE(hasNote(*found, "25000 of 25000 rows were rescaled"));
  EXPECT_FALSE(hasNote(*pair, "original_labels"));
  EXPECT_TRUE(std::holds_alternative<Doubles>(*pair->probs));
}

TEST(Predictions, TheMalformedTableIsRefusedByLine) {
  DUBITO_NEEDS_SHARED();
  const auto run = open(
      (*test::sharedDir() / "datasets" / "malformed" / "co2-header-6-names-7-values.csv").string());
  ASSERT_FALSE(run);
  EXPECT_TRUE(says(run.error().message, "line 2 has 7 values, but the header has 6 names"));
}

TEST(Predictions, AreViewsWhereNothingIsToDo) {
  const test::TempDir dir;
  writeNpz(dir.file("x.npz"), {{"pred_probs", Floats::fromVector({2, 2}, {0.25F, 0.75F, 1, 0})},
                               {"y_true", Array<std::uint8_t>::fromVector({1, 1})}});
  const auto run = open(dir.file("x.npz"));
  ASSERT_OK(run);
  EXPECT_NE(std::get<Floats>(*run->probs).owner(), nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(std::get<Floats>(*run->probs).data()) % 64, 0U);
  EXPECT_EQ(list(run->labels), (std::vector<std::int64_t>{1, 1}));
  EXPECT_EQ(list(run->predictions), (std::vector<std::int64_t>{1, 0}));
  EXPECT_EQ(list(run->ids), (std::vector<std::int64_t>{0, 1}));
  EXPECT_NEAR(run->entropy->data()[0], 0.5623351446188083, 1e-15);
  EXPECT_EQ(run->entropy->data()[1], 0.0);
}

TEST(Predictions, TiesGoToTheLowestClass) {
  const auto run = openNpz({{"probs", Floats::fromVector({1, 3}, {0.25F, 0.375F, 0.375F})}});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->predictions.data()[0], 1);
  EXPECT_EQ(run->labels.data()[0], -1);
  EXPECT_TRUE(hasNote(*run, "no labels"));
}

TEST(Predictions, LabelsComeInEveryForm) {
  const AnyArray probs = Floats::fromVector({2, 3}, {0.5F, 0.25F, 0.25F, 0, 0, 1});
  const std::vector<std::int64_t> expected{2, 0};
  for (const AnyArray& labels :
       {AnyArray(Ints::fromVector({2, 0})), AnyArray(Ints::fromVector({2, 1}, {2, 0})),
        AnyArray(Array<std::uint16_t>::fromVector({2, 0})), AnyArray(Doubles::fromVector({2, 0})),
        AnyArray(Array<std::int8_t>::fromVector({2, 0})),
        AnyArray(Floats::fromVector({2, 3}, {0, 0, 1, 1, 0, 0})),
        AnyArray(Array<std::uint8_t>::fromVector({2, 3}, {0, 0, 1, 1, 0, 0}))}) {
    const auto run = openNpz({{"predictions", probs}, {"ground_truth", labels}});
    ASSERT_OK(run);
    EXPECT_EQ(list(run->labels), expected) << typeName(labels);
  }
  const auto unknown = openNpz({{"probs", probs}, {"labels", Ints::fromVector({-1, 0})}});
  ASSERT_TRUE(unknown);
  EXPECT_TRUE(hasNote(*unknown, "1 of 2 items have no label"));
}

TEST(Predictions, BadLabelsAreNamedByRow) {
  const AnyArray probs = Floats::fromVector({2, 3}, {0.5F, 0.25F, 0.25F, 0, 0, 1});
  const auto message = [&](const AnyArray& labels) {
    return messageOf(openNpz({{"probs", probs}, {"labels", labels}}));
  };
  EXPECT_TRUE(says(message(Ints::fromVector({0, 3})),
                   "row 1 (counted from 0) has the label 3, but the 3 classes are 0 to 2"));
  EXPECT_TRUE(says(message(Ints::fromVector({1, 3})), "subtract 1"));
  EXPECT_TRUE(says(message(Ints::fromVector({-2, 0})), "row 0 (counted from 0) has the label -2"));
  EXPECT_TRUE(says(message(Doubles::fromVector({0, 0.5})), "element 1 is 0.5"));
  EXPECT_TRUE(says(message(Ints::fromVector({0, 1, 2})), "the shape (3,)"));
  EXPECT_TRUE(says(message(Ints::fromVector({}, {0})), "the shape ()"));
  EXPECT_TRUE(says(message(Floats::fromVector({2, 3}, {0, 0, 1, 1, 1, 0})),
                   "row 1 (counted from 0) of 'labels' is not one-hot"));
}

TEST(Predictions, RowsNearlyOneAreRescaledAndCounted) {
  const auto run =
      openNpz({{"probs", Doubles::fromVector({3, 2}, {0.5, 0.5009, 0.25, 0.75, 0.2, 0.7995})}});
  ASSERT_OK(run);
  EXPECT_DOUBLE_EQ(run->prob(0, 1), 0.5009 / 1.0009);
  EXPECT_EQ(run->prob(1, 1), 0.75);
  EXPECT_DOUBLE_EQ(run->prob(2, 0) + run->prob(2, 1), 1.0);
  EXPECT_TRUE(hasNote(*run, "2 of 3 rows were rescaled"));
}

TEST(Predictions, BadRowsAreNamed) {
  const auto message = [](std::vector<double> row) {
    std::vector<double> rows{0.5, 0.5};
    rows.insert(rows.end(), row.begin(), row.end());
    return messageOf(openNpz({{"probs", Doubles::fromVector({2, 2}, std::move(rows))}}));
  };
  for (const auto& [row, part] : {std::pair{std::vector<double>{0.5, NAN}, "contains nan"},
                                  {{INFINITY, 0.5}, "contains inf"},
                                  {{-0.1, 1.1}, "contains -0.1"},
                                  {{2.0, -1.0}, "'logits'"},
                                  {{0.5, 0.502}, "sums to 1.002"},
                                  {{0.0, 0.0}, "sums to 0"}}) {
    const std::string text = message(row);
    EXPECT_TRUE(says(text, part)) << text;
    EXPECT_TRUE(says(text, "x.npz: row 1 (counted from 0) of 'probs'")) << text;
  }
}

TEST(Predictions, LogitsGoThroughSoftmax) {
  const auto run = openNpz({{"logits", Floats::fromVector({2, 2}, {0, 1, 300, -300})}});
  ASSERT_OK(run);
  EXPECT_NEAR(run->prob(0, 1), 1.0 / (1.0 + std::exp(-1.0)), 1e-7);
  EXPECT_EQ(run->prob(1, 0), 1.0);
  ASSERT_TRUE(run->logits);
  EXPECT_EQ(std::get<Floats>(*run->logits).data()[2], 300.0F);
  // What is left of a probability that rounds to 1.
  EXPECT_EQ(run->confidence.data()[1], 1.0);
  EXPECT_NEAR(run->log_rest->data()[1], -600.0, 1e-12);
  EXPECT_NEAR(run->entropy->data()[1] / (601.0 * std::exp(-600.0)), 1.0, 1e-12);
  EXPECT_TRUE(hasNote(*run, "softmax"));
  EXPECT_TRUE(says(messageOf(openNpz({{"logits", Floats::fromVector({1, 2}, {NAN, 0})}})),
                   "row 0 (counted from 0) of 'logits' contains nan"));
}

TEST(Predictions, OneColumnIsTheSecondOfTwoClasses) {
  for (const AnyArray& column : {AnyArray(Floats::fromVector({0.25F, 1.0F})),
                                 AnyArray(Floats::fromVector({2, 1}, {0.25F, 1.0F}))}) {
    const auto run = openNpz({{"y_prob", column}, {"y", Ints::fromVector({0, 1})}});
    ASSERT_OK(run);
    EXPECT_EQ(run->classCount(), 2);
    EXPECT_EQ(run->prob(0, 0), 0.75);
    EXPECT_EQ(list(run->predictions), (std::vector<std::int64_t>{0, 1}));
    EXPECT_TRUE(hasNote(*run, "class 1 of two"));
  }
  EXPECT_TRUE(says(messageOf(openNpz({{"y_prob", Floats::fromVector({1.5F})}})), "row 0"));
}

TEST(Predictions, IdsAreKeptAndMustBeUnique) {
  const AnyArray probs = Floats::fromVector({2, 2}, {1, 0, 0, 1});
  const auto run = openNpz({{"probs", probs}, {"ids", Ints::fromVector({9, -4})}});
  ASSERT_TRUE(run);
  EXPECT_EQ(list(run->ids), (std::vector<std::int64_t>{9, -4}));
  EXPECT_TRUE(says(messageOf(openNpz({{"probs", probs}, {"ids", Ints::fromVector({9, 9})}})),
                   "row 1 (counted from 0) has the id 9, which appears twice"));
  EXPECT_TRUE(says(messageOf(openNpz({{"probs", probs}, {"ids", Ints::fromVector({9})}})),
                   "1 ids for 2 items"));
}

TEST(Predictions, ArraysThatCannotBeMeantAreRefused) {
  EXPECT_TRUE(says(messageOf(openNpz({{"weights", Floats::zeros({2, 2})}})),
                   "no probabilities under a usual name (it has 'weights')"));
  EXPECT_TRUE(says(messageOf(openNpz({{"predictions", Ints::fromVector({1, 0})}})),
                   "no probabilities under a usual name"));
  EXPECT_TRUE(says(messageOf(openNpz({{"probs", Floats::zeros({2, 3, 4})}})), "(2, 3, 4)"));
  EXPECT_TRUE(says(messageOf(openNpz({{"probs", Floats::zeros({0, 4})}})), "(0, 4)"));
  const test::TempDir dir;
  for (const auto& [bytes, part] : {std::pair{std::string("\x80\x04\x95"), "Python pickle"},
                                    {"\x89HDF\r\n", "HDF5"},
                                    {"\x1F\x8B\x08", "gzip"},
                                    {"", "is empty"},
                                    {"PK\x03\x04", "zip archive"}}) {
    test::writeBytes(dir.path() / "x", bytes);
    EXPECT_TRUE(says(messageOf(open(dir.file("x"))), part)) << messageOf(open(dir.file("x")));
  }
  EXPECT_TRUE(says(messageOf(open(dir.file("none"))), "no such file"));
  EXPECT_TRUE(says(messageOf(open(dir.path().string())), "is a folder"));
}

TEST(Predictions, RunFilesAreOpenedAsTheyAre) {
  const test::TempDir dir;
  auto run = openNpz({{"probs", Floats::fromVector({1, 2}, {0.25F, 0.75F})}});
  ASSERT_TRUE(run);
  run->meta.method = "mc-dropout";
  RunContext context;
  ASSERT_TRUE(writeRun(*run, dir.file("r.npz"), context));
  const auto back = open(dir.file("r.npz"));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->meta.method, "mc-dropout");
}

TEST(Predictions, NpyMutationsAreSurvived) {
  const test::TempDir dir;
  const std::string labels = dir.file("x_labels.npy");
  ASSERT_TRUE(writeNpy(dir.file("x_probs.npy"), Floats::fromVector({2, 2}, {1, 0, 0.5F, 0.5F})));
  ASSERT_TRUE(writeNpy(labels, Ints::fromVector({1, 0})));
  const std::string original = test::readBytes(labels);
  ASSERT_TRUE(open(dir.file("x_probs.npy")));
  int refused = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    test::writeBytes(labels, test::mutate(original, seed));
    const auto run = open(dir.file("x_probs.npy"));
    if (run) {
      for (const std::int64_t label : run->labels.values()) {
        EXPECT_TRUE(label >= -1 && label < 2);
      }
    }
    refused += run ? 0 : 1;
  }
  EXPECT_GT(refused, 50);
}

}  // namespace
}  // namespace dubito
