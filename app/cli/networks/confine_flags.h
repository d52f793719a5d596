// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/confine/confine.h"

namespace dubito::cli {

/// The flags --confined and --may-read of commands that run networks.
class ConfineFlags {
 public:
  void declare(CLI::App& app);

  /// Confines the process on request, after the libraries of the device have been loaded. Says on
  /// standard error what the kernel cannot enforce. Errors: several processes share the work; see
  /// also confineProcess.
  [[nodiscard]] Status apply(const RunContext& context) const;

  /// What the arguments of the command name: files and datasets to read, and the folders of
  /// --output and --posterior to write. Metadata next to a file may be read with it.
  [[nodiscard]] Confinement named() const;

 private:
  const CLI::App* app_ = nullptr;
  CLI::Option* may_read_flag_ = nullptr;
  bool confined_ = false;
  std::vector<std::string> may_read_;
};

}  // namespace dubito::cli
