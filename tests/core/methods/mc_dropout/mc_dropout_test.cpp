// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

#include "core/methods/mc_dropout/recompute_draw.h"
#include "core/models/model_torch.h"
#include "core/predict/predict.h"
#include "tests/core/network/list_dataset.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using test::largestDifference;
using test::ListDataset;
using test::loadFixture;
using test::madeImages;

struct Conditions {
  std::uint64_t seed = 3;
  std::int64_t batch = 500;
  int threads = 1;
};

Expected<Run> run(const ModelPtr& model, const Dataset& dataset, const McDropoutOptions& method,
                  const Conditions& conditions = {}) {
  RunContext context;
  context.seed = conditions.seed;
  context.threads = conditions.threads;
  return predict(*model, dataset, method, {.batch = conditions.batch}, context);
}

const Array<float>& probsOf(const Run& result) {
  return std::get<Array<float>>(*result.probs);
}

using Hashes = std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t>;
Hashes hashesOf(const Run& result) {
  Hashes hashes;
  for (const MaskHash& entry : result.meta.mask_hashes) {
    hashes[{entry.site, entry.draw}] = entry.hash;
  }
  return hashes;
}

/// Row of `samples` for draw t and the item with this id.
std::span<const float> sampleOf(const Run& result, std::int64_t t, std::int64_t id) {
  const auto ids = result.ids.values();
  const auto position = std::find(ids.begin(), ids.end(), id) - ids.begin();
  const std::int64_t classes = result.samples->extent(2);
  return result.samples->row(t).subspan(static_cast<std::size_t>(position * classes),
                                        static_cast<std::size_t>(classes));
}

void expectSameDraws(const Run& a, const Run& b, const std::string& what) {
  EXPECT_EQ(hashesOf(a), hashesOf(b)) << what;
  ASSERT_EQ(a.samples->shape(), b.samples->shape()) << what;
  for (std::int64_t t = 0; t < a.drawCount(); ++t) {
    for (const std::int64_t id : a.ids.values()) {
      ASSERT_LT(largestDifference(sampleOf(a, t, id), sampleOf(b, t, id)), 1e-6)
          << what << ", draw " << t << ", item " << id;
    }
  }
}

class InvarianceOf : public testing::TestWithParam<std::string> {};

TEST_P(InvarianceOf, DrawsToBatchOrderThreadsAndMasksToSeed) {
  const ModelPtr model = loadFixture(GetParam());
  const ListDataset dataset = madeImages(25, model->audit().input_shape[1]);
  const McDropoutOptions method{.draws = 6};
  const auto reference = run(model, dataset, method);
  ASSERT_OK(reference);
  EXPECT_EQ(reference->meta.mask_hashes.size(), 6 * model->audit().dropout_sites.size());
  for (const std::int64_t batch : {1, 7}) {
    const auto other = run(model, dataset, method, {.batch = batch});
    ASSERT_OK(other);
    expectSameDraws(*reference, *other, "batch " + std::to_string(batch));
    EXPECT_EQ(other->meta.dataset_hash, reference->meta.dataset_hash);
  }
  const auto backwards = run(model, dataset.reversed(), method, {.batch = 7});
  ASSERT_TRUE(backwards);
  expectSameDraws(*reference, *backwards, "reversed");
  const auto threads = run(model, dataset, method, {.threads = 2});
  ASSERT_TRUE(threads);
  expectSameDraws(*reference, *threads, "two threads");

  const auto neighbour = run(model, dataset, method, {.seed = 4});
  ASSERT_TRUE(neighbour);
  std::set<std::uint64_t> seen;
  for (const MaskHash& entry : reference->meta.mask_hashes) {
    EXPECT_TRUE(seen.insert(entry.hash).second) << "two draws share their masks";
  }
  for (const MaskHash& entry : neighbour->meta.mask_hashes) {
    EXPECT_TRUE(seen.insert(entry.hash).second) << "neighbouring seeds share masks";
  }
}

TEST_P(InvarianceOf, OneDrawOfOneItemToTheRun) {
  const ModelPtr model = loadFixture(GetParam());
  const ListDataset dataset = madeImages(10, model->audit().input_shape[1]);
  const McDropoutOptions method{.draws = 5};
  const auto stored = run(model, dataset, method);
  ASSERT_OK(stored);
  RunContext context;
  context.seed = 3;
  for (const std::int64_t index : {0, 9}) {
    const auto all = recomputeDraws(*model, dataset, index, method, context);
    ASSERT_OK(all);
    for (const std::int64_t t : {0, 4}) {
      const auto draw = recomputeDraw(*model, dataset, index, method, t, context);
      ASSERT_OK(draw);
      const auto kept = sampleOf(*stored, t, dataset.ids()[static_cast<std::size_t>(index)]);
      EXPECT_LT(largestDifference(*draw, kept), 1e-6);
      EXPECT_LT(largestDifference(all->row(t), kept), 1e-6);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    McDropout, InvarianceOf,
    testing::Values("traced_eval.pt", "traced_train.pt", "scripted.pt", "scripted_functional.pt",
                    "scripted_in_place.pt", "softmax.pt", "windows.pt", "transformer_scripted.pt",
                    "transformer_traced.pt", "transformer_batch_first_scripted.pt",
                    "self_attention_scripted.pt", "self_attention_weights_scripted.pt",
                    "attention_options_scripted.pt", "lstm_bidirectional_scripted.pt",
                    "lstm_bidirectional_traced.pt", "lstm_batch_first_traced.pt", "gru_scripted.pt",
                    "rnn_tanh_traced.pt", "rnn_relu_scripted.pt", "selu_scripted.pt",
                    "selu_traced.pt", "list_loop_scripted.pt", "looped.pt", "two_loops.pt",
                    "branches.pt", "training_branch.pt", "sequence_first.pt"),
    [](const auto& test_case) { return test_case.param.substr(0, test_case.param.find('.')); });

TEST(McDropout, GivesTheDemoNetworkTheSameDrawsForAnyBatch) {
  const auto path = test::sourceDir() / "datasets/samples/lenet-mnist.pt";
  RunContext context;
  const auto model = loadModel(path.string(), {}, context);
  ASSERT_OK(model);
  const ListDataset dataset = madeImages(60, 28);
  const McDropoutOptions method{.draws = 4};
  const auto reference = run(*model, dataset, method);
  ASSERT_OK(reference);
  for (const Conditions& conditions :
       {Conditions{.batch = 1}, Conditions{.batch = 7}, Conditions{.threads = 2}}) {
    const auto other = run(*model, dataset.reversed(), method, conditions);
    ASSERT_TRUE(other);
    expectSameDraws(*reference, *other, "batch " + std::to_string(conditions.batch));
  }
}

TEST(McDropout, AveragesItsDraws) {
  const ModelPtr model = loadFixture("traced_eval.pt");
  const auto result = run(model, madeImages(4, 28), {.draws = 9});
  ASSERT_OK(result);
  ASSERT_EQ(result->samples->shape(), (std::vector<std::int64_t>{9, 4, 10}));
  for (std::int64_t i = 0; i < 4; ++i) {
    double entropy = 0.0;
    double expected_entropy = 0.0;
    for (std::int64_t k = 0; k < 10; ++k) {
      double mean = 0.0;
      for (std::int64_t t = 0; t < 9; ++t) {
        const double p = double{result->samples->data()[(t * 4 + i) * 10 + k]};
        mean += p / 9.0;
        expected_entropy -= p * std::log(p) / 9.0;
      }
      entropy -= mean * std::log(mean);
      EXPECT_NEAR(probsOf(*result).row(i)[static_cast<std::size_t>(k)], mean, 1e-7);
    }
    // The run's are of the logits; the kept draws are rounded to float32, which moves their entropy
    // by sum p |log p + 1| 2^-24 at most.
    const double rounding = 0x1p-24 * (entropy + 1.0);
    EXPECT_NEAR(result->entropy->data()[i], entropy, rounding);
    EXPECT_NEAR(result->expected_entropy->data()[i], expected_entropy, rounding);
    EXPECT_NEAR(result->mutual_information->data()[i], entropy - expected_entropy, 2.0 * rounding);
    EXPECT_GT(result->mutual_information->data()[i], 0.0);
    double rest = 0.0;
    for (std::int64_t k = 0; k < 10; ++k) {
      for (std::int64_t t = 0; t < 9 && k != result->predictions.data()[i]; ++t) {
        rest += double{result->samples->data()[(t * 4 + i) * 10 + k]} / 9.0;
      }
    }
    EXPECT_NEAR(result->log_rest->data()[i], std::log(rest), 1e-6);
    EXPECT_NEAR(result->confidence.data()[i], 1.0 - rest, 1e-7);
  }
}

TEST(McDropout, ConvergesToTheMapForSmallRates) {
  const ModelPtr model = loadFixture("traced_eval.pt");
  const ListDataset dataset = madeImages(4, 28);
  RunContext context;
  const auto map = predict(*model, dataset, MapOptions{}, {}, context);
  const auto small = run(model, dataset, {.draws = 4, .drop_rate = 1e-9});
  ASSERT_FALSE(small);  // nothing is dropped at this rate: identical draws are no result
  const auto rare = run(model, dataset, {.draws = 400, .drop_rate = 0.01});
  ASSERT_TRUE(map && rare);
  EXPECT_LT(largestDifference(probsOf(*map).values(), probsOf(*rare).values()), 0.02);
}

TEST(McDropout, SwitchesOnOnlyTheSitesChosen) {
  const ModelPtr model = loadFixture("traced_train.pt");
  const ListDataset dataset = madeImages(3, 28);
  const auto second = run(model, dataset, {.draws = 3, .sites = {1}});
  ASSERT_OK(second);
  for (const MaskHash& entry : second->meta.mask_hashes) {
    EXPECT_EQ(entry.site, 1);
  }
  const auto both = run(model, dataset, {.draws = 3});
  ASSERT_TRUE(both);
  const Hashes all = hashesOf(*both);
  for (const auto& [key, hash] : hashesOf(*second)) {
    EXPECT_EQ(all.at(key), hash) << "a site's masks changed with the choice of sites";
  }
  const auto unknown = run(model, dataset, {.draws = 3, .sites = {2}});
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("no dropout site 2"));
}

TEST(McDropout, UsesTheRateGiven) {
  const ModelPtr model = loadFixture("traced_eval.pt");
  const ListDataset dataset = madeImages(30, 28);
  const auto spread = [&](double rate) {
    const auto result = run(model, dataset, {.draws = 20, .drop_rate = rate, .sites = {1}});
    EXPECT_TRUE(result);
    double sum = 0.0;
    for (const double value : result->mutual_information->values()) {
      sum += value;
    }
    return sum;
  };
  EXPECT_LT(spread(0.05), 0.5 * spread(0.8));
}

TEST(McDropout, SharesMasksWhenAsked) {
  const ModelPtr model = loadFixture("traced_eval.pt");
  ListDataset dataset = madeImages(6, 28);
  dataset.samples()[5] = dataset.samples()[0];
  const auto shared = run(model, dataset, {.draws = 4, .masks = "shared"});
  const auto own = run(model, dataset, {.draws = 4});
  ASSERT_TRUE(shared && own);
  double own_difference = 0.0;
  for (std::int64_t t = 0; t < 4; ++t) {
    EXPECT_LT(largestDifference(sampleOf(*shared, t, dataset.ids()[0]),
                                sampleOf(*shared, t, dataset.ids()[5])),
              1e-6);
    own_difference =
        std::max(own_difference, largestDifference(sampleOf(*own, t, dataset.ids()[0]),
                                                   sampleOf(*own, t, dataset.ids()[5])));
  }
  EXPECT_GT(own_difference, 1e-3);
}

TEST(McDropout, InsertsASiteWhereThereIsNone) {
  for (const std::string file : {"frozen.pt", "log_softmax.pt", "quantised.pt"}) {
    const ModelPtr model = loadFixture(file);
    const ListDataset dataset = madeImages(8, model->audit().input_shape[1]);
    const auto result = run(model, dataset, {.draws = 6});
    ASSERT_OK(result);
    ASSERT_EQ(result->meta.mask_hashes.size(), 6U) << file;
    EXPECT_EQ(result->meta.mask_hashes[0].site, 0) << file;
    EXPECT_TRUE(std::ranges::any_of(textsOf(result->meta.notes), [](const std::string& note) {
      return note.find("inserted before the head") != std::string::npos;
    }));
    const auto never = run(model, dataset, {.draws = 6, .insert = "never"});
    ASSERT_FALSE(never);
    EXPECT_THAT(never.error().message, HasSubstr("no usable dropout site"));
    EXPECT_THAT(never.error().remedy.settings, testing::ElementsAre(setting("insert", "auto")));
  }
}

TEST(McDropout, InsertsBesideTheModelsOwnSitesWhenAsked) {
  const ModelPtr model = loadFixture("traced_eval.pt");
  const auto result = run(model, madeImages(3, 28), {.draws = 2, .insert = "always"});
  ASSERT_OK(result);
  std::set<std::int64_t> sites;
  for (const MaskHash& entry : result->meta.mask_hashes) {
    sites.insert(entry.site);
  }
  EXPECT_EQ(sites, (std::set<std::int64_t>{0, 1, 2}));
}

TEST(McDropout, RefusesDrawsThatCannotDiffer) {
  const ModelPtr model = loadFixture("traced_eval.pt");
  const ListDataset dataset = madeImages(3, 28);
  const auto zero = run(model, dataset, {.draws = 3, .drop_rate = 0.0});
  ASSERT_FALSE(zero);
  EXPECT_THAT(zero.error().message, HasSubstr("drop rate of every chosen site is 0"));
  EXPECT_THAT(zero.error().remedy.settings, testing::ElementsAre(setting("drop_rate")));
  // So rare that nothing is dropped: only the draws themselves show it.
  const auto rare = run(model, dataset, {.draws = 3, .drop_rate = 1e-9});
  ASSERT_FALSE(rare);
  EXPECT_THAT(rare.error().message, HasSubstr("all 3 draws are identical"));
  EXPECT_THAT(rare.error().remedy.settings,
              testing::ElementsAre(setting("sites"), setting("drop_rate")));
}

TEST(McDropout, RefusesSitesThatCannotBeUsed) {
  const ModelPtr model = loadFixture("nested_loops.pt");
  const auto result = run(model, madeImages(3, 8), {.draws = 3, .sites = {1}});
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("nested loops"));
  EXPECT_THAT(result.error().remedy.settings, testing::ElementsAre(setting("sites")));
  const auto by_default = run(model, madeImages(3, 8), {.draws = 3});
  ASSERT_FALSE(by_default);
  EXPECT_THAT(by_default.error().message, HasSubstr("nested loops"));
  EXPECT_THAT(by_default.error().message, HasSubstr("leave that off, or name the sites to use"));
  EXPECT_THAT(by_default.error().remedy.settings,
              testing::ElementsAre(setting("unusable", "off"), setting("sites")));
  const auto left_off = run(model, madeImages(3, 8), {.draws = 3, .unusable = "off"});
  ASSERT_OK(left_off);
  EXPECT_TRUE(std::ranges::any_of(textsOf(left_off->meta.notes), [](const std::string& note) {
    return note.find("stays off") != std::string::npos;
  }));
}

TEST(McDropout, LeavesBuffersUntouched) {
  const ModelPtr model = loadFixture("traced_train.pt");
  const std::uint64_t before = stateHash(model->impl().module);
  ASSERT_TRUE(run(model, madeImages(6, 28), {.draws = 5}));
  EXPECT_EQ(stateHash(model->impl().module), before);
}

TEST(McDropout, DropsSamplesBeyondTheLimitAndSaysSo) {
  const ModelPtr model = loadFixture("traced_eval.pt");
  const ListDataset dataset = madeImages(3, 28);
  RunContext context;
  const auto result =
      predict(*model, dataset, McDropoutOptions{.draws = 4}, {.keep_samples_mb = 0}, context);
  ASSERT_OK(result);
  EXPECT_FALSE(result->samples.has_value());
  EXPECT_TRUE(result->mutual_information.has_value());
  EXPECT_EQ(result->variation_ratio->size(), result->itemCount());
  EXPECT_EQ(result->variance->size(), result->itemCount());
  EXPECT_TRUE(std::ranges::any_of(textsOf(result->meta.notes), [](const std::string& note) {
    return note.find("not stored") != std::string::npos;
  }));
}

TEST(McDropout, KeepsSamplesTogetherWhenItemsAreSkipped) {
  const ModelPtr model = loadFixture("traced_eval.pt");
  ListDataset dataset = madeImages(9, 28);
  const auto whole = run(model, dataset, {.draws = 3});
  dataset.breakItem(1);
  dataset.breakItem(6);
  const auto rest = run(model, dataset, {.draws = 3}, {.batch = 4});
  ASSERT_TRUE(whole && rest);
  ASSERT_EQ(rest->samples->shape(), (std::vector<std::int64_t>{3, 7, 10}));
  for (std::int64_t t = 0; t < 3; ++t) {
    for (const std::int64_t id : rest->ids.values()) {
      EXPECT_LT(largestDifference(sampleOf(*whole, t, id), sampleOf(*rest, t, id)), 1e-6);
    }
  }
}

TEST(McDropout, LeavesNoTraceOfABatchThatWasStopped) {
  const ModelPtr model = loadFixture("traced_eval.pt");
  const ListDataset dataset = madeImages(40, 28);
  RunContext context;
  context.seed = 3;
  context.on_progress = [&context](const Progress& progress) {
    if (progress.stage == "predicting" && progress.done >= 20) {
      context.control()->requestStopEarly();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  };
  const auto stopped =
      predict(*model, dataset, McDropoutOptions{.draws = 10}, {.batch = 10}, context);
  ASSERT_OK(stopped);
  ASSERT_TRUE(stopped->meta.stopped_early);
  ASSERT_LT(stopped->itemCount(), 40);
  ListDataset part = madeImages(stopped->itemCount(), 28);
  const auto direct = run(model, part, {.draws = 10});
  ASSERT_TRUE(direct);
  expectSameDraws(*direct, *stopped, "stopped early");
}

}  // namespace
}  // namespace dubito
