// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/rank_group.h"

namespace dubito {

/// Exported by libdubito_mpi.so as kMpiRanksSymbol: joins the processes started by MPI's launcher.
/// Call once per process. The caller owns the group; deleting it finalises MPI.
using MpiRanksFunction = RankGroup* (*)();
inline constexpr const char* kMpiRanksSymbol = "dubito_mpi_ranks_v1";

}  // namespace dubito
