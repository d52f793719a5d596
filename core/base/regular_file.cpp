// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/regular_file.h"

#include <sys/stat.h>

namespace dubito {

Status checkRegularFile(const std::string& path, unsigned mode) {
  if (S_ISREG(mode)) {
    return {};
  }
  const char* const kind = S_ISDIR(mode)    ? "a folder"
                           : S_ISFIFO(mode) ? "a named pipe"
                           : S_ISSOCK(mode) ? "a socket"
                                            : "a device";
  return fail(ErrorCode::kInvalidArgument,
              path + ": is " + kind + ", not a file; give the path of a file");
}

Status checkRegularFile(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? checkRegularFile(path, info.st_mode) : Status();
}

}  // namespace dubito
