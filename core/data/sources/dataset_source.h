// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace dubito {

/// A file, a folder or a generator that items come from; its items have consecutive ids, or ids
/// that hold in every dataset made of it.
struct SourcePart {
  std::string key;            ///< equal for the same items, however a specification words them
  std::int64_t first_id = 0;  ///< id of its first item within the dataset
  std::int64_t items = std::numeric_limits<std::int64_t>::max();
};

/// The parts of the underlying data that a specification opens, in their order, whatever items,
/// classes, role, labels and name it chooses. Files that are there are looked into where words do
/// not tell; what cannot be taken apart is one part with the text as its key.
[[nodiscard]] std::vector<SourcePart> sourceParts(const std::string& spec);

/// A path that leads to the same place from everywhere, for keys of parts; unchanged if it cannot
/// be resolved.
[[nodiscard]] std::string canonicalPath(const std::string& path);

}  // namespace dubito
