// SPDX-License-Identifier: GPL-3.0-or-later
// What runs do within a memory budget: batches are split, and what cannot fit is refused before the
// work with a way out.
#include <algorithm>
#include <array>
#include <barrier>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <thread>

#include "core/base/rank_group.h"
#include "core/io/run_file.h"
#include "core/methods/laplace/posterior_network_torch.h"
#include "core/network/batch_size_torch.h"
#include "core/network/network_batch_torch.h"
#include "core/network/tensor_memory_torch.h"
#include "core/predict/predict_to_file.h"
#include "core/predict/work_estimate.h"
#include "tests/core/methods/laplace/laplace_method.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using test::kClasses;
using test::LaplaceMethod;
using test::spreadNumbers;

constexpr int kWide = 64;
constexpr std::int64_t kInputBytes = std::int64_t{4} * kWide * kWide;

class MemoryBudget : public LaplaceMethod {
 protected:
  MemoryBudget() { pictures_ = std::make_shared<test::ListDataset>(test::madeImages(40, kWide)); }

  /// Its pass takes about ten times the input.
  [[nodiscard]] ModelPtr averaging() const {
    return test::madeNetwork(folder_, "averaging", R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.relu(torch.conv2d(x, self.w1, self.b1, padding=[1, 1]))
    x = torch.dropout(torch.mean(x, [2, 3]), 0.3, False)
    return torch.linear(x, self.w2, self.b2)
)",
                             {{"w1", spreadNumbers({5, 1, 3, 3}, 0.0)},
                              {"b1", spreadNumbers({5}, 1.0)},
                              {"w2", spreadNumbers({kClasses, 5}, 2.0)},
                              {"b2", spreadNumbers({kClasses}, 3.0)}},
                             kWide);
  }
  /// Two convolutions whose outputs are larger than their weights.
  [[nodiscard]] ModelPtr deep() const {
    return test::madeNetwork(folder_, "deep", R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.relu(torch.conv2d(x, self.w1, self.b1, padding=[1, 1]))
    x = torch.relu(torch.conv2d(x, self.w2, self.b2, padding=[1, 1]))
    return torch.linear(torch.mean(x, [2, 3]), self.w3, self.b3)
)",
                             {{"w1", spreadNumbers({8, 1, 3, 3}, 0.0)},
                              {"b1", spreadNumbers({8}, 1.0)},
                              {"w2", spreadNumbers({16, 8, 3, 3}, 2.0)},
                              {"b2", spreadNumbers({16}, 3.0)},
                              {"w3", spreadNumbers({20, 16}, 4.0)},
                              {"b3", spreadNumbers({20}, 5.0)}},
                             kWide);
  }
  [[nodiscard]] Expected<dubito::Run> run(const ModelPtr& model, const MethodOptions& method,
                                          std::int64_t budget) {
    context_.memory_budget_bytes = budget;
    return predict(*model, *pictures_, method, {.batch = 40}, context_);
  }
  static LaplaceOptions ofAllLayers() {
    LaplaceOptions method = with("kron", "probit");
    method.layers = "all";
    method.gauge = 0;
    return method;
  }

  std::shared_ptr<test::ListDataset> pictures_;
};

/// Three batches on the host and the page-locked copy; two on the GPU besides the pass.
TEST(ItemBytes, CountBatchesAheadOnHostAndDevice) {
  const ItemBytes on_gpu{
      .input = 1000, .staging = 2000, .pass = 10, .pass_on_device = 500, .draws = 7};
  EXPECT_EQ(on_gpu.inBatch(), 3 * 1000 + 2000 + 10 + 7);
  EXPECT_EQ(on_gpu.inBatchOnDevice(), 2 * 1000 + 500 + 7);
  const ItemBytes on_cpu{.input = 1000, .pass = 10};
  EXPECT_EQ(on_cpu.inBatch(), 3 * 1000 + 10);
}

TEST_F(MemoryBudget, SplitsBatchesAndSaysSo) {
  const ModelPtr model = averaging();
  ASSERT_TRUE(model);
  McDropoutOptions dropout;
  dropout.draws = 3;
  LaplaceOptions laplace = with("kron", "probit");
  data_.fit = std::make_shared<test::ListDataset>(test::madeImages(60, kWide));
  const auto fit = fitted(model, laplace);
  ASSERT_OK(fit);
  for (const MethodOptions& method :
       {MethodOptions(MapOptions{}), MethodOptions(dropout), MethodOptions(*fit)}) {
    SCOPED_TRACE(methodName(method));
    const auto whole = run(model, method, 0);
    const auto split = run(model, method, 100 * kInputBytes);
    ASSERT_TRUE(whole && split) << split.error().message;
    EXPECT_EQ(whole->meta.batch, 40);
    EXPECT_LT(split->meta.batch, 25);
    EXPECT_GE(split->meta.batch, 3);
    EXPECT_TRUE(std::ranges::any_of(textsOf(split->meta.notes), [](const std::string& note) {
      return note.find("items instead of 40 to fit into 1.64 MB") != std::string::npos;
    })) << toText(split->meta.notes.front());
    EXPECT_LT(test::largestDifference(probsOf(*whole).values(), probsOf(*split).values()), 1e-5);
  }
}

/// Other programs took or freed memory between the sessions: what decides bits stays.
TEST_F(MemoryBudget, AResumedRunKeepsTheSizesOfItsParts) {
  const ModelPtr model = averaging();
  ASSERT_TRUE(model);
  const std::int64_t tight = 100 * kInputBytes;
  const McDropoutOptions method{.draws = 2000};
  const auto run = [&](const std::string& path, std::int64_t budget, std::int64_t cancelled_at,
                       std::int64_t batch = 40) {
    RunContext context;
    context.memory_budget_bytes = budget;
    context.on_progress = [&](const Progress& progress) {
      if (cancelled_at > 0 && progress.done >= cancelled_at) {
        context.control()->requestCancel();
      }
    };
    return predictToFile(*model, *pictures_, method, {.batch = batch, .keep_samples_mb = 2}, path,
                         {.resume = cancelled_at == 0, .part_bytes = 1}, context);
  };
  const std::string whole = folder_.file("whole.npz");
  const std::string resumed = folder_.file("resumed.npz");
  ASSERT_TRUE(run(whole, tight, -1));
  ASSERT_FALSE(run(resumed, tight, 30));
  const auto rest = run(resumed, std::int64_t{1} << 32, 0);
  ASSERT_OK(rest);
  EXPECT_GT(rest->resumed_items, 0);
  EXPECT_LT(rest->resumed_items, 40);
  const auto expected = readRun(whole, context_);
  const auto found = readRun(resumed, context_);
  ASSERT_TRUE(expected && found);
  EXPECT_LT(expected->meta.batch, 25);
  EXPECT_EQ(found->meta.batch, expected->meta.batch);
  EXPECT_FALSE(expected->samples);
  EXPECT_FALSE(found->samples);
  EXPECT_TRUE(std::ranges::equal(probsOf(*found).values(), probsOf(*expected).values()));
  EXPECT_TRUE(std::ranges::any_of(textsOf(found->meta.notes), [](const std::string& note) {
    return note.find("as in the stored parts") != std::string::npos;
  }));
  // What does not fit any more is said.
  ASSERT_FALSE(run(folder_.file("large.npz"), std::int64_t{1} << 32, 30, 20));
  const auto refused = run(folder_.file("large.npz"), tight, 0, 20);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kOutOfMemory);
  EXPECT_THAT(refused.error().message, HasSubstr("batches of 20 items, but only"));
  EXPECT_THAT(refused.error().remedy.settings, testing::ElementsAre(setting("memory")));
}

/// Two processes as threads.
class TwoRanks {
 public:
  class Rank : public RankGroup {
   public:
    Rank(TwoRanks& all, int rank) : all_(all), rank_(rank) {}
    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int size() const override { return 2; }
    void sum(std::span<double> values) override {
      all_.values_[index()].assign(values.begin(), values.end());
      all_.barrier_.arrive_and_wait();
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = all_.values_[0][i] + all_.values_[1][i];
      }
      all_.barrier_.arrive_and_wait();
    }
    [[nodiscard]] std::vector<std::string> gather(const std::string& text) override {
      all_.texts_[index()] = text;
      all_.barrier_.arrive_and_wait();
      std::vector<std::string> texts(all_.texts_.begin(), all_.texts_.end());
      all_.barrier_.arrive_and_wait();
      return texts;
    }
    [[noreturn]] void abort(int exit_code) override { std::exit(exit_code); }

   private:
    [[nodiscard]] std::size_t index() const { return static_cast<std::size_t>(rank_); }

    TwoRanks& all_;
    int rank_;
  };

 private:
  std::barrier<> barrier_{2};
  std::array<std::string, 2> texts_;
  std::array<std::vector<double>, 2> values_;
};

TEST_F(MemoryBudget, RanksWithOtherBudgetsCutTheSameBatches) {
  const ModelPtr model = averaging();
  ASSERT_TRUE(model);
  data_.fit = pictures_;
  TwoRanks ranks;
  std::array<std::int64_t, 2> items{};
  std::array<std::vector<std::int64_t>, 2> ids;
  {
    std::vector<std::jthread> threads;
    for (const int rank : {0, 1}) {
      threads.emplace_back([&, rank] {
        RunContext context;
        context.ranks = std::make_shared<TwoRanks::Rank>(ranks, rank);
        context.memory_budget_bytes = rank == 0 ? std::int64_t{1} << 32 : 100 * kInputBytes;
        const auto fit =
            prepareMethod(*model, with("kron", "probit"), data_, {.batch = 40}, context);
        ASSERT_OK(fit);
        const FittedLaplace& fitted = *std::get<LaplaceOptions>(*fit).fitted;
        const auto at = static_cast<std::size_t>(rank);
        items[at] = fitted.posterior.items;
        ids[at].assign(fitted.origin.ids.values().begin(), fitted.origin.ids.values().end());
      });
    }
  }
  for (const std::size_t rank : {0U, 1U}) {
    EXPECT_EQ(items[rank], 40);
    EXPECT_TRUE(std::ranges::equal(ids[rank], pictures_->ids()));
  }
}

TEST_F(MemoryBudget, DrawsThatShareAPassStayWithinIt) {
  // Dropout first, so that every draw has a whole pass.
  const ModelPtr model = test::madeNetwork(folder_, "early", R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.dropout(x, 0.3, False)
    x = torch.relu(torch.conv2d(x, self.w1, self.b1, padding=[1, 1]))
    return torch.linear(torch.mean(x, [2, 3]), self.w2, self.b2)
)",
                                           {{"w1", spreadNumbers({5, 1, 3, 3}, 0.0)},
                                            {"b1", spreadNumbers({5}, 1.0)},
                                            {"w2", spreadNumbers({kClasses, 5}, 2.0)},
                                            {"b2", spreadNumbers({kClasses}, 3.0)}},
                                           kWide);
  ASSERT_TRUE(model);
  const McDropoutOptions method{.draws = 100};
  const auto few = part(*pictures_, 0, 4, "few");
  const auto peakAt = [&](std::int64_t budget, dubito::Run& run) {
    context_.memory_budget_bytes = budget;
    const TensorMemoryMeter meter;
    auto made = predict(*model, *few, method, {.batch = 4}, context_);
    EXPECT_OK(made);
    run = made.value_or(dubito::Run());
    return meter.peakBytes();
  };
  dubito::Run roomy;
  dubito::Run tight;
  const std::int64_t budget = 200 * kInputBytes;
  const std::int64_t peak_of_roomy = peakAt(std::int64_t{1} << 32, roomy);
  EXPECT_GT(peak_of_roomy, 2 * budget);
  EXPECT_LT(peakAt(budget, tight), 3 * budget / 2);
  EXPECT_EQ(tight.meta.batch, 4);
  EXPECT_LT(test::largestDifference(probsOf(roomy).values(), probsOf(tight).values()), 1e-6);
  ASSERT_EQ(roomy.meta.mask_hashes.size(), tight.meta.mask_hashes.size());
  for (std::size_t i = 0; i < roomy.meta.mask_hashes.size(); ++i) {
    EXPECT_EQ(roomy.meta.mask_hashes[i].hash, tight.meta.mask_hashes[i].hash);
  }
  // The estimate counts them too.
  context_.memory_budget_bytes = std::int64_t{1} << 32;
  const auto of_map = estimateWork(*model, {few}, MapOptions{}, {}, {.batch = 4}, context_);
  const auto of_draws = estimateWork(*model, {few}, method, {}, {.batch = 4}, context_);
  ASSERT_TRUE(of_draws && of_map);
  EXPECT_GT(of_draws->peak_bytes - of_map->peak_bytes, peak_of_roomy / 2);
}

TEST_F(MemoryBudget, MeasuringAdvancesNoState) {
  const ModelPtr model = test::loadFixture("counting.pt");
  const test::ListDataset items = test::madeImages(6, 8);
  const auto plain = predict(*model, items, MapOptions{}, {}, context_);
  context_.memory_budget_bytes = std::int64_t{1} << 32;
  const auto measured = predict(*model, items, MapOptions{}, {}, context_);
  ASSERT_TRUE(plain && measured) << measured.error().message;
  EXPECT_TRUE(std::ranges::equal(probsOf(*plain).values(), probsOf(*measured).values()));
}

TEST_F(MemoryBudget, StaysWithinIt) {
  const ModelPtr model = averaging();
  ASSERT_TRUE(model);
  const std::int64_t budget = 100 * kInputBytes;
  const TensorMemoryMeter meter;
  ASSERT_TRUE(run(model, MapOptions{}, budget));
  EXPECT_LT(meter.peakBytes(), budget);
}

TEST_F(MemoryBudget, ALargeBudgetChangesNothing) {
  const ModelPtr model = averaging();
  ASSERT_TRUE(model);
  const auto plain = run(model, MapOptions{}, 0);
  const auto roomy = run(model, MapOptions{}, std::int64_t{1} << 32);
  ASSERT_TRUE(plain && roomy);
  EXPECT_EQ(roomy->meta.batch, 40);
  EXPECT_EQ(roomy->meta.notes, plain->meta.notes);
  EXPECT_TRUE(std::ranges::equal(probsOf(*plain).values(), probsOf(*roomy).values()));
}

TEST_F(MemoryBudget, RefusesAnItemThatDoesNotFit) {
  const ModelPtr model = averaging();
  ASSERT_TRUE(model);
  for (const std::int64_t budget : {kInputBytes / 2, 3 * kInputBytes}) {
    const auto refused = run(model, MapOptions{}, budget);
    ASSERT_FALSE(refused) << budget;
    EXPECT_EQ(refused.error().code, ErrorCode::kOutOfMemory);
    for (const char* const part : {"one item takes", "state the input size", "allow more memory"}) {
      EXPECT_THAT(refused.error().message, HasSubstr(part));
    }
    EXPECT_THAT(refused.error().remedy.settings,
                testing::ElementsAre(metadataSetting("input_size"), setting("memory")));
  }
}

TEST_F(MemoryBudget, RefusesToSplitWhatDependsOnTheBatch) {
  const ModelPtr model = test::madeNetwork(
      folder_, "mixing", R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.flatten(x - torch.mean(x, 0, True), 1)
    return torch.linear(x, self.w, self.b)
)",
      {{"w", spreadNumbers({kClasses, kWide * kWide}, 0.0)}, {"b", spreadNumbers({kClasses}, 1.0)}},
      kWide);
  ASSERT_TRUE(model);
  ASSERT_TRUE(model->audit().batch.depends_on_batch);
  const auto refused = run(model, MapOptions{}, 30 * kInputBytes);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kOutOfMemory);
  const std::vector<Setting>& settings = refused.error().remedy.settings;
  ASSERT_EQ(settings.size(), 2U);
  EXPECT_EQ(settings[0], setting("batch", settings[0].value));
  EXPECT_THAT(refused.error().message,
              HasSubstr("use batches of " + settings[0].value + " or allow more"));
  EXPECT_EQ(settings[1], setting("memory"));
}

TEST_F(MemoryBudget, RefusesResultsThatDoNotFit) {
  const ModelPtr model = flat();
  ASSERT_TRUE(model);
  const auto many = std::make_shared<test::ListDataset>(test::madeImages(3000, test::kSide));
  context_.memory_budget_bytes = 100'000;
  const auto refused = predict(*model, *many, MapOptions{}, {.batch = 10}, context_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kOutOfMemory);
  EXPECT_THAT(refused.error().message, HasSubstr("the results of 3000 items take"));
  EXPECT_THAT(refused.error().remedy.settings,
              testing::ElementsAre(datasetSetting("items", "0:N"), setting("memory")));
}

TEST_F(MemoryBudget, FitsInSplitBatches) {
  const ModelPtr model = averaging();
  ASSERT_TRUE(model);
  data_.fit = pictures_;
  const auto whole = fitted(model, with("kron", "probit"));
  context_.memory_budget_bytes = 100 * kInputBytes;
  const auto split = fitted(model, with("kron", "probit"));
  ASSERT_TRUE(whole && split) << split.error().message;
  EXPECT_TRUE(std::ranges::any_of(split->fit->notes, [](const std::string& note) {
    return note.find(" to fit into ") != std::string::npos;
  }));
  const auto& a = whole->fitted->posterior.layers[0].input_values.values();
  const auto& b = split->fitted->posterior.layers[0].input_values.values();
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(a[i], b[i], 1e-6 * (1.0 + std::abs(a[i])));
  }
}

/// The estimate of what linearising takes against what it takes: if it were below that, a run
/// could start that does not fit.
TEST_F(MemoryBudget, KnowsWhatLinearisingTakes) {
  const ModelPtr model = deep();
  ASSERT_TRUE(model);
  data_.fit = pictures_;
  const auto method = fitted(model, ofAllLayers());
  ASSERT_OK(method);
  const auto network = placeNetwork(*model, {});
  ASSERT_TRUE(network);
  const auto estimated = linearisedItemBytes(*model, *network, *pictures_, context_);
  ASSERT_OK(estimated);
  const auto one = part(*pictures_, 0, 1, "one");
  const TensorMemoryMeter meter;
  const auto run = predict(*model, *one, *method, {.batch = 1}, context_);
  ASSERT_OK(run);
  const double ratio = static_cast<double>(*estimated) / static_cast<double>(meter.peakBytes());
  EXPECT_GE(ratio, 1.0) << *estimated << " against " << meter.peakBytes();
  EXPECT_LT(ratio, 1.5) << *estimated << " against " << meter.peakBytes();
}

/// Gradients of every logit by the outputs of both convolutions exist once and not twice.
TEST_F(MemoryBudget, LinearisesWithoutASecondCopy) {
  const ModelPtr model = deep();
  ASSERT_TRUE(model);
  data_.fit = pictures_;
  const auto method = fitted(model, ofAllLayers());
  ASSERT_OK(method);
  const auto placed = placeNetwork(*model, {});
  ASSERT_TRUE(placed);
  const auto network = makePosteriorNetwork(*model, *placed, method->fitted->posterior, {});
  ASSERT_OK(network);
  const std::vector<std::int64_t> first = {0};
  const auto batch = loadBatch(*pictures_, first, model->metadata().preprocessing, context_);
  ASSERT_TRUE(batch);
  const std::int64_t gradients = 20 * (8 + 16) * kInputBytes;
  const TensorMemoryMeter meter;
  ASSERT_TRUE((*network)->prepare(networkInput(*batch, *model), batch->indices, *pictures_));
  EXPECT_GT(meter.peakBytes(), gradients);
  EXPECT_LT(meter.peakBytes(), gradients + gradients / 4 * 3);
}

TEST_F(MemoryBudget, RefusesBeforeTheFitWhatThePredictionCannotDo) {
  const ModelPtr model = deep();
  ASSERT_TRUE(model);
  data_.fit = pictures_;
  data_.evaluated = {test_};
  data_.allow_same_split = true;
  std::set<std::string> stages;
  context_.on_progress = [&](const Progress& progress) { stages.insert(progress.stage); };
  context_.memory_budget_bytes = 4'000'000;
  const auto refused = fitted(model, ofAllLayers());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kOutOfMemory);
  EXPECT_THAT(refused.error().message, HasSubstr("draw weights instead"));
  EXPECT_THAT(refused.error().remedy.settings,
              testing::ElementsAre(setting("predictive", "sampled"), setting("layers", "last"),
                                   setting("memory")));
  EXPECT_EQ(stages.count("fitting"), 0U);
  // Drawn weights need none of it, and a fit alone neither.
  LaplaceOptions sampled = ofAllLayers();
  sampled.predictive = "sampled";
  sampled.link = LaplaceOptions().link;
  EXPECT_TRUE(fitted(model, sampled));
  data_.evaluated.clear();
  EXPECT_TRUE(fitted(model, ofAllLayers()));
  EXPECT_EQ(stages.count("fitting"), 1U);
}

TEST_F(MemoryBudget, APosteriorIsKeptWhenALaterStepFails) {
  const ModelPtr model = flat();
  ASSERT_TRUE(model);
  data_.rescue_path = folder_.file("rescued.npz");
  data_.calibration = part(*calibration_, 0, 30, "unlabelled");
  for (std::int64_t& label :
       static_cast<test::ListDataset&>(const_cast<Dataset&>(*data_.calibration)).itemLabels()) {
    label = -1;
  }
  LaplaceOptions method = with("kron", "probit");
  method.tau.reset();
  method.prior = "auto-nll";
  const auto failed = fitted(model, method);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message,
              HasSubstr("; the fitted posterior was kept: continue with it"));
  EXPECT_THAT(failed.error().remedy.settings,
              testing::Contains(setting("posterior", data_.rescue_path)));
  data_.posterior_path = data_.rescue_path;
  method.prior = "auto-evidence";
  const auto again = fitted(model, method);
  ASSERT_OK(again);
  EXPECT_EQ(again->fitted->posterior.items, 90);
}

TEST_F(MemoryBudget, MissingLabelsAreFoundBeforeTheFit) {
  const ModelPtr model = flat();
  ASSERT_TRUE(model);
  train_->itemLabels()[3] = -1;
  std::set<std::string> stages;
  context_.on_progress = [&](const Progress& progress) { stages.insert(progress.stage); };
  LaplaceOptions method = with("kron", "probit");
  method.tau.reset();
  const auto refused = fitted(model, method);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("1 of its 90 items have no label"));
  EXPECT_EQ(stages.count("fitting"), 0U);
}

TEST_F(MemoryBudget, EstimatesKeepNoPosteriorAndReadASavedOne) {
  const ModelPtr model = flat();
  ASSERT_TRUE(model);
  data_.posterior_path = folder_.file("posterior.npz");
  const LaplaceOptions method = with("kron", "probit");
  const auto before = estimateWork(*model, {test_}, method, data_, {}, context_);
  ASSERT_OK(before);
  EXPECT_FALSE(std::filesystem::exists(data_.posterior_path));
  ASSERT_TRUE(fitted(model, method));
  const auto after = estimateWork(*model, {test_}, method, data_, {}, context_);
  EXPECT_OK(after);
}

TEST_F(MemoryBudget, EstimatesNeedNoLabels) {
  const ModelPtr model = flat();
  ASSERT_TRUE(model);
  std::ranges::fill(test_->itemLabels(), -1);
  LaplaceOptions method = with("kron", "probit");
  method.tau.reset();
  const auto estimate = estimateWork(*model, {test_}, method, {}, {}, context_);
  EXPECT_OK(estimate);
}

TEST_F(MemoryBudget, EstimatesTellThePeak) {
  const ModelPtr model = deep();
  ASSERT_TRUE(model);
  LaplaceOptions method = ofAllLayers();
  const auto network = placeNetwork(*model, {});
  ASSERT_TRUE(network);
  const auto item = linearisedItemBytes(*model, *network, *pictures_, context_);
  const auto linearised = estimateWork(*model, {pictures_}, method, {}, {}, context_);
  ASSERT_TRUE(item && linearised) << linearised.error().message;
  EXPECT_GT(linearised->peak_bytes, *item + linearised->result_bytes);
  context_.memory_budget_bytes = *item / 2;
  const auto refused = estimateWork(*model, {pictures_}, method, {}, {}, context_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kOutOfMemory);
}

}  // namespace
}  // namespace dubito
