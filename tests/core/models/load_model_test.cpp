// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/models/guessed_preprocessing.h"
#include "core/models/model.h"
#include "core/models/model_metadata.h"
#include "core/models/model_torch.h"
#include "core/models/network_hash.h"
#include "tests/support/matchers.h"
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
  return loadModel(path, {.metadata_path = metadata, .output_key = {}}, context);
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
                                         Refused{"pair.pt", "returns 2 tensors, of which several"},
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
  EXPECT_TRUE(contains(refusal(folder.file("text.pt")), "not a network of PyTorch"));
  EXPECT_TRUE(contains(refusal(folder.file("empty.pt")), "is empty"));
  EXPECT_TRUE(contains(refusal(folder.path().string()), "not a file"));
}

TEST(LoadModel, RefusesArchivesCutShortOrDamaged) {
  const TempDir folder;
  const std::string bytes = test::readBytes(fixture("traced_eval.pt"));
  for (const std::size_t kept : {bytes.size() / 4, bytes.size() / 2, bytes.size() - 1}) {
    test::writeBytes(folder.path() / "cut.pt", bytes.substr(0, kept));
    const std::string message = refusal(folder.file("cut.pt"));
    EXPECT_TRUE(contains(message, "truncated")) << kept << ": " << message;
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
  ASSERT_OK(model);
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
  ASSERT_OK(model);
  EXPECT_EQ((*model)->metadata().source, "none: defaults");
  EXPECT_EQ((*model)->metadata().notes.size(), 1U) << "the file passed over is not mentioned";

  test::writeBytes(folder.path() / "net.pt.json", names);
  model = open(folder.file("net.pt"));
  ASSERT_OK(model);
  EXPECT_EQ((*model)->metadata().class_names, (std::vector<std::string>{"a", "b", "c", "d"}));
  ASSERT_EQ((*model)->metadata().notes.size(), 1U);
  EXPECT_TRUE(contains((*model)->metadata().notes[0], "wings"));

  test::writeBytes(folder.path() / "given.json", R"({"classes": ["w", "x", "y", "z"]})");
  model = open(folder.file("net.pt"), folder.file("given.json"));
  ASSERT_OK(model);
  EXPECT_EQ((*model)->metadata().class_names.front(), "w");
}

TEST(LoadModel, SaysWhatOfThePreprocessingIsGuessed) {
  const TempDir folder;
  const auto guessedWith = [&folder](const std::string& net, const std::string& json) {
    test::writeBytes(folder.path() / "meta.json", json);
    const auto model = open(fixture(net), folder.file("meta.json"));
    return model ? guessedPreprocessing((*model)->audit().notes) : model.error().message;
  };
  EXPECT_EQ(guessedWith("traced_eval.pt", "{}"), "input size, value range");
  EXPECT_EQ(guessedWith("traced_eval.pt", R"({"input_size": 28})"), "value range");
  EXPECT_EQ(guessedWith("traced_eval.pt", R"({"mean": 0.1307})"), "input size");
  EXPECT_EQ(guessedWith("traced_eval.pt", R"({"input_size": 28, "scale": 1})"), "");
  EXPECT_EQ(guessedWith("vector.pt", R"({"scale": 1})"), "");
  const std::vector<Note> of_ensemble{"3 members",
                                      takenFrom("net", guessedPreprocessingNote({"x"}, {}))};
  EXPECT_EQ(guessedPreprocessing(of_ensemble), "x");
}

TEST(LoadModel, WrittenMetadataIsReadAgainAndKeepsOtherKeys) {
  const TempDir folder;
  test::writeBytes(folder.path() / "net.pt", test::readBytes(fixture("traced_eval.pt")));
  ModelMetadata metadata = (*open(folder.file("net.pt")))->metadata();
  metadata.preprocessing.scale = 1.0;
  metadata.preprocessing.mean = {12.5};
  metadata.preprocessing.std = {3.0};
  metadata.class_names[3] = "three";
  const auto written = writeModelMetadata(folder.file("net.pt"), metadata);
  ASSERT_OK(written);
  EXPECT_EQ(*written, folder.file("net.json"));
  auto model = open(folder.file("net.pt"));
  ASSERT_OK(model);
  EXPECT_EQ((*model)->metadata().source, folder.file("net.json")) << "the archive's own wins";
  EXPECT_EQ((*model)->metadata().preprocessing.scale, 1.0);
  EXPECT_EQ((*model)->metadata().preprocessing.mean, std::vector<double>{12.5});
  EXPECT_EQ((*model)->metadata().class_names[3], "three");
  EXPECT_EQ((*model)->metadata().name, "small net");
  ASSERT_EQ((*model)->metadata().notes.size(), 1U);
  EXPECT_TRUE(contains((*model)->metadata().notes[0], "overrides")) << "not said";

  // A key that is not ours stays.
  test::writeBytes(folder.path() / "net.json", R"({"mean": 0.5, "author": "us"})");
  ASSERT_TRUE(writeModelMetadata(folder.file("net.pt"), metadata));
  EXPECT_TRUE(contains(test::readBytes(folder.file("net.json")), "\"author\": \"us\""));
  EXPECT_EQ((*open(folder.file("net.pt")))->metadata().preprocessing.std, std::vector<double>{3.0});

  // A file that speaks of something else is not overwritten.
  const std::string other = R"({"accuracy": 0.5})";
  test::writeBytes(folder.path() / "net.json", other);
  const auto second = writeModelMetadata(folder.file("net.pt"), metadata);
  ASSERT_OK(second);
  EXPECT_EQ(*second, folder.file("net.pt.json"));
  EXPECT_EQ(test::readBytes(folder.file("net.json")), other);
  metadata.preprocessing.std = {0.0};
  EXPECT_FALSE(writeModelMetadata(folder.file("net.pt"), metadata));
}

TEST(LoadModel, InvalidMetadataNextToAnArchiveWithItsOwnIsPassedOver) {
  const TempDir folder;
  test::writeBytes(folder.path() / "net.pt", test::readBytes(fixture("traced_eval.pt")));
  test::writeBytes(folder.path() / "net.json", R"({"mean": "of the log"})");
  const auto model = open(folder.file("net.pt"));
  ASSERT_OK(model);
  EXPECT_EQ((*model)->metadata().source, "inside the archive");
  ASSERT_EQ((*model)->metadata().notes.size(), 1U);
  EXPECT_TRUE(contains((*model)->metadata().notes[0], "inside the archive was used"));
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

/// Freezing and quantisation put the weights where no parameter or buffer is.
TEST(NetworkHash, TellsNetworksApartWhoseWeightsAreNoParameters) {
  for (const std::string form : {"frozen", "quantised", "quantised_frozen"}) {
    const auto a = open(fixture(form + "_twin_a.pt"));
    const auto b = open(fixture(form + "_twin_b.pt"));
    const auto again = open(fixture(form + "_twin_a.pt"));
    ASSERT_TRUE(a && b && again) << form;
    EXPECT_EQ(networkHash(**a), networkHash(**again)) << form;
    EXPECT_EQ(weightsHash(**a), weightsHash(**again)) << form;
    EXPECT_NE(networkHash(**a), networkHash(**b)) << form;
    EXPECT_NE(weightsHash(**a), weightsHash(**b)) << form;
  }
}

/// Runs and posteriors that earlier versions saved name their networks by these.
TEST(NetworkHash, KeepsItsFormForNetworksOfParameters) {
  const auto sample = open((test::sourceDir() / "datasets/samples/lenet-mnist.pt").string());
  const auto traced = open(fixture("traced_eval.pt"));
  const auto functional = open(fixture("scripted_functional.pt"));
  ASSERT_TRUE(sample && traced && functional);
  EXPECT_EQ(networkHash(**sample), "9cbaa1541e02be86");
  EXPECT_EQ(networkHash(**traced), "80dff1cd3cde8230");
  EXPECT_EQ(networkHash(**functional), "6cc5cd4839259800");
}

TEST(NetworkHash, OfTheWeightsIsThatOfEveryProgramAroundThem) {
  const auto scripted = open(fixture("scripted.pt"));
  const auto traced = open(fixture("traced_eval.pt"));
  const auto other = open(fixture("scripted_functional.pt"));
  ASSERT_TRUE(scripted && traced && other);
  EXPECT_EQ(weightsHash(**scripted), weightsHash(**traced));
  EXPECT_NE(networkHash(**scripted), networkHash(**traced));
  EXPECT_NE(weightsHash(**scripted), weightsHash(**other));
}

/// The network counts its calls, and the audit calls it.
TEST(NetworkHash, IsThatOfTheFileNotOfWhatTheAuditLeaves) {
  const auto first = open(fixture("counting.pt"));
  const auto second = open(fixture("counting.pt"));
  ASSERT_TRUE(first && second);
  EXPECT_EQ(networkHash(**first), networkHash(**second));
  EXPECT_EQ(stateHash((*first)->impl().module), stateHash((*second)->impl().module));
}

TEST(LoadModel, LeavesAComputationNextToItAlone) {
  RunContext context;
  context.threads = 1;
  LoadModelOptions sharing;
  sharing.shares_torch = true;
  constexpr int kThreads = 3;
  at::set_num_threads(kThreads);
  const auto shared = loadModel(fixture("scripted.pt"), sharing, context);
  EXPECT_EQ(at::get_num_threads(), kThreads);
  const auto alone = open(fixture("scripted.pt"));
  ASSERT_TRUE(shared && alone);
  EXPECT_EQ(networkHash(**shared), networkHash(**alone));
  EXPECT_EQ((*shared)->audit().notes, (*alone)->audit().notes);
  EXPECT_EQ((*shared)->audit().dropout_sites.size(), (*alone)->audit().dropout_sites.size());
  EXPECT_TRUE(loadModel(fixture("counting.pt"), sharing, context));
  // Torch has one generator for all threads.
  for (const char* const name : {"noisy.pt", "noisy_traced.pt"}) {
    const auto refused = loadModel(fixture(name), sharing, context);
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().code, ErrorCode::kBusy);
    EXPECT_TRUE(contains(refused.error().message, fixture(name))) << refused.error().message;
    EXPECT_TRUE(contains(refused.error().message, "; open it when")) << refused.error().message;
  }
}

TEST(LoadModel, ShowsWhatTheProgramOfTheNetworkComplainsAbout) {
  const std::string message = refusal(fixture("raises.pt"));
  EXPECT_TRUE(contains(message, "ValueError: three channels are needed, not 1")) << message;
  EXPECT_FALSE(contains(message, "operation failed")) << message;
}

}  // namespace
}  // namespace dubito
