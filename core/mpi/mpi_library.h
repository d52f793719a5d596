// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/rank_group.h"

namespace dubito {

/// What libdubito_mpi.so exports under kMpiRanksSymbol: joins the processes that MPI's launcher
/// started, once a process. The caller owns the group; deleting it leaves them.
using MpiRanksFunction = RankGroup* (*)();
inline constexpr const char* kMpiRanksSymbol = "dubito_mpi_ranks_v1";

}  // namespace dubito
