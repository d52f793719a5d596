// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/rank_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error_json.h"
#include "core/base/json_text.h"

namespace dubito {

Status agree(RankGroup& ranks, const Status& mine) {
  if (!mine && mine.error().context.starts_with(kAgreedFailure)) {
    return mine;  // the others have it too and do not communicate
  }
  std::string report;
  if (!mine) {
    report = jsonText(errorToJson(mine.error()), -1);
  }
  const std::vector<std::string> reports = ranks.gather(report);
  const auto failed = std::ranges::find_if_not(reports, &std::string::empty);
  if (failed == reports.end()) {
    return {};
  }
  Error error = errorFromJson(nlohmann::json::parse(*failed));
  if (std::ranges::count(reports, std::string()) > 0) {
    error.message +=
        fmt::format(" (in process {} of {})", failed - reports.begin() + 1, ranks.size());
  }
  error.context = kAgreedFailure + error.context;
  return tl::unexpected<Error>(std::move(error));
}

std::string fromFirst(RankGroup& ranks, const std::string& text) {
  return ranks.gather(ranks.rank() == 0 ? text : std::string()).front();
}

}  // namespace dubito
