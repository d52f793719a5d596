// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/network_options.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace dubito {

std::vector<Field> NetworkOptions::fields() {
  return {field(&hidden_units, "hidden_units", "Hidden units", "units of each hidden layer",
                {.min = 1, .max = kMaxHiddenUnits}),
          field(&hidden_layers, "hidden_layers", "Hidden layers", "number of hidden layers",
                {.min = 1, .max = kMaxHiddenLayers}),
          field(&activation, "activation", "Activation",
                "function of the hidden units: smooth (tanh) or piecewise linear (relu)",
                {.choices = {"tanh", "relu"}}),
          field(&epochs, "epochs", "Epochs", "passes over the data in training",
                {.min = 1, .max = 1e6}),
          field(&learning_rate, "learning_rate", "Learning rate",
                "step size of Adam in the first epoch; falls linearly to 0",
                {.min = 1e-8, .max = 10.0}),
          field(&batch_size, "batch_size", "Batch size", "items per training step; 0: all items",
                {.min = 0, .max = 1e6, .advanced = true})};
}

NetworkShape NetworkOptions::shape(std::int64_t outputs, std::int64_t inputs) const {
  return {inputs, std::vector<std::int64_t>(static_cast<std::size_t>(hidden_layers), hidden_units),
          outputs, activation == "relu" ? Activation::kRelu : Activation::kTanh};
}

TrainingSettings NetworkOptions::training() const {
  return {.epochs = epochs, .learning_rate = learning_rate, .batch_size = batch_size};
}

Field precisionField(double& precision) {
  return field(&precision, "precision", "Prior precision",
               "1 / variance of the normal prior of every weight; larger is smoother",
               {.min = 0.0, .max = 1e9});
}

Field drawsField(std::int64_t& draws) {
  return field(&draws, "draws", "Draws", "number of functions drawn for a prediction",
               {.min = 1, .max = 1e5});
}

Field membersField(std::int64_t& members) {
  return field(&members, "members", "Members", "number of networks", {.min = 2, .max = 100});
}

Field dropRateField(double& rate) {
  return field(&rate, "drop_rate", "Drop rate", "probability that a hidden unit is dropped",
               {.min = 0.0, .max = 0.95});
}

Field lengthScaleField(double& length_scale, double min) {
  return field(&length_scale, "length_scale", "Length scale",
               "prior length scale of the function; sets the weight decay, larger is smoother",
               {.min = min, .max = 1e4});
}

std::vector<Field> joinFields(std::vector<Field> first, std::vector<Field> second) {
  std::ranges::move(second, std::back_inserter(first));
  return first;
}

}  // namespace dubito
