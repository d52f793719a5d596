// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/label_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/matchers.h"

namespace dubito {
namespace {

/// A run of `items` items with given predictions and labels; the predicted class has `confidence`.
Run runOf(const std::vector<std::int64_t>& predictions, std::vector<std::int64_t> labels,
          std::int64_t classes, double confidence = 0.6) {
  Run run;
  const auto items = static_cast<std::int64_t>(labels.size());
  auto probs = Array<float>::zeros({items, classes});
  std::vector<std::int64_t> ids;
  for (std::int64_t i = 0; i < items; ++i) {
    ids.push_back(i);
    for (std::int64_t k = 0; k < classes; ++k) {
      probs.mutableRow(i)[static_cast<std::size_t>(k)] =
          static_cast<float>(k == predictions[static_cast<std::size_t>(i)]
                                 ? confidence
                                 : (1.0 - confidence) / static_cast<double>(classes - 1));
    }
  }
  run.probs = probs;
  run.predictions = Array<std::int64_t>::fromVector(predictions);
  run.labels = Array<std::int64_t>::fromVector(std::move(labels));
  run.ids = Array<std::int64_t>::fromVector(std::move(ids));
  return run;
}

/// Labels i % classes; each prediction is right with probability `accuracy`, else another class.
Run randomRun(std::int64_t items, std::int64_t classes, double accuracy, unsigned seed,
              double confidence = 0.6) {
  std::mt19937_64 random(seed);
  std::bernoulli_distribution right(accuracy);
  std::uniform_int_distribution<std::int64_t> other(1, classes - 1);
  std::vector<std::int64_t> labels;
  std::vector<std::int64_t> predictions;
  for (std::int64_t i = 0; i < items; ++i) {
    labels.push_back(i % classes);
    predictions.push_back(right(random) ? i % classes : (i + other(random)) % classes);
  }
  return runOf(predictions, labels, classes, confidence);
}

std::string warningOf(const Run& run) {
  LabelFit fit;
  fit.add(run);
  const std::optional<Note> note = labelFitNote(run.meta, fit);
  return note ? toText(*note) : std::string();
}

TEST(LabelFit, IsThatOfItsPartsWithAnyNumberOfThreads) {
  dubito::Run run = randomRun(100'000, 7, 0.6, 4);
  // Unknown ones, and classes that are as large as those of other programs may be.
  std::vector<std::int64_t> labels(run.labels.values().begin(), run.labels.values().end());
  std::vector<std::int64_t> predictions(run.predictions.values().begin(),
                                        run.predictions.values().end());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    labels[i] = i % 11 == 0 ? -1 : i % 13 == 0 ? 1'000'000'007 : labels[i];
    predictions[i] = i % 17 == 0 ? 5'000 : predictions[i];
  }
  run.labels = Array<std::int64_t>::fromVector(labels);
  run.predictions = Array<std::int64_t>::fromVector(predictions);
  LabelFit whole;
  whole.add(run);
  EXPECT_EQ(whole.items, 100'000 - 9'091);
  EXPECT_EQ(whole.labelled.at(1'000'000'007), std::ranges::count(labels, 1'000'000'007));
  EXPECT_EQ(whole.predicted.size(), 8U);
  std::optional<double> loss;
  for (const int threads : {1, 2, 5}) {
    RunContext context;
    context.threads = threads;
    const LabelFit fit = labelFitOf(run, context);
    EXPECT_EQ(fit.items, whole.items);
    EXPECT_EQ(fit.correct, whole.correct);
    EXPECT_EQ(fit.classes, 7);
    EXPECT_EQ(fit.labelled, whole.labelled);
    EXPECT_EQ(fit.predicted, whole.predicted);
    EXPECT_NEAR(fit.loss, whole.loss, 1e-9 * whole.loss);
    EXPECT_NEAR(fit.loss_squares, whole.loss_squares, 1e-9 * whole.loss_squares);
    EXPECT_EQ(fit.loss, loss.value_or(fit.loss));
    loss = fit.loss;
  }
}

TEST(LabelFit, ChanceIsWarnedOf) {
  EXPECT_THAT(warningOf(randomRun(600, 3, 1.0 / 3.0, 1, 0.35)),
              HasSubstr("no better than that of"));
  EXPECT_THAT(warningOf(randomRun(1000, 10, 0.0, 2, 0.11)), HasSubstr("the accuracy of 0 %"));
  EXPECT_THAT(warningOf(randomRun(1000, 2, 0.2, 3, 0.51)), HasSubstr("the accuracy of"));
  // One class for all, as after a wrong normalisation.
  std::vector<std::int64_t> labels;
  for (std::int64_t i = 0; i < 300; ++i) {
    labels.push_back(i % 3);
  }
  EXPECT_THAT(warningOf(runOf(std::vector<std::int64_t>(300, 2), labels, 3, 0.4)),
              HasSubstr("the accuracy of 33.3 % over 300 labelled items is no better than that of "
                        "unrelated predictions (33.3 %)"));
  // The frequent class is no skill.
  std::vector<std::int64_t> rare(1000, 0);
  std::fill_n(rare.begin(), 50, 1);
  EXPECT_THAT(warningOf(runOf(std::vector<std::int64_t>(1000, 0), rare, 2, 0.96)), "");
  std::vector<std::int64_t> many(4000, 0);
  std::fill_n(many.begin(), 200, 1);
  EXPECT_THAT(warningOf(runOf(std::vector<std::int64_t>(4000, 0), many, 2, 0.96)),
              HasSubstr("the accuracy of 95 %"));
}

TEST(LabelFit, HonestRunsAreNot) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(warningOf(randomRun(1000, 10, 0.3, seed, 0.3)), "") << seed;
    EXPECT_EQ(warningOf(randomRun(200, 2, 0.8, seed, 0.8)), "") << seed;
    EXPECT_EQ(warningOf(randomRun(60, 3, 0.7, seed, 0.6)), "") << seed;
    EXPECT_EQ(warningOf(randomRun(19, 3, 0.0, seed, 0.4)), "") << "too few";
    EXPECT_EQ(warningOf(randomRun(60, 2, 0.5, seed, 0.5)), "") << "too few to tell";
  }
  // 94 % are less than the frequent class alone gives, and yet skill.
  std::vector<std::int64_t> labels(1000, 0);
  std::fill_n(labels.begin(), 50, 1);
  std::vector<std::int64_t> predictions = labels;
  std::fill_n(predictions.begin() + 100, 55, 1);
  std::fill_n(predictions.begin(), 5, 0);
  EXPECT_EQ(warningOf(runOf(predictions, labels, 2, 0.9)), "");
}

TEST(LabelFit, LabelsOfOneClassAreComparedWithEqualChances) {
  const std::vector<std::int64_t> labels(300, 1);
  std::vector<std::int64_t> predictions = labels;
  EXPECT_EQ(warningOf(runOf(predictions, labels, 3, 0.9)), "") << "all are right";
  std::fill_n(predictions.begin(), 120, 0);
  EXPECT_EQ(warningOf(runOf(predictions, labels, 3, 0.6)), "") << "60 % are";
  std::fill_n(predictions.begin(), 200, 0);
  EXPECT_THAT(warningOf(runOf(predictions, labels, 3, 0.4)),
              HasSubstr("the accuracy of 33.3 % over 300 labelled items is no better than that of "
                        "unrelated predictions (33.3 %)"));
  EXPECT_THAT(warningOf(runOf(std::vector<std::int64_t>(300, 0), labels, 3, 0.4)),
              HasSubstr("the accuracy of 0 %"));
}

TEST(LabelFit, AMeanLossAboveEqualProbabilitiesIsWarnedOf) {
  const std::string text = warningOf(randomRun(1000, 3, 0.5, 4, 0.999));
  EXPECT_EQ(text.find("no better"), std::string::npos) << text;
  EXPECT_THAT(text, HasSubstr(" nats over 1000 labelled items is above ln 3 = 1.099"));
  EXPECT_EQ(warningOf(randomRun(1000, 3, 0.5, 4, 0.5)), "");
}

TEST(LabelFit, RolesWithoutLabelsAndCorruptedItemsAreLeftAlone) {
  dubito::Run run = randomRun(600, 3, 1.0 / 3.0, 1);
  EXPECT_NE(warningOf(run), "");
  for (const char* const role : {"ood", "unlabelled"}) {
    run.meta.role = role;
    EXPECT_EQ(warningOf(run), "") << role;
  }
  run.meta.role = "test";
  run.meta.dataset_spec = "idx:images?corrupt=noise:5";
  EXPECT_EQ(warningOf(run), "");
  run.meta.dataset_spec = "idx:images";
  run.labels = Array<std::int64_t>::fromVector(std::vector<std::int64_t>(600, -1));
  EXPECT_EQ(warningOf(run), "");
}

TEST(LabelFit, PartsAddUpToTheWhole) {
  const dubito::Run whole = randomRun(600, 3, 1.0 / 3.0, 1);
  LabelFit one;
  one.add(whole);
  LabelFit two = one;
  two.add(one);
  EXPECT_EQ(two.items, 1200);
  EXPECT_EQ(two.correct, 2 * one.correct);
  EXPECT_EQ(two.labelled.at(2), 400);
  EXPECT_DOUBLE_EQ(two.loss, 2.0 * one.loss);
  EXPECT_TRUE(labelFitNote(two));
}

TEST(LabelFit, NotesOfARunHaveTheWarningOfItsPresentLabels) {
  dubito::Run run = randomRun(600, 3, 1.0 / 3.0, 1, 0.35);
  run.meta.notes = {"another note"};
  const std::vector<Note> notes = notesOfRun(run, RunContext());
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_EQ(toText(notes[0]), "another note");
  // A stored warning is replaced, not repeated, and goes with corrected labels.
  run.meta.notes = notes;
  EXPECT_EQ(notesOfRun(run, RunContext()), notes);
  run.labels = run.predictions;
  EXPECT_EQ(textsOf(notesOfRun(run, RunContext())), std::vector<std::string>{"another note"});
  EXPECT_EQ(textsOf(withoutPredictions(run).meta.notes), std::vector<std::string>{"another note"});
  // Warnings of the members of an ensemble are about other predictions.
  run.meta.notes = {takenFrom("member", {NoteKind::kLabelFit, "does not fit"}), "another note"};
  EXPECT_EQ(notesOfRun(run, RunContext()), run.meta.notes);
  EXPECT_EQ(textsOf(withoutPredictions(run).meta.notes), std::vector<std::string>{"another note"});
}

}  // namespace
}  // namespace dubito
