// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mpi/launched_ranks.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "core/base/bundled_library.h"
#include "core/mpi/mpi_library.h"

namespace dubito {
namespace {

/// Environment variables that launchers set: Open MPI, PMIx (srun --mpi=pmix), PMI.
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
  const Expected<void*> library = loadBundledLibrary("libdubito_mpi.so");
  if (!library) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}; start the program without mpirun or srun, or build it with MPI "
                            "installed",
                            library.error().message));
  }
  const auto join = reinterpret_cast<MpiRanksFunction>(dlsym(*library, kMpiRanksSymbol));
  if (join == nullptr) {
    return fail(ErrorCode::kUnsupported, "libdubito_mpi.so: is from another version; rebuild it");
  }
  return std::shared_ptr<RankGroup>(join());
}

}  // namespace dubito
