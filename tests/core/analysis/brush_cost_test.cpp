// SPDX-License-Identifier: GPL-3.0-or-later
// What one step of a dragged range costs, counted instead of timed: memory is the same however many
// items there are, and so is the number of items that are read one by one.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "core/analysis/range_index.h"
#include "tests/core/analysis/sample_analysis.h"

namespace {

std::atomic<std::int64_t> g_allocations{0};
std::atomic<std::int64_t> g_bytes{0};

}  // namespace

void* operator new(std::size_t bytes) {
  ++g_allocations;
  g_bytes += static_cast<std::int64_t>(bytes);
  if (void* const memory = std::malloc(bytes)) {
    return memory;
  }
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
  std::free(memory);
}

namespace dubito {
namespace {

constexpr Interval kRange{0.45, 0.9};

struct Cost {
  std::int64_t items = 0;
  std::int64_t allocations = 0;
  std::int64_t bytes = 0;
};

template <class Action>
Cost costOf(const Action& action) {
  const std::int64_t allocations = g_allocations;
  const std::int64_t bytes = g_bytes;
  const SelectionOverviewPtr overview = action();
  return {overview->itemCount(), g_allocations - allocations, g_bytes - bytes};
}

class BrushCostTest : public testing::Test {
 protected:
  RunContext context;
};

TEST_F(BrushCostTest, AStepWithAnIndexDoesNotDependOnTheNumberOfItems) {
  const auto costOfStep = [&](std::int64_t items) {
    const AnalysisPtr analysis = test::sampleAnalysis(items, items / 4);
    const auto index =
        RangeIndex::make(analysis, Measure::kConfidence, test::basisOf(*analysis, context), context)
            .value();
    EXPECT_LT(index->itemsRead(kRange), 2 * static_cast<std::int64_t>(RangeIndex::kLeastBlock));
    return costOf([&] { return index->overview(kRange, context).value(); });
  };
  const Cost few = costOfStep(100'000);
  const Cost many = costOfStep(400'000);
  EXPECT_GT(many.items, 3 * few.items);
  // 307 and 287 allocations, 0.87 and 0.80 MB: it depends on how much of a block is at each end.
  EXPECT_LT(many.allocations, 400);
  EXPECT_LT(std::abs(many.allocations - few.allocations), 50);
  EXPECT_LT(many.bytes, 1'500'000);
  EXPECT_LT(std::abs(many.bytes - few.bytes), 300'000);
}

TEST_F(BrushCostTest, APassTakesFewBytesPerItem) {
  const AnalysisPtr analysis = test::sampleAnalysis(200'000, 50'000);
  SelectionBasis basis = test::basisOf(*analysis, context);
  basis.preview = basis.rankings;
  ItemQuery query;
  query.group = GroupFilter::kAll;
  query.range = MeasureRange{Measure::kConfidence, kRange};
  const Cost pass =
      costOf([&] { return overviewOfSelection(*analysis, query, basis, context).value(); });
  // A mark, a flag and a position of each, and counts of parts and blocks: 12.7 bytes per item.
  EXPECT_LT(pass.bytes, 16 * 250'000);
}

}  // namespace
}  // namespace dubito
