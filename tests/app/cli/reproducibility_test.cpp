// SPDX-License-Identifier: GPL-3.0-or-later
// The promise of keyed randomness, kept by the program: a run depends on its seed and its items, on
// nothing else.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "core/io/run_file.h"
#include "core/methods/mc_dropout/recompute_draw.h"
#include "core/predict/predict.h"
#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

constexpr std::int64_t kDraws = 6;
constexpr double kTolerance = 1e-6;

std::string samples(const std::string& file) {
  return (test::sourceDir() / "datasets/samples" / file).string();
}

std::string modelPath() {
  return samples("lenet-mnist.pt");
}

std::string images(const std::string& items) {
  return "idx:" + samples("mnist-2000-images-idx3-ubyte.gz") + "," +
         samples("mnist-2000-labels-idx1-ubyte.gz") + "?items=" + items;
}

class Reproducibility : public testing::Test {
 protected:
  dubito::Run predictBy(const std::vector<std::string>& flags, const std::string& items = "0:60") {
    const std::string path = folder_.file("run" + std::to_string(count_++) + ".npz");
    std::vector<std::string> command{DUBITO_CLI, "predict",    modelPath(), images(items),
                                     "--method", "mc-dropout", "--draws",   std::to_string(kDraws),
                                     "-o",       path};
    command.insert(command.end(), flags.begin(), flags.end());
    const auto result = test::runProcess(command);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    auto run = readRun(path, context_);
    EXPECT_OK(run);
    return *run;
  }

  test::TempDir folder_;
  RunContext context_;
  int count_ = 0;
};

std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t> maskHashes(const Run& run) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t> hashes;
  for (const MaskHash& entry : run.meta.mask_hashes) {
    hashes[{entry.site, entry.draw}] = entry.hash;
  }
  return hashes;
}

/// Largest difference of probabilities and samples, items joined on their ids.
double largestDifference(const Run& a, const Run& b) {
  std::map<std::int64_t, std::int64_t> row_in_b;
  for (std::int64_t i = 0; i < b.itemCount(); ++i) {
    row_in_b[b.ids.data()[i]] = i;
  }
  double largest = 0.0;
  const std::int64_t classes = a.classCount();
  for (std::int64_t i = 0; i < a.itemCount(); ++i) {
    const std::int64_t j = row_in_b.at(a.ids.data()[i]);
    for (std::int64_t k = 0; k < classes; ++k) {
      largest = std::max(largest, std::abs(a.prob(i, k) - b.prob(j, k)));
      for (std::int64_t t = 0; t < kDraws; ++t) {
        const double p = a.samples->data()[(t * a.itemCount() + i) * classes + k];
        const double q = b.samples->data()[(t * b.itemCount() + j) * classes + k];
        largest = std::max(largest, std::abs(p - q));
      }
    }
  }
  return largest;
}

TEST_F(Reproducibility, BatchOrderAndThreadsChangeNothing) {
  const dubito::Run reference = predictBy({"--seed", "5", "--batch", "500", "--threads", "1"});
  const auto hashes = maskHashes(reference);
  ASSERT_GE(hashes.size(), static_cast<std::size_t>(kDraws));
  const std::vector<std::vector<std::string>> variants{
      {"--seed", "5", "--batch", "1", "--threads", "1"},
      {"--seed", "5", "--batch", "7", "--threads", "2"},
      {"--seed", "5", "--batch", "500", "--threads", "2"}};
  for (const auto& flags : variants) {
    const dubito::Run run = predictBy(flags);
    EXPECT_EQ(maskHashes(run), hashes) << flags[3];
    EXPECT_LE(largestDifference(reference, run), kTolerance) << flags[3];
  }
  const dubito::Run reversed = predictBy({"--seed", "5", "--batch", "7"}, "59::-1");
  ASSERT_EQ(reversed.itemCount(), reference.itemCount());
  EXPECT_EQ(reversed.ids.data()[0], 59);
  EXPECT_EQ(maskHashes(reversed), hashes);
  EXPECT_LE(largestDifference(reference, reversed), kTolerance);
}

TEST_F(Reproducibility, NeighbouringSeedsShareNoMasks) {
  std::set<std::uint64_t> seen;
  std::size_t total = 0;
  for (const char* seed : {"0", "1", "2"}) {
    for (const auto& [key, hash] : maskHashes(predictBy({"--seed", seed}))) {
      seen.insert(hash);
      ++total;
    }
  }
  EXPECT_EQ(seen.size(), total);
}

TEST_F(Reproducibility, OneDrawOfOneItemRecomputedAloneEqualsTheStoredSample) {
  const dubito::Run run = predictBy({"--seed", "5"});
  context_.seed = 5;
  const auto model = loadModel(modelPath(), {}, context_);
  const auto dataset = openDataset(images("0:60"), context_);
  ASSERT_TRUE(model && dataset);
  const std::int64_t classes = run.classCount();
  for (const auto& [item, draw] :
       std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 0}, {17, 3}, {59, kDraws - 1}}) {
    const auto probs =
        recomputeDraw(**model, **dataset, item, McDropoutOptions{.draws = kDraws}, draw, context_);
    ASSERT_OK(probs);
    for (std::int64_t k = 0; k < classes; ++k) {
      EXPECT_NEAR((*probs)[static_cast<std::size_t>(k)],
                  run.samples->data()[(draw * run.itemCount() + item) * classes + k], kTolerance);
    }
  }
}

}  // namespace
}  // namespace dubito
