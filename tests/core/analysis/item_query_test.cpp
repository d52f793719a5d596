// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/item_query.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "core/analysis/item_attributes.h"
#include "core/analysis/operating_point.h"
#include "tests/core/analysis/sample_analysis.h"

namespace dubito {
namespace {

class ItemQueryTest : public testing::Test {
 protected:
  AnalysisPtr analysis = test::sampleAnalysis();

  std::vector<ItemRef> find(const ItemQuery& query) const {
    return test::listed(findItems(*analysis, query));
  }
  double value(ItemRef item, Measure measure) const {
    return analysis->partOf(item).values(measure).data()[item.row];
  }
};

TEST_F(ItemQueryTest, GroupsSplitAllItemsAndAgreeWithTheOverview) {
  ItemQuery query;
  query.group = GroupFilter::kAll;
  const std::size_t all = find(query).size();
  EXPECT_EQ(all, 80U);
  std::map<GroupFilter, std::size_t> counts;
  for (const GroupFilter group :
       {GroupFilter::kCorrect, GroupFilter::kMisclassified, GroupFilter::kOod}) {
    query.group = group;
    counts[group] = find(query).size();
  }
  EXPECT_EQ(counts[GroupFilter::kOod], 20U);
  EXPECT_GT(counts[GroupFilter::kMisclassified], 0U);
  EXPECT_EQ(static_cast<std::int64_t>(counts[GroupFilter::kCorrect]), analysis->overview.correct);
  EXPECT_EQ(static_cast<std::int64_t>(counts[GroupFilter::kMisclassified]),
            analysis->overview.misclassified);
  EXPECT_EQ(counts[GroupFilter::kCorrect] + counts[GroupFilter::kMisclassified] + 20U, all);
}

TEST_F(ItemQueryTest, ListsWhatMeetsEveryCondition) {
  // Labels of OOD items may be given; they mean nothing.
  auto labelled = std::make_shared<Analysis>(*analysis);
  dubito::Run ood = *analysis->parts[1].run;
  ood.labels = Array<std::int64_t>::zeros({ood.itemCount()});
  std::fill_n(ood.labels.mutableData(), ood.itemCount(), std::int64_t{1});
  labelled->parts[1].run = std::make_shared<const dubito::Run>(ood);
  const std::int64_t in_items = labelled->in().run->itemCount();
  std::vector<bool> picked(static_cast<std::size_t>(labelled->itemCount()));
  for (std::size_t i = 0; i < picked.size(); i += 3) {
    picked[i] = true;
  }
  const auto plain = [&](const ItemQuery& query, ItemRef item) {
    const dubito::Run& run = *labelled->partOf(item).run;
    const bool is_ood = item.part > 0;
    const std::int64_t label = is_ood ? -1 : run.labels.data()[item.row];
    const std::int64_t predicted = run.predictions.data()[item.row];
    const ItemGroup group = groupOf(*labelled, item);
    const bool of_group =
        query.group == GroupFilter::kAll ||
        (query.group == GroupFilter::kCorrect && group == ItemGroup::kCorrect) ||
        (query.group == GroupFilter::kMisclassified && group == ItemGroup::kMisclassified) ||
        (query.group == GroupFilter::kOod && group == ItemGroup::kOod);
    const double confidence = labelled->partOf(item).values(Measure::kConfidence).data()[item.row];
    return of_group && (!query.predicted || predicted == *query.predicted) &&
           (!query.label || label == *query.label) &&
           (!query.cell || (label == query.cell->label && predicted == query.cell->predicted)) &&
           (!query.range ||
            (confidence >= query.range->range.low && confidence <= query.range->range.high)) &&
           (!query.picked ||
            picked[static_cast<std::size_t>(item.row + (is_ood ? in_items : std::int64_t{0}))]);
  };
  std::size_t listed = 0;
  for (int choice = 0; choice < 4 * 32; ++choice) {
    ItemQuery query;
    query.group = static_cast<GroupFilter>(choice % 4);
    const int conditions = choice / 4;
    query.predicted = (conditions & 1) != 0 ? std::optional<std::int64_t>(1) : std::nullopt;
    query.label = (conditions & 2) != 0 ? std::optional<std::int64_t>(1) : std::nullopt;
    query.cell = (conditions & 4) != 0 ? std::optional(ClassPair{1, 1}) : std::nullopt;
    if ((conditions & 8) != 0) {
      query.range = MeasureRange{Measure::kConfidence, {0.5, 0.9}};
    }
    if ((conditions & 16) != 0) {
      query.picked = PickedItems{"third", std::make_shared<const std::vector<bool>>(picked)};
    }
    std::set<ItemRef> expected;
    for (std::int32_t part = 0; part < 2; ++part) {
      const std::int64_t items = labelled->parts[static_cast<std::size_t>(part)].run->itemCount();
      for (std::int64_t row = 0; row < items; ++row) {
        EXPECT_EQ(isListed(*labelled, query, {part, row}), plain(query, {part, row})) << choice;
        if (plain(query, {part, row})) {
          expected.insert({part, row});
        }
      }
    }
    const std::vector<ItemRef> found = test::listed(findItems(*labelled, query));
    EXPECT_EQ(std::set<ItemRef>(found.begin(), found.end()), expected) << choice;
    listed += expected.size();
  }
  EXPECT_GT(listed, 100U);
}

TEST_F(ItemQueryTest, SortsByEveryMeasureBothWays) {
  for (const Measure measure : allMeasures()) {
    const bool of_gaussians = std::string(describe(measure).key).starts_with("gauge_");
    ASSERT_EQ(analysis->in().has(measure), !of_gaussians) << describe(measure).key;
    if (of_gaussians) {
      continue;
    }
    ItemQuery query;
    query.group = GroupFilter::kAll;
    query.sort = measure;
    query.descending = true;
    const std::vector<ItemRef> down = find(query);
    query.descending = false;
    const std::vector<ItemRef> up = find(query);
    ASSERT_EQ(down.size(), up.size());
    for (std::size_t i = 1; i < down.size(); ++i) {
      EXPECT_GE(value(down[i - 1], measure), value(down[i], measure)) << describe(measure).key;
      EXPECT_LE(value(up[i - 1], measure), value(up[i], measure)) << describe(measure).key;
    }
  }
}

TEST_F(ItemQueryTest, SortsByLossAndPutsItemsWithoutALabelLast) {
  ItemQuery query;
  query.group = GroupFilter::kAll;
  query.sort_column = ItemColumn::kLoss;
  ASSERT_TRUE(canAnswer(*analysis, query));
  const dubito::Run& run = *analysis->in().run;
  const auto loss = [&run](ItemRef item) {
    return -std::log(run.prob(item.row, run.labels.data()[item.row]));
  };
  for (const bool descending : {true, false}) {
    query.descending = descending;
    const std::vector<ItemRef> found = find(query);
    ASSERT_EQ(found.size(), 80U);
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].part, i < 60 ? 0 : 1);
      EXPECT_EQ(std::isnan(analysis->lossOf(found[i])), i >= 60);
      if (i < 60) {
        EXPECT_NEAR(analysis->lossOf(found[i]), loss(found[i]), 1e-6);
      }
      if (i > 0 && i < 60) {
        EXPECT_TRUE(descending ? loss(found[i - 1]) >= loss(found[i])
                               : loss(found[i - 1]) <= loss(found[i]));
      }
    }
  }
}

TEST_F(ItemQueryTest, AnInfiniteLossComesBeforeAMissingOne) {
  Analysis masked = *analysis;
  std::vector<double> losses(60, 0.5);
  losses[0] = NAN;
  losses[59] = INFINITY;
  masked.losses = Array<double>::fromVector(losses);
  ItemQuery query;
  query.group = GroupFilter::kAll;
  query.sort_column = ItemColumn::kLoss;
  query.descending = false;
  const std::vector<ItemRef> found = test::listed(findItems(masked, query));
  EXPECT_EQ(found[58], (ItemRef{0, 59}));
  EXPECT_EQ(found[59], (ItemRef{0, 0}));
}

TEST_F(ItemQueryTest, SortsByItemNumberAndByClasses) {
  ItemQuery query;
  query.group = GroupFilter::kAll;
  query.sort_column = ItemColumn::kItem;
  query.descending = false;
  std::vector<ItemRef> found = find(query);
  EXPECT_TRUE(std::ranges::is_sorted(found));
  query.descending = true;
  std::ranges::reverse(found);
  EXPECT_EQ(find(query), found);

  query.descending = false;
  query.sort_column = ItemColumn::kLabel;
  found = find(query);
  EXPECT_EQ(found[0], (ItemRef{0, 0}));
  EXPECT_EQ(found[1], (ItemRef{0, 3}));
  EXPECT_EQ(found[20], (ItemRef{0, 1}));
  EXPECT_EQ(found[60].part, 1) << "OOD items have no true class";
  query.sort_column = ItemColumn::kPredicted;
  found = find(query);
  for (std::size_t i = 1; i < found.size(); ++i) {
    const auto predicted = [this](ItemRef item) {
      return analysis->partOf(item).run->predictions.data()[item.row];
    };
    EXPECT_LE(predicted(found[i - 1]), predicted(found[i]));
  }
}

TEST_F(ItemQueryTest, ItemNumbersFollowTheIdsIfThereIsNoDataset) {
  auto run = std::make_shared<dubito::Run>(*analysis->in().run);
  std::vector<std::int64_t> ids(60);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    ids[i] = 1000 - static_cast<std::int64_t>(i);
  }
  run->ids = Array<std::int64_t>::fromVector(ids);
  Analysis other = *analysis;
  other.parts[0] = makePart("other", run, nullptr, RunContext());
  ItemQuery query;
  query.group = GroupFilter::kAll;
  query.sort_column = ItemColumn::kItem;
  query.descending = false;
  const std::vector<ItemRef> found = test::listed(findItems(other, query));
  EXPECT_EQ(found[0], (ItemRef{0, 59}));
  EXPECT_EQ(found[59], (ItemRef{0, 0}));
  EXPECT_EQ(found[60], (ItemRef{1, 0}));
}

TEST_F(ItemQueryTest, ARunWithoutLabelsHasNoLoss) {
  auto run = std::make_shared<dubito::Run>(*analysis->parts[1].run);
  RunContext context;
  const auto unlabelled =
      analyse({makePart("noise", run, nullptr, context)}, nullptr, std::nullopt, {}, context);
  ASSERT_TRUE(unlabelled.has_value());
  ItemQuery query = defaultQuery(**unlabelled);
  EXPECT_TRUE(canAnswer(**unlabelled, query));
  query.sort_column = ItemColumn::kLoss;
  EXPECT_FALSE(canAnswer(**unlabelled, query));
  query.sort_column = ItemColumn::kItem;
  EXPECT_TRUE(canAnswer(**unlabelled, query));
}

TEST_F(ItemQueryTest, ARangeIsClosedAndFiltersEveryGroup) {
  ItemQuery query;
  query.group = GroupFilter::kAll;
  const double low = value({0, 7}, Measure::kEntropy);
  const double high = low + 0.2;
  query.range = MeasureRange{Measure::kEntropy, {low, high}};
  const std::vector<ItemRef> found = find(query);
  const std::set<ItemRef> inside(found.begin(), found.end());
  EXPECT_TRUE(inside.contains(ItemRef{0, 7}));
  query.range.reset();
  for (const ItemRef item : find(query)) {
    const double entropy = value(item, Measure::kEntropy);
    EXPECT_EQ(inside.contains(item), entropy >= low && entropy <= high);
  }
}

TEST_F(ItemQueryTest, ReliabilityBinsHoldTheirOwnCounts) {
  for (const ReliabilityOptions& options :
       {ReliabilityOptions{}, ReliabilityOptions{.bins = 7, .equal_mass = true},
        ReliabilityOptions{.bins = 20, .of_class = 1},
        ReliabilityOptions{.of_class = 2, .with_ood = true}}) {
    RunContext context;
    const auto reliability =
        makeReliability(*analysis->in().run, analysis->oodRuns(), options, context);
    ASSERT_TRUE(reliability.has_value());
    const std::vector<ReliabilityBin>& bins = (*reliability)->diagram.bins;
    std::int64_t total = 0;
    for (std::size_t bin = 0; bin < bins.size(); ++bin) {
      ItemQuery query;
      query.group = GroupFilter::kAll;
      query.reliability_bin = filterOfBin(**reliability, static_cast<int>(bin));
      const auto count = static_cast<std::int64_t>(find(query).size());
      EXPECT_EQ(count, bins[bin].count) << "bin " << bin;
      total += count;
    }
    EXPECT_EQ(total, options.with_ood ? 60 + analysis->overview.ood : 60);
    EXPECT_FALSE(filterOfBin(**reliability, static_cast<int>(bins.size())).has_value());
  }
}

TEST_F(ItemQueryTest, ClassesFilterPredictionsAndLabels) {
  ItemQuery query;
  query.group = GroupFilter::kAll;
  query.label = 1;
  EXPECT_EQ(find(query).size(), 20U);
  query.predicted = 2;
  for (const ItemRef item : find(query)) {
    EXPECT_EQ(analysis->in().run->predictions.data()[item.row], 2);
    EXPECT_EQ(analysis->in().run->labels.data()[item.row], 1);
  }
}

TEST_F(ItemQueryTest, TheDefaultShowsTheMisclassifiedMostUncertainFirst) {
  const ItemQuery query = defaultQuery(*analysis);
  EXPECT_EQ(query.group, GroupFilter::kMisclassified);
  EXPECT_EQ(query.sort, Measure::kMutualInformation);
  const ItemQuery without_draws = defaultQuery(*test::sampleAnalysisWithoutDraws());
  EXPECT_EQ(without_draws.sort, Measure::kEntropy);
}

TEST_F(ItemQueryTest, TheThresholdKeeping95PercentDoesAndTheNextOneDoesNot) {
  for (const Measure measure : {Measure::kConfidence, Measure::kEntropy}) {
    const double threshold = analysis->thresholds95.at(measure);
    const auto point = operatingPoint(*analysis, measure, threshold);
    ASSERT_TRUE(point);
    EXPECT_GE(point->true_positive_rate, 0.95);
    const double stricter =
        highIsCertain(measure) ? std::nextafter(threshold, 2.0) : std::nextafter(threshold, -1.0);
    EXPECT_LT(operatingPoint(*analysis, measure, stricter)->true_positive_rate, 0.95);
  }
}

TEST_F(ItemQueryTest, TheThresholdOfAPointOfACurveLeadsBackToThePoint) {
  const Overview& overview = analysis->overview;
  for (const Curve& curve : overview.roc) {
    const Measure measure = measureOfKey(curve.name).value();
    for (std::size_t i = 1; i < curve.x.size(); ++i) {
      const auto threshold =
          thresholdAt(*analysis, measure, RankingCurve::kRoc, curve.x[i], curve.y[i]);
      ASSERT_TRUE(threshold);
      const auto point = operatingPoint(*analysis, measure, *threshold);
      EXPECT_NEAR(point->false_positive_rate, curve.x[i], 1e-12);
      EXPECT_NEAR(point->true_positive_rate, curve.y[i], 1e-12);
    }
    EXPECT_FALSE(thresholdAt(*analysis, measure, RankingCurve::kRoc, 0.0, 0.0));
  }
  const Curve& rejection = overview.rejection.front();
  const Measure measure = measureOfKey(rejection.name).value();
  const auto most = thresholdAt(*analysis, measure, RankingCurve::kRejection, 1.0, 0.5);
  ASSERT_TRUE(most);
  for (const double value : analysis->in().values(measure).values()) {
    EXPECT_TRUE(highIsCertain(measure) ? value >= *most : value <= *most);
  }
  const Curve& recall = overview.precision_recall.front();
  const Measure of_recall = measureOfKey(recall.name).value();
  const auto last = thresholdAt(*analysis, of_recall, RankingCurve::kPrecisionRecall,
                                recall.x.back(), recall.y.back());
  ASSERT_TRUE(last);
  EXPECT_NEAR(operatingPoint(*analysis, of_recall, *last)->true_positive_rate, 1.0, 1e-12);
}

TEST_F(ItemQueryTest, OperatingPointsLieOnTheRocCurve) {
  const double threshold = analysis->thresholds95.at(Measure::kEntropy);
  const auto point = operatingPoint(*analysis, Measure::kEntropy, threshold);
  ASSERT_TRUE(point);
  bool on_curve = false;
  for (const Curve& curve : analysis->overview.roc) {
    for (std::size_t i = 0; curve.name == "entropy" && i < curve.x.size(); ++i) {
      on_curve = on_curve || (std::abs(curve.x[i] - point->false_positive_rate) < 1e-12 &&
                              std::abs(curve.y[i] - point->true_positive_rate) < 1e-12);
    }
  }
  EXPECT_TRUE(on_curve);
}

TEST_F(ItemQueryTest, RunsWithoutDrawsLackWhatOnlyDrawsGive) {
  const AnalysisPtr plain = test::sampleAnalysisWithoutDraws();
  EXPECT_FALSE(plain->in().has(Measure::kMutualInformation));
  EXPECT_FALSE(plain->in().has(Measure::kVariationRatio));
  EXPECT_TRUE(plain->in().has(Measure::kMargin));
}

class AttributeQueryTest : public testing::Test {
 protected:
  AnalysisPtr analysis = test::sampleAnalysisWithAttributes();

  std::vector<ItemRef> find(const ItemQuery& query) const {
    return test::listed(findItems(*analysis, query));
  }
  static ItemQuery all() {
    ItemQuery query;
    query.group = GroupFilter::kAll;
    return query;
  }
  static ItemQuery where(const std::string& name, std::variant<std::string, Interval> wanted) {
    ItemQuery query = all();
    query.attribute = AttributeFilter{name, std::move(wanted)};
    return query;
  }
};

TEST_F(AttributeQueryTest, EveryColumnIsSummarised) {
  const std::vector<AttributeSummary> summaries = attributesOf(*analysis);
  ASSERT_EQ(summaries.size(), 2U);
  EXPECT_EQ(summaries[0].name, "camera");
  EXPECT_FALSE(summaries[0].numeric);
  EXPECT_EQ(summaries[0].values, (std::vector<std::string>{"north", "south"}));
  EXPECT_TRUE(summaries[0].has_missing_values);
  EXPECT_EQ(summaries[1].name, "hour");
  EXPECT_TRUE(summaries[1].numeric);
  EXPECT_EQ(summaries[1].range.low, 0.0);
  EXPECT_EQ(summaries[1].range.high, 30.0);
  EXPECT_EQ(summaries[1].values.size(), 25U);
  EXPECT_EQ(summaries[1].values[2], "2");
  EXPECT_TRUE(attributesOf(*test::sampleAnalysis()).empty());
}

TEST_F(AttributeQueryTest, TextsFilterByValueAndByItsAbsence) {
  const std::vector<ItemRef> north = find(where("camera", "north"));
  ASSERT_EQ(north.size(), 20U);
  for (const ItemRef item : north) {
    EXPECT_EQ(item.part, 0);
    EXPECT_EQ(item.row % 3, 1);
  }
  EXPECT_EQ(find(where("camera", "nort")).size(), 0U);
  // A third of the insects, and the noise that has no such column.
  EXPECT_EQ(find(where("camera", "")).size(), 20U + 20U);
}

TEST_F(AttributeQueryTest, NumbersFilterByValueAndByClosedRange) {
  EXPECT_EQ(find(where("hour", "7")).size(), 3U);  // rows 7, 31 and 55
  const std::vector<ItemRef> evening = find(where("hour", Interval{20.0, 23.0}));
  EXPECT_EQ(evening.size(), 8U);
  for (const ItemRef item : evening) {
    EXPECT_GE(item.row % 24, 20);
  }
  EXPECT_EQ(find(where("hour", Interval{30.0, INFINITY})).size(), 20U) << "the noise";
  EXPECT_EQ(find(where("hour", Interval{-INFINITY, INFINITY})).size(), 79U) << "row 5 has none";
  EXPECT_EQ(find(where("camera", Interval{0.0, 1.0})).size(), 0U) << "texts have no range";
  ItemQuery both = where("hour", Interval{0.0, 23.0});
  both.group = GroupFilter::kMisclassified;
  for (const ItemRef item : find(both)) {
    EXPECT_EQ(groupOf(*analysis, item), ItemGroup::kMisclassified);
  }
}

TEST_F(AttributeQueryTest, NumbersSortAsNumbersBothWaysAndMissingOnesComeLast) {
  ItemQuery query = all();
  query.sort_attribute = "hour";
  for (const bool descending : {false, true}) {
    query.descending = descending;
    const std::vector<ItemRef> found = find(query);
    ASSERT_EQ(found.size(), 80U);
    EXPECT_EQ(found.back(), (ItemRef{0, 5}));
    const auto hour = [](ItemRef item) { return item.part == 1 ? 30 : item.row % 24; };
    for (std::size_t i = 1; i + 1 < found.size(); ++i) {
      EXPECT_TRUE(descending ? hour(found[i - 1]) >= hour(found[i])
                             : hour(found[i - 1]) <= hour(found[i]));
    }
  }
}

TEST_F(AttributeQueryTest, TextsSortByTheirLetters) {
  ItemQuery query = all();
  query.sort_attribute = "camera";
  query.descending = false;
  const std::vector<ItemRef> up = find(query);
  ASSERT_EQ(up.size(), 80U);
  EXPECT_EQ(up[0], (ItemRef{0, 1})) << "equal values keep their order";
  EXPECT_EQ(up[19], (ItemRef{0, 58}));
  EXPECT_EQ(up[20], (ItemRef{0, 0}));
  EXPECT_EQ(up[40], (ItemRef{0, 2})) << "then those without one";
  query.descending = true;
  EXPECT_EQ(find(query)[0], (ItemRef{0, 0}));
  EXPECT_EQ(find(query)[40], (ItemRef{0, 2}));
}

TEST_F(AttributeQueryTest, QueriesAboutMissingAttributesAreKnown) {
  ItemQuery query = where("camera", "north");
  query.sort_attribute = "hour";
  EXPECT_TRUE(canAnswer(*analysis, query));
  EXPECT_FALSE(canAnswer(*test::sampleAnalysis(), query));
  EXPECT_TRUE(canAnswer(*test::sampleAnalysis(), all()));
  EXPECT_EQ(query, query);
  EXPECT_NE(query, where("camera", "north"));
  EXPECT_NE(where("hour", "7"), where("hour", Interval{7.0, 7.0}));
}

}  // namespace
}  // namespace dubito
