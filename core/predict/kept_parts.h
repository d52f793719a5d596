// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/expected.h"
#include "core/io/run_part.h"
#include "core/predict/run_findings.h"

namespace dubito {

/// Everything that determines the results of a run, as pairs of display name and value.
using RunIdentity = std::vector<std::pair<std::string, std::string>>;

/// Information that a part stores in addition to its rows.
struct PartDetails {
  RunIdentity identity;
  RunFindings findings;
  ContentProbe probe;
  std::int64_t pass_bytes = 0;  ///< limit for a pass shared by several draws
};

/// Fills the details and metadata of `part`; its arrays and range must already be set.
void describePart(const PartDetails& details, const RunMeta& meta, RunPart& part);

/// Reads the details written by describePart; kMalformed if they are missing.
[[nodiscard]] Expected<PartDetails> detailsOf(const RunPart& part);

/// The first difference between two identities, as text ("seed is 1, not 2"); empty if none.
[[nodiscard]] std::string firstDifference(const RunIdentity& was, const RunIdentity& wanted);

}  // namespace dubito
