// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/arguments.h"

#include <CLI/CLI.hpp>

namespace dubito {

ParsedArguments parseArguments(int argc, char** argv) {
  ParsedArguments parsed;
  Arguments& arguments = parsed.arguments;
  CLI::App app("Shows what a trained model does not know. Without files, the demo opens.",
               "dubito");
  app.set_version_flag("--version", std::string("dubito ") + DUBITO_VERSION);
  app.add_option(
      "files", arguments.files,
      "workspaces (.dubito), folders of studies, models (.pt, .ptl), datasets (folders, idx, npz, "
      "specifications), runs and predictions (.npz, .npy, .csv), presets and stories of the "
      "laboratories (.json)");
  app.add_flag("--review", arguments.review,
               "show the page Review alone; the files are labels of another program and the folder "
               "of their images, or a review to continue (.labels)");
  app.add_option("--ood", arguments.ood_files, "out-of-distribution datasets or predictions");
  app.add_option("--report", arguments.report_dir,
                 "write the report of the files, or of the demo, to this folder and exit");
  app.add_option(
      "--study-report", arguments.study_dir,
      "write report.pdf of the study in this folder, which dubito-cli study has written, "
      "and exit");
  app.add_option("--screenshots", arguments.screenshots_dir,
                 "write screenshots of all pages, light and dark, to this folder and exit");
  app.add_option("--figures", arguments.figures_dir,
                 "write pictures of the figures of the literature that the laboratories repeat to "
                 "this folder and exit");
  app.add_option("--window-size", arguments.window_size,
                 "width and height of the window in the screenshots")
      ->expected(2)
      ->check(CLI::Range(320, 8192))
      ->capture_default_str();
  app.add_option("--theme", arguments.theme, "light or dark, for this session only")
      ->check(CLI::IsMember({"light", "dark"}));
  app.add_flag("--print-startup-time", arguments.print_startup_time,
               "print the time to the first paint to stderr");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error);
    parsed.exit_status = status == 0 ? 0 : 2;
  }
  return parsed;
}

}  // namespace dubito
