// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/metrics/reliability.h"

namespace dubito {

/// Where every item stands in a reliability diagram, found once: the pass over the items that
/// follows a mouse then searches no bins. Takes 4 bytes an item.
struct JudgedItems {
  class Place {
   public:
    /// Not in the diagram.
    Place() = default;
    Place(std::size_t bin, bool is_right)
        : value_(2 * static_cast<std::uint32_t>(bin) + (is_right ? 1 : 0)) {}

    [[nodiscard]] bool isJudged() const { return value_ != kNot; }
    [[nodiscard]] std::size_t bin() const { return value_ / 2; }
    [[nodiscard]] bool isRight() const { return value_ % 2 == 1; }

   private:
    static constexpr std::uint32_t kNot = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t value_ = kNot;
  };

  ReliabilityPtr reliability;  ///< never null
  std::vector<double> edges;   ///< of its bins; empty without bins
  std::vector<Place> places;   ///< [items], part after part; empty without bins

  [[nodiscard]] std::size_t binCount() const { return edges.empty() ? 0 : edges.size() - 1; }
};
using JudgedItemsPtr = std::shared_ptr<const JudgedItems>;

/// Blocking; for a worker thread. `reliability` of the analysis, not null. kCancelled.
[[nodiscard]] Expected<JudgedItemsPtr> judgedItems(const Analysis& analysis,
                                                   const ReliabilityPtr& reliability,
                                                   const RunContext& context);

}  // namespace dubito
