// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/io/numpy.h"

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "tests/support/temp_dir.h"

namespace dubito::test {
namespace {

NumpyResult runShell(const std::string& command) {
  NumpyResult result;
  FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) {
    return result;
  }
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) {
    result.output.append(buffer, n);
  }
  const int status = pclose(pipe);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

/// A Python that can import NumPy, or an empty text.
std::string findPython() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  const char* const home = std::getenv("HOME");
  const std::filesystem::path root = cache != nullptr && *cache != '\0'
                                         ? std::filesystem::path(cache)
                                     : home != nullptr ? std::filesystem::path(home) / ".cache"
                                                       : std::filesystem::path();
  const std::string installed = (root / "dubito" / "torch-2.11.0" / "bin" / "python").string();
  for (const std::string& python : {installed, std::string("python3")}) {
    if (runShell("'" + python + "' -c 'import numpy'").exit_code == 0) {
      return python;
    }
  }
  return {};
}

}  // namespace

NumpyResult runNumpy(const std::string& program, const std::string& arguments) {
  static const std::string python = findPython();
  if (python.empty()) {
    return {};
  }
  const TempDir dir;
  writeBytes(dir.path() / "program.py", "import sys, numpy as np\n" + program);
  NumpyResult result = runShell("'" + python + "' '" + dir.file("program.py") + "' " + arguments);
  result.available = true;
  return result;
}

}  // namespace dubito::test
