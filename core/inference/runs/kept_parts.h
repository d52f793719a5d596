// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/expected.h"
#include "core/inference/rows/run_findings.h"
#include "core/io/run_part.h"

namespace dubito {

/// All that decides the results of a run, by what a person calls it.
using RunIdentity = std::vector<std::pair<std::string, std::string>>;

/// What a part says of itself beside its rows.
struct PartDetails {
  RunIdentity identity;
  RunFindings findings;
  ContentProbe probe;
  std::int64_t pass_bytes = 0;  ///< that a pass may take which several draws share
};

/// Fills details and the meta of `part`, whose arrays and range are there.
void describePart(const PartDetails& details, const RunMeta& meta, RunPart& part);

/// What describePart wrote; kMalformed where it is not there.
[[nodiscard]] Expected<PartDetails> detailsOf(const RunPart& part);

/// The first difference of two identities in words ("seed is 1, not 2"), or nothing.
[[nodiscard]] std::string firstDifference(const RunIdentity& was, const RunIdentity& wanted);

}  // namespace dubito
