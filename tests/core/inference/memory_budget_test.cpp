// SPDX-License-Identifier: GPL-3.0-or-later
// What runs do within a memory budget: batches are split, and what cannot fit is refused before the
// work with a way out.
#include <algorithm>
#include <filesystem>
#include <set>

#include "core/inference/batch_size_torch.h"
#include "core/inference/posterior_network_torch.h"
#include "core/inference/tensor_memory_torch.h"
#include "core/inference/work_estimate.h"
#include "tests/core/inference/laplace_method.h"

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

TEST_F(MemoryBudget, SplitsBatchesAndSaysSo) {
  const ModelPtr model = averaging();
  ASSERT_TRUE(model);
  McDropoutOptions dropout;
  dropout.draws = 3;
  LaplaceOptions laplace = with("kron", "probit");
  data_.fit = std::make_shared<test::ListDataset>(test::madeImages(60, kWide));
  const auto fit = fitted(model, laplace);
  ASSERT_TRUE(fit) << fit.error().message;
  for (const MethodOptions& method :
       {MethodOptions(MapOptions{}), MethodOptions(dropout), MethodOptions(*fit)}) {
    SCOPED_TRACE(methodName(method));
    const auto whole = run(model, method, 0);
    const auto split = run(model, method, 100 * kInputBytes);
    ASSERT_TRUE(whole && split) << split.error().message;
    EXPECT_EQ(whole->meta.batch, 40);
    EXPECT_LT(split->meta.batch, 25);
    EXPECT_GE(split->meta.batch, 3);
    EXPECT_TRUE(std::ranges::any_of(split->meta.notes, [](const std::string& note) {
      return note.find("items instead of 40, so that they fit into 1.64 MB") != std::string::npos;
    })) << split->meta.notes.front();
    EXPECT_LT(test::largestDifference(probsOf(*whole).values(), probsOf(*split).values()), 1e-5);
  }
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
    for (const char* const part : {"one item takes", "input_size", "--memory"}) {
      EXPECT_NE(refused.error().message.find(part), std::string::npos) << refused.error().message;
    }
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
  EXPECT_NE(refused.error().message.find("use --batch "), std::string::npos)
      << refused.error().message;
}

TEST_F(MemoryBudget, RefusesResultsThatDoNotFit) {
  const ModelPtr model = flat();
  ASSERT_TRUE(model);
  const auto many = std::make_shared<test::ListDataset>(test::madeImages(3000, test::kSide));
  context_.memory_budget_bytes = 100'000;
  const auto refused = predict(*model, *many, MapOptions{}, {.batch = 10}, context_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kOutOfMemory);
  EXPECT_NE(refused.error().message.find("the results of 3000 items take"), std::string::npos)
      << refused.error().message;
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
    return note.find("so that they fit into") != std::string::npos;
  }));
  const auto& a = whole->fitted->posterior.layers[0].input_values.values();
  const auto& b = split->fitted->posterior.layers[0].input_values.values();
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(a[i], b[i], 1e-6 * (1.0 + std::abs(a[i])));
  }
}

/// The estimate of what linearising takes against what it takes.
TEST_F(MemoryBudget, KnowsWhatLinearisingTakes) {
  const ModelPtr model = deep();
  ASSERT_TRUE(model);
  data_.fit = pictures_;
  const auto method = fitted(model, ofAllLayers());
  ASSERT_TRUE(method) << method.error().message;
  const auto network = placeNetwork(*model, {});
  ASSERT_TRUE(network);
  const auto estimated = linearisedItemBytes(*model, *network, *pictures_, context_);
  ASSERT_TRUE(estimated) << estimated.error().message;
  const auto one = part(*pictures_, 0, 1, "one");
  const TensorMemoryMeter meter;
  const auto run = predict(*model, *one, *method, {.batch = 1}, context_);
  ASSERT_TRUE(run) << run.error().message;
  const double ratio = static_cast<double>(*estimated) / static_cast<double>(meter.peakBytes());
  EXPECT_GT(ratio, 1.0 / 1.5) << *estimated << " against " << meter.peakBytes();
  EXPECT_LT(ratio, 1.5) << *estimated << " against " << meter.peakBytes();
}

/// Gradients of every logit by the outputs of both convolutions exist once and not twice.
TEST_F(MemoryBudget, LinearisesWithoutASecondCopy) {
  const ModelPtr model = deep();
  ASSERT_TRUE(model);
  data_.fit = pictures_;
  const auto method = fitted(model, ofAllLayers());
  ASSERT_TRUE(method) << method.error().message;
  const auto placed = placeNetwork(*model, {});
  ASSERT_TRUE(placed);
  const auto network = makePosteriorNetwork(*model, *placed, method->fitted->posterior, {});
  ASSERT_TRUE(network) << network.error().message;
  const std::vector<std::int64_t> first = {0};
  const auto batch = loadBatch(*pictures_, first, model->metadata().preprocessing, context_);
  ASSERT_TRUE(batch);
  const std::int64_t gradients = 20 * (8 + 16) * kInputBytes;
  const TensorMemoryMeter meter;
  ASSERT_TRUE((*network)->prepare(*batch, *pictures_));
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
  EXPECT_NE(refused.error().message.find("--predictive sampled"), std::string::npos)
      << refused.error().message;
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
  EXPECT_NE(failed.error().message.find("continue with --posterior " + data_.rescue_path),
            std::string::npos)
      << failed.error().message;
  data_.posterior_path = data_.rescue_path;
  method.prior = "auto-evidence";
  const auto again = fitted(model, method);
  ASSERT_TRUE(again) << again.error().message;
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
  EXPECT_NE(refused.error().message.find("1 of its 90 items have no label"), std::string::npos)
      << refused.error().message;
  EXPECT_EQ(stages.count("fitting"), 0U);
}

TEST_F(MemoryBudget, EstimatesKeepNoPosteriorAndReadASavedOne) {
  const ModelPtr model = flat();
  ASSERT_TRUE(model);
  data_.posterior_path = folder_.file("posterior.npz");
  const LaplaceOptions method = with("kron", "probit");
  const auto before = estimateWork(*model, {test_}, method, data_, {}, context_);
  ASSERT_TRUE(before) << before.error().message;
  EXPECT_FALSE(std::filesystem::exists(data_.posterior_path));
  ASSERT_TRUE(fitted(model, method));
  const auto after = estimateWork(*model, {test_}, method, data_, {}, context_);
  EXPECT_TRUE(after) << after.error().message;
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
