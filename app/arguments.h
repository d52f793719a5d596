// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace dubito {

/// What the program was asked for on its command line.
struct Arguments {
  std::vector<std::string> files;
  std::vector<std::string> ood_files;
  std::optional<std::string> report_dir;
  std::optional<std::string> screenshots_dir;
  std::vector<int> window_size = {1280, 800};  ///< width and height of the screenshots
  std::string theme;                           ///< "light", "dark" or empty: as saved
  bool print_startup_time = false;
};

/// Parses the command line; where that ends the program (--help, --version, a mistake) it has
/// printed what there is to say and returns the exit status instead.
struct ParsedArguments {
  Arguments arguments;
  std::optional<int> exit_status;
};
[[nodiscard]] ParsedArguments parseArguments(int argc, char** argv);

}  // namespace dubito
