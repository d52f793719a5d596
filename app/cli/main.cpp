// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>

int main(int argc, char** argv) {
  CLI::App app("Uncertainty of trained models", "dubito-cli");
  CLI11_PARSE(app, argc, argv);
  return 0;
}
