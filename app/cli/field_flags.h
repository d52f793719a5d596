// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "core/base/options.h"

namespace dubito::cli {

/// The command-line flags of one options struct.
struct FieldFlags {
  std::vector<CLI::Option*> options;

  /// The first flag that was given, or null.
  [[nodiscard]] const CLI::Option* firstGiven() const;
};

/// Declares a flag for every field; the struct behind `fields` must outlive the parsing. `group`
/// heads them in --help.
FieldFlags declareFields(CLI::App& app, const std::vector<Field>& fields, const std::string& group);

}  // namespace dubito::cli
