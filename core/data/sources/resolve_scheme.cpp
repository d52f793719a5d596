// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "core/base/regular_file.h"
#include "core/data/sources/dataset_kinds.h"

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

/// The contents of `location`: a folder, a file, or several files joined by commas. Absent if there
/// is nothing.
std::optional<PathToRecognise> inspectPath(const std::string& location) {
  std::error_code error;
  const fs::file_status status = fs::status(location, error);
  if (fs::is_directory(status)) {
    return PathToRecognise{.path = location, .is_folder = true, .first_bytes = {}};
  }
  const bool is_file = fs::is_regular_file(status);
  const std::string first = is_file ? location : location.substr(0, location.find(','));
  if (!is_file && !fs::is_regular_file(first, error)) {
    return std::nullopt;
  }
  return PathToRecognise{.path = first, .is_list = !is_file, .first_bytes = firstBytes(first)};
}

Expected<std::string> schemeOf(const PathToRecognise& path) {
  std::optional<Error> reason;
  const DatasetKind* surest = nullptr;
  MatchConfidence best = MatchConfidence::kNone;
  for (const auto& kind : allDatasetKinds()) {
    const Expected<MatchConfidence> likeness = kind->recognise(path);
    if (!likeness) {
      reason = reason.value_or(likeness.error());
    } else if (*likeness > best) {
      best = *likeness;
      surest = kind.get();
    }
  }
  if (surest != nullptr) {
    return surest->scheme();
  }
  if (reason) {
    return tl::unexpected<Error>(*reason);
  }
  std::vector<std::string> known;
  for (const auto& kind : allDatasetKinds()) {
    if (!kind->files(path.path).empty()) {
      known.push_back(kind->label());
    }
  }
  return fail(ErrorCode::kUnsupported,
              fmt::format("{}: not recognised as a dataset ({}); choose one of these, or name its "
                          "kind as in idx:FILE",
                          path.path, fmt::join(known, ", ")));
}

}  // namespace

Expected<DatasetSpec> resolveScheme(DatasetSpec spec) {
  if (!spec.scheme.empty()) {
    return spec;
  }
  const std::optional<PathToRecognise> path = inspectPath(spec.location);
  if (!path) {
    if (Status is_file = checkRegularFile(spec.location); !is_file) {
      return failWith(is_file);
    }
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: there is no such file or folder; check the path", spec.location));
  }
  Expected<std::string> scheme = schemeOf(*path);
  if (!scheme) {
    return failWith(scheme);
  }
  spec.scheme = *std::move(scheme);
  const std::vector<DatasetOption> known = datasetOptions(spec.scheme);
  for (const auto& entry : spec.extra) {
    const std::string& key = entry.first;
    const bool is_known = std::ranges::any_of(
        known, [&key](const DatasetOption& option) { return option.info.name == key; });
    if (!is_known) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: the option '{}' does not exist for {} datasets; remove it",
                              spec.location, key, spec.scheme));
    }
  }
  return spec;
}

}  // namespace dubito
