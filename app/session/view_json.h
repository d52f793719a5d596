// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/analysis/item_query.h"
#include "core/metrics/reliability.h"

namespace dubito {

/// What is listed of a run and how it is looked at, as a workspace keeps it.
struct SessionView {
  /// Without items that were picked one by one: those are forgotten.
  ItemQuery query;
  std::optional<ItemRef> primary;  ///< what the inspector shows
  ReliabilityOptions reliability;
  friend bool operator==(const SessionView&, const SessionView&) = default;
};

[[nodiscard]] nlohmann::json toJson(const SessionView& view);
/// Reads what toJson made. Throws WrongJson, which names the member, for anything else.
[[nodiscard]] SessionView viewFromJson(const nlohmann::json& object);

}  // namespace dubito
