// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"

namespace dubito {

inline constexpr std::int64_t kMebibyte = std::int64_t{1} << 20;

/// A size for display, in decimal units with at most three significant digits: "1.3 GB", "840 MB".
[[nodiscard]] std::string bytesText(double bytes);
/// Parses a size such as "4G", "800 MB" or "1.5 GiB" and returns it in bytes. K, M, G and T are
/// powers of 1000; KiB, MiB, GiB and TiB are powers of 1024. kInvalidArgument for other text and
/// for sizes below 1 MB or above a million TB.
[[nodiscard]] Expected<std::int64_t> parseBytes(const std::string& text);

/// Bytes that this process can still allocate without swapping: the smaller of the system's
/// available memory and the memory left in the process's control group (container). 0 if unknown.
/// `root` is the folder that contains proc and sys.
[[nodiscard]] std::int64_t availableMemory(const std::string& root = "/");
/// Physical memory in use by this process, in bytes; 0 if unknown.
[[nodiscard]] std::int64_t residentMemory();

/// How much memory a computation may use.
struct MemoryOptions {
  /// A size for parseBytes, or "auto": the fraction kShareOfAvailable of the available memory.
  std::string memory = "auto";

  static constexpr double kShareOfAvailable = 0.6;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
  /// The value of RunContext::memory_budget_bytes for a computation that starts now. Call only
  /// after a successful check().
  [[nodiscard]] std::int64_t budget() const;
};

}  // namespace dubito
