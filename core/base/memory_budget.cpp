// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/memory_budget.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

namespace dubito {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAutomatic = "auto";
constexpr std::int64_t kSmallestBudget = 1'000'000;

/// The first number in a file; nothing if it begins with a word ("max").
std::optional<std::int64_t> numberIn(const fs::path& path) {
  std::ifstream file(path);
  std::int64_t number = 0;
  return file >> number ? std::optional(number) : std::nullopt;
}

/// The number after `key` in a file with lines "key number" or "key: number kB".
std::optional<std::int64_t> numberOf(const fs::path& path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    std::int64_t number = 0;
    if (words >> name >> number && (name == key || name == key + ":")) {
      return number;
    }
  }
  return std::nullopt;
}

/// Memory left in a control group: its limit minus its use, not counting caches that can be
/// dropped.
std::optional<std::int64_t> leftIn(const fs::path& folder, const char* limit_name,
                                   const char* use_name, const char* cache_key) {
  const auto limit = numberIn(folder / limit_name);
  const auto used = numberIn(folder / use_name);
  if (!limit || !used) {
    return std::nullopt;
  }
  const std::int64_t cache = numberOf(folder / "memory.stat", cache_key).value_or(0);
  return std::max<std::int64_t>(0, *limit - *used + cache);
}

/// The smallest amount left in any control group of this process.
std::optional<std::int64_t> leftInControlGroups(const fs::path& root) {
  std::optional<std::int64_t> least;
  const auto take = [&least](const std::optional<std::int64_t>& left) {
    if (left) {
      least = std::min(*left, least.value_or(*left));
    }
  };
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    // "0::/path" for version 2, "5:memory:/path" for version 1.
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) {
      continue;
    }
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool is_v2 = controllers.empty();
    if (!is_v2 && controllers.find("memory") == std::string::npos) {
      continue;
    }
    const fs::path mount = root / (is_v2 ? "sys/fs/cgroup" : "sys/fs/cgroup/memory");
    // In a container the path is often the host's, and the mount is already this group.
    fs::path group = fs::path(line.substr(second + 1)).relative_path();
    for (;; group = group.parent_path()) {
      take(is_v2 ? leftIn(mount / group, "memory.max", "memory.current", "inactive_file")
                 : leftIn(mount / group, "memory.limit_in_bytes", "memory.usage_in_bytes",
                          "total_inactive_file"));
      if (group.empty()) {
        break;
      }
    }
  }
  return least;
}

}  // namespace

std::string bytesText(double bytes) {
  constexpr std::array<const char*, 6> kUnits = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  // 999.6 would read "1e+03".
  while (bytes >= 999.5 && unit + 1 < kUnits.size()) {
    bytes /= 1000.0;
    ++unit;
  }
  return fmt::format("{:.{}g} {}", bytes, 3, kUnits[unit]);
}

Expected<std::int64_t> parseBytes(const std::string& text) {
  const auto wrong = [&text](const char* why) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'{}' {}; write a number with a unit, such as 4G or 800M", text, why));
  };
  double number = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{}) {
    return wrong("is not a size");
  }
  std::string unit;
  std::copy_if(stopped, end, std::back_inserter(unit), [](char c) { return c != ' '; });
  std::ranges::transform(unit, unit.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  constexpr std::string_view kPrefixes = "KMGT";
  const auto power = unit.empty() ? std::string_view::npos : kPrefixes.find(unit[0]);
  const std::string rest = unit.empty() ? "" : unit.substr(1);
  const bool is_binary = rest == "IB";
  if (power == std::string_view::npos || !(rest.empty() || rest == "B" || is_binary)) {
    return wrong("does not have a unit of memory");
  }
  for (std::size_t i = 0; i <= power; ++i) {
    number *= is_binary ? 1024.0 : 1000.0;
  }
  if (!(number >= static_cast<double>(kSmallestBudget)) || number > 1e18) {
    return wrong("is not between 1 MB and a million TB");
  }
  return static_cast<std::int64_t>(number);
}

std::int64_t availableMemory(const std::string& root) {
  constexpr std::int64_t kBytesPerKb = 1024;
  const auto available = numberOf(fs::path(root) / "proc/meminfo", "MemAvailable");
  const auto left = leftInControlGroups(root);
  if (!available) {
    return left.value_or(0);
  }
  return std::min(*available * kBytesPerKb, left.value_or(*available * kBytesPerKb));
}

std::int64_t residentMemory() {
  std::ifstream file("/proc/self/statm");
  std::int64_t total = 0;
  std::int64_t resident = 0;
  return file >> total >> resident ? resident * sysconf(_SC_PAGESIZE) : 0;
}

std::vector<Field> MemoryOptions::fields() {
  return {{{.name = "memory",
            .label = "Memory",
            .help = "maximum memory for batches and results, such as 4G; auto: 60 % of the free "
                    "memory"},
           &memory}};
}

Status MemoryOptions::check() const {
  if (memory == kAutomatic) {
    return {};
  }
  const auto bytes = parseBytes(memory);
  return bytes ? Status()
               : Status(fail(ErrorCode::kInvalidArgument,
                             fmt::format("Memory: {}, or auto", bytes.error().message),
                             {setting("memory")}));
}

std::int64_t MemoryOptions::budget() const {
  if (memory != kAutomatic) {
    return parseBytes(memory).value_or(0);
  }
  const auto available = static_cast<double>(availableMemory());
  // 0 would mean no limit.
  return available > 0.0
             ? std::max(kSmallestBudget, static_cast<std::int64_t>(kShareOfAvailable * available))
             : 0;
}

}  // namespace dubito
