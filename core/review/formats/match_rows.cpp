// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/match_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "core/base/lower_case.h"
#include "core/review/formats/image_url.h"
#include "core/review/formats/place_head.h"

namespace dubito {
namespace {

constexpr std::size_t kSeveralItems = static_cast<std::size_t>(-1);

std::string baseName(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));  // npos + 1 is 0
}

/// Without drive, root, "." and leading "..", with '/' as separator.
std::string comparablePath(std::string path) {
  std::ranges::replace(path, '\\', '/');
  if (path.size() > 1 && path[1] == ':') {
    path.erase(0, 2);
  }
  path = std::filesystem::path(path).lexically_normal().generic_string();
  std::string_view rest = path;
  for (;;) {
    if (rest.starts_with('/')) {
      rest.remove_prefix(1);
    } else if (rest.starts_with("../")) {
      rest.remove_prefix(3);
    } else {
      return std::string(rest);
    }
  }
}

/// "a/1.JPG" as "a/1.jpg".
std::string withLowerEnding(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  const std::size_t start = path.rfind('/') + 1;  // npos + 1 is 0
  return dot == std::string::npos || dot < start
             ? path
             : path.substr(0, dot) + lowerCase(path.substr(dot));
}

/// "a/1.png" as "a/1"; other endings stay.
std::string withoutImageEnding(const std::string& path) {
  return hasImageEnding(path) ? path.substr(0, path.rfind('.')) : path;
}

/// The names of the items, to look up.
class ItemNames {
 public:
  ItemNames(std::span<const std::int64_t> ids, std::span<const std::string> names) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      by_id_.emplace(ids[i], i);
      insert(whole_, names[i], i);
      const std::string comparable = comparablePath(names[i]);
      insert(comparable_, comparable, i);
      for (std::string_view ending = comparable;;) {
        insert(endings_, std::string(ending), i);
        const std::size_t slash = ending.find('/');
        if (slash == std::string_view::npos) {
          break;
        }
        ending.remove_prefix(slash + 1);
      }
    }
  }

  /// Position of the item; nothing if there is none.
  [[nodiscard]] std::optional<std::size_t> ofId(std::int64_t id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? std::nullopt : std::optional(found->second);
  }
  /// The item of exactly this name; kSeveralItems if it is ambiguous.
  [[nodiscard]] std::optional<std::size_t> ofName(const std::string& name) const {
    return find(whole_, name);
  }
  /// The item whose path is `path` apart from the notation, or has it as its ending; else the one
  /// with the longest path that is an ending of `path`.
  [[nodiscard]] std::optional<std::size_t> ofPath(const std::string& path) const {
    if (const auto found = find(comparable_, path)) {
      return found;
    }
    const bool has_folder = path.find('/') != std::string::npos;
    if (const auto found = find(endings_, path); found && has_folder) {
      return found;
    }
    for (std::size_t slash = path.find('/'); slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
      if (const auto found = find(comparable_, path.substr(slash + 1))) {
        return found;
      }
    }
    return std::nullopt;
  }
  [[nodiscard]] std::optional<std::size_t> ofBaseName(const std::string& base) const {
    return find(endings_, base);
  }

 private:
  using Positions = std::unordered_map<std::string, std::size_t>;

  static void insert(Positions& positions, std::string key, std::size_t position) {
    const auto [found, is_new] = positions.emplace(std::move(key), position);
    if (!is_new && found->second != position) {
      found->second = kSeveralItems;
    }
  }
  static std::optional<std::size_t> find(const Positions& positions, const std::string& key) {
    const auto found = positions.find(key);
    return key.empty() || found == positions.end() ? std::nullopt : std::optional(found->second);
  }

  std::unordered_map<std::int64_t, std::size_t> by_id_;
  Positions whole_;
  Positions comparable_;
  Positions endings_;
};

/// Matches row by row.
class RowMatcher {
 public:
  RowMatcher(std::span<const std::int64_t> ids, std::span<const std::string> names)
      : ids_(ids), names_(names), items_(ids, names) {}

  void add(const LabelRow& row) {
    const std::optional<std::size_t> position = positionOf(row);
    const bool matched = position && *position != kSeveralItems;
    result_.items.push_back(matched ? std::optional(ids_[*position]) : std::nullopt);
    if (!row.present) {
      return;
    }
    if (!position) {
      result_.unmatched.push_back(itemText(row));
    } else if (!matched) {
      result_.ambiguous.push_back(itemText(row));
    } else {
      ++*counted_;
    }
  }

  RowMatches finish() { return std::move(result_); }

 private:
  std::optional<std::size_t> positionOf(const LabelRow& row) {
    counted_ = &result_.by_id;
    if (const auto found = row.item ? items_.ofId(*row.item) : std::nullopt) {
      const std::string& name = names_[*found];
      // Items of arrays have no file names.
      const bool nameless = name.empty() || name.front() == '#' || row.path.empty();
      if (nameless || baseName(comparablePath(row.path)) == baseName(comparablePath(name))) {
        return found;
      }
      if (row.present) {
        result_.contradicting.push_back(fmt::format("{}: {}", *row.item, row.path));
      }
    }
    const std::string url_path = pathOfImageUrl(row.path);
    if (const auto found = positionOfPaths(items_, url_path, row.second_path)) {
      return found;
    }
    const std::string path = plainImagePath(row.path);
    const std::string second_path = plainImagePath(row.second_path);
    if (path != url_path || second_path != row.second_path) {
      if (const auto found = positionOfPaths(items_, path, second_path)) {
        return found;
      }
    }
    if (const auto found = positionOfPaths(itemsNamed(items_of_lower_endings_, withLowerEnding),
                                           withLowerEnding(path), withLowerEnding(second_path))) {
      return found;
    }
    // Text files per image and many tables name images without their ending.
    const std::string& named = path.empty() ? second_path : path;
    return named.empty() || hasImageEnding(named)
               ? std::nullopt
               : positionOfPaths(itemsNamed(items_without_endings_, withoutImageEnding), named,
                                 second_path);
  }

  /// The items under changed names. Built when the first row needs it.
  const ItemNames& itemsNamed(std::optional<ItemNames>& items,
                              std::string (*change)(const std::string& name)) {
    if (!items) {
      std::vector<std::string> changed;
      changed.reserve(names_.size());
      for (const std::string& name : names_) {
        changed.push_back(change(name));
      }
      items.emplace(ids_, changed);
    }
    return *items;
  }

  /// By path, then by file name; kSeveralItems if that is ambiguous.
  std::optional<std::size_t> positionOfPaths(const ItemNames& items, const std::string& first,
                                             const std::string& second) {
    counted_ = &result_.by_path;
    for (const std::string* const path : {&first, &second}) {
      if (const auto found = items.ofName(*path)) {
        return found;
      }
    }
    std::optional<std::size_t> several;
    for (const std::string& path : {comparablePath(first), comparablePath(second)}) {
      const auto found = items.ofPath(path);
      if (found && *found != kSeveralItems) {
        return found;
      }
      several = found ? found : several;
    }
    if (several) {
      return several;
    }
    counted_ = &result_.by_name;
    return items.ofBaseName(baseName(comparablePath(first)));
  }

  std::span<const std::int64_t> ids_;
  std::span<const std::string> names_;
  ItemNames items_;
  std::optional<ItemNames> items_of_lower_endings_;
  std::optional<ItemNames> items_without_endings_;
  RowMatches result_;
  std::int64_t* counted_ = nullptr;  ///< of the way in which the last row was matched
};

}  // namespace

std::vector<LabelNote> RowMatches::notes() const {
  std::vector<LabelNote> notes;
  addNote(notes, "labels of items that the dataset does not have", unmatched);
  addNote(notes, "labels that fit several items, not used", ambiguous);
  addNote(notes, "ids that belong to items of other names, matched by path instead", contradicting);
  return notes;
}

Expected<FilesOfHashes> findByHash(std::span<const std::string> hashes, std::size_t count,
                                   const std::function<std::string(std::size_t file)>& hash_of,
                                   RunContext& context) {
  FilesOfHashes result{std::vector<std::optional<std::size_t>>(hashes.size()),
                       std::vector<bool>(hashes.size(), false)};
  const auto is_of_file = [](const std::string& hash) { return hash.starts_with(kFileHash); };
  if (std::ranges::none_of(hashes, is_of_file)) {
    return result;
  }
  std::unordered_map<std::string, std::size_t> file_of_hash;
  for (std::size_t file = 0; file < count; ++file) {
    if (context.step("look for images", static_cast<std::int64_t>(file),
                     static_cast<std::int64_t>(count)) == Step::kCancel) {
      return cancelled();
    }
    const auto [known, is_new] = file_of_hash.emplace(hash_of(file), file);
    known->second = is_new ? file : kSeveralItems;
  }
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    const auto found = is_of_file(hashes[i]) ? file_of_hash.find(hashes[i]) : file_of_hash.end();
    result.several[i] = found != file_of_hash.end() && found->second == kSeveralItems;
    if (found != file_of_hash.end() && !result.several[i]) {
      result.files[i] = found->second;
    }
  }
  return result;
}

RowMatches matchRows(const LabelTable& table, std::span<const std::int64_t> ids,
                     std::span<const std::string> names) {
  if (ids.size() != names.size()) {
    throw std::invalid_argument("matchRows: a name for each item");
  }
  RowMatcher matcher(ids, names);
  for (const LabelRow& row : table.rows) {
    matcher.add(row);
  }
  return matcher.finish();
}

}  // namespace dubito
