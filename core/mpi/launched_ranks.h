// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/base/expected.h"
#include "core/base/rank_group.h"

namespace dubito {

/// The processes with which a launcher (mpirun, srun) started this one; null where it was started
/// alone. MPI is not touched then. kUnsupported where there is a launcher, but MPI cannot be
/// loaded.
[[nodiscard]] Expected<std::shared_ptr<RankGroup>> launchedRanks();

}  // namespace dubito
