// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"

namespace dubito {

/// Where the rows of a RowBuffer are collected.
struct RowPlace {
  /// Larger arrays go to a file; 0: none do.
  std::int64_t max_memory_bytes = 0;
  /// Folder of the files; empty: the system's folder for temporary files.
  std::string folder = {};
};

/// Collects the rows of an array [rows, width] one after another, in memory or, if they are too
/// many, in a file without a name, which the array then maps and which is gone when the array is.
class RowBuffer {
 public:
  /// `rows`: as many as there may be. kWriteFailed if the file cannot be created.
  [[nodiscard]] static Expected<RowBuffer> create(std::int64_t rows, std::int64_t width,
                                                  const RowPlace& place);
  RowBuffer(RowBuffer&& other) noexcept;
  RowBuffer& operator=(RowBuffer&& other) noexcept;
  RowBuffer(const RowBuffer&) = delete;
  RowBuffer& operator=(const RowBuffer&) = delete;
  ~RowBuffer();

  /// Appends whole rows. kWriteFailed, with the reason, if the disk is full.
  [[nodiscard]] Status append(std::span<const float> rows);
  [[nodiscard]] bool isInFile() const { return file_ >= 0; }
  /// All rows so far; call once, at the end.
  [[nodiscard]] Expected<Array<float>> finish();

 private:
  explicit RowBuffer(std::int64_t width) : width_(width) {}
  [[nodiscard]] Status flush();

  std::int64_t width_;
  std::int64_t rows_ = 0;
  std::vector<float> values_;  ///< all of them, or those not yet written
  int file_ = -1;
  std::string folder_;
};

}  // namespace dubito
