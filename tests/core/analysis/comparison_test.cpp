// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "core/analysis/run_names.h"
#include "tests/core/analysis/sample_analysis.h"

namespace dubito {
namespace {

/// The same analysis as if it came from another seed, with that accuracy.
AnalysisPtr withSeed(const AnalysisPtr& analysis, std::uint64_t seed, double accuracy) {
  auto copy = std::make_shared<Analysis>(*analysis);
  Run run = *copy->parts.front().run;
  run.meta.seed = seed;
  copy->parts.front().run = std::make_shared<const Run>(std::move(run));
  copy->evaluation.accuracy = accuracy;
  return copy;
}

const ComparedMetric* find(const std::vector<ComparedMetric>& metrics, const std::string& name) {
  for (const ComparedMetric& metric : metrics) {
    if (metric.name == name) {
      return &metric;
    }
  }
  return nullptr;
}

TEST(Comparison, RunsThatDifferInTheSeedAloneFormOne) {
  const AnalysisPtr dropout = test::sampleAnalysis();
  const AnalysisPtr map = test::sampleAnalysisWithoutDraws();
  const std::vector<AnalysisPtr> analyses = {withSeed(dropout, 1, 0.5), map,
                                             withSeed(dropout, 2, 0.6), withSeed(dropout, 1, 0.7)};
  const std::vector<ComparedRun> runs = compareRuns(analyses);
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].positions, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(runs[0].detail.substr(0, 7), "2 seeds");
  EXPECT_EQ(runs[1].positions, (std::vector<std::size_t>{1}));
  EXPECT_EQ(runs[1].detail, map->detail);
  // The same seed again is no repetition.
  EXPECT_EQ(runs[2].positions, (std::vector<std::size_t>{3}));

  const std::vector<ComparedMetric> metrics = compareMetrics(runs);
  const ComparedMetric* const accuracy = find(metrics, "accuracy");
  ASSERT_TRUE(accuracy);
  EXPECT_EQ(accuracy->high_is_good, true);
  ASSERT_EQ(accuracy->of_runs.size(), 3U);
  EXPECT_DOUBLE_EQ(accuracy->of_runs[0].mean, 0.55);
  EXPECT_NEAR(accuracy->of_runs[0].std_dev, 0.1 / std::sqrt(2.0), 1e-12);
  EXPECT_TRUE(std::isnan(accuracy->of_runs[1].std_dev));
}

TEST(Comparison, MetricsThatARunLacksAreLeftOpen) {
  const std::vector<ComparedRun> runs =
      compareRuns({test::sampleAnalysis(), test::sampleAnalysisWithoutDraws()});
  const std::vector<ComparedMetric> metrics = compareMetrics(runs);
  const Evaluation& evaluation = runs[0].seeds.front()->evaluation;
  const ComparedMetric* const mi = find(metrics, "AURC (mutual information)");
  ASSERT_TRUE(mi);
  EXPECT_EQ(mi->of_runs[0].n, 1);
  EXPECT_EQ(mi->of_runs[0].mean, evaluation.misclassified.at("mutual_information").aurc);
  EXPECT_EQ(mi->of_runs[1].n, 0);
  EXPECT_EQ(mi->high_is_good, false);
  ASSERT_EQ(evaluation.ood.size(), 1U);
  const ComparedMetric* const auroc =
      find(metrics, "AUROC in vs OOD " + evaluation.ood[0].name + " (entropy)");
  ASSERT_TRUE(auroc);
  EXPECT_EQ(auroc->of_runs[0].mean, evaluation.ood[0].in_vs_ood.at("entropy").auroc);
  EXPECT_EQ(auroc->of_runs[1].n, 0);
  const ComparedMetric* const mmc = find(metrics, "MMC");
  ASSERT_TRUE(mmc);
  EXPECT_FALSE(mmc->high_is_good);
}

TEST(Comparison, EqualNamesAreToldApart) {
  const auto of = [](const std::string& model, std::uint64_t seed) {
    auto copy = std::make_shared<Analysis>(*test::sampleAnalysis());
    dubito::Run run = *copy->parts.front().run;
    run.meta.model_name = model;
    run.meta.seed = seed;
    copy->parts.front().run = std::make_shared<const dubito::Run>(std::move(run));
    return AnalysisPtr(copy);
  };
  const std::string name = of("", 0)->name;
  EXPECT_EQ(distinctNames({of("a", 0), of("b", 0)}),
            (std::vector<std::string>{name + " · a", name + " · b"}));
  EXPECT_EQ(distinctNames({of("a", 0), of("a", 1)}),
            (std::vector<std::string>{name + " · seed 0", name + " · seed 1"}));
  EXPECT_EQ(distinctNames({of("a", 0), of("a", 0)}),
            (std::vector<std::string>{name + " · #1", name + " · #2"}));
  EXPECT_EQ(distinctNames({of("a", 0)}), (std::vector<std::string>{name}));
}

TEST(Comparison, NamesTellModelsAndSettingsApart) {
  const auto of = [](const std::string& model, const std::string& hash,
                     const std::string& options) {
    auto copy = std::make_shared<Analysis>(*test::sampleAnalysisWithoutDraws());
    dubito::Run run = *copy->parts.front().run;
    run.meta.model_name = model;
    run.meta.network_hash = hash;
    run.meta.method_options = options;
    copy->parts.front().run = std::make_shared<const dubito::Run>(std::move(run));
    copy->name = "Laplace";
    return AnalysisPtr(copy);
  };
  const std::string bridge = R"({"link": "bridge", "samples": 100, "prior": "auto-nll"})";
  const std::string probit = R"({"link": "probit", "samples": 100, "prior": "auto-nll"})";
  const std::string both = R"({"link": "probit", "samples": 20, "prior": "auto-nll"})";
  EXPECT_EQ(distinctNames({of("a", "1", bridge), of("a", "1", probit)}),
            (std::vector<std::string>{"Laplace · link bridge", "Laplace · link probit"}));
  EXPECT_EQ(distinctNames({of("a", "1", bridge), of("a", "1", both)}),
            (std::vector<std::string>{"Laplace · link bridge · samples 100",
                                      "Laplace · link probit · samples 20"}));
  EXPECT_EQ(distinctNames({of("a", "1", bridge), of("b", "2", probit)}),
            (std::vector<std::string>{"Laplace · a", "Laplace · b"}));
  // Two networks of one name.
  EXPECT_EQ(distinctNames({of("a", "1234567", bridge), of("a", "7654321", bridge)}),
            (std::vector<std::string>{"Laplace · a (123456)", "Laplace · a (765432)"}));
  // A list that shows the model next to the name needs no more.
  EXPECT_EQ(shortNames({of("a", "1", bridge), of("b", "2", bridge)}),
            (std::vector<std::string>{"Laplace", "Laplace"}));
  EXPECT_EQ(shortNames({of("a", "1", bridge), of("a", "1", probit)}),
            (std::vector<std::string>{"Laplace · link bridge", "Laplace · link probit"}));
  // A user's name stays as it is.
  EXPECT_EQ(distinctNames({of("a", "1", bridge), of("a", "1", bridge)}, {"mine", ""}),
            (std::vector<std::string>{"mine", "Laplace"}));
}

TEST(Comparison, OnlyValuesOfTheSameItemsAreCompared) {
  const AnalysisPtr sample = test::sampleAnalysis();
  const auto with = [&sample](const std::function<void(std::vector<AnalysisPart>&)>& change) {
    auto copy = std::make_shared<Analysis>(*sample);
    change(copy->parts);
    return AnalysisPtr(copy);
  };
  const auto changed = [](const AnalysisPart& part,
                          const std::function<void(dubito::Run&)>& change) {
    dubito::Run run = *part.run;
    change(run);
    return makePart(part.name, std::make_shared<const dubito::Run>(std::move(run)), part.dataset,
                    RunContext());
  };
  // Other labels under the same name and ids; other ids; another network's input of the same file.
  const AnalysisPtr relabelled = with([&](std::vector<AnalysisPart>& parts) {
    parts[0] = changed(parts[0], [](dubito::Run& run) {
      std::vector<std::int64_t> labels(run.labels.values().begin(), run.labels.values().end());
      labels.front() = (labels.front() + 1) % 3;
      run.labels = Array<std::int64_t>::fromVector(labels);
      run.meta.seed = 1;
    });
  });
  const AnalysisPtr other_noise = with([&](std::vector<AnalysisPart>& parts) {
    parts[0] = changed(parts[0], [](dubito::Run& run) { run.meta.seed = 2; });
    parts[1] = changed(parts[1], [](dubito::Run& run) {
      run.meta.dataset_hash = "1";
      run.meta.dataset_spec = "b.npz";
    });
  });
  const auto hashed = [&](const std::string& hash, const std::string& spec,
                          const std::string& preprocessing, std::uint64_t seed) {
    return with([&](std::vector<AnalysisPart>& parts) {
      parts[0] = changed(parts[0], [&](dubito::Run& run) {
        run.meta.dataset_hash = hash;
        run.meta.dataset_spec = spec;
        run.meta.preprocessing = preprocessing;
        run.meta.seed = seed;
        run.meta.method_options = "{\"n\":" + std::to_string(seed) + "}";
      });
    });
  };
  EXPECT_FALSE(overSameItems(*sample, *relabelled));
  EXPECT_TRUE(overSameItems(*sample, *other_noise));
  EXPECT_TRUE(overSameItems(*hashed("1", "a", "", 3), *hashed("1", "copy of a", "", 4)));
  EXPECT_TRUE(overSameItems(*hashed("1", "a", "32 x 32", 3), *hashed("2", "a", "28 x 28", 4)));
  EXPECT_FALSE(overSameItems(*hashed("1", "a", "", 3), *hashed("2", "a", "", 4)))
      << "the file has changed";
  EXPECT_FALSE(overSameItems(*hashed("1", "a", "", 3), *hashed("2", "b", "", 4)));
  EXPECT_TRUE(overSameItems(*sample, *hashed("2", "b", "", 4))) << "ids and labels are the same";

  const std::vector<ComparedRun> runs = compareRuns({sample, relabelled, other_noise});
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(itemGroups(runs), (std::vector<int>{0, 1, 0}));
  const std::vector<ComparedMetric> metrics = compareMetrics(runs);
  EXPECT_EQ(find(metrics, "accuracy")->items_of_runs, (std::vector<int>{0, 1, 0}));
  // The noise has no labels: whether it is the same is not known.
  EXPECT_EQ(find(metrics, "AUROC in vs OOD noise (entropy)")->items_of_runs,
            (std::vector<int>{0, 1, 2}));
}

TEST(Comparison, NothingIsNothing) {
  EXPECT_TRUE(compareRuns({}).empty());
}

}  // namespace
}  // namespace dubito
