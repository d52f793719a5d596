// SPDX-License-Identifier: GPL-3.0-or-later
// Datasets and metadata that were read wrongly in silence: the right value, or a sentence why not.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "core/data/items/dataset.h"
#include "core/io/npz_writer.h"
#include "core/models/model.h"
#include "core/predict/predict.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

std::string textOf(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return text;
}

std::int64_t correctOf(const Run& run) {
  std::int64_t correct = 0;
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    correct += run.labels.data()[i] == run.predictions.data()[i] ? 1 : 0;
  }
  return correct;
}

class DataCases : public testing::Test {
 protected:
  void SetUp() override {
    DUBITO_NEEDS_SHARED();
    cases_ = *test::sharedDir() / "cases";
    if (!fs::is_directory(cases_ / "metadata")) {
      GTEST_SKIP() << "no cases/metadata";
    }
    // A network of three classes for colour images of 32 x 32, without metadata.
    fs::copy_file(cases_ / "metadata/class_to_idx.pt", folder_.file("plain.pt"));
  }

  [[nodiscard]] std::string data(const std::string& name) const {
    return (cases_ / "data" / name).string();
  }
  [[nodiscard]] std::string metadata(const std::string& name) const {
    return (cases_ / "metadata" / name).string();
  }
  /// A metadata file with these contents.
  std::string withKeys(const std::string& json) {
    test::writeBytes(folder_.file("keys.json"), json);
    return folder_.file("keys.json");
  }

  static Expected<dubito::Run> predicted(const std::string& model, const std::string& items,
                                         const std::string& metadata_file = {}) {
    RunContext context;
    const auto dataset = openDataset(items, context);
    if (!dataset) {
      return failWith(dataset);
    }
    const auto network =
        loadModel(model, {.metadata_path = metadata_file, .output_key = {}}, context);
    return network ? predict(**network, **dataset, MapOptions(), PredictOptions(), context)
                   : failWith(network);
  }
  static dubito::Run runOf(const std::string& model, const std::string& items,
                           const std::string& metadata_file = {}) {
    auto run = predicted(model, items, metadata_file);
    EXPECT_OK(run);
    return run.value_or(dubito::Run());
  }
  static std::string refusal(const std::string& model, const std::string& items) {
    const auto run = predicted(model, items);
    EXPECT_FALSE(run);
    return run ? std::string() : run.error().message;
  }
  [[nodiscard]] std::string plain() const { return folder_.file("plain.pt"); }

  fs::path cases_;
  test::TempDir folder_;
};

TEST_F(DataCases, EveryOrientationOfEveryFormatIsTheSameImage) {
  const dubito::Run run = runOf(metadata("timm_cfg.pt"), "folder:" + data("webp-orientation"));
  ASSERT_EQ(run.itemCount(), 32);
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    for (std::int64_t k = 0; k < run.classCount(); ++k) {
      EXPECT_NEAR(run.prob(i, k), run.prob(0, k), 5e-3) << i;
    }
  }
}

TEST_F(DataCases, SplitsAboveTheClassesAreRefused) {
  EXPECT_THAT(
      refusal(metadata("timm_cfg.pt"), data("splits-as-classes")),
      HasSubstr("test, train, val look like the splits of a dataset, not like classes; open "
                "one of them (folder:" +
                data("splits-as-classes/test") + ")"));
  EXPECT_EQ(runOf(metadata("timm_cfg.pt"), data("splits-as-classes/test")).itemCount(), 12);
}

TEST_F(DataCases, ContentsDecide) {
  EXPECT_EQ(runOf(metadata("timm_cfg.pt"), data("jfif")).itemCount(), 4);
}

TEST_F(DataCases, NumbersThatAreNoBytes) {
  // Nobody stated a scale: images in 0 to 1 are taken as they are.
  const dubito::Run followed = runOf(plain(), data("nchw_f01.npz"));
  EXPECT_THAT(
      textOf(textsOf(followed.meta.notes)),
      HasSubstr("The items have values from 0.1569 to 0.7843, so they are not divided by 255"));
  EXPECT_THAT(textOf(textsOf(followed.meta.notes)), Not(HasSubstr("The values reach the network")));
  const std::string as_bytes =
      withKeys(R"({"scale": 0.00392156862745098, "mean": 0.485, "std": 0.229})");
  const dubito::Run warned = runOf(plain(), data("nchw_f01.npz"), as_bytes);
  EXPECT_THAT(
      textOf(textsOf(warned.meta.notes)),
      HasSubstr("The values reach the network in -2.115 to -2.104, but with mean 0.485 and "
                "std 0.229 -2.118 to 2.249 is expected: the items are in 0 to 1 already, so "
                "set \"scale\" to 1"));
  // The same numbers as a stated scale of 1 gives.
  const dubito::Run stated = runOf(plain(), data("nchw_f01.npz"), withKeys(R"({"scale": 1})"));
  EXPECT_TRUE(std::ranges::equal(stated.predictions.values(), followed.predictions.values()));
  EXPECT_NEAR(stated.prob(3, 1), followed.prob(3, 1), 1e-6);

  EXPECT_THAT(textOf(textsOf(runOf(plain(), data("u16.npz")).meta.notes)),
              HasSubstr("if 65535 is white, set \"scale\" to 1/65535"));
  const dubito::Run fits =
      runOf(plain(), data("u16.npz"), withKeys(R"({"scale": 1.5259021896696422e-05})"));
  EXPECT_THAT(textOf(textsOf(fits.meta.notes)), Not(HasSubstr("The values reach the network")));
  EXPECT_THAT(textOf(textsOf(runOf(plain(), data("two.npz")).meta.notes)),
              Not(HasSubstr("The values reach the network")));
}

/// Images [12, 32, 32, 3] or, with the channels first, [12, 3, 32, 32], whose values are bytes
/// times `factor` plus `offset`.
template <class T>
Array<T> imagesOf(double factor, double offset, bool channels_first) {
  constexpr std::int64_t kItems = 12;
  constexpr std::int64_t kSide = 32;
  auto images = channels_first ? Array<T>::zeros({kItems, 3, kSide, kSide})
                               : Array<T>::zeros({kItems, kSide, kSide, 3});
  for (std::int64_t i = 0; i < images.size(); ++i) {
    const std::int64_t item = i / (3 * kSide * kSide);
    const std::int64_t within = i % (3 * kSide * kSide);
    const std::int64_t channel = channels_first ? within / (kSide * kSide) : within % 3;
    const std::int64_t pixel = channels_first ? within % (kSide * kSide) : within / 3;
    const std::int64_t byte = (item * 37 + channel * 90 + pixel * 7) % 256;
    images.mutableData()[i] = static_cast<T>(static_cast<double>(byte) * factor + offset);
  }
  return images;
}

TEST_F(DataCases, TheSameImagesInAnyTypeAndLayout) {
  const auto predictedFrom = [this](const AnyArray& images, const std::string& keys = {}) {
    auto file = NpzWriter::create(folder_.file("x.npz"));
    EXPECT_OK(file);
    EXPECT_OK(file->add("x", images));
    EXPECT_OK(file->commit());
    return runOf(plain(), folder_.file("x.npz"), keys.empty() ? keys : withKeys(keys));
  };
  const dubito::Run bytes = predictedFrom(imagesOf<std::uint8_t>(1.0, 0.0, false));
  ASSERT_EQ(bytes.itemCount(), 12);
  const auto expectSame = [&bytes](const dubito::Run& run, const char* what) {
    ASSERT_EQ(run.itemCount(), 12) << what;
    for (std::int64_t i = 0; i < run.itemCount(); ++i) {
      for (std::int64_t k = 0; k < run.classCount(); ++k) {
        EXPECT_NEAR(run.prob(i, k), bytes.prob(i, k), 1e-5) << what << i;
      }
    }
    EXPECT_THAT(textOf(textsOf(run.meta.notes)), Not(HasSubstr("The values reach the network")))
        << what;
  };
  expectSame(predictedFrom(imagesOf<std::uint8_t>(1.0, 0.0, true)), "bytes, channels first");
  expectSame(predictedFrom(imagesOf<std::uint16_t>(1.0, 0.0, true)), "bytes in 16 bits");
  expectSame(predictedFrom(imagesOf<std::int64_t>(1.0, 0.0, false)), "bytes in 64 bits");
  expectSame(predictedFrom(imagesOf<double>(1.0, 0.0, false)), "bytes as doubles");
  expectSame(predictedFrom(imagesOf<float>(1.0 / 255.0, 0.0, false)), "0 to 1");
  expectSame(predictedFrom(imagesOf<double>(1.0 / 255.0, 0.0, true)), "0 to 1, channels first");
  expectSame(predictedFrom(imagesOf<float>(1.0 / 255.0, 0.0, false), R"({"scale": 1})"),
             "0 to 1 with a stated scale");
  expectSame(predictedFrom(imagesOf<std::uint16_t>(257.0, 0.0, false),
                           R"({"scale": 1.5259021896696422e-05})"),
             "16 bits with their scale");
  // Around 0: taken as it is, and said.
  EXPECT_THAT(textOf(textsOf(predictedFrom(imagesOf<float>(2.0 / 255.0, -1.0, false)).meta.notes)),
              HasSubstr("The items have values from -1 to 1, so they are not divided by 255"));
  EXPECT_THAT(textOf(textsOf(predictedFrom(imagesOf<float>(2.0 / 255.0, -1.0, false),
                                           R"({"scale": 1, "mean": 0.5, "std": 0.5})")
                                 .meta.notes)),
              HasSubstr("-3 to 1, but with mean 0.5 and std 0.5 -1 to 1 is expected"));
}

TEST_F(DataCases, MetadataOfOtherPrograms) {
  struct Case {
    const char* name;
    std::vector<std::string> classes;
    const char* note;
  };
  const std::vector<std::string> animals{"cat", "dog", "owl"};
  for (const Case& shown : std::vector<Case>{
           {"timm_cfg", animals, "read classes from label_names, resize from crop_pct"},
           {"class_to_idx", {"owl", "dog", "cat"}, "read classes from class_to_idx"},
           {"dict_idx", animals, "read classes from a dictionary"},
           {"trailing", animals, "is not JSON (it has trailing commas), but was understood"},
           {"pydict", animals, "is not JSON (it has single quotes, tuples), but was understood"},
           {"mmpretrain", animals, "mean and std are for values from 0 to 255"}}) {
    const dubito::Run run =
        runOf(metadata(std::string(shown.name) + ".pt"), "folder:" + data("base"));
    EXPECT_EQ(run.meta.class_names, shown.classes) << shown.name;
    ASSERT_EQ(run.itemCount(), 12) << shown.name;
    // The network knows all twelve; the one file names its outputs in another order.
    EXPECT_EQ(correctOf(run), shown.classes == animals ? 12 : 4) << shown.name;
    EXPECT_THAT(textOf(textsOf(run.meta.notes)), HasSubstr(shown.note));
    EXPECT_THAT(textOf(textsOf(run.meta.notes)), Not(HasSubstr("The values reach the network")))
        << shown.name;
  }
  const std::string unknown = withKeys(R"({"classes": ["cat", "dog", "owl"], "wings": 2})");
  EXPECT_THAT(textOf(textsOf(runOf(plain(), "folder:" + data("base"), unknown).meta.notes)),
              HasSubstr("the unknown key 'wings' was ignored"));
}

TEST_F(DataCases, ClassFoldersOfUnnamedOutputs) {
  EXPECT_THAT(textOf(textsOf(runOf(plain(), "folder:" + data("base")).meta.notes)),
              HasSubstr("classes in their order were taken for them: 0 cat, 1 dog, 2 owl"));
  const std::string two = refusal(plain(), "folder:" + data("jfif"));
  EXPECT_THAT(two, HasSubstr("the dataset's 2 classes (cat, dog) cannot be matched with the "
                             "network's 3 outputs, which have no names"));
  // As out of distribution the names do not matter.
  EXPECT_EQ(runOf(plain(), "folder:" + data("jfif") + "?role=ood").itemCount(), 4);
}

TEST_F(DataCases, LabelsThatDoNotFitAreWarnedOf) {
  // Labels that have nothing to do with the images.
  constexpr std::int64_t kItems = 600;
  auto pixels = Array<std::uint8_t>::zeros({kItems, 32, 32, 3});
  std::vector<std::int64_t> labels;
  std::uint32_t state = 7;
  for (std::int64_t i = 0; i < pixels.size(); ++i) {
    state = state * 1664525U + 1013904223U;
    pixels.mutableData()[i] = static_cast<std::uint8_t>(state >> 24U);
  }
  for (std::int64_t i = 0; i < kItems; ++i) {
    labels.push_back(i * 31 % 3);
  }
  auto file = NpzWriter::create(folder_.file("x.npz"));
  ASSERT_OK(file);
  ASSERT_OK(file->add("x", pixels));
  ASSERT_OK(file->add("y", Array<std::int64_t>::fromVector(labels)));
  ASSERT_OK(file->commit());
  const char* const warning =
      "The labels or the preprocessing do not seem to fit: the accuracy of ";
  EXPECT_THAT(textOf(textsOf(runOf(plain(), folder_.file("x.npz")).meta.notes)),
              HasSubstr(warning));
  for (const char* const role : {"ood", "unlabelled"}) {
    const dubito::Run run = runOf(plain(), folder_.file("x.npz") + "?role=" + role);
    EXPECT_THAT(textOf(textsOf(run.meta.notes)), Not(HasSubstr(warning))) << role;
  }
}

}  // namespace
}  // namespace dubito
