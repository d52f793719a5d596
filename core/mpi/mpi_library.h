// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/rank_group.h"

namespace dubito {

/// Type of the function that libdubito_mpi.so exports under the name kMpiRanksSymbol. The function
/// initialises MPI and returns the group of processes that the MPI launcher started. Call it once
/// per process. The caller owns the group; deleting it finalises MPI.
using MpiRanksFunction = RankGroup* (*)();
inline constexpr const char* kMpiRanksSymbol = "dubito_mpi_ranks_v1";

}  // namespace dubito
