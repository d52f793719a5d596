// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito::study {

/// Predictions over the classes that a table of counts knows.
struct OwnClasses {
  Run run;                           ///< [N, K'], named as in the table; label -1: another class
  std::vector<std::string> unknown;  ///< classes of the predictions that the table does not count
};

/// Names the classes of `run` as in the table at `table` and leaves out those it does not count:
/// the probabilities are conditional on the others. `names` are the classes of the run if it has no
/// names itself; `renamed` maps its names to those of the table. Errors name `name`:
/// kInvalidArgument for names that do not fit the run and for fewer than two known classes, and
/// errors of CsvReader.
[[nodiscard]] Expected<OwnClasses> withOwnClasses(const Run& run, const std::string& name,
                                                  const std::vector<std::string>& names,
                                                  const std::map<std::string, std::string>& renamed,
                                                  const std::string& table,
                                                  const RunContext& context);

/// Parses "automobile=car,ship=boat" in parts; kInvalidArgument for a part without "=".
[[nodiscard]] Expected<std::map<std::string, std::string>> parseRenames(
    const std::vector<std::string>& parts);

}  // namespace dubito::study
