// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/dataset_source.h"

#include <filesystem>

#include "core/data/sources/dataset_kinds.h"
#include "core/data/sources/idx_dataset.h"

namespace dubito {

std::string canonicalPath(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path result = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path : result.string();
}

std::vector<SourcePart> sourceParts(const std::string& text) {
  const auto spec = parseDatasetSpec(text);
  if (!spec) {
    return {{text}};
  }
  // Without a scheme it is a file of predictions, optionally with labels, written like idx images
  // and labels.
  const DatasetKind* const kind = findDatasetKind(spec->scheme);
  return kind != nullptr ? kind->parts(*spec) : idxKind()->parts(*spec);
}

}  // namespace dubito
