// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <vector>

#include "app/studies/studies.h"

int main(int argc, char** argv) {
  using dubito::study::Study;
  CLI::App app("Experiments from the literature");
  app.require_subcommand(1);
  const std::vector<Study> studies = {
      dubito::study::oodTable(app), dubito::study::classVariance(app),
      dubito::study::sampleDivergence(app), dubito::study::labelFlips(app),
      dubito::study::autolabelSplits(app)};
  CLI11_PARSE(app, argc, argv);
  dubito::RunContext context;
  for (const Study& study : studies) {
    if (study.app->parsed()) {
      if (const dubito::Status status = study.run(context); !status) {
        fmt::print(stderr, "dubito_studies: {}\n", status.error().message);
        return 1;
      }
    }
  }
  return 0;
}
