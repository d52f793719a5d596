// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/dataset_scheme.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "core/data/dataset_spec.h"
#include "core/data/manifest.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

std::string firstBytes(const std::string& path) {
  std::string bytes(4, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

/// data_batch_1.bin, test_batch.bin and their likes, of whole records.
bool isCifarBatch(const fs::path& path) {
  constexpr std::uintmax_t kRecord = 3073;
  const std::string name = path.filename().string();
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  return !error && size > 0 && size % kRecord == 0 && name.ends_with(".bin") &&
         (name.starts_with("data_batch") || name.starts_with("test_batch"));
}

Expected<std::string> schemeOfFile(const std::string& path) {
  const std::string bytes = firstBytes(path);
  if (path.ends_with(".npz") || bytes.starts_with("PK\x03\x04")) {
    return "npz";
  }
  if (isCifarBatch(path)) {
    return "cifar10";
  }
  if (path.find("-ubyte") != std::string::npos || bytes.starts_with("\x1f\x8b") ||
      bytes.starts_with(std::string_view("\0\0", 2))) {
    return "idx";
  }
  if (path.ends_with(".csv")) {
    if (isManifest(path)) {
      return "csv";
    }
    return fail(
        ErrorCode::kUnsupported,
        fmt::format("{}: this table lists no images, or predictions of them; a dataset needs "
                    "the columns path and label (csv:FILE takes any such table)",
                    path));
  }
  return fail(ErrorCode::kUnsupported,
              fmt::format("{}: this is neither a folder of images nor an idx, CIFAR-10, npz or csv "
                          "file; choose one of these, or name its kind as in idx:FILE",
                          path));
}

}  // namespace

const std::vector<std::string>& datasetSchemes() {
  static const std::vector<std::string> schemes{"idx", "cifar10", "folder",
                                                "npz", "csv",     "synthetic"};
  return schemes;
}

std::vector<std::string> extraKeysOf(const std::string& scheme) {
  if (scheme == "folder") {
    return {"labels"};
  }
  if (scheme == "npz") {
    return {"split"};
  }
  if (scheme == "synthetic") {
    return {"n", "seed", "noise", "blobs", "characters"};
  }
  if (scheme.empty()) {
    return {"labels", "split", "n", "seed", "noise", "blobs", "characters"};
  }
  return {};
}

Expected<DatasetSpec> resolveScheme(DatasetSpec spec) {
  if (!spec.scheme.empty()) {
    return spec;
  }
  std::error_code error;
  const fs::file_status status = fs::status(spec.location, error);
  const std::string first_path = spec.location.substr(0, spec.location.find(','));
  if (fs::is_directory(status)) {
    spec.scheme = "folder";
  } else if (fs::is_regular_file(status)) {
    Expected<std::string> scheme = schemeOfFile(spec.location);
    if (!scheme) {
      return failWith(scheme);
    }
    spec.scheme = std::move(*scheme);
  } else if (fs::is_regular_file(first_path, error)) {
    spec.scheme = isCifarBatch(first_path) ? "cifar10" : "idx";
  } else {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: there is no such file or folder; check the path", spec.location));
  }
  const std::vector<std::string> known = extraKeysOf(spec.scheme);
  for (const auto& [key, value] : spec.extra) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: the option '{}' is not known for {} datasets; leave it out",
                              spec.location, key, spec.scheme));
    }
  }
  return spec;
}

}  // namespace dubito
