// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/network_options.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace dubito {

std::vector<Field> NetworkOptions::fields() {
  return {{{.name = "hidden_units",
            .label = "Hidden units",
            .help = "units of each hidden layer",
            .min = 1,
            .max = kMaxHiddenUnits},
           &hidden_units},
          {{.name = "hidden_layers",
            .label = "Hidden layers",
            .help = "number of hidden layers",
            .min = 1,
            .max = kMaxHiddenLayers},
           &hidden_layers},
          {{.name = "activation",
            .label = "Activation",
            .help = "function of the hidden units: smooth (tanh) or piecewise linear (relu)",
            .choices = {"tanh", "relu"}},
           &activation},
          {{.name = "epochs",
            .label = "Epochs",
            .help = "passes over the data in training",
            .min = 1,
            .max = 1e6},
           &epochs},
          {{.name = "learning_rate",
            .label = "Learning rate",
            .help = "step size of Adam in the first epoch; falls linearly to 0",
            .min = 1e-8,
            .max = 10.0},
           &learning_rate},
          {{.name = "batch_size",
            .label = "Batch size",
            .help = "items per training step; 0: all items",
            .min = 0,
            .max = 1e6,
            .advanced = true},
           &batch_size}};
}

NetworkShape NetworkOptions::shape(std::int64_t outputs, std::int64_t inputs) const {
  return {inputs, std::vector<std::int64_t>(static_cast<std::size_t>(hidden_layers), hidden_units),
          outputs, activation == "relu" ? Activation::kRelu : Activation::kTanh};
}

TrainingSettings NetworkOptions::training() const {
  return {.epochs = epochs, .learning_rate = learning_rate, .batch_size = batch_size};
}

Field precisionField(double& precision) {
  return {{.name = "precision",
           .label = "Prior precision",
           .help = "1 / variance of the normal prior of every weight; larger is smoother",
           .min = 0.0,
           .max = 1e9},
          &precision};
}

Field drawsField(std::int64_t& draws) {
  return {{.name = "draws",
           .label = "Draws",
           .help = "number of functions drawn for a prediction",
           .min = 1,
           .max = 1e5},
          &draws};
}

Field membersField(std::int64_t& members) {
  return {
      {.name = "members", .label = "Members", .help = "number of networks", .min = 2, .max = 100},
      &members};
}

Field dropRateField(double& rate) {
  return {{.name = "drop_rate",
           .label = "Drop rate",
           .help = "probability that a hidden unit is dropped",
           .min = 0.0,
           .max = 0.95},
          &rate};
}

Field lengthScaleField(double& length_scale, double min) {
  return {{.name = "length_scale",
           .label = "Length scale",
           .help = "prior length scale of the function; sets the weight decay, larger is smoother",
           .min = min,
           .max = 1e4},
          &length_scale};
}

std::vector<Field> joinFields(std::vector<Field> first, std::vector<Field> second) {
  std::ranges::move(second, std::back_inserter(first));
  return first;
}

}  // namespace dubito
