// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/laplace/posterior/posterior_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/core/laplace/made_layers.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

SavedPosterior made(LaplaceStructure structure) {
  SavedPosterior saved;
  saved.posterior = test::posteriorOf(test::madeLayer(40, 5, 3, true), structure);
  saved.origin = {"00ff",    "grey 28 x 28, /255",
                  "train",   "idx:train",
                  "abcd",    Array<std::int64_t>::fromVector({3, 1, 2}),
                  {"a note"}};
  return saved;
}

class PosteriorFile : public testing::Test {
 protected:
  test::TempDir folder_;
  std::string path_ = folder_.file("posterior.npz");

  RunContext context_;

  [[nodiscard]] bool written(const SavedPosterior& saved) {
    return writePosterior(saved.posterior, saved.origin, path_, context_).has_value();
  }
};

TEST_F(PosteriorFile, ComesBackAsItWas) {
  for (const auto structure : {LaplaceStructure::kFull, LaplaceStructure::kKron,
                               LaplaceStructure::kKronDamped, LaplaceStructure::kDiagonal}) {
    const SavedPosterior saved = made(structure);
    ASSERT_TRUE(written(saved));
    const auto read = readPosterior(path_);
    ASSERT_OK(read);
    const LaplaceScale scale{40.0, 0.2};
    EXPECT_EQ(read->posterior.structure, structure);
    EXPECT_EQ(logEvidence(read->posterior, scale), logEvidence(saved.posterior, scale));
    const at::Tensor inputs = test::madeNumbers({4, 5}, 3);
    EXPECT_TRUE(test::tensorsClose(test::covariancesOf(read->posterior, scale, inputs),
                                   test::covariancesOf(saved.posterior, scale, inputs), 0, 0));
    EXPECT_EQ(read->origin.network_hash, "00ff");
    EXPECT_EQ(read->origin.preprocessing, saved.origin.preprocessing);
    EXPECT_EQ(read->origin.dataset_hash, "abcd");
    EXPECT_EQ(read->origin.dataset_name, "train");
    EXPECT_EQ(read->origin.dataset_spec, "idx:train");
    EXPECT_EQ(read->origin.notes, saved.origin.notes);
    EXPECT_EQ(std::vector(read->origin.ids.values().begin(), read->origin.ids.values().end()),
              (std::vector<std::int64_t>{3, 1, 2}));
    EXPECT_EQ(read->posterior.labelled_items, 40);
  }
}

/// Version 1 knew the last layer alone; the file is kept as it was written then.
TEST_F(PosteriorFile, OfVersion1IsRead) {
  const auto read =
      readPosterior((test::sourceDir() / "tests/data/posteriors/version1.npz").string());
  ASSERT_OK(read);
  EXPECT_FALSE(read->posterior.all_layers);
  EXPECT_FALSE(read->posterior.separate_bias);
  EXPECT_EQ(read->posterior.structure, LaplaceStructure::kKron);
  EXPECT_EQ(read->posterior.layers.at(0).name, "fc2");
  EXPECT_EQ(read->posterior.items, 40);
  EXPECT_EQ(read->origin.network_hash, "00ff");
  EXPECT_EQ(read->origin.ids.size(), 3);
  // By hand: eigenvalues 40 dg da + 0.5, of which three are 0.5.
  const double log_det = 3.0 * std::log(0.5) + std::log(5.5) + std::log(10.5) + std::log(20.5);
  EXPECT_NEAR(logDetPrecision(read->posterior, {40.0, 0.5}), log_det, 1e-12);
  EXPECT_NEAR(logEvidence(read->posterior, {40.0, 0.5}),
              -12.5 - 0.25 * 1.25 + 3.0 * std::log(0.5) - 0.5 * log_det, 1e-12);
}

TEST_F(PosteriorFile, OfAnotherNetworkInputOrDatasetIsRefusedByName) {
  const PosteriorOrigin saved = made(LaplaceStructure::kKron).origin;
  EXPECT_TRUE(checkOrigin("F", saved, saved));
  const auto refusal = [&](auto change) {
    PosteriorOrigin wanted = saved;
    change(wanted);
    const Status checked = checkOrigin("F", saved, wanted);
    if (!checked) {
      EXPECT_EQ(checked.error().remedy.settings, std::vector{setting("posterior")});
    }
    return checked ? std::string() : checked.error().message;
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.starts_with("F: ") && text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(refusal([](PosteriorOrigin& o) { o.network_hash = "00fe"; }), "another network"));
  EXPECT_TRUE(has(refusal([](PosteriorOrigin& o) { o.preprocessing = "x"; }), "preprocessing"));
  EXPECT_TRUE(has(refusal([](PosteriorOrigin& o) { o.dataset_hash = "abce"; }), "other items"));
  EXPECT_EQ(refusal([](PosteriorOrigin& o) { o.dataset_hash = ""; }), "");
}

TEST_F(PosteriorFile, OfAnotherStructureOrOtherLayersIsRefusedByName) {
  const LaplacePosterior saved = made(LaplaceStructure::kKron).posterior;
  EXPECT_TRUE(checkSettings("F", saved, {.structure = "kron"}));
  const auto expect = [](const LaplacePosterior& posterior, const LaplaceSettings& settings,
                         const char* message, const std::vector<Setting>& remedy) {
    const Status checked = checkSettings("F", posterior, settings);
    ASSERT_FALSE(checked) << message;
    EXPECT_EQ(checked.error().message, message);
    EXPECT_EQ(checked.error().remedy.settings, remedy) << message;
  };
  expect(saved, {.structure = "diag"},
         "F: the posterior has structure kron, not diag; select its structure, or give another "
         "file",
         {setting("structure", "kron"), setting("posterior")});
  const char* const of_the_last_layer =
      "F: the posterior is of the last layer; select that, or give another file";
  expect(saved, {.layers = "all", .structure = "kron"}, of_the_last_layer,
         {setting("layers", "last"), setting("posterior")});
  expect(saved, {.structure = "kron", .separate_bias = true}, of_the_last_layer,
         {setting("layers", "last"), omitted("separate_bias"), setting("posterior")});
  LaplacePosterior separate = saved;
  separate.all_layers = true;
  separate.separate_bias = true;
  expect(separate, {.structure = "kron"},
         "F: the posterior is of all layers with separate biases; select that, or give another "
         "file",
         {setting("layers", "all"), setting("separate_bias"), setting("posterior")});
}

TEST_F(PosteriorFile, WritingThatIsCancelledLeavesNothing) {
  const SavedPosterior saved = made(LaplaceStructure::kKron);
  context_.control()->requestCancel();
  const Status done = writePosterior(saved.posterior, saved.origin, path_, context_);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::kCancelled);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(PosteriorFile, DamageIsRefused) {
  EXPECT_EQ(readPosterior(path_).error().code, ErrorCode::kNotFound);
  std::ofstream(path_) << "no archive";
  EXPECT_EQ(readPosterior(path_).error().code, ErrorCode::kMalformed);

  SavedPosterior saved = made(LaplaceStructure::kKron);
  saved.posterior.layers[0].inputs += 1;
  ASSERT_TRUE(written(saved));
  const auto wrong_shape = readPosterior(path_);
  ASSERT_FALSE(wrong_shape);
  EXPECT_EQ(wrong_shape.error().code, ErrorCode::kMalformed);

  saved = made(LaplaceStructure::kDiagonal);
  saved.posterior.structure = LaplaceStructure::kFull;
  ASSERT_TRUE(written(saved));
  EXPECT_FALSE(readPosterior(path_));

  ASSERT_TRUE(written(made(LaplaceStructure::kKron)));
  const auto size = std::filesystem::file_size(path_);
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(size / 2));
  file.put('\x55');
  file.close();
  EXPECT_FALSE(readPosterior(path_));
}

}  // namespace
}  // namespace dubito
