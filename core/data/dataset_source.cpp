// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/dataset_source.h"

#include <filesystem>

#include "core/data/dataset_spec.h"
#include "core/data/openers.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

/// A path that leads to the same place from everywhere.
std::string canonical(const std::string& path) {
  std::error_code error;
  const fs::path result = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path : result.string();
}

std::vector<SourcePart> partsOfCifar10(const std::string& location) {
  std::vector<SourcePart> parts;
  std::int64_t first_id = 0;
  for (const std::string& path : filesOfCifar10(location)) {
    const auto items = recordsOfCifar10(path);
    if (!items) {
      // Where a list cannot be cut, what is left of it is one part.
      parts.push_back({canonical(path), first_id});
      break;
    }
    parts.push_back({canonical(path), first_id, *items});
    first_id += *items;
  }
  return parts;
}

/// Where the file does not tell, by the words that choose its split.
std::string arrayOf(const DatasetSpec& spec) {
  if (const auto array = itemsArrayOf(spec)) {
    return *array;
  }
  if (const auto split = spec.extra.find("split"); split != spec.extra.end()) {
    return "x_" + split->second;
  }
  return spec.role == Role::kTrain || spec.role == Role::kCalibration ? "x_train" : "x_test";
}

std::string keyOf(const DatasetSpec& spec) {
  if (spec.scheme == "synthetic") {
    std::string key = "synthetic:" + spec.location;
    for (const auto& [name, value] : spec.extra) {
      // How many items there are does not change what the first of them is.
      key += name == "n" ? "" : "&" + name + "=" + value;
    }
    return key;
  }
  // Without a scheme it is a file of predictions, perhaps with its labels.
  if (spec.scheme == "idx" || spec.scheme.empty()) {
    return canonical(imagesOfIdx(spec.location));
  }
  if (spec.scheme == "npz") {
    return canonical(spec.location) + ":" + arrayOf(spec);
  }
  // The ids of images are hashes of their paths, from the folder or that of the table.
  const std::string path = canonical(spec.location);
  return spec.scheme == "csv" ? fs::path(path).parent_path().string() : path;
}

}  // namespace

std::vector<SourcePart> sourceParts(const std::string& text) {
  const auto spec = parseDatasetSpec(text);
  if (!spec) {
    return {{text}};
  }
  return spec->scheme == "cifar10" ? partsOfCifar10(spec->location)
                                   : std::vector<SourcePart>{{keyOf(*spec)}};
}

}  // namespace dubito
