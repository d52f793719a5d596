// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/head/train_head.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include <filesystem>
#include <stdexcept>

#include "core/io/npz_writer.h"
#include "core/models/model_torch.h"
#include "core/models/network_hash.h"
#include "core/train/head/head_classes.h"
#include "tests/core/network/made_network.h"
#include "tests/core/train/memory_dataset.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

constexpr std::int64_t kHidden = 5;
constexpr const char* kPoints = "synthetic:blobs?blobs=3&n=150&seed=3";

template <class T>
T valueOf(Expected<T> result) {
  if (!result) {
    throw std::runtime_error(result.error().message);
  }
  return std::move(*result);
}

class TrainHeadTest : public testing::Test {
 protected:
  /// A network of points with the parameters first [5, 2], last and bias.
  ModelPtr network(const std::string& forward, const at::Tensor& last, const at::Tensor& bias,
                   const std::string& metadata = R"({"input_size": [2], "mean": 0.5})",
                   double phase = 0.3) {
    torch::jit::Module module("points");
    module.register_attribute("training", c10::BoolType::get(), false);
    module.register_parameter(
        "first", (3.0 * test::spreadNumbers({kHidden, 2}, phase)).to(at::kFloat), false);
    module.register_parameter("last", last.to(at::kFloat), false);
    module.register_parameter("bias", bias.to(at::kFloat), false);
    module.define(forward);
    const std::string path =
        folder_.file(networks_ == 0 ? "backbone.pt" : fmt::format("backbone{}.pt", networks_));
    ++networks_;
    module.save(path, {{"metadata.json", metadata}});
    return valueOf(loadModel(path, {}, context_));
  }
  ModelPtr usualNetwork(double phase = 0.3) {
    return network(kUsual, test::spreadNumbers({3, kHidden}, 1.1), test::spreadNumbers({3}, 2.2),
                   R"({"input_size": [2], "mean": 0.5})", phase);
  }

  /// Hidden layer of one item, in double.
  static at::Tensor featuresOf(const Dataset& dataset, std::int64_t item, const Model& model) {
    const auto sample = std::get<Array<float>>(valueOf(dataset.read(item)));
    const at::Tensor x = at::tensor({double{sample.values()[0]}, double{sample.values()[1]}}) - 0.5;
    return at::tanh(at::mv(parameter(model, "first"), x));
  }
  static at::Tensor parameter(const Model& model, const std::string& name) {
    return model.impl().module.attr(name).toTensor().to(at::kDouble);
  }
  static std::vector<double> outputsOf(const Model& model, const Dataset& dataset,
                                       std::int64_t item) {
    const auto batch = valueOf(
        loadBatch(dataset, std::vector{item}, model.metadata().preprocessing, RunContext()));
    const auto row = batch.inputs.row(0);
    const at::Tensor x = at::tensor(std::vector<float>(row.begin(), row.end())).unsqueeze(0);
    const at::Tensor y =
        model.impl().module.get_method("forward")({x}).toTensor().to(at::kDouble).contiguous();
    return {y.const_data_ptr<double>(), y.const_data_ptr<double>() + y.numel()};
  }

  Expected<HeadReport> train(const Model& model, const Dataset& dataset) {
    return trainHead(model, dataset, options_, 32, output_, context_);
  }

  static constexpr const char* kUsual =
      "def forward(self, x):\n"
      "  return torch.linear(torch.tanh(torch.linear(x, self.first, None)), self.last, "
      "self.bias)\n";

  test::TempDir folder_;
  int networks_ = 0;
  std::string output_ = folder_.file("head.pt");
  RunContext context_;
  HeadOptions options_{.feature_cache = folder_.file("features")};
  DatasetPtr points_ = valueOf(openDataset(kPoints, context_));
};

TEST_F(TrainHeadTest, TheSavedNetworkIsTheBackboneWithTheWeightsOfTheRegression) {
  const ModelPtr backbone = usualNetwork();
  options_.l2 = 0.01;
  const auto report = train(*backbone, *points_);
  ASSERT_OK(report);
  EXPECT_EQ(report->items, 150);
  EXPECT_EQ(report->features, kHidden);
  EXPECT_EQ(report->classes, 3);
  EXPECT_GT(report->train.accuracy, 0.9);
  const ModelPtr saved = valueOf(loadModel(output_, {}, context_));
  EXPECT_TRUE(at::equal(parameter(*saved, "first"), parameter(*backbone, "first")));
  EXPECT_EQ(saved->metadata().preprocessing.describe(),
            backbone->metadata().preprocessing.describe());
  EXPECT_EQ(saved->metadata().name, "head");

  LabelledFeatures items;
  std::vector<float> values;
  for (std::int64_t i = 0; i < points_->size(); ++i) {
    const at::Tensor h = featuresOf(*points_, i, *backbone).to(at::kFloat);
    values.insert(values.end(), h.const_data_ptr<float>(), h.const_data_ptr<float>() + kHidden);
    items.labels.push_back(points_->labels()[static_cast<std::size_t>(i)]);
  }
  items.features = Array<float>::fromVector({items.size(), kHidden}, std::move(values));
  const auto fitted = valueOf(
      fitSoftmaxRegression(items, {}, {.classes = 3, .l2 = 0.01, .tolerance = 1e-9}, context_));
  for (std::int64_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(parameter(*saved, "bias")[k].item<double>(),
                fitted.head.bias[static_cast<std::size_t>(k)], 1e-3);
    for (std::int64_t q = 0; q < kHidden; ++q) {
      EXPECT_NEAR(parameter(*saved, "last")[k][q].item<double>(),
                  fitted.head.weight.row(k)[static_cast<std::size_t>(q)], 1e-3);
    }
  }
  EXPECT_NEAR(report->train.loss, fitted.train.loss, 1e-5);
  for (const std::int64_t item : {0, 7, 149}) {
    const at::Tensor expected =
        at::mv(parameter(*saved, "last"), featuresOf(*points_, item, *saved)) +
        parameter(*saved, "bias");
    const std::vector<double> outputs = outputsOf(*saved, *points_, item);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(outputs[k], expected[static_cast<std::int64_t>(k)].item<double>(), 1e-5);
    }
  }
}

TEST_F(TrainHeadTest, ClassesOfTheDatasetWidenTheLayer) {
  const ModelPtr backbone =
      network(kUsual, test::spreadNumbers({2, kHidden}, 1.1), test::spreadNumbers({2}, 2.2),
              R"({"input_size": [2], "classes": ["cat", "dog"]})");
  test::MemoryDataset items = test::blobs(90);
  items.mutableInfo().class_names = {"Dog", "zebra", "cat"};
  const auto report = train(*backbone, items);
  ASSERT_OK(report);
  EXPECT_EQ(report->added_classes, std::vector<std::string>{"zebra"});
  const ModelPtr saved = valueOf(loadModel(output_, {}, context_));
  EXPECT_EQ(saved->metadata().class_names, (std::vector<std::string>{"cat", "dog", "zebra"}));
  EXPECT_EQ(saved->audit().classes, 3);
  EXPECT_GT(report->train.accuracy, 0.95);
  const std::vector<std::int64_t> class_of{1, 2, 0};
  for (std::int64_t i = 0; i < 6; ++i) {
    const std::vector<double> outputs = outputsOf(*saved, items, i);
    EXPECT_EQ(std::max_element(outputs.begin(), outputs.end()) - outputs.begin(),
              class_of[static_cast<std::size_t>(i % 3)]);
  }
  options_.classes = "dataset";
  ASSERT_OK(train(*backbone, items));
  EXPECT_EQ(valueOf(loadModel(output_, {}, context_))->metadata().class_names,
            (std::vector<std::string>{"Dog", "zebra", "cat"}));
}

TEST_F(TrainHeadTest, OtherFormsOfTheLayerAreReplacedToo) {
  for (const auto& [forward, last] : std::vector<std::pair<std::string, at::Tensor>>{
           {"def forward(self, x):\n"
            "  h = torch.tanh(torch.linear(x, self.first, None))\n"
            "  return torch.addmm(self.bias, h, self.last)\n",
            test::spreadNumbers({kHidden, 3}, 1.1)},
           {"def forward(self, x):\n"
            "  h = torch.tanh(torch.linear(x, self.first, None))\n"
            "  return torch.log_softmax(torch.matmul(h, self.last.t()) + self.bias, 1)\n",
            test::spreadNumbers({3, kHidden}, 1.1)},
           {"def forward(self, x):\n"
            "  h = torch.tanh(torch.linear(x, self.first, None))\n"
            "  return torch.softmax(torch.linear(h, self.last, None), 1)\n",
            test::spreadNumbers({3, kHidden}, 1.1)},
           {"def forward(self, x):\n"
            "  h = torch.tanh(torch.linear(x, self.first, None)).view([-1, 5, 1, 1])\n"
            "  return torch.flatten(torch.conv2d(h, self.last, self.bias), 1)\n",
            test::spreadNumbers({3, kHidden, 1, 1}, 1.1)}}) {
    SCOPED_TRACE(forward);
    const ModelPtr backbone = network(forward, last, test::spreadNumbers({3}, 2.2));
    const auto report = train(*backbone, *points_);
    ASSERT_OK(report);
    const ModelPtr saved = valueOf(loadModel(output_, {}, context_));
    std::int64_t right = 0;
    for (std::int64_t i = 0; i < points_->size(); ++i) {
      const std::vector<double> outputs = outputsOf(*saved, *points_, i);
      right += std::max_element(outputs.begin(), outputs.end()) - outputs.begin() ==
                       points_->labels()[static_cast<std::size_t>(i)]
                   ? 1
                   : 0;
    }
    EXPECT_NEAR(static_cast<double>(right) / 150.0, report->train.accuracy, 1e-12);
    EXPECT_GT(right, 130);
  }
}

TEST_F(TrainHeadTest, TheSameSeedGivesTheSameFile) {
  const ModelPtr backbone = usualNetwork();
  options_.validation_share = 0.3;
  const auto trained = [&](std::uint64_t seed, const std::string& name) {
    std::filesystem::create_directory(folder_.path() / name);
    output_ = folder_.file(name + "/head.pt");
    context_.seed = seed;
    const auto report = train(*backbone, *points_);
    EXPECT_OK(report);
    EXPECT_EQ(report->items + report->validation_items, 150);
    EXPECT_GT(report->validation_items, 20);
    EXPECT_TRUE(report->validation);
    return test::readBytes(output_);
  };
  const std::string first = trained(1, "a");
  EXPECT_TRUE(trained(1, "b") == first);  // with features of the cache
  std::filesystem::remove_all(options_.feature_cache);
  EXPECT_TRUE(trained(1, "c") == first);
  EXPECT_FALSE(trained(2, "d") == first);
}

TEST_F(TrainHeadTest, CancellingLeavesNoFile) {
  const ModelPtr backbone = usualNetwork();
  for (const std::string stage : {"computing features", "training the head"}) {
    SCOPED_TRACE(stage);
    RunContext context;
    context.on_progress = [&](const Progress& progress) {
      if (progress.stage == stage) {
        context.control()->requestCancel();
      }
    };
    const auto report = trainHead(*backbone, *points_, options_, 32, output_, context);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, ErrorCode::kCancelled);
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      files.push_back(entry.path().filename());
    }
    std::ranges::sort(files);
    EXPECT_EQ(files, stage == "computing features"
                         ? (std::vector<std::string>{"backbone.pt"})
                         : (std::vector<std::string>{"backbone.pt", "features"}));
  }
}

TEST_F(TrainHeadTest, FeaturesAreComputedOnce) {
  const ModelPtr backbone = usualNetwork();
  const auto cached = [&](const Model& model, const std::string& options) {
    const DatasetPtr items = valueOf(openDataset(kPoints + options, context_));
    const HeadReport report = valueOf(train(model, *items));
    EXPECT_TRUE(report.notes.size() == 1) << report.notes.back();  // about the role
    return report.from_cache;
  };
  EXPECT_EQ(cached(*backbone, "&items=:100"), 0);
  EXPECT_EQ(cached(*backbone, "&items=:100"), 100);
  EXPECT_EQ(cached(*backbone, "&items=20:&name=more"), 80);
  EXPECT_EQ(cached(*backbone, ""), 150);
  EXPECT_EQ(cached(*backbone, "&corrupt=noise:3"), 0);
  const ModelPtr other = usualNetwork(0.4);
  EXPECT_EQ(cached(*other, ""), 0);
  EXPECT_EQ(cached(*backbone, ""), 150);
  options_.feature_cache_mb = 0;
  EXPECT_EQ(cached(*backbone, ""), 0);
}

/// Writes 60 points around three centres that are `shift` away from the origin.
void writePoints(const std::string& path, float shift) {
  std::vector<float> values;
  std::vector<std::int64_t> labels;
  for (std::int64_t i = 0; i < 60; ++i) {
    labels.push_back(i % 3);
    values.push_back((i % 3 == 1 ? shift : 0.0F) + 0.01F * static_cast<float>(i % 7));
    values.push_back((i % 3 == 2 ? shift : 0.0F) + 0.01F * static_cast<float>(i % 5));
  }
  auto writer = valueOf(NpzWriter::create(path));
  ASSERT_OK(writer.add("x", Array<float>::fromVector({60, 2}, values)));
  ASSERT_OK(writer.add("y", Array<std::int64_t>::fromVector({60}, labels)));
  ASSERT_OK(writer.commit());
}

TEST_F(TrainHeadTest, FeaturesOfAChangedFileAreComputedAgain) {
  const ModelPtr backbone = usualNetwork();
  const std::string path = folder_.file("points.npz");
  const auto trained = [&] {
    const DatasetPtr items = valueOf(openDataset("npz:" + path, context_));
    return valueOf(train(*backbone, *items));
  };
  writePoints(path, 1.0F);
  EXPECT_EQ(trained().from_cache, 0);
  const double loss = trained().train.loss;
  EXPECT_EQ(trained().from_cache, 60);
  writePoints(path, 0.2F);
  const HeadReport report = trained();
  EXPECT_EQ(report.from_cache, 0);
  EXPECT_GT(report.train.loss, loss);
}

TEST_F(TrainHeadTest, ADamagedCacheIsComputedAgainWithANote) {
  const ModelPtr backbone = usualNetwork();
  const HeadReport first = valueOf(train(*backbone, *points_));
  const auto entry = *std::filesystem::directory_iterator(options_.feature_cache);
  std::string bytes = test::readBytes(entry.path());
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x10);
  test::writeBytes(entry.path(), bytes);
  const HeadReport again = valueOf(train(*backbone, *points_));
  EXPECT_EQ(again.from_cache, 0);
  EXPECT_EQ(again.train.loss, first.train.loss);
  ASSERT_FALSE(again.notes.empty());
  EXPECT_THAT(again.notes.front(), HasSubstr(": is damaged ("));
  EXPECT_THAT(again.notes.front(), HasSubstr("the features are computed again"));
  EXPECT_EQ(valueOf(train(*backbone, *points_)).from_cache, 150);
}

TEST_F(TrainHeadTest, TellsWhyALayerCannotBeReplaced) {
  const at::Tensor last = test::spreadNumbers({2, 2}, 1.1);
  const at::Tensor bias = test::spreadNumbers({2}, 2.2);
  for (const auto& [forward, words] : std::vector<std::pair<std::string, std::string>>{
           {"def forward(self, x):\n"
            "  h = torch.tanh(torch.linear(x, self.last, None))\n"
            "  return torch.linear(h, self.last, self.bias)\n",
            ".pt: its last layer cannot be replaced (last is used in several places); train "
            "the whole network in another program"},
           {"def forward(self, x):\n"
            "  return torch.tanh(torch.linear(x, self.last, self.bias))\n",
            "its last layer cannot be replaced (the last layer is aten::tanh, which is not "
            "linear)"},
           {"def forward(self, x):\n"
            "  return torch.linear(x, self.last, self.bias) + torch.linear(x, self.first, None)[:, "
            ":2]\n",
            "its last layer cannot be replaced ("}}) {
    const ModelPtr backbone = network(forward, last, bias);
    const auto report = train(*backbone, *points_);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, ErrorCode::kUnsupported);
    EXPECT_THAT(report.error().message, HasSubstr(words));
    EXPECT_FALSE(std::filesystem::exists(output_));
  }
}

TEST_F(TrainHeadTest, StatesWhatTheItemsLack) {
  const ModelPtr backbone = usualNetwork();
  const auto errorOf = [&](const Dataset& dataset) {
    const auto report = train(*backbone, dataset);
    return report ? Error() : report.error();
  };
  const auto opened = [&](const std::string& options) {
    return valueOf(openDataset(kPoints + options, context_));
  };
  const Error role = errorOf(*opened("&role=ood"));
  EXPECT_THAT(role.message, HasSubstr("its role is ood, but training needs items"));
  EXPECT_THAT(role.remedy.settings, testing::ElementsAre(datasetSetting("role", "train")));
  EXPECT_THAT(errorOf(*opened("&classes=1,")).message, HasSubstr("all items belong to class 1"));
  options_.validation_share = 0.9;
  const Error few = errorOf(*opened("&items=:2"));
  EXPECT_THAT(few.message, HasSubstr("are left to train on"));
  EXPECT_THAT(few.remedy.settings, testing::ElementsAre(setting("validation_share")));
}

std::vector<std::int64_t> ofThree(std::int64_t a, std::int64_t b, std::int64_t c) {
  return {a, b, c};
}

TEST(HeadClasses, NumbersAgreeIfEitherHasNoNames) {
  test::MemoryDataset items = test::blobs(3);
  const auto both = headClasses(items, {"a", "b"}, 2, false);
  ASSERT_OK(both);
  EXPECT_EQ(both->names, (std::vector<std::string>{"a", "b", "2"}));
  EXPECT_EQ(both->labels, ofThree(0, 1, 2));
  EXPECT_EQ(both->added, std::vector<std::string>{"2"});
  const auto numbers = headClasses(items, {}, 5, false);
  ASSERT_OK(numbers);
  EXPECT_TRUE(numbers->names.empty());
  EXPECT_EQ(numbers->count, 5);
  EXPECT_EQ(headClasses(items, {}, 5, true)->count, 3);
  items.mutableInfo().class_names = {"x", "y", "z", "w"};
  const auto named = headClasses(items, {}, 2, false);
  ASSERT_OK(named);
  EXPECT_EQ(named->names, (std::vector<std::string>{"x", "y", "z", "w"}));
  EXPECT_EQ(named->added, (std::vector<std::string>{"z", "w"}));
  items.mutableInfo().class_names = {"x", "y"};
  EXPECT_THAT(headClasses(items, {}, 2, false).error().message,
              HasSubstr("label 2 has no name among its 2 classes"));
}

}  // namespace
}  // namespace dubito
