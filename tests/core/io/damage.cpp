// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/io/damage.h"

#include <fstream>
#include <span>
#include <stdexcept>

#include "core/io/zip_directory.h"
#include "tests/support/temp_dir.h"

namespace dubito::test {
namespace {

std::vector<ZipEntry> directoryOf(const std::string& path) {
  const std::string bytes = readBytes(path);
  return readZipDirectory(std::as_bytes(std::span(bytes)), path).value();
}

}  // namespace

std::vector<std::string> entriesOf(const std::string& path) {
  std::vector<std::string> names;
  for (const ZipEntry& entry : directoryOf(path)) {
    names.push_back(entry.name.substr(0, entry.name.size() - 4));
  }
  return names;
}

void flipBit(const std::string& path, const std::string& entry, std::uint64_t bit) {
  for (const ZipEntry& candidate : directoryOf(path)) {
    if (candidate.name == entry + ".npy") {
      const auto at =
          static_cast<std::streamoff>(candidate.data_offset + bit / 8 % candidate.stored_bytes);
      std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
      file.seekg(at);
      const int before = file.get();
      file.seekp(at);
      file.put(static_cast<char>(before ^ (1 << (bit % 8))));
      return;
    }
  }
  throw std::invalid_argument(path + " has no " + entry);
}

}  // namespace dubito::test
