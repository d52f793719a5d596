// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <vector>

#include "app/cli/program.h"
#include "app/studies/studies.h"

int main(int argc, char** argv) {
  using namespace dubito;
  CLI::App app("Experiments from the literature");
  app.require_subcommand(1);
  const std::vector<study::Study> studies = {study::oodTable(app),
                                             study::classVariance(app),
                                             study::sampleDivergence(app),
                                             study::labelFlips(app),
                                             study::autolabelSplits(app),
                                             study::activeLearning(app),
                                             study::regressionPosteriors(app),
                                             study::dropoutRates(app),
                                             study::contextScenes(app)};
  CLI11_PARSE(app, argc, argv);
  const auto chosen =
      std::ranges::find_if(studies, [](const study::Study& one) { return one.app->parsed(); });
  return cli::runCommand({.program = "dubito_studies",
                          .name = chosen->app->get_name(),
                          .command = {chosen->run, chosen->shares_work}},
                         cli::ProgressStyle::kTerminal);
}
