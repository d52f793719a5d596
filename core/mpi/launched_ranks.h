// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/base/expected.h"
#include "core/base/rank_group.h"

namespace dubito {

/// The processes that a launcher (mpirun, srun) started together with this one; null without a
/// launcher, and MPI is then not loaded. kUnsupported if there is a launcher but MPI cannot be
/// loaded.
[[nodiscard]] Expected<std::shared_ptr<RankGroup>> launchedRanks();

}  // namespace dubito
