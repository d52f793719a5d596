// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mpi/launched_ranks.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "core/base/library_beside.h"
#include "core/mpi/mpi_library.h"

namespace dubito {
namespace {

/// What launchers tell their processes: Open MPI's, PMIx's (srun --mpi=pmix), PMI's.
bool hasLauncher() {
  constexpr std::array kVariables{"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
  return std::ranges::any_of(kVariables,
                             [](const char* name) { return std::getenv(name) != nullptr; });
}

}  // namespace

Expected<std::shared_ptr<RankGroup>> launchedRanks() {
  if (!hasLauncher()) {
    return nullptr;
  }
  const Expected<void*> library = loadLibraryBeside("libdubito_mpi.so");
  if (!library) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}; start the program without mpirun or srun, or build it where MPI "
                            "is installed",
                            library.error().message));
  }
  const auto join = reinterpret_cast<MpiRanksFunction>(dlsym(*library, kMpiRanksSymbol));
  if (join == nullptr) {
    return fail(ErrorCode::kUnsupported,
                "libdubito_mpi.so: it belongs to another version; build it again");
  }
  return std::shared_ptr<RankGroup>(join());
}

}  // namespace dubito
