// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/bundled_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "core/base/next_to_executable.h"

namespace dubito {

Expected<void*> loadBundledLibrary(const std::string& name) {
  std::vector<std::string> candidates = pathsNextToExecutable(name);
  candidates.push_back(name);
  std::error_code error;
  std::string reason;
  for (const std::string& candidate : candidates) {
    if (void* const library = dlopen(candidate.c_str(), RTLD_NOW | RTLD_GLOBAL)) {
      return library;
    }
    // Report the reason for a file that exists, if there is one.
    if (reason.empty() || std::filesystem::exists(candidate, error)) {
      reason = dlerror();
    }
  }
  return fail(ErrorCode::kNotFound, fmt::format("{}: cannot be loaded ({})", name, reason));
}

}  // namespace dubito
