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
  /// What the flag requires and is missing ("--method ensemble"); empty: the flag has an effect.
  std::string idle_without;
};

/// Usage error for the first given flag that has no effect, with what it requires: flags are never
/// silently ignored.
[[nodiscard]] Status refuseIdle(const std::vector<FlagUse>& uses);

/// The command-line flags of one options struct.
struct FieldFlags {
  std::vector<CLI::Option*> options;

  /// The use of each flag, from `fields`: the declared ones, with their current values. A non-empty
  /// `idle_without` applies to all of them.
  [[nodiscard]] std::vector<FlagUse> uses(const std::vector<Field>& fields,
                                          const std::string& idle_without = {}) const;
};

/// Declares a flag for every field; the struct behind `fields` must outlive parsing. `group` is
/// their heading in --help.
FieldFlags declareFields(CLI::App& app, const std::vector<Field>& fields, const std::string& group);

}  // namespace dubito::cli
