// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/models/model.h"
#include "core/models/network_hash.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using test::TempDir;

std::string fixture(const std::string& name) {
  return (test::sourceDir() / "tests/data/models" / name).string();
}

Expected<ModelPtr> open(const std::string& path, const std::string& metadata = {}) {
  RunContext context;
  return loadModel(path, {.metadata_path = metadata}, context);
}

/// The message of the refusal, which must name the file; empty where the model was opened.
std::string refusal(const std::string& path, const std::string& metadata = {}) {
  const auto model = open(path, metadata);
  return model ? std::string() : model.error().message;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct Refused {
  const char* file;
  const char* reason;
};

class RefusedFiles : public testing::TestWithParam<Refused> {};

TEST_P(RefusedFiles, NamesFileAndReason) {
  const std::string message = refusal(fixture(GetParam().file));
  EXPECT_TRUE(contains(message, fixture(GetParam().file))) << message;
  EXPECT_TRUE(contains(message, GetParam().reason)) << message;
  EXPECT_TRUE(contains(message, "; ")) << "no remedy in: " << message;
}

INSTANTIATE_TEST_SUITE_P(LoadModel, RefusedFiles,
                         testing::Values(Refused{"state_dict.pt", "a state_dict"},
                                         Refused{"state_dict_old_format.pt", "old torch.save"},
                                         Refused{"pickled_module.pt", "a whole module pickled"},
                                         Refused{"bytecode_only.ptl", "lite interpreter"},
                                         Refused{"one_row.pt", "one row for a batch of 8"},
                                         Refused{"pair.pt", "(Tensor, Tensor)"},
                                         Refused{"optimised.pt", "optimize_for_inference"},
                                         Refused{"absent.pt", "no such file"}),
                         [](const auto& test_case) {
                           std::string name = test_case.param.file;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

TEST(LoadModel, RefusesFilesThatAreNoArchive) {
  const TempDir folder;
  test::writeBytes(folder.path() / "text.pt", "not a model at all");
  test::writeBytes(folder.path() / "empty.pt", "");
  EXPECT_TRUE(contains(refusal(folder.file("text.pt")), "not a TorchScript file"));
  EXPECT_TRUE(contains(refusal(folder.file("empty.pt")), "is empty"));
  EXPECT_TRUE(contains(refusal(folder.path().string()), "not a file"));
}

TEST(LoadModel, RefusesArchivesCutShortOrDamaged) {
  const TempDir folder;
  const std::string bytes = test::readBytes(fixture("traced_eval.pt"));
  for (const std::size_t kept : {bytes.size() / 4, bytes.size() / 2, bytes.size() - 1}) {
    test::writeBytes(folder.path() / "cut.pt", bytes.substr(0, kept));
    const std::string message = refusal(folder.file("cut.pt"));
    EXPECT_TRUE(contains(message, "cut short")) << kept << ": " << message;
  }
  for (std::size_t position = 200; position < bytes.size(); position += 977) {
    std::string damaged = bytes;
    damaged[position] = static_cast<char>(~damaged[position]);
    test::writeBytes(folder.path() / "damaged.pt", damaged);
    open(folder.file("damaged.pt")).has_value();  // must return, whatever it says
  }
}

TEST(LoadModel, ReadsMetadataInsideTheArchive) {
  const auto model = open(fixture("traced_eval.pt"));
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ((*model)->metadata().source, "inside the archive");
  EXPECT_EQ((*model)->metadata().name, "small net");
  EXPECT_EQ((*model)->metadata().class_names.size(), 10U);
  EXPECT_EQ((*model)->metadata().preprocessing.mean, std::vector<double>{0.1307});
  EXPECT_EQ((*model)->audit().input_shape, (std::vector<std::int64_t>{1, 28, 28}));
  EXPECT_EQ((*model)->audit().classes, 10);
}

TEST(LoadModel, FindsMetadataBesideTheModelAndPrefersTheFileGiven) {
  const TempDir folder;
  test::writeBytes(folder.path() / "net.pt", test::readBytes(fixture("vector.pt")));
  const std::string names = R"({"classes": ["a", "b", "c", "d"], "wings": 2})";
  test::writeBytes(folder.path() / "net.json", R"({"accuracy": 0.5})");
  auto model = open(folder.file("net.pt"));
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ((*model)->metadata().source, "none: defaults");
  EXPECT_EQ((*model)->metadata().notes.size(), 1U) << "the file passed over is not mentioned";

  test::writeBytes(folder.path() / "net.pt.json", names);
  model = open(folder.file("net.pt"));
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ((*model)->metadata().class_names, (std::vector<std::string>{"a", "b", "c", "d"}));
  ASSERT_EQ((*model)->metadata().notes.size(), 1U);
  EXPECT_TRUE(contains((*model)->metadata().notes[0], "wings"));

  test::writeBytes(folder.path() / "given.json", R"({"classes": ["w", "x", "y", "z"]})");
  model = open(folder.file("net.pt"), folder.file("given.json"));
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ((*model)->metadata().class_names.front(), "w");
}

TEST(LoadModel, RefusesMetadataThatDoesNotFit) {
  const TempDir folder;
  const auto refusalOf = [&folder](const std::string& json) {
    test::writeBytes(folder.path() / "meta.json", json);
    return refusal(fixture("vector.pt"), folder.file("meta.json"));
  };
  EXPECT_TRUE(contains(refusalOf(R"({"classes": ["a", "b"]})"), "names 2 classes"));
  EXPECT_TRUE(contains(refusalOf(R"({"classes": ["a", "a", "b", "c"]})"), "twice"));
  EXPECT_TRUE(contains(refusalOf(R"({"classes": 4})"), "not a list"));
  EXPECT_TRUE(contains(refusalOf(R"({"output": "odds"})"), "odds"));
  EXPECT_TRUE(contains(refusalOf("[1, 2"), "not a JSON object"));
  EXPECT_TRUE(contains(refusal(fixture("vector.pt"), folder.file("no.json")), "cannot be read"));
}

TEST(LoadModel, StopsWhenCancelled) {
  RunContext context;
  context.control()->requestCancel();
  const auto model = loadModel(fixture("vector.pt"), {}, context);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::kCancelled);
}

TEST(NetworkHash, IsThatOfTheFileHoweverManyNetworksAreOpen) {
  const auto first = open(fixture("scripted.pt"));
  const auto other = open(fixture("traced_train.pt"));
  const auto second = open(fixture("scripted.pt"));
  ASSERT_TRUE(first && other && second);
  EXPECT_EQ(networkHash(**first), networkHash(**second));
  EXPECT_NE(networkHash(**first), networkHash(**other));
}

}  // namespace
}  // namespace dubito
