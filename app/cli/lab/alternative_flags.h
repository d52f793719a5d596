// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"

namespace dubito::cli {

/// The flags of several alternatives (methods, samplers) in one command: a flag that several
/// alternatives have is declared once, and one that the chosen alternative lacks is a usage error.
/// Must outlive parsing.
class AlternativeFlags {
 public:
  /// Adds the fields of the alternative `key`; their values are the defaults shown by --help.
  void add(const std::string& key, const std::vector<Field>& fields);
  /// Declares all flags on `app`. `choice` is the flag that chooses the alternative ("--method").
  void declare(CLI::App& app, const std::string& choice);
  /// Sets the flags on the command line in `fields`, the fields of the alternative `key`. Usage
  /// error for a flag that it lacks, and for a value of the wrong type.
  [[nodiscard]] Status apply(const std::string& key, const std::vector<Field>& fields) const;

 private:
  struct Flag {
    FieldInfo info;
    bool is_switch = false;
    std::vector<std::string> alternatives;
    std::string default_text;  ///< empty if it differs between alternatives
    std::string text;          ///< from the command line
    CLI::Option* option = nullptr;
  };

  std::string choice_;
  std::map<std::string, Flag> flags_;  ///< by name of the field
};

}  // namespace dubito::cli
