// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <ATen/Functions.h>

#include <cstdlib>
#include <thread>

#include "core/data/items/content_hash.h"
#include "core/measures/measures.h"
#include "core/models/model_torch.h"
#include "core/predict/predict.h"
#include "tests/core/network/list_dataset.h"
#include "tests/core/network/made_network.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using test::ListDataset;
using test::loadFixture;
using test::madeImages;

Expected<Run> runMap(const ModelPtr& model, const Dataset& dataset, std::int64_t batch = 500) {
  RunContext context;
  return predict(*model, dataset, MapOptions{}, {.batch = batch}, context);
}

const Array<float>& probsOf(const Run& run) {
  return std::get<Array<float>>(*run.probs);
}

TEST(Map, AgreesWithTheModuleInEval) {
  const ModelPtr model = loadFixture("scripted.pt");
  const ListDataset dataset = madeImages(9, 28);
  const auto run = runMap(model, dataset, 4);
  ASSERT_OK(run);
  ASSERT_EQ(probsOf(*run).shape(), (std::vector<std::int64_t>{9, 10}));

  torch::jit::Module module =
      torch::jit::load((test::sourceDir() / "tests/data/models/scripted.pt").string());
  module.eval();
  for (std::int64_t i = 0; i < 9; ++i) {
    const auto input = preprocess(*dataset.read(i), model->metadata().preprocessing)
                           .value()
                           .reshaped({1, 1, 28, 28});
    const at::Tensor x = at::from_blob(const_cast<float*>(input.data()), input.shape(), at::kFloat);
    const at::Tensor logits = module.forward({x}).toTensor();
    const at::Tensor probs = at::softmax(logits, 1).contiguous();
    EXPECT_LT(test::largestDifference(probsOf(*run).row(i), {probs.const_data_ptr<float>(), 10}),
              1e-6);
    EXPECT_LT(test::largestDifference(std::get<Array<float>>(*run->logits).row(i),
                                      {logits.const_data_ptr<float>(), 10}),
              1e-5);
    EXPECT_EQ(run->predictions.data()[i], at::argmax(probs).item().toLong());
  }
}

/// Networks were trained on what torchvision makes of an image; quantised ones tell the last bit.
TEST(Map, GivesTheNetworkTheVeryBitsThatTorchvisionGives) {
  std::vector<std::uint8_t> bytes(256);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(i);
  }
  Preprocessing preprocessing;
  preprocessing.mean = {0.1307};
  preprocessing.std = {0.3081};
  const auto ours =
      preprocess(Image8{Array<std::uint8_t>::fromVector({16, 16, 1}, bytes)}, preprocessing);
  ASSERT_OK(ours);
  const at::Tensor theirs =
      at::arange(0, 256, at::kFloat).div(255).sub(0.1307).div(0.3081).contiguous();
  for (std::size_t i = 0; i < 256; ++i) {
    EXPECT_EQ(ours->values()[i], theirs.const_data_ptr<float>()[i]) << i;
  }
}

TEST(Map, DescribesTheRun) {
  const ModelPtr model = loadFixture("traced_eval.pt");
  const ListDataset dataset = madeImages(5, 28);
  const auto run = runMap(model, dataset, 2);
  ASSERT_OK(run);
  EXPECT_EQ(run->meta.method, "map");
  EXPECT_EQ(run->meta.model_name, "small net");
  EXPECT_EQ(run->meta.batch, 2);
  EXPECT_EQ(run->meta.role, "test");
  EXPECT_EQ(run->meta.class_names.size(), 10U);
  ContentHash content;
  for (std::int64_t i = 0; i < 5; ++i) {
    content.add(dataset.ids()[static_cast<std::size_t>(i)], i % 4,
                preprocess(*dataset.read(i), model->metadata().preprocessing)->values());
  }
  EXPECT_EQ(run->meta.dataset_hash, content.hex());
  EXPECT_EQ(run->meta.preprocessing, model->metadata().preprocessing.describe());
  EXPECT_TRUE(run->meta.versions.count("torch") == 1 && run->meta.versions.count("dubito") == 1);
  EXPECT_TRUE(run->meta.timings.count("network") == 1);
  EXPECT_TRUE(run->meta.mask_hashes.empty());
  EXPECT_FALSE(run->mutual_information.has_value());
  EXPECT_FALSE(run->samples.has_value());
  for (std::int64_t i = 0; i < 5; ++i) {
    const auto row = probsOf(*run).row(i);
    EXPECT_NEAR(run->confidence.data()[i], double{*std::max_element(row.begin(), row.end())}, 6e-8);
    EXPECT_EQ(run->confidence.data()[i], -std::expm1(run->log_rest->data()[i]));
    double entropy = 0.0;
    for (const float p : row) {
      entropy -= double{p} * std::log(double{p});
    }
    EXPECT_NEAR(run->entropy->data()[i], entropy, 1e-6);
    EXPECT_EQ(run->ids.data()[i], dataset.ids()[static_cast<std::size_t>(i)]);
    EXPECT_EQ(run->labels.data()[i], i % 4);
  }
}

/// Logits so far apart that all confidences are 1 in double.
TEST(Map, KeepsWhatTheLogitsKnowOfCertainItems) {
  const test::TempDir folder;
  const ModelPtr model = test::madeNetwork(
      folder, "certain",
      "def forward(self, x):\n  return torch.linear(torch.flatten(x, 1), self.w)\n",
      {{"w", 300.0 * test::spreadNumbers({5, 784}, 0.3)}}, 28);
  ASSERT_TRUE(model);
  const auto run = runMap(model, madeImages(30, 28), 7);
  ASSERT_OK(run);
  std::int64_t certain = 0;
  for (std::int64_t i = 0; i < 30; ++i) {
    const auto logits = std::get<Array<float>>(*run->logits).row(i);
    EXPECT_EQ(run->predictions.data()[i], argmax(logits));
    const double log_rest = logRestOfLogits(logits, argmax(logits));
    EXPECT_NEAR(run->log_rest->data()[i], log_rest, 1e-12 * (1.0 - log_rest));
    certain += run->confidence.data()[i] == 1.0 && log_rest > -1e4 ? 1 : 0;
    EXPECT_EQ(run->confidence.data()[i], -std::expm1(run->log_rest->data()[i]));
  }
  EXPECT_GT(certain, 10);
}

/// Traced in train mode: run as it is, the network overwrites its normalisation's statistics.
TEST(Map, LeavesBuffersOfANetTracedInTrainModeUntouched) {
  const ModelPtr model = loadFixture("traced_train.pt");
  const ListDataset dataset = madeImages(6, 28);
  const std::uint64_t before = stateHash(model->impl().module);
  const auto first = runMap(model, dataset);
  const auto second = runMap(model, dataset, 1);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(stateHash(model->impl().module), before);
  EXPECT_LT(test::largestDifference(probsOf(*first).values(), probsOf(*second).values()), 1e-6);

  torch::jit::Module unpatched =
      torch::jit::load((test::sourceDir() / "tests/data/models/traced_train.pt").string());
  EXPECT_EQ(stateHash(unpatched), before);
  unpatched.eval();
  unpatched.forward({at::randn({4, 1, 28, 28})});
  EXPECT_NE(stateHash(unpatched), before) << "this network does not show what the test is about";
}

bool hasNote(const Run& run, const std::string& part) {
  return std::ranges::any_of(textsOf(run.meta.notes), [&part](const std::string& note) {
    return note.find(part) != std::string::npos;
  });
}

TEST(Map, SaysThatTheNetworkDrawsRandomNumbersOfItsOwn) {
  const auto run = runMap(loadFixture("noisy_traced.pt"), madeImages(3, 8));
  ASSERT_OK(run);
  EXPECT_TRUE(hasNote(*run, "draws its own random numbers (aten::randn)"));
  EXPECT_FALSE(hasNote(*run, "share a batch"));
  EXPECT_FALSE(hasNote(*runMap(loadFixture("noisy_in_training.pt"), madeImages(3, 8)), "random"));
}

/// Every run starts from the state of the file, and the next one finds it again.
TEST(Map, SaysThatTheNetworkKeepsStateBetweenCalls) {
  const ModelPtr model = loadFixture("counting.pt");
  const ListDataset dataset = madeImages(6, 8);
  const std::uint64_t before = stateHash(model->impl().module);
  const auto first = runMap(model, dataset);
  const auto second = runMap(model, dataset);
  ASSERT_OK(first);
  ASSERT_TRUE(second);
  EXPECT_TRUE(hasNote(*first, "changes from call to call (calls)"));
  EXPECT_TRUE(std::ranges::equal(probsOf(*first).values(), probsOf(*second).values()));
  EXPECT_EQ(stateHash(model->impl().module), before);
  const auto aside = runMap(loadFixture("counting_aside.pt"), dataset);
  ASSERT_OK(aside);
  EXPECT_FALSE(hasNote(*aside, "from call to call"));
}

TEST(Map, TakesProbabilitiesAsTheyAre) {
  const auto run = runMap(loadFixture("softmax.pt"), madeImages(3, 28));
  ASSERT_OK(run);
  EXPECT_FALSE(run->logits.has_value());
  for (std::int64_t i = 0; i < 3; ++i) {
    double sum = 0.0;
    for (const float p : probsOf(*run).row(i)) {
      sum += double{p};
    }
    EXPECT_NEAR(sum, 1.0, 1e-6);
    EXPECT_LT(run->entropy->data()[i], std::log(10.0) - 1e-4);
  }
}

TEST(Map, LeavesOutUnreadableItemsAndListsThem) {
  ListDataset dataset = madeImages(7, 28);
  dataset.breakItem(0);
  dataset.breakItem(4);
  const auto run = runMap(loadFixture("scripted.pt"), dataset, 3);
  ASSERT_OK(run);
  EXPECT_EQ(run->itemCount(), 5);
  ASSERT_EQ(run->meta.skipped.size(), 2U);
  EXPECT_EQ(run->meta.skipped[1].name, dataset.itemName(4));
  EXPECT_EQ(run->meta.skipped[1].reason, "broken on purpose");
  EXPECT_EQ(run->ids.data()[3], dataset.ids()[5]);

  for (std::int64_t i = 0; i < dataset.size(); ++i) {
    dataset.breakItem(i);
  }
  const auto none = runMap(loadFixture("scripted.pt"), dataset, 3);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("none of its 7 items"));
}

TEST(Map, RefusesNaNNamingTheItem) {
  ListDataset dataset = madeImages(5, 8);
  dataset.samples()[3] = Image8{Array<std::uint8_t>::zeros({8, 8, 1})};
  const auto run = runMap(loadFixture("not_a_number.pt"), dataset);
  ASSERT_FALSE(run);
  EXPECT_THAT(run.error().message, HasSubstr("list, item " + dataset.itemName(3)));
  EXPECT_THAT(run.error().message, HasSubstr("NaN"));
}

TEST(Map, RefusesItemsOfAnotherSize) {
  ListDataset dataset = madeImages(2, 28);
  const auto run = runMap(loadFixture("vector.pt"), dataset);
  ASSERT_FALSE(run);
  EXPECT_THAT(run.error().message, HasSubstr("vector.pt"));
}

TEST(Map, TakesLabelsByNameAndRefusesUnknownOnes) {
  const ModelPtr model = loadFixture("traced_eval.pt");
  ListDataset dataset = madeImages(4, 28);
  dataset.info().class_names = {"7", "5", "3", "1"};
  auto run = runMap(model, dataset);
  ASSERT_OK(run);
  EXPECT_EQ(std::vector<std::int64_t>(run->labels.values().begin(), run->labels.values().end()),
            (std::vector<std::int64_t>{7, 5, 3, 1}));

  dataset.info().class_names = {"7", "5", "cat", "1"};
  run = runMap(model, dataset);
  ASSERT_FALSE(run);
  EXPECT_THAT(run.error().message, HasSubstr("class 'cat'"));

  dataset.info().class_names.clear();
  dataset.itemLabels()[2] = 10;
  run = runMap(model, dataset);
  ASSERT_FALSE(run);
  EXPECT_THAT(run.error().message, HasSubstr("item " + dataset.itemName(2) + ": its label is 10"));
  EXPECT_THAT(run.error().remedy.settings,
              testing::ElementsAre(datasetSetting("classes"), datasetSetting("role", "ood")));

  dataset.info().role = Role::kOod;
  run = runMap(model, dataset);
  ASSERT_OK(run);
  for (const std::int64_t label : run->labels.values()) {
    EXPECT_EQ(label, -1);
  }
}

TEST(Map, CancelsAndStopsEarly) {
  const ModelPtr model = loadFixture("scripted.pt");
  const ListDataset dataset = madeImages(20, 28);
  RunContext context;
  context.on_progress = [&context](const Progress& progress) {
    if (progress.stage == "predicting") {
      context.control()->requestCancel();
    }
  };
  auto run = predict(*model, dataset, MapOptions{}, {.batch = 4}, context);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::kCancelled);

  RunContext early;
  early.on_progress = [&early](const Progress& progress) {
    if (progress.stage == "predicting" && progress.done >= 8) {
      early.control()->requestStopEarly();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  };
  run = predict(*model, dataset, MapOptions{}, {.batch = 4}, early);
  ASSERT_OK(run);
  EXPECT_TRUE(run->meta.stopped_early);
  EXPECT_GE(run->itemCount(), 4);
  EXPECT_LT(run->itemCount(), 20);
}

TEST(Map, NamesWhyCudaCannotBeUsed) {
  if (queryDevices().cuda_unavailable_reason.empty()) {
    GTEST_SKIP() << "this machine has a CUDA device";
  }
  RunContext context;
  context.device = {Device::Kind::kCuda, 0};
  const auto run =
      predict(*loadFixture("scripted.pt"), madeImages(2, 28), MapOptions{}, {}, context);
  ASSERT_FALSE(run);
  EXPECT_THAT(run.error().message, HasSubstr(queryDevices().cuda_unavailable_reason));
}

}  // namespace
}  // namespace dubito
