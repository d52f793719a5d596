// SPDX-License-Identifier: GPL-3.0-or-later
// Both dubito-cli and dubito-cli-networks.
#include <array>

#include "app/cli/program.h"

namespace {

using namespace dubito::cli;

// In the order of --help.
constexpr std::array kCommands{
    CommandInfo{"devices", "What this machine can compute on", devicesCommand},
    CommandInfo{"inspect", "Audit a model: dropout, normalisation, head, batch behaviour",
                inspectCommand},
    CommandInfo{"predict", "Run a method on a dataset and save the run", predictCommand},
    CommandInfo{"laplace", "Fit a Laplace posterior, to keep it or to see how the prior matters",
                laplaceCommand},
    CommandInfo{"evaluate", "Metrics of a run, or of any file with predictions", evaluateCommand},
    CommandInfo{"conformal", "Sets of classes that hold the true one as often as promised",
                conformalCommand},
    CommandInfo{"select", "Items whose prediction may stand, with a guaranteed share of right ones",
                selectCommand},
    CommandInfo{"dirichlet",
                "Which classes an item may belong to, by the Dirichlet over its probabilities",
                dirichletCommand},
    CommandInfo{"tune",
                "Turn a finished run without its network: temperature, fewer draws, another link",
                tuneCommand},
    CommandInfo{"train", "Train a small network with dropout", trainCommand},
    CommandInfo{"convert", "Turn saved predictions of another program into a run file",
                convertCommand}};

}  // namespace

int main(int argc, char** argv) {
  return runProgram(argc, argv, DUBITO_VERSION, kCommands);
}
