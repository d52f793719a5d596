// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/methods/ensemble/ensemble.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>

#include "core/io/run_file.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

constexpr std::int64_t kItems = 37;
constexpr std::int64_t kClasses = 4;

/// A member with probabilities by its number; `draws` of them where that is not 0. `order` are the
/// items in the member's order.
EnsembleMember member(unsigned number, std::int64_t draws = 0,
                      const std::vector<std::int64_t>& order = {}) {
  std::vector<std::int64_t> items = order;
  if (items.empty()) {
    items.resize(kItems);
    std::iota(items.begin(), items.end(), 0);
  }
  const auto count = static_cast<std::int64_t>(items.size());
  dubito::Run run;
  Array<float> probs = Array<float>::zeros({count, kClasses});
  Array<float> samples = Array<float>::zeros({draws, count, kClasses});
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> labels;
  std::vector<std::int64_t> predictions;
  std::vector<double> confidence;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t item = items[static_cast<std::size_t>(i)];
    ids.push_back(1000 + 7 * item);
    labels.push_back(item % kClasses);
    std::mt19937_64 random(number * 1000 + static_cast<unsigned>(item));
    std::uniform_real_distribution<float> uniform(0.1F, 1.0F);
    auto mean = probs.mutableRow(i);
    for (std::int64_t t = 0; t < std::max<std::int64_t>(1, draws); ++t) {
      std::array<float, kClasses> row{};
      float sum = 0.0F;
      for (float& p : row) {
        sum += p = uniform(random);
      }
      for (std::size_t k = 0; k < row.size(); ++k) {
        row[k] /= sum;
        mean[k] += row[k] / static_cast<float>(std::max<std::int64_t>(1, draws));
        if (draws > 0) {
          samples.mutableData()[(t * count + i) * kClasses + static_cast<std::int64_t>(k)] = row[k];
        }
      }
    }
    const auto best = std::ranges::max_element(mean);
    predictions.push_back(best - mean.begin());
    confidence.push_back(double{*best});
  }
  run.probs = probs;
  run.ids = Array<std::int64_t>::fromVector(ids);
  run.labels = Array<std::int64_t>::fromVector(labels);
  run.predictions = Array<std::int64_t>::fromVector(predictions);
  run.confidence = Array<double>::fromVector(confidence);
  if (draws > 0) {
    run.samples = samples;
  }
  run.meta.method = draws > 0 ? "mc-dropout" : "map";
  run.meta.dataset_name = "list";
  run.meta.dataset_hash = "00ff";
  return {"member " + std::to_string(number), run};
}

class EnsembleTest : public testing::Test {
 protected:
  Expected<SavedRun> join(const std::vector<EnsembleMember>& members,
                          const EnsembleRunOptions& options = {}) {
    RunContext context;
    return ensembleToFile(members, path_, options, context);
  }
  dubito::Run joined(const std::vector<EnsembleMember>& members,
                     const EnsembleRunOptions& options = {}) {
    const auto saved = join(members, options);
    EXPECT_OK(saved);
    RunContext context;
    auto run = readRun(path_, context);
    EXPECT_OK(run);
    return run.value_or(dubito::Run());
  }
  std::string refusal(const std::vector<EnsembleMember>& members) {
    const auto saved = join(members);
    EXPECT_FALSE(std::filesystem::exists(path_));
    return saved ? "" : saved.error().message;
  }

  test::TempDir folder_;
  std::string path_ = folder_.file("ensemble.npz");
};

TEST_F(EnsembleTest, AveragesProbabilitiesAndKeepsTheMembersAsDraws) {
  const std::vector<EnsembleMember> members{member(1), member(2), member(3)};
  const dubito::Run run = joined(members);
  ASSERT_EQ(run.itemCount(), kItems);
  ASSERT_EQ(run.drawCount(), 3);
  for (std::int64_t i = 0; i < kItems; ++i) {
    double entropy = 0.0;
    double expected_entropy = 0.0;
    for (std::int64_t k = 0; k < kClasses; ++k) {
      double mean = 0.0;
      for (std::size_t m = 0; m < 3; ++m) {
        const double p = members[m].run.prob(i, k);
        EXPECT_EQ(double{run.samples->row(
                      static_cast<std::int64_t>(m))[static_cast<std::size_t>(i * kClasses + k)]},
                  p);
        mean += p / 3.0;
        expected_entropy -= p * std::log(p) / 3.0;
      }
      EXPECT_NEAR(run.prob(i, k), mean, 1e-7);
      entropy -= mean * std::log(mean);
    }
    EXPECT_NEAR(run.entropy->data()[i], entropy, 1e-7);
    EXPECT_NEAR(run.mutual_information->data()[i], entropy - expected_entropy, 1e-7);
    EXPECT_EQ(run.labels.data()[i], i % kClasses);
  }
  EXPECT_EQ(run.meta.method, "ensemble");
  const auto options = nlohmann::json::parse(run.meta.method_options);
  EXPECT_EQ(options.at("draws"), 3);
  EXPECT_EQ(options.at("members").size(), 3U);
  EXPECT_EQ(options.at("members").at(1).at("name"), "member 2");
  EXPECT_EQ(run.meta.dataset_hash, "00ff");
}

TEST_F(EnsembleTest, ANoteOfAllMembersIsThereOnce) {
  std::vector<EnsembleMember> members{member(1), member(2), member(3)};
  for (EnsembleMember& each : members) {
    each.run.meta.notes = {"The preprocessing is guessed"};
  }
  members[1].run.meta.notes.emplace_back("Batches of 2 items");
  const std::vector<std::string> notes = textsOf(joined(members).meta.notes);
  EXPECT_EQ(std::ranges::count(notes, "The preprocessing is guessed"), 1);
  EXPECT_EQ(std::ranges::count(notes, "member 2: Batches of 2 items"), 1);
  EXPECT_EQ(std::ranges::count_if(
                notes, [](const std::string& note) { return note.find("guessed") != note.npos; }),
            1);
}

TEST_F(EnsembleTest, JoinsOnIdsWhateverTheOrder) {
  std::vector<std::int64_t> order(kItems);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(3));
  const dubito::Run straight = joined({member(1), member(2, 0)});
  const dubito::Run shuffled = joined({member(1), member(2, 0, order)});
  EXPECT_TRUE(std::ranges::equal(straight.ids.values(), shuffled.ids.values()));
  EXPECT_TRUE(std::ranges::equal(std::get<Array<float>>(*straight.probs).values(),
                                 std::get<Array<float>>(*shuffled.probs).values()));
  EXPECT_TRUE(std::ranges::equal(straight.samples->values(), shuffled.samples->values()));
}

TEST_F(EnsembleTest, TakesAllDrawsOfMembersThatHaveEquallyMany) {
  const std::vector<EnsembleMember> members{member(1, 5), member(2, 5)};
  const dubito::Run run = joined(members);
  ASSERT_EQ(run.drawCount(), 10);
  for (std::int64_t t = 0; t < 10; ++t) {
    const auto& of = *members[static_cast<std::size_t>(t / 5)].run.samples;
    EXPECT_TRUE(std::ranges::equal(run.samples->row(t), of.row(t % 5))) << t;
  }
  EXPECT_THAT(toText(run.meta.notes.front()), HasSubstr("all 10 draws"));

  const dubito::Run mixed = joined({member(1, 5), member(2, 3)});
  EXPECT_EQ(mixed.drawCount(), 2);
  EXPECT_THAT(toText(mixed.meta.notes.front()), HasSubstr("between members only"));
  for (std::int64_t i = 0; i < kItems; ++i) {
    EXPECT_NEAR(mixed.prob(i, 1), (members[0].run.prob(i, 1) + member(2, 3).run.prob(i, 1)) / 2.0,
                1e-6);
  }
}

TEST_F(EnsembleTest, NamesItsNetworksInAnyOrder) {
  const auto hashOf = [this](const std::vector<std::string>& networks) {
    std::vector<EnsembleMember> members;
    for (std::size_t i = 0; i < networks.size(); ++i) {
      members.push_back(member(1 + static_cast<unsigned>(i)));
      members.back().run.meta.network_hash = networks[i];
    }
    return joined(members).meta.network_hash;
  };
  EXPECT_EQ(hashOf({"00aa", "00bb"}).size(), 16U);
  EXPECT_EQ(hashOf({"00aa", "00bb"}), hashOf({"00bb", "00aa"}));
  EXPECT_NE(hashOf({"00aa", "00bb"}), hashOf({"00aa", "00cc"}));
  EXPECT_EQ(hashOf({"00aa", ""}), "");
}

TEST_F(EnsembleTest, IsTheSameInManyParts) {
  const std::vector<EnsembleMember> members{member(1, 2), member(2, 2), member(3, 2)};
  const dubito::Run whole = joined(members);
  const dubito::Run parts = joined(members, {.part_bytes = 700});
  EXPECT_TRUE(std::ranges::equal(whole.ids.values(), parts.ids.values()));
  EXPECT_TRUE(std::ranges::equal(whole.samples->values(), parts.samples->values()));
  EXPECT_TRUE(
      std::ranges::equal(whole.mutual_information->values(), parts.mutual_information->values()));
  EXPECT_FALSE(std::filesystem::exists(path_ + ".parts"));
}

TEST_F(EnsembleTest, IsTheSameInMemory) {
  const std::vector<EnsembleMember> members{member(1, 3), member(2, 3)};
  const dubito::Run file = joined(members);
  RunContext context;
  const auto run = ensembleRun(members, {.part_bytes = 200}, context);
  ASSERT_OK(run);
  EXPECT_TRUE(std::ranges::equal(run->ids.values(), file.ids.values()));
  EXPECT_TRUE(std::ranges::equal(std::get<Array<float>>(*run->probs).values(),
                                 std::get<Array<float>>(*file.probs).values()));
  EXPECT_TRUE(std::ranges::equal(run->samples->values(), file.samples->values()));
  EXPECT_TRUE(
      std::ranges::equal(run->mutual_information->values(), file.mutual_information->values()));
  EXPECT_EQ(run->meta.method, "ensemble");
  EXPECT_EQ(run->meta.method_options, file.meta.method_options);
  const auto alone = ensembleRun({member(1)}, {}, context);
  ASSERT_FALSE(alone);
  EXPECT_EQ(alone.error().code, ErrorCode::kInvalidArgument);
}

TEST_F(EnsembleTest, LeavesDrawsOutBeyondTheLimit) {
  const dubito::Run run = joined({member(1), member(2)}, {.keep_samples_mb = 0});
  EXPECT_FALSE(run.samples.has_value());
  EXPECT_TRUE(run.mutual_information.has_value());
  EXPECT_THAT(toText(run.meta.notes.front()), HasSubstr("not stored"));
}

TEST_F(EnsembleTest, RefusesWhatDoesNotBelongTogether) {
  EXPECT_THAT(refusal({member(1)}), HasSubstr("two members"));
  EXPECT_THAT(refusal({}), HasSubstr("two members"));

  std::vector<std::int64_t> fewer{0, 1, 2};
  EXPECT_THAT(refusal({member(1), member(2, 0, fewer)}),
              HasSubstr("member 2: has 3 items, not 37"));
  std::vector<std::int64_t> others(kItems);
  std::iota(others.begin(), others.end(), 1);
  EXPECT_THAT(refusal({member(1), member(2, 0, others)}), HasSubstr("member 2: has no item 1000"));

  EnsembleMember classes = member(2);
  classes.run.probs = Array<float>::zeros({kItems, kClasses + 1});
  EXPECT_THAT(refusal({member(1), classes}),
              HasSubstr("member 2: has 5 classes, not 4, unlike member 1"));
  EnsembleMember names = member(2);
  names.run.meta.class_names = {"a", "b", "c", "d"};
  EnsembleMember other_names = member(1);
  other_names.run.meta.class_names = {"a", "b", "d", "c"};
  EXPECT_THAT(refusal({other_names, names}), HasSubstr("other class names"));
  EnsembleMember labels = member(2);
  std::vector<std::int64_t> wrong(labels.run.labels.values().begin(),
                                  labels.run.labels.values().end());
  wrong[5] = 3;
  labels.run.labels = Array<std::int64_t>::fromVector(wrong);
  EXPECT_THAT(refusal({member(1), labels}), HasSubstr("item 1035 has the label 3, not 1"));
  EnsembleMember confidences = member(2);
  confidences.run.probs.reset();
  EXPECT_THAT(refusal({member(1), confidences}),
              HasSubstr("member 2: has confidences but no probabilities"));
}

TEST_F(EnsembleTest, CanBeCancelled) {
  RunContext context;
  context.control()->requestCancel();
  const auto saved = ensembleToFile({member(1), member(2)}, path_, {}, context);
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().code, ErrorCode::kCancelled);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

}  // namespace
}  // namespace dubito
