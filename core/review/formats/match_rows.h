// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/review/formats/label_note.h"
#include "core/review/formats/label_table.h"

namespace dubito {

/// Which rows of an import belong to which items.
struct RowMatches {
  std::vector<std::optional<std::int64_t>> items;  ///< id of the item of each row, or none
  // The counts and notes are about present labels.
  std::int64_t by_id = 0;
  std::int64_t by_path = 0;
  std::int64_t by_name = 0;
  std::int64_t by_hash = 0;                     ///< findByHash()
  std::vector<std::string> unmatched = {};      ///< itemText() of the rows without a match
  std::vector<std::string> ambiguous = {};      ///< of the rows that fit several items
  std::vector<std::string> contradicting = {};  ///< ids whose items have other names

  /// Notes about the last three.
  [[nodiscard]] std::vector<LabelNote> notes() const;
};

/// Finds the items of the rows by, in this order: the id, unless its item has another file name;
/// the path; the path of which the other is the ending ("/data/a/1.png", "a/1.png"); the file name,
/// if only one item has it. URLs count as the path in them (pathOfImageUrl()). A path without
/// a match is tried once more as plainImagePath(), then with the ending in lower case ("1.JPG",
/// "1.jpg"), and, if it has no ending of images, as the name of an image without it ("a/1",
/// "a/1.png"). `ids` and `names` of the items have the same length, else std::invalid_argument is
/// thrown.
[[nodiscard]] RowMatches matchRows(const LabelTable& table, std::span<const std::int64_t> ids,
                                   std::span<const std::string> names);

/// The file of each hash among `count` files.
struct FilesOfHashes {
  std::vector<std::optional<std::size_t>> files;  ///< [number of hashes]
  std::vector<bool> several;                      ///< [number of hashes], whether several have it
};

/// Word before the hash of a file in LabelRow::content_hash.
inline constexpr std::string_view kFileHash = "file:";

/// Finds files by LabelRow::content_hash, where it is one of a file. `hash_of` returns the hash of
/// a file, with kFileHash, or "" if it cannot be read or is not to be found; it is only called if
/// there is something to find. kCancelled.
[[nodiscard]] Expected<FilesOfHashes> findByHash(
    std::span<const std::string> hashes, std::size_t count,
    const std::function<std::string(std::size_t file)>& hash_of, RunContext& context);

}  // namespace dubito
