// SPDX-License-Identifier: GPL-3.0-or-later
// Both dubito-cli and dubito-cli-networks.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "app/cli/program.h"

namespace {

using namespace dubito::cli;

// In the order of --help.
constexpr std::array kCommands{
    CommandInfo{"devices", "List the compute devices of this machine", devicesCommand},
    CommandInfo{"inspect", "Audit a model: dropout, normalisation, head, batch dependence",
                inspectCommand},
    CommandInfo{"predict", "Run a method on a dataset and save the results", predictCommand},
    CommandInfo{"laplace", "Fit a Laplace posterior and examine the effect of its prior",
                laplaceCommand},
    CommandInfo{"evaluate", "Compute the metrics of a run or any predictions file",
                evaluateCommand},
    CommandInfo{"conformal", "Compute conformal prediction sets with guaranteed coverage",
                conformalCommand},
    CommandInfo{"select",
                "Select items whose predictions can be accepted, with guaranteed precision",
                selectCommand},
    CommandInfo{"dirichlet",
                "Compute top-k sets and per-item variances from Dirichlet distributions",
                dirichletCommand},
    CommandInfo{"tune",
                "Post-process a run without its network: temperature, fewer draws, another link",
                tuneCommand},
    CommandInfo{"context", "Let the objects of one scene influence each other's predictions",
                contextCommand},
    CommandInfo{"why",
                "Find the pixels that matter for a prediction, or for the disagreement of draws",
                whyCommand},
    CommandInfo{"review", "Queues of items to review, suspected label errors and decisions",
                reviewCommand},
    CommandInfo{"autolabel", "Let the model label items, with guaranteed precision",
                autolabelCommand},
    CommandInfo{"lab", "Small problems on which Bayesian methods can be seen at work", labCommand},
    CommandInfo{"uci", "Compare methods on the published regression sets and splits", uciCommand},
    CommandInfo{"train", "Train a small network, or a new last layer", trainCommand},
    CommandInfo{"study", "Compare networks and methods on shifted data, from one file",
                studyCommand},
    CommandInfo{"convert", "Convert predictions from another program to a run file",
                convertCommand}};

}  // namespace

int main(int argc, char** argv) {
  const int exit_code = runProgram(argc, argv, DUBITO_VERSION, kCommands);
#ifdef DUBITO_INSTRUMENTED
  return exit_code;  // leaks and covered lines are reported at the end
#else
  // Without the destructors of globals: torch would take apart all its operators, a fifth of the
  // time of a short command.
  std::cout.flush();
  std::fflush(nullptr);
  std::_Exit(exit_code);
#endif
}
