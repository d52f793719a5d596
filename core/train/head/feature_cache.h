// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/io/row_buffer.h"

namespace dubito {

/// Features of items under one network, as kept on the disk.
struct KeptFeatures {
  std::vector<std::int64_t> ids;     ///< [N]
  std::vector<std::int64_t> stamps;  ///< [N] see ItemStamps
  Array<float> features;             ///< [N, Q]; empty: none are kept
};

/// A row of features that is to be kept.
struct FeatureRow {
  std::int64_t id = 0;
  std::int64_t stamp = 0;
  const float* values = nullptr;  ///< [Q]
};

/// The folder for features of this user: dubito/features in $XDG_CACHE_HOME, by default ~/.cache;
/// empty if there is no home.
[[nodiscard]] std::string usualFeatureFolder();

/// A folder of features, one file per network and data: features-HASH.npz. When the files together
/// exceed `max_bytes`, those used longest ago are removed. Files are written atomically; what is
/// damaged or cannot be written is a note, never an error.
class FeatureCache {
 public:
  FeatureCache(std::string folder, std::int64_t max_bytes)
      : folder_(std::move(folder)), max_bytes_(max_bytes) {}

  /// `key` identifies network and data; `width` is Q. The features are copied to `place`, because
  /// the file may be replaced while they are used.
  [[nodiscard]] KeptFeatures read(const std::string& key, std::int64_t width,
                                  const RowPlace& place = {});
  /// Replaces what is kept under `key` by `rows` of `width` features each.
  void write(const std::string& key, std::int64_t width, std::span<const FeatureRow> rows);

  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  [[nodiscard]] std::string pathOf(const std::string& key) const;

 private:
  void removeOld(const std::string& newest);

  std::string folder_;
  std::int64_t max_bytes_;
  std::vector<std::string> notes_;
};

}  // namespace dubito
