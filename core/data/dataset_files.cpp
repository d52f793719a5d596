// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/dataset_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/data/dataset_spec.h"
#include "core/data/openers.h"

namespace dubito {
namespace {

/// IMAGES and LABELS of idx, where both are named.
std::vector<std::string> filesOfIdx(const std::string& location) {
  const std::string images = imagesOfIdx(location);
  if (images.size() == location.size()) {
    return {images};
  }
  return {images, location.substr(images.size() + 1)};
}

/// The kind, found out where the text does not say it; of what is not there it stays open.
std::string schemeOf(const DatasetSpec& spec) {
  const Expected<DatasetSpec> resolved = resolveScheme(spec);
  return resolved ? resolved->scheme : spec.scheme;
}

}  // namespace

Expected<std::vector<std::string>> datasetFiles(const std::string& specification) {
  const Expected<DatasetSpec> spec = parseDatasetSpec(specification);
  if (!spec) {
    return failWith(spec);
  }
  const std::string scheme = schemeOf(*spec);
  if (scheme == "synthetic") {
    return std::vector<std::string>();
  }
  if (scheme == "idx") {
    return filesOfIdx(spec->location);
  }
  if (scheme == "cifar10") {
    return filesOfCifar10(spec->location);
  }
  return std::vector<std::string>{spec->location};
}

Expected<std::string> withDatasetFiles(const std::string& specification,
                                       const std::vector<std::string>& files) {
  Expected<DatasetSpec> spec = parseDatasetSpec(specification);
  if (!spec) {
    return failWith(spec);
  }
  if ((spec->scheme == "synthetic") != files.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: {} files cannot be those of this dataset; name it anew",
                            specification, files.size()));
  }
  if (!files.empty()) {
    spec->location = fmt::format("{}", fmt::join(files, ","));
  }
  return toString(*spec);
}

}  // namespace dubito
