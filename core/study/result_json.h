// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

/// The results of `what` ("labelling") in the content of the file `source`: `read` makes one of
/// each element. kMalformed, naming the file, if it throws an exception of nlohmann::json or
/// std::invalid_argument.
template <class Result>
[[nodiscard]] Expected<std::vector<Result>> resultsFromJson(const nlohmann::json& array,
                                                            const std::string& what,
                                                            const std::string& source,
                                                            Result (*read)(const nlohmann::json&)) {
  const auto malformed = [&] {
    return fail(ErrorCode::kMalformed,
                source + ": is not a result of " + what + "; remove it to compute it again");
  };
  std::vector<Result> results;
  try {
    for (const nlohmann::json& object : array) {
      results.push_back(read(object));
    }
  } catch (const nlohmann::json::exception&) {
    return malformed();
  } catch (const std::invalid_argument&) {
    return malformed();
  }
  return results;
}

}  // namespace dubito
