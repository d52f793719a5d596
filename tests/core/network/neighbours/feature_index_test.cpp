// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/neighbours/feature_index.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "tests/core/network/list_dataset.h"
#include "tests/core/network/made_network.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

constexpr int kSide = 6;
constexpr std::int64_t kFeatures = 5;

class FeatureIndexTest : public testing::Test {
 protected:
  test::TempDir folder_;
  RunContext context_;
  at::Tensor first_ = test::spreadNumbers({kFeatures, kSide* kSide}, 0.3);
  at::Tensor last_ = test::spreadNumbers({4, kFeatures}, 1.1);
  std::shared_ptr<test::ListDataset> train_ =
      std::make_shared<test::ListDataset>(test::madeImages(90, kSide));

  ModelPtr network() {
    return test::madeNetwork(
        folder_, "features",
        "def forward(self, x):\n"
        "  h = torch.tanh(torch.linear(torch.flatten(x, 1), self.first, None))\n"
        "  return torch.linear(h, self.last, None)\n",
        {{"first", first_}, {"last", last_}}, kSide);
  }
  /// [Q] what goes into the last layer for an item of `dataset`, in double.
  std::vector<double> featuresOf(const Dataset& dataset, std::int64_t index, const Model& model) {
    const std::vector<std::int64_t> indices{index};
    const auto batch = loadBatch(dataset, indices, model.metadata().preprocessing, context_);
    const auto pixels = batch->inputs.row(0);
    const at::Tensor x =
        at::tensor(std::vector<float>(pixels.begin(), pixels.end())).to(at::kDouble);
    const at::Tensor h = at::tanh(at::mv(first_.to(at::kFloat).to(at::kDouble), x));
    return {h.const_data_ptr<double>(), h.const_data_ptr<double>() + kFeatures};
  }
};

double cosine(const std::vector<double>& a, const std::vector<double>& b) {
  double product = 0.0;
  double aa = 0.0;
  double bb = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    product += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return product / std::sqrt(aa * bb);
}

TEST_F(FeatureIndexTest, FindsTheItemsWhoseFeaturesPointTheSameWay) {
  const ModelPtr model = network();
  ASSERT_TRUE(model);
  ASSERT_TRUE(model->audit().head.found) << model->audit().head.reason;
  const auto index = FeatureIndex::of(model, train_, {.batch = 7}, context_);
  ASSERT_OK(index);
  EXPECT_EQ((*index)->table().features.shape(), (std::vector<std::int64_t>{90, kFeatures}));
  EXPECT_TRUE((*index)->notes().empty());
  const test::ListDataset all = test::madeImages(120, kSide);
  for (const std::int64_t position : {95, 110}) {  // not among the indexed ones
    const auto found = (*index)->nearest(all, position, 8, context_);
    ASSERT_OK(found);
    ASSERT_EQ(found->size(), 8U);
    const std::vector<double> query = featuresOf(all, position, *model);
    std::vector<std::pair<double, std::int64_t>> expected;
    for (std::int64_t i = 0; i < 90; ++i) {
      expected.emplace_back(-cosine(query, featuresOf(*train_, i, *model)), i);
    }
    std::ranges::sort(expected);
    for (std::size_t k = 0; k < 8; ++k) {
      EXPECT_EQ((*found)[k].index, expected[k].second) << position << ' ' << k;
      EXPECT_NEAR((*found)[k].similarity, -expected[k].first, 1e-6);
      EXPECT_EQ((*found)[k].id, train_->ids()[static_cast<std::size_t>((*found)[k].index)]);
    }
  }
}

TEST_F(FeatureIndexTest, AnItemIsNoNeighbourOfItselfButOfItsCopy) {
  const ModelPtr model = network();
  ASSERT_TRUE(model);
  const auto index = FeatureIndex::of(model, train_, {}, context_);
  ASSERT_OK(index);
  const auto own = (*index)->nearest(*train_, 12, 8, context_);
  ASSERT_TRUE(own);
  EXPECT_TRUE(std::ranges::none_of(*own, [](const Neighbour& n) { return n.index == 12; }));
  const test::ListDataset copy = test::madeImages(90, kSide);
  const auto found = (*index)->nearest(copy, 12, 8, context_);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->front().index, 12);
  EXPECT_NEAR(found->front().similarity, 1.0, 1e-6);
}

TEST_F(FeatureIndexTest, ALargeSetIsSampledBySeedAndId) {
  const ModelPtr model = network();
  ASSERT_TRUE(model);
  const FeatureIndexOptions options{.batch = 8, .max_bytes = 30 * kFeatures * 4};
  const auto chosen = [&](const DatasetPtr& dataset, std::uint64_t seed) {
    context_.seed = seed;
    const auto index = FeatureIndex::of(model, dataset, options, context_);
    EXPECT_OK(index);
    EXPECT_EQ((*index)->notes().size(), 1U);
    EXPECT_TRUE((*index)->notes().front().starts_with("30 of the 90 items of list"));
    const std::vector<std::int64_t>& ids = (*index)->table().ids;
    return std::set<std::int64_t>(ids.begin(), ids.end());
  };
  const std::set<std::int64_t> ids = chosen(train_, 1);
  EXPECT_EQ(ids.size(), 30U);
  EXPECT_EQ(chosen(std::make_shared<test::ListDataset>(train_->reversed()), 1), ids);
  EXPECT_NE(chosen(train_, 2), ids);
  // A quarter of a memory budget holds as well.
  context_.memory_budget_bytes = 200'000;
  const auto within = FeatureIndex::of(model, train_, {}, context_);
  ASSERT_OK(within);
  EXPECT_EQ((*within)->table().ids.size(), 90U);
}

TEST_F(FeatureIndexTest, UnreadableItemsAreLeftOutAndCounted) {
  const ModelPtr model = network();
  ASSERT_TRUE(model);
  train_->breakItem(0);
  train_->breakItem(40);
  const auto index = FeatureIndex::of(model, train_, {.batch = 1}, context_);
  ASSERT_OK(index);
  EXPECT_EQ((*index)->table().features.extent(0), 88);
  EXPECT_EQ((*index)->table().indices.front(), 1);
  ASSERT_EQ((*index)->notes().size(), 1U);
  EXPECT_EQ((*index)->notes().front(), "2 items of list could not be read and were skipped");
  const auto query = (*index)->nearest(*train_, 40, 8, context_);
  ASSERT_FALSE(query);
  EXPECT_EQ(query.error().code, ErrorCode::kReadFailed);
  for (std::int64_t i = 0; i < 90; ++i) {
    train_->breakItem(i);
  }
  EXPECT_EQ(FeatureIndex::of(model, train_, {}, context_).error().code, ErrorCode::kMalformed);
}

TEST_F(FeatureIndexTest, WithoutAHeadOrWhenCancelledThereIsNone) {
  const ModelPtr without = test::madeNetwork(folder_, "without",
                                             "def forward(self, x):\n"
                                             "  return torch.flatten(x, 1)[:, :4] * self.scale\n",
                                             {{"scale", at::ones({4})}}, kSide);
  ASSERT_TRUE(without);
  const auto refused = FeatureIndex::of(without, train_, {}, context_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
  const ModelPtr model = network();
  std::int64_t last = 0;
  context_.on_progress = [&](const Progress& progress) {
    last = progress.total;
    context_.control()->requestCancel();
  };
  const auto cancelled = FeatureIndex::of(model, train_, {}, context_);
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(last, 90);
}

}  // namespace
}  // namespace dubito
