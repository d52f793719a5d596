// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/scratch_file.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace dubito::fuzz {
namespace {

namespace fs = std::filesystem;

/// A folder of this process, on a file system in memory where there is one; removed at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    const fs::path memory = "/dev/shm";
    const fs::path parent = fs::is_directory(memory) ? memory : fs::temp_directory_path();
    path_ = parent / ("dubito-fuzz-" + std::to_string(getpid()));
    fs::create_directories(path_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

std::string scratchFile(const std::uint8_t* data, std::size_t size, const std::string& extension) {
  static const ScratchFolder folder;
  const std::string path = folder.path() / ("file" + extension);
  // Truncated in place, as an editor would: the readers of the last round are gone.
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  file.close();
  if (!file) {
    std::abort();
  }
  return path;
}

}  // namespace dubito::fuzz
