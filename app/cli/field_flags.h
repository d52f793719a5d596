// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"

namespace dubito::cli {

/// Whether a flag has an effect in combination with the other arguments.
struct FlagUse {
  const CLI::Option* flag = nullptr;
  /// What is missing ("--method ensemble"); empty if the flag has an effect.
  Requirement unmet_requirement = {};
};

/// Usage error for the first flag on the command line that has no effect, naming its requirement:
/// flags are never silently ignored.
[[nodiscard]] Status rejectIneffectiveFlags(const std::vector<FlagUse>& uses);

/// The command-line flags of one options struct.
struct FieldFlags {
  std::vector<CLI::Option*> options;

  /// One FlagUse per flag. `fields` must be the fields passed to declareFields, with their current
  /// values. A non-empty `unmet_requirement` applies to all flags.
  [[nodiscard]] std::vector<FlagUse> uses(const std::vector<Field>& fields,
                                          const Requirement& unmet_requirement = {}) const;
};

/// Declares a flag for every field; the struct behind `fields` must outlive parsing. `group` is the
/// heading of the flags in --help.
FieldFlags declareFields(CLI::App& app, const std::vector<Field>& fields, const std::string& group);

}  // namespace dubito::cli
