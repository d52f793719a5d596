// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace dubito {

/// Command-line arguments of the window program.
struct Arguments {
  std::vector<std::string> files;
  std::vector<std::string> ood_files;
  bool review = false;  ///< shows the page Review alone; the files are labels
  std::optional<std::string> report_dir;
  std::optional<std::string> study_dir;  ///< folder of a finished study
  std::optional<std::string> screenshots_dir;
  std::optional<std::string> figures_dir;
  std::vector<int> window_size = {1280, 800};  ///< width and height of the screenshots
  std::string theme;                           ///< "light" or "dark"; empty: the saved setting
  bool print_startup_time = false;
};

/// Result of parsing the command line. If the program should exit (--help, --version, an error),
/// the output has been printed and `exit_status` is set.
struct ParsedArguments {
  Arguments arguments;
  std::optional<int> exit_status;
};
[[nodiscard]] ParsedArguments parseArguments(int argc, char** argv);

}  // namespace dubito
