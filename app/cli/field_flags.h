// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"

namespace dubito::cli {

/// Whether a flag has an effect beside the other arguments.
struct FlagUse {
  const CLI::Option* flag = nullptr;
  /// What it belongs to and was not chosen ("--method ensemble"); empty: it has one.
  std::string idle_without;
};

/// No flag is ignored: wrong usage that names the first one which was given and has no effect, and
/// what would give it one.
[[nodiscard]] Status refuseIdle(const std::vector<FlagUse>& uses);

/// The command-line flags of one options struct.
struct FieldFlags {
  std::vector<CLI::Option*> options;

  /// The use of each flag, as `fields` tell it: those that were declared, with the values they have
  /// got. `idle_without` is that of all of them, where they have none.
  [[nodiscard]] std::vector<FlagUse> uses(const std::vector<Field>& fields,
                                          const std::string& idle_without = {}) const;
};

/// Declares a flag for every field; the struct behind `fields` must outlive the parsing. `group`
/// heads them in --help.
FieldFlags declareFields(CLI::App& app, const std::vector<Field>& fields, const std::string& group);

}  // namespace dubito::cli
