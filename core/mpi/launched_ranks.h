// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/base/expected.h"
#include "core/base/rank_group.h"

namespace dubito {

/// The processes that a launcher (mpirun, srun) started together with this one. Null, without
/// loading MPI, if this process was not started by a launcher. kUnsupported if it was but MPI
/// cannot be loaded.
[[nodiscard]] Expected<std::shared_ptr<RankGroup>> launchedRanks();

}  // namespace dubito
