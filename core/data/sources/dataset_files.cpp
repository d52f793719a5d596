// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/dataset_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/data/sources/dataset_kinds.h"
#include "core/data/sources/dataset_source.h"

namespace dubito {
namespace {

/// The kind, detected if the text does not name it; null if the path is missing or not recognised.
const DatasetKind* kindOf(const DatasetSpec& spec) {
  const Expected<DatasetSpec> resolved = resolveScheme(spec);
  return findDatasetKind(resolved ? resolved->scheme : spec.scheme);
}

}  // namespace

Expected<std::vector<std::string>> datasetFiles(const std::string& specification) {
  const Expected<DatasetSpec> spec = parseDatasetSpec(specification);
  if (!spec) {
    return failWith(spec);
  }
  const DatasetKind* const kind = kindOf(*spec);
  return kind != nullptr ? kind->files(spec->location) : std::vector<std::string>{spec->location};
}

std::vector<std::string> datasetPlaces(const std::string& specification) {
  Expected<std::vector<std::string>> places = datasetFiles(specification);
  if (!places) {
    return {};
  }
  for (const SourcePart& part : sourceParts(specification)) {
    places->push_back(part.key);
  }
  return *std::move(places);
}

Expected<std::string> withDatasetFiles(const std::string& specification,
                                       const std::vector<std::string>& files) {
  Expected<DatasetSpec> spec = parseDatasetSpec(specification);
  if (!spec) {
    return failWith(spec);
  }
  const DatasetKind* const kind = findDatasetKind(spec->scheme);
  const bool generated = kind != nullptr && kind->files(spec->location).empty();
  if (generated != files.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: {} files do not fit this dataset; specify it again", specification,
                            files.size()));
  }
  if (!files.empty()) {
    spec->location = fmt::format("{}", fmt::join(files, ","));
  }
  return toString(*spec);
}

}  // namespace dubito
