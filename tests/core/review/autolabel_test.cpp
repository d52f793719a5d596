// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/autolabel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "core/decisions/clopper_pearson.h"
#include "core/decisions/run_uncertainty.h"
#include "core/io/prediction_file.h"
#include "core/labels/label_store.h"
#include "core/metrics/measure.h"
#include "core/runs/run_rows.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

/// A run, and another one of the same network over other items.
struct RunPair {
  dubito::Run run = test::randomRun(1500, 4, 6.0, 1, true, false);
  dubito::Run calibration = test::randomRun(1500, 4, 6.0, 2, true, false);
};

const RunPair& runPair() {
  static const RunPair pair;
  return pair;
}

Autolabel labelled(const std::vector<PresentLabel>& labels, const AutolabelOptions& options) {
  RunContext context;
  const auto result =
      autolabel(runPair().run, runPair().calibration, {.labels = labels}, options, context);
  EXPECT_OK(result);
  return result.value_or(Autolabel());
}

AutolabelOptions options(double target, const std::string& rule) {
  AutolabelOptions made;
  made.selection = {.target = target, .delta = 0.05, .rule = rule};
  return made;
}

TEST(Autolabel, LabelsWhatTheThresholdOfTheCalibrationItemsSelects) {
  for (const char* const rule : {"sgr", "fixed-sequence", "bonferroni-grid", "pointwise"}) {
    for (const char* const measure : {"entropy", "confidence", "margin"}) {
      SCOPED_TRACE(std::string(rule) + " " + measure);
      AutolabelOptions made = options(0.95, rule);
      made.measure = measure;
      const Autolabel result = labelled({}, made);
      RunContext context;
      const Measure of = measureOfKey(measure).value();
      const auto wanted = uncertaintyOf(runPair().run, "run", of, context).value();
      const auto known = uncertaintyOf(runPair().calibration, "calibration", of, context).value();
      std::vector<std::uint8_t> error;
      for (std::int64_t i = 0; i < 1500; ++i) {
        error.push_back(runPair().calibration.labels.data()[i] !=
                                runPair().calibration.predictions.data()[i]
                            ? 1
                            : 0);
      }
      const Selection selection =
          selectThreshold(known.values.values(), error, known.top, made.selection, context).value();
      ASSERT_TRUE(selection.threshold);
      EXPECT_EQ(result.selection.threshold, selection.threshold);
      EXPECT_EQ(result.selection.guaranteed, rule != std::string("pointwise"));
      std::vector<std::int64_t> rows;
      for (std::int64_t i = 0; i < 1500; ++i) {
        if (wanted.values.data()[i] <= *selection.threshold) {
          rows.push_back(i);
        }
      }
      EXPECT_GT(rows.size(), 50U);
      EXPECT_EQ(result.rows, rows);
      EXPECT_EQ(result.items, 1500);
      EXPECT_EQ(result.queued, 1500 - result.labelled());
      EXPECT_EQ(result.decided + result.labelled_before, 0);
    }
  }
}

TEST(Autolabel, BoundsTheErrorRateAtTheLevelOfTheRule) {
  const auto bound = [](const Selection& selection, double level) {
    return clopperPearsonUpper(selection.errors, selection.selected, 1.0 - level);
  };
  const Autolabel sgr = labelled({}, options(0.95, "sgr"));
  // ceil(log2(1500)) = 11 rounds.
  EXPECT_DOUBLE_EQ(sgr.selection.upper_error, bound(sgr.selection, 0.05 / 11.0));
  const Autolabel grid = labelled({}, options(0.95, "bonferroni-grid"));
  EXPECT_DOUBLE_EQ(grid.selection.upper_error, bound(grid.selection, 0.05 / 20.0));
  EXPECT_DOUBLE_EQ(labelled({}, options(0.95, "fixed-sequence")).selection.upper_error, 1.0 - 0.95);
  const Autolabel pointwise = labelled({}, options(0.95, "pointwise"));
  EXPECT_DOUBLE_EQ(pointwise.selection.upper_error, bound(pointwise.selection, 0.05));
  for (const Autolabel& each : {sgr, grid, pointwise}) {
    EXPECT_LE(each.selection.upper_error, 1.0 - 0.95);
    EXPECT_DOUBLE_EQ(each.expectedErrors(),
                     each.selection.upper_error * static_cast<double>(each.rows.size()));
  }
}

TEST(Autolabel, LabelsNothingIfNoThresholdPasses) {
  const Autolabel result = labelled({}, options(1.0, "sgr"));
  EXPECT_FALSE(result.selection.threshold);
  EXPECT_EQ(result.selection.upper_error, 1.0);
  EXPECT_TRUE(result.rows.empty());
  EXPECT_EQ(result.queued, 1500);
  EXPECT_TRUE(autolabelDecisions(result, runPair().run, {}, "anna").empty());
}

TEST(Autolabel, SaysWhichRuleWouldLabelWhereAnotherLabelsNothing) {
  // 300 calibration items without an error: enough at level delta, not at delta / 9.
  const auto perfect = [](std::int64_t items) {
    std::vector<float> values;
    for (std::int64_t i = 0; i < items; ++i) {
      const float top = 0.999F - 0.02F * static_cast<float>(i) / static_cast<float>(items);
      values.insert(values.end(), {top, 1.0F - top});
    }
    return test::runOf(Array<float>::fromVector({items, 2}, values),
                       std::vector<std::int64_t>(static_cast<std::size_t>(items), 0), "perfect");
  };
  const dubito::Run calibration = perfect(300);
  const dubito::Run run = perfect(1000);
  RunContext context;
  const auto none = autolabel(run, calibration, {}, options(0.99, "sgr"), context);
  ASSERT_OK(none);
  EXPECT_FALSE(none->selection.threshold);
  EXPECT_THAT(none->advice,
              testing::HasSubstr("sgr labels none of these items; with the same guarantee, "
                                 "fixed-sequence would label 1000 items"));
  EXPECT_THAT(none->advice, testing::HasSubstr("tries 2 rules"));
  EXPECT_THAT(none->advice, testing::HasSubstr("with probability 0.1"));
  // It does.
  const auto all = autolabel(run, calibration, {}, options(0.99, "fixed-sequence"), context);
  ASSERT_OK(all);
  EXPECT_EQ(all->labelled(), 1000);
  EXPECT_EQ(all->advice, "");
  // No rule at all: no advice.
  const auto impossible = autolabel(run, calibration, {}, options(0.9999, "sgr"), context);
  ASSERT_OK(impossible);
  EXPECT_FALSE(impossible->selection.threshold);
  EXPECT_EQ(impossible->advice, "");
}

TEST(Autolabel, LeavesItemsToThePersonsWhoDecidedThem) {
  const AutolabelOptions made = options(0.95, "sgr");
  const Autolabel before = labelled({}, made);
  ASSERT_GT(before.labelled(), 100);
  std::vector<PresentLabel> labels;
  const auto decide = [&](std::int64_t row, LabelAction action, LabelOrigin origin) {
    labels.push_back(
        {.item = runPair().run.ids.data()[row],
         .action = action,
         .class_id = assignsClass(action) ? std::optional<std::int64_t>(1) : std::nullopt,
         .origin = origin});
  };
  const std::vector<std::int64_t>& rows = before.rows;
  decide(rows[0], LabelAction::kCorrect, LabelOrigin::kPerson);
  decide(rows[1], LabelAction::kAccept, LabelOrigin::kPerson);
  decide(rows[2], LabelAction::kNotInClasses, LabelOrigin::kPerson);
  decide(rows[3], LabelAction::kAmbiguous, LabelOrigin::kPerson);
  decide(rows[4], LabelAction::kSkip, LabelOrigin::kPerson);
  decide(rows[5], LabelAction::kFlag, LabelOrigin::kPerson);
  decide(rows[6], LabelAction::kAccept, LabelOrigin::kDataset);
  decide(rows[7], LabelAction::kAccept, LabelOrigin::kModel);
  std::int64_t uncertain = 0;
  while (std::ranges::binary_search(rows, uncertain)) {
    ++uncertain;
  }
  decide(uncertain, LabelAction::kAccept, LabelOrigin::kModel);
  const Autolabel after = labelled(labels, made);
  EXPECT_EQ(after.rows, std::vector<std::int64_t>(rows.begin() + 7, rows.end()));
  EXPECT_EQ(after.decided, 5);
  EXPECT_EQ(after.labelled_before, 1);
  EXPECT_EQ(after.queued, 1500 - after.labelled() - 5 - 1);
  EXPECT_EQ(after.selection.threshold, before.selection.threshold);
}

TEST(Autolabel, NeedsComparableRunsAndLabels) {
  RunContext context;
  const AutolabelInputs named{.name = "a.npz", .calibration_name = "b.npz"};
  const auto refused = [&](const dubito::Run& calibration, const AutolabelOptions& made) {
    const auto result = autolabel(runPair().run, calibration, named, made, context);
    EXPECT_FALSE(result);
    return result ? Error() : result.error();
  };
  EXPECT_THAT(refused(test::randomRun(50, 3, 2.0, 1, true, false), {}).message,
              HasSubstr("b.npz: has 3 classes, not 4, unlike a.npz"));
  EXPECT_THAT(refused(test::randomRun(50, 4, 2.0, 1, false, false), {}).message,
              HasSubstr("b.npz"));
  AutolabelOptions of_draws;
  of_draws.measure = "variance";
  EXPECT_THAT(refused(runPair().calibration, of_draws).message, HasSubstr("has no variance"));
  AutolabelOptions unknown;
  unknown.measure = "luck";
  const Error measure = refused(runPair().calibration, unknown);
  EXPECT_THAT(measure.message, HasSubstr("Measure is 'luck'"));
  EXPECT_THAT(measure.remedy.settings, testing::ElementsAre(setting("measure")));
  const Error target = refused(runPair().calibration, options(2.0, "sgr"));
  EXPECT_THAT(target.message, HasSubstr("Target is 2"));
  EXPECT_THAT(target.remedy.settings, testing::ElementsAre(setting("target")));
}

TEST(AutolabelDecisions, AreOneStepThatIsUndoneTogether) {
  const test::TempDir folder;
  auto opened = LabelStore::open(folder.file("a.labels"), StoreMode::kOpenOrCreate);
  ASSERT_OK(opened);
  LabelStore& store = **opened;
  const std::vector<std::string> classes{"0", "1", "2", "3"};
  ASSERT_OK(store.belongTo({.name = "random", .spec = {}, .fingerprint = {}}, classes));
  const Autolabel first = labelled({}, options(0.95, "sgr"));
  const std::int64_t by_person = runPair().run.ids.data()[first.rows[3]];
  const Decision decision{
      .item = by_person, .action = LabelAction::kCorrect, .class_id = 2, .annotator = "ben"};
  ASSERT_OK(store.decide(std::span(&decision, 1)));

  const auto present = store.labels();
  ASSERT_OK(present);
  const AutolabelInputs inputs{.name = "a.npz", .labels = *present};
  RunContext context;
  const auto result =
      autolabel(runPair().run, runPair().calibration, inputs, options(0.95, "sgr"), context);
  ASSERT_OK(result);
  const std::vector<Decision> decisions =
      autolabelDecisions(*result, runPair().run, inputs, "anna");
  ASSERT_EQ(decisions.size(), first.rows.size() - 1);
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    const std::int64_t row = result->rows[i];
    const Decision& each = decisions[i];
    EXPECT_EQ(each.item, runPair().run.ids.data()[row]);
    EXPECT_NE(each.item, by_person);
    EXPECT_EQ(each.action, LabelAction::kAccept);
    EXPECT_EQ(each.class_id, runPair().run.predictions.data()[row]);
    EXPECT_EQ(each.origin, LabelOrigin::kModel);
    EXPECT_EQ(each.previous_class, runPair().run.labels.data()[row]);
    EXPECT_EQ(each.previous_origin, LabelOrigin::kDataset);
    EXPECT_EQ(each.queue, "autolabel");
    EXPECT_EQ(each.run, "a.npz");
    EXPECT_EQ(each.annotator, "anna");
    EXPECT_TRUE(each.probs.empty());
  }
  const auto step = store.decide(decisions);
  ASSERT_OK(step);
  EXPECT_EQ(store.labels()->size(), decisions.size() + 1);
  const auto of_person = store.label(by_person);
  ASSERT_OK(of_person);
  EXPECT_EQ((*of_person)->class_id, 2);
  const auto undone = store.undo("anna");
  ASSERT_OK(undone);
  ASSERT_TRUE(*undone);
  EXPECT_EQ((*undone)->step, *step);
  EXPECT_EQ((*undone)->decisions.size(), decisions.size());
  EXPECT_EQ(store.labels()->size(), 1U);
  ASSERT_OK(store.redo("anna"));
  EXPECT_EQ(store.labels()->size(), decisions.size() + 1);
}

/// 5 % of the splits may break the guarantee; the tolerance is three standard deviations of a share
/// of so many splits.
TEST(Autolabel, KeepsItsGuaranteeOnRandomSplitsOfSavedPredictions) {
  DUBITO_NEEDS_SHARED();
  constexpr int kSplits = 60;
  const std::filesystem::path folder = *test::sharedDir() / "datasets" / "predictions";
  struct Case {
    const char* file;
    double target;
  };
  for (const Case& each :
       {Case{"wideresnet-16-4-cifar-10.npz", 0.99}, Case{"lenet-5-cifar-10.npz", 0.85}}) {
    SCOPED_TRACE(each.file);
    RunContext context;
    const auto whole = openPredictions((folder / each.file).string(), context);
    ASSERT_OK(whole);
    std::vector<std::int64_t> rows(static_cast<std::size_t>(whole->itemCount()));
    std::iota(rows.begin(), rows.end(), std::int64_t{0});
    std::mt19937_64 random(7);
    int broken = 0;
    double share = 0.0;
    for (int split = 0; split < kSplits; ++split) {
      std::ranges::shuffle(rows, random);
      const dubito::Run calibration =
          rowsOfRun(*whole, std::span(rows).first(rows.size() / 2), context);
      const dubito::Run run = rowsOfRun(*whole, std::span(rows).subspan(rows.size() / 2), context);
      const auto result = autolabel(run, calibration, {}, options(each.target, "sgr"), context);
      ASSERT_OK(result);
      std::int64_t wrong = 0;
      for (const std::int64_t row : result->rows) {
        wrong += run.labels.data()[row] != run.predictions.data()[row] ? 1 : 0;
      }
      const auto count = static_cast<double>(result->labelled());
      broken += static_cast<double>(wrong) > (1.0 - each.target) * count ? 1 : 0;
      share += count / (kSplits * static_cast<double>(result->items));
    }
    EXPECT_LE(broken, std::ceil(kSplits * 0.05 + 3.0 * std::sqrt(kSplits * 0.05 * 0.95)));
    EXPECT_GT(share, 0.05);
  }
}

TEST(CalibrationItems, GiveTheCurveOfTheThresholds) {
  // By uncertainty: right, wrong and right at the same value, right.
  const CalibrationItems items{.uncertainty = {0.5, 0.2, 0.9, 0.5}, .error = {1, 0, 0, 0}};
  EXPECT_EQ(errorsByUncertainty(items), (std::vector<std::uint8_t>{0, 1, 0, 0}));
  const Curve curve = accuracyByShare(items, 100);
  EXPECT_EQ(curve.x, (std::vector<double>{0.25, 0.75, 1.0}));
  EXPECT_THAT(curve.y, testing::Pointwise(testing::DoubleEq(), {1.0, 2.0 / 3.0, 0.75}));
  EXPECT_TRUE(accuracyByShare({}, 100).x.empty());
}

TEST(AutolabelBasis, GivesTheSameAsOneCallForEveryTarget) {
  RunContext context;
  const Measure entropy = Measure::kEntropy;
  const auto items = calibrationItems(runPair().calibration, "calibration", entropy, context);
  ASSERT_OK(items);
  const PresentLabel settled{.item = runPair().run.ids.data()[3]};
  const PresentLabel skipped{.item = runPair().run.ids.data()[4], .action = LabelAction::kSkip};
  const std::vector<PresentLabel> labels{settled, skipped};
  const auto basis = autolabelBasis(runPair().run, *items, {.labels = labels}, entropy, context);
  ASSERT_OK(basis);
  for (const double target : {0.9, 0.95, 0.999}) {
    const AutolabelOptions made = options(target, "sgr");
    const auto result = autolabel(*basis, made.selection, context);
    ASSERT_OK(result);
    const Autolabel expected = labelled(labels, made);
    EXPECT_EQ(result->rows, expected.rows);
    EXPECT_EQ(result->queued, expected.queued);
    EXPECT_EQ(result->decided, 1);
    EXPECT_EQ(result->selection.threshold, expected.selection.threshold);
  }
  EXPECT_EQ(withThreshold(*basis, {}).queued, 1499);
}

}  // namespace
}  // namespace dubito
