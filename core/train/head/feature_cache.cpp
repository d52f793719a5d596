// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/head/feature_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "core/base/memory_budget.h"
#include "core/io/make_folder.h"
#include "core/io/npy.h"
#include "core/io/npz_file.h"
#include "core/io/npz_writer.h"
#include "core/kernels/number_hash.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "dubito features 1";

std::string environmentText(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): never changed
  return value == nullptr ? std::string() : value;
}

template <class T>
Expected<Array<T>> readArray(const NpzFile& file, const std::string& name) {
  auto array = file.read(name);
  if (!array) {
    return failWith(array);
  }
  auto* const typed = std::get_if<Array<T>>(&*array);
  return typed == nullptr ? fail(ErrorCode::kMalformed, name + " has another type")
                          : Expected<Array<T>>(std::move(*typed));
}

template <class T>
std::vector<T> copied(const Array<T>& array) {
  return {array.values().begin(), array.values().end()};
}

/// No features if the file belongs to another key.
Expected<KeptFeatures> readKept(const std::string& path, const std::string& key, std::int64_t width,
                                const RowPlace& place) {
  const auto file = NpzFile::open(path);
  if (!file) {
    return failWith(file);
  }
  const auto meta = file->readText("meta");
  if (!meta) {
    return failWith(meta);
  }
  if (*meta != std::string(kFormat) + "\n" + key) {
    return KeptFeatures();
  }
  const auto ids = readArray<std::int64_t>(*file, "ids");
  const auto stamps = readArray<std::int64_t>(*file, "stamps");
  const auto features = readArray<float>(*file, "features");
  if (!ids || !stamps || !features) {
    return tl::unexpected<Error>(!ids ? ids.error() : !stamps ? stamps.error() : features.error());
  }
  if (features->rank() != 2 || features->extent(1) != width || ids->size() != features->extent(0) ||
      stamps->size() != features->extent(0)) {
    return fail(ErrorCode::kMalformed, "its arrays do not fit together");
  }
  auto rows = RowBuffer::create(features->extent(0), width, place);
  for (std::int64_t row = 0; rows && row < features->extent(0); ++row) {
    if (Status added = rows->append(features->row(row)); !added) {
      return failWith(added);
    }
  }
  auto values = rows ? rows->finish() : failWith(rows);
  if (!values) {
    return failWith(values);
  }
  return KeptFeatures{copied(*ids), copied(*stamps), *std::move(values)};
}

}  // namespace

std::string usualFeatureFolder() {
  const std::string cache = environmentText("XDG_CACHE_HOME");
  if (!cache.empty() && cache.front() == '/') {
    return cache + "/dubito/features";
  }
  const std::string home = environmentText("HOME");
  return home.empty() ? std::string() : home + "/.cache/dubito/features";
}

std::string FeatureCache::pathOf(const std::string& key) const {
  NumberHash hash;
  hash.add(key);
  return fmt::format("{}/features-{}.npz", folder_, hash.hex());
}

KeptFeatures FeatureCache::read(const std::string& key, std::int64_t width, const RowPlace& place) {
  const std::string path = pathOf(key);
  std::error_code error;
  if (!fs::exists(path, error)) {
    return {};
  }
  Expected<KeptFeatures> kept = readKept(path, key, width, place);
  if (!kept) {
    notes_.push_back(fmt::format("{}: is damaged ({}); the features are computed again", path,
                                 kept.error().message));
    return {};
  }
  fs::last_write_time(path, fs::file_time_type::clock::now(), error);  // used last
  return *std::move(kept);
}

void FeatureCache::write(const std::string& key, std::int64_t width,
                         std::span<const FeatureRow> rows) {
  const auto count = static_cast<std::int64_t>(rows.size());
  const std::int64_t bytes = count * width * static_cast<std::int64_t>(sizeof(float));
  if (bytes > max_bytes_) {
    notes_.push_back(
        fmt::format("the features take {} and are not kept; a larger feature cache keeps them",
                    bytesText(static_cast<double>(bytes))));
    return;
  }
  const std::string path = pathOf(key);
  const Status written = [&]() -> Status {
    if (Status made = makeFolder(folder_); !made) {
      return made;
    }
    auto writer = NpzWriter::create(path);
    if (!writer) {
      return failWith(writer);
    }
    std::vector<std::int64_t> ids;
    std::vector<std::int64_t> stamps;
    for (const FeatureRow& row : rows) {
      ids.push_back(row.id);
      stamps.push_back(row.stamp);
    }
    for (const auto& [name, values] : {std::pair{"ids", &ids}, {"stamps", &stamps}}) {
      if (Status added = writer->add(name, Array<std::int64_t>::fromVector({count}, *values));
          !added) {
        return added;
      }
    }
    const auto produce = [&](const NpzWriter::Append& append) -> Status {
      for (const FeatureRow& row : rows) {
        const auto* const begin = reinterpret_cast<const std::byte*>(row.values);
        if (Status added = append({begin, static_cast<std::size_t>(width) * sizeof(float)});
            !added) {
          return added;
        }
      }
      return {};
    };
    if (Status added = writer->addStreamed("features", npyDescr<float>(), {count, width},
                                           sizeof(float), produce);
        !added) {
      return added;
    }
    if (Status added = writer->addText("meta", std::string(kFormat) + "\n" + key); !added) {
      return added;
    }
    return writer->commit();
  }();
  if (!written) {
    notes_.push_back(fmt::format("the features are not kept ({})", written.error().message));
    return;
  }
  removeOld(path);
}

void FeatureCache::removeOld(const std::string& newest) {
  struct File {
    fs::path path;
    fs::file_time_type time;
    std::int64_t bytes;
  };
  std::vector<File> files;
  std::int64_t total = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with("features-") || !name.ends_with(".npz")) {
      continue;
    }
    const auto bytes = static_cast<std::int64_t>(entry.file_size(error));
    const auto time = entry.last_write_time(error);
    if (!error) {
      total += bytes;
      files.push_back({entry.path(), time, bytes});
    }
  }
  std::ranges::sort(files, {}, &File::time);
  for (const File& file : files) {
    if (total <= max_bytes_) {
      return;
    }
    if (file.path != newest && fs::remove(file.path, error)) {
      total -= file.bytes;
    }
  }
}

}  // namespace dubito
