// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/analysis/item_query.h"
#include "core/metrics/run_reliability.h"

namespace dubito {

/// The part of a run's view that a workspace stores.
struct SessionView {
  /// The query, except for items picked one by one, which are not stored.
  ItemQuery query;
  std::optional<ItemRef> primary;  ///< primary item, shown in the inspector
  ReliabilityOptions reliability;
  friend bool operator==(const SessionView&, const SessionView&) = default;
};

[[nodiscard]] nlohmann::json toJson(const SessionView& view);
/// Inverse of toJson(). Throws JsonError, which names the invalid member.
[[nodiscard]] SessionView viewFromJson(const nlohmann::json& object);

}  // namespace dubito
