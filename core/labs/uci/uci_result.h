// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/labs/uci/uci_methods.h"

namespace dubito {

/// What the results depend on besides set, method, split and seed.
struct UciOptions {
  /// Draws behind the scores of test items, >= 1.
  std::int64_t draws = 10000;
  /// Draws behind the scores of validation items, >= 1. The published code uses 10000 there too.
  std::int64_t validation_draws = 1000;
  /// Epochs of every training, >= 1; by default those of the method.
  std::optional<std::int64_t> epochs = std::nullopt;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const { return checkFieldsOf(*this); }
  bool operator==(const UciOptions&) const = default;
};

/// The result of one method on one split of one set.
struct UciResult {
  std::string set;     ///< key of uciSets()
  std::string method;  ///< key of uciMethods()
  std::int64_t split = 0;
  std::uint64_t seed = 0;
  UciOptions options;
  UciChoice choice = {};                   ///< made on the validation items
  double validation_log_likelihood = 0.0;  ///< with that choice
  UciScore test = {};
  double seconds = 0.0;  ///< of computing
};

[[nodiscard]] nlohmann::json uciResultToJson(const UciResult& result);
/// kMalformed, naming the value, if `object` is not such a result; the message begins with
/// `source`.
[[nodiscard]] Expected<UciResult> uciResultFromJson(const nlohmann::json& object,
                                                    const std::string& source);

/// FOLDER/SET.METHOD.NN.json
[[nodiscard]] std::string uciResultPath(const std::string& folder, const std::string& set,
                                        const std::string& method, std::int64_t split);
/// Reads one such file. kNotFound, kReadFailed, kMalformed.
[[nodiscard]] Expected<UciResult> readUciResult(const std::string& path);
/// Writes one such file under another name and renames it.
[[nodiscard]] Status writeUciResult(const std::string& path, const UciResult& result);

/// The results in a folder of such files (other files are ignored), or in one file with an array
/// "results", in the order of sets, methods and splits. kNotFound if there are none; else the error
/// of the first damaged file.
[[nodiscard]] Expected<std::vector<UciResult>> readUciResults(const std::string& path);

/// Path of the results that come with this program. kNotFound if they are missing.
[[nodiscard]] Expected<std::string> sampleUciResults();

}  // namespace dubito
