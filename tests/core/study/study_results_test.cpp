// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of the tables, computed again slowly from the runs.
#include "core/study/study_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/io/run_file.h"
#include "core/study/study_folder.h"
#include "core/study/study_run.h"
#include "core/study/study_tables.h"
#include "tests/core/study/tiny_study.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using nlohmann::json;

class StudyResultsTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new test::TempDir;
    spec_ = new StudySpec(*parseStudy(test::tinyStudy().dump(), "s.json"));
    RunContext context;
    context.threads = 1;
    const auto report = runStudy(*spec_, {.folder = folder_->file("study")}, {}, context);
    ASSERT_OK(report);
    results_ = new StudyResults(report->results);
    const auto inputs = openStudy(*spec_, context);
    ASSERT_OK(inputs);
    plan_ = new StudyPlan(planStudy(*spec_, *inputs, folder_->file("study") + "/runs", context));
  }
  static void TearDownTestSuite() {
    delete plan_;
    delete results_;
    delete spec_;
    delete folder_;
  }

  static const StudyCell& cellAt(const std::string& row, std::size_t target) {
    return *std::ranges::find_if(results_->cells, [&](const StudyCell& cell) {
      return spec_->rows[cell.row].name() == row && cell.target == target;
    });
  }
  static const EvaluationTask& taskAt(const StudyCell& cell, std::size_t seed) {
    return *std::ranges::find_if(plan_->evaluations, [&](const EvaluationTask& task) {
      return task.row == cell.row && task.target == cell.target && task.seed_index == seed;
    });
  }
  static dubito::Run runAt(std::size_t run) {
    RunContext context;
    auto opened = readRun(plan_->runs[run].path, context);
    EXPECT_OK(opened);
    return opened.value_or(dubito::Run());
  }

  static test::TempDir* folder_;
  static StudySpec* spec_;
  static StudyResults* results_;
  static StudyPlan* plan_;
};
test::TempDir* StudyResultsTest::folder_ = nullptr;
StudySpec* StudyResultsTest::spec_ = nullptr;
StudyResults* StudyResultsTest::results_ = nullptr;
StudyPlan* StudyResultsTest::plan_ = nullptr;

/// Calibration error over `bins` bins of the pairs (confidence, right).
std::pair<double, double> calibrationErrors(const std::vector<std::pair<double, bool>>& items,
                                            int bins) {
  double ece = 0.0;
  double mce = 0.0;
  for (int bin = 0; bin < bins; ++bin) {
    double count = 0.0;
    double right = 0.0;
    double confidence = 0.0;
    for (const auto& [p, is_right] : items) {
      const bool inside = p <= static_cast<double>(bin + 1) / bins &&
                          (bin == 0 || p > static_cast<double>(bin) / bins);
      count += inside ? 1.0 : 0.0;
      right += inside && is_right ? 1.0 : 0.0;
      confidence += inside ? p : 0.0;
    }
    if (count > 0.0) {
      const double gap = std::abs(right - confidence) / count;
      ece += gap * count / static_cast<double>(items.size());
      mce = std::max(mce, gap);
    }
  }
  return {ece, mce};
}

double auroc(const std::vector<double>& positive, const std::vector<double>& negative) {
  double sum = 0.0;
  for (const double a : positive) {
    for (const double b : negative) {
      sum += a > b ? 1.0 : a == b ? 0.5 : 0.0;
    }
  }
  return sum / static_cast<double>(positive.size() * negative.size());
}

double meanOf(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) {
    sum += value;
  }
  return sum / static_cast<double>(values.size());
}

TEST_F(StudyResultsTest, ColumnsEqualPlainComputations) {
  for (const char* const row : {"plain/map", "fixed/dropout", "plain/ensemble", "plain/laplace",
                                "plain/target temperature"}) {
    SCOPED_TRACE(row);
    const StudyCell& cell = cellAt(row, 1);
    std::vector<std::vector<double>> values(studyColumns().size());
    for (std::size_t seed = 0; seed < 2; ++seed) {
      const EvaluationTask& task = taskAt(cell, seed);
      const dubito::Run run = runAt(task.run);
      const dubito::Run ood = runAt(task.ood.front());
      std::vector<std::pair<double, bool>> items;
      std::vector<double> right;
      std::vector<double> wrong;
      std::vector<double> right_entropy;
      double brier = 0.0;
      double nll = 0.0;
      for (std::int64_t i = 0; i < run.itemCount(); ++i) {
        const std::int64_t label = run.labels.data()[i];
        const bool is_right = label == run.predictions.data()[i];
        items.emplace_back(run.confidence.data()[i], is_right);
        (is_right ? right : wrong).push_back(run.confidence.data()[i]);
        if (is_right) {
          right_entropy.push_back(-run.entropy->data()[i]);
        }
        nll -= std::log(run.prob(i, label)) / 150.0;
        for (std::int64_t k = 0; k < 4; ++k) {
          brier += std::pow(run.prob(i, k) - (k == label ? 1.0 : 0.0), 2) / 150.0;
        }
      }
      const auto without = calibrationErrors(items, 15);
      std::vector<double> ood_entropy;
      for (std::int64_t i = 0; i < ood.itemCount(); ++i) {
        items.emplace_back(ood.confidence.data()[i], false);
        ood_entropy.push_back(-ood.entropy->data()[i]);
      }
      const auto with = calibrationErrors(items, 15);
      const std::vector<std::pair<std::size_t, double>> expected{
          {0, static_cast<double>(right.size()) / 150.0},
          {1, brier},
          {2, nll},
          {3, without.first},
          {4, with.first},
          {5, without.second},
          {6, with.second},
          {7, auroc(right, wrong)},
          {8, auroc(right_entropy, ood_entropy)}};
      for (const auto& [column, value] : expected) {
        values[column].push_back(value);
      }
    }
    for (std::size_t column = 0; column < 9; ++column) {
      const double mean = meanOf(values[column]);
      // Probabilities are floats.
      EXPECT_NEAR(cell.columns[column].mean, mean, 2e-6) << studyColumns()[column].key;
      EXPECT_NEAR(cell.columns[column].std_dev,
                  std::abs(values[column][0] - values[column][1]) / std::sqrt(2.0), 4e-6)
          << studyColumns()[column].key;
    }
    EXPECT_GT(cell.columns[9].mean, 0.5);
    EXPECT_GT(cell.columns[10].mean, 0.1);
  }
}

TEST_F(StudyResultsTest, AnEnsembleIsTheMeanOfItsMembers) {
  const EvaluationTask& task = taskAt(cellAt("plain/ensemble", 0), 1);
  const dubito::Run ensemble = runAt(task.run);
  const RunTask& plan = plan_->runs[task.run];
  ASSERT_EQ(plan.members.size(), 2U);
  const dubito::Run first = runAt(plan.members[0]);
  const dubito::Run second = runAt(plan.members[1]);
  EXPECT_EQ(first.meta.seed, 2U);
  EXPECT_EQ(second.meta.seed, 3U);
  for (std::int64_t i = 0; i < ensemble.itemCount(); ++i) {
    EXPECT_NEAR(ensemble.prob(i, 2), 0.5 * (first.prob(i, 2) + second.prob(i, 2)), 1e-6);
  }
}

TEST_F(StudyResultsTest, TheTemperatureIsFittedOnTheChosenItems) {
  const auto specOfFit = [](const char* row) {
    const dubito::Run run = runAt(taskAt(cellAt(row, 0), 0).run);
    return json::parse(run.meta.method_options).dump();
  };
  EXPECT_THAT(specOfFit("plain/temperature"), HasSubstr("n=120"));
  EXPECT_THAT(specOfFit("plain/target temperature"), HasSubstr("n=80"));
}

TEST_F(StudyResultsTest, TheGridIsDecidedByTheNll) {
  RunContext context;
  const StudyCell& cell = cellAt("plain/laplace", 0);
  const dubito::Run run = runAt(*taskAt(cell, 0).validation);
  const double chosen = json::parse(run.meta.method_options).at("tau");
  EXPECT_TRUE(chosen == 0.1 || chosen == 10.0);
  // A study with the other value alone has a higher NLL on the validation items.
  const auto nllWith = [&](double tau) {
    json study = test::tinyStudy();
    study["methods"] = {{{"name", "laplace"},
                         {"network", "plain"},
                         {"method", "laplace"},
                         {"options", {{"tau", tau}}}}};
    study["baseline"] = "plain/laplace";
    study["seeds"] = {1};
    study["networks"].erase(1);
    study["targets"] = {{{"name", "v"}, {"data", study["validation"]}}};
    study.erase("validation");
    study.erase("labelling");
    study.erase("retraining");
    const auto spec = parseStudy(study.dump(), "s.json");
    EXPECT_OK(spec);
    context.threads = 1;
    const auto report =
        runStudy(*spec, {.folder = folder_->file("tau" + std::to_string(tau))}, {}, context);
    EXPECT_OK(report);
    return report ? report->results.cells.front().columns[2].mean : 0.0;
  };
  const double low = nllWith(0.1);
  const double high = nllWith(10.0);
  EXPECT_NE(low, high);
  EXPECT_EQ(chosen, low < high ? 0.1 : 10.0);
}

TEST_F(StudyResultsTest, DifferencesAreThoseOfTheMeans) {
  EXPECT_TRUE(cellAt("plain/map", 0).differences.empty());
  for (const char* const row : {"fixed/map", "plain/laplace"}) {
    const StudyCell& cell = cellAt(row, 1);
    const StudyCell& baseline = cellAt("plain/map", 1);
    ASSERT_EQ(cell.differences.size(), 3U);
    for (std::size_t metric = 0; metric < 3; ++metric) {
      const BootstrappedMean& one = cell.differences[metric];
      EXPECT_NEAR(one.mean, cell.columns[metric].mean - baseline.columns[metric].mean, 1e-9);
      EXPECT_LE(one.interval.low, one.mean);
      EXPECT_GE(one.interval.high, one.mean);
      EXPECT_GT(one.p, 0.0);
      EXPECT_LE(one.p, 1.0);
    }
  }
}

TEST_F(StudyResultsTest, TablesSayTheSame) {
  const std::string csv = studyCsv(*spec_, *results_);
  EXPECT_EQ(std::ranges::count(csv, '\n'), 17);
  EXPECT_THAT(csv, HasSubstr(fmt::format("noise 1,noise,1,plain,map,1,2,{}",
                                         cellAt("plain/map", 1).columns[0].mean)));
  const json table = toJson(studyFolderOf(*spec_, "", *results_, {}));
  EXPECT_EQ(table.at("rows").size(), 16U);
  for (const json& row : table.at("rows")) {
    EXPECT_EQ(row.at("metrics").at("ece").at("mean"), row.at("columns").at("ece").at("mean"));
  }
  const std::string metrics = studyMetricsCsv(*spec_, *results_);
  for (const char* const line :
       {",accuracy,,,2,", ",auroc,misclassified,confidence,2,", ",ece_with_ood,moons,,2,",
        ",correct_vs_ood_auroc,moons,entropy,2,", ",in_vs_ood_fpr95,moons,confidence,2,",
        ",aupr_ood_positive,moons,entropy,2,", ",mmc,moons,,2,"}) {
    EXPECT_THAT(metrics, HasSubstr(line));
  }
  const std::string tex = studyTex(*spec_, *results_);
  EXPECT_THAT(tex, HasSubstr("\\mathbf{"));
  EXPECT_THAT(tex, HasSubstr("\\pm"));
  EXPECT_EQ(studyLabellingCsv(*spec_, *results_).find("nan"), std::string::npos);
}

TEST(StudyTables, TheBestIsChosenByTheDirectionOfTheColumn) {
  StudyCell low;
  StudyCell high;
  for (std::size_t c = 0; c < studyColumns().size(); ++c) {
    low.columns.push_back({.n = 2, .mean = 0.1, .std_dev = 0.0});
    high.columns.push_back({.n = 2, .mean = 0.2, .std_dev = 0.0});
  }
  const auto best = bestCells({&low, &high});
  for (std::size_t c = 0; c < studyColumns().size(); ++c) {
    EXPECT_EQ(best[c], studyColumns()[c].high_is_good ? 1U : 0U);
  }
  EXPECT_EQ(cellText({.n = 2, .mean = 0.12345, .std_dev = 0.01}), "0.123 ± 0.010");
  EXPECT_EQ(cellText({.n = 0}), "-");
}

}  // namespace
}  // namespace dubito
