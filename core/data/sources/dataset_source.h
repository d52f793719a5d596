// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace dubito {

/// A file, folder or generator that items come from. Its items have consecutive ids, or ids that
/// are the same in every dataset that contains them.
struct SourcePart {
  std::string key;            ///< the same for the same items, however the specification is written
  std::int64_t first_id = 0;  ///< id of its first item in the dataset
  std::int64_t items = std::numeric_limits<std::int64_t>::max();
};

/// The parts of the underlying data that a specification opens, in order, regardless of its items,
/// classes, role, labels and name. Existing files are inspected if the text is not sufficient. A
/// specification that cannot be parsed gives one part, with the text as its key.
[[nodiscard]] std::vector<SourcePart> sourceParts(const std::string& spec);

/// The absolute path of `path`, for keys of parts; unchanged if it cannot be resolved.
[[nodiscard]] std::string canonicalPath(const std::string& path);

}  // namespace dubito
