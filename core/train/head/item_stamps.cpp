// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/head/item_stamps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <bit>
#include <filesystem>

#include "core/base/splitmix64.h"
#include "core/data/sources/dataset_kinds.h"
#include "core/data/sources/dataset_source.h"
#include "core/data/sources/wrapped_spec.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

/// Hash of size and time of a file, continuing `state`; nothing if it is none.
std::optional<std::uint64_t> fileStamp(const std::string& path, std::uint64_t state) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return std::nullopt;
  }
  for (const std::int64_t number :
       {std::int64_t{status.st_size}, std::int64_t{status.st_mtim.tv_sec},
        std::int64_t{status.st_mtim.tv_nsec}}) {
    state = splitmix64(state ^ static_cast<std::uint64_t>(number));
  }
  return state;
}

/// The specification of the underlying data, with absolute paths, and all corruptions on the way.
std::optional<DatasetSpec> underlyingSpec(const std::string& text, std::string& corruptions) {
  auto chain = parseDatasetSpec(text).and_then(resolveScheme).and_then(wrappedSpecs);
  if (!chain || chain->empty()) {
    return std::nullopt;
  }
  for (const DatasetSpec& spec : *chain) {
    if (spec.corruption) {
      corruptions += "," + toString(*spec.corruption);
    }
  }
  DatasetSpec& inner = chain->back();
  inner = findDatasetKind(inner.scheme)->independentOfRole(std::move(inner));
  inner.items.reset();
  inner.classes.clear();
  inner.role.reset();
  inner.corruption.reset();
  inner.name.reset();
  return inner;
}

}  // namespace

std::optional<ItemStamps> itemStamps(const Dataset& dataset, const RunContext& context) {
  std::string corruptions;
  auto spec = underlyingSpec(dataset.info().spec, corruptions);
  if (!spec) {
    return std::nullopt;
  }
  std::vector<std::string> files = findDatasetKind(spec->scheme)->files(spec->location);
  std::uint64_t all = 0;
  for (std::string& file : files) {
    all = fileStamp(file, all).value_or(all);
    file = canonicalPath(file);
  }
  fs::path folder;
  if (!files.empty()) {
    std::error_code ignored;
    folder = fs::is_directory(files.front(), ignored) ? fs::path(files.front())
                                                      : fs::path(files.front()).parent_path();
    spec->location = fmt::format("{}", fmt::join(files, ","));
  }
  ItemStamps result{toString(*spec) + corruptions,
                    std::vector<std::int64_t>(static_cast<std::size_t>(dataset.size()))};
  constexpr std::int64_t kGrain = 1024;
  context.parallelFor(dataset.size(), kGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const auto own = folder.empty() ? std::optional<std::uint64_t>()
                                      : fileStamp(folder / dataset.itemName(i), 1);
      result.stamps[static_cast<std::size_t>(i)] = std::bit_cast<std::int64_t>(own.value_or(all));
    }
  });
  return result;
}

}  // namespace dubito
