// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/options.h"
#include "core/labs/network/network_shape.h"
#include "core/labs/network/training.h"

namespace dubito {

/// Options of every method that trains a network in the laboratories.
struct NetworkOptions {
  std::int64_t hidden_units = 50;   ///< per hidden layer
  std::int64_t hidden_layers = 1;   ///< 1 to 3
  std::string activation = "tanh";  ///< "tanh" or "relu"
  std::int64_t epochs = 2000;       ///< passes over the data
  double learning_rate = 0.01;      ///< of Adam, in the first epoch; falls linearly to 0
  std::int64_t batch_size = 0;      ///< items per step; 0: all

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] NetworkShape shape(std::int64_t outputs, std::int64_t inputs = 1) const;
  [[nodiscard]] TrainingSettings training() const;
};

/// The field of a prior precision, for options that have one.
[[nodiscard]] Field precisionField(double& precision);

/// The field of a number of function draws.
[[nodiscard]] Field drawsField(std::int64_t& draws);
/// `members`: number of networks of an ensemble.
[[nodiscard]] Field membersField(std::int64_t& members);
/// `rate`: drop rate of MC dropout; `length_scale`: that of the prior of its function.
[[nodiscard]] Field dropRateField(double& rate);
[[nodiscard]] Field lengthScaleField(double& length_scale, double min = 0.0);

/// `first` followed by `second`.
[[nodiscard]] std::vector<Field> joinFields(std::vector<Field> first, std::vector<Field> second);

}  // namespace dubito
