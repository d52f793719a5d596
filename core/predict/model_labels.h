// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/expected.h"
#include "core/data/items/dataset.h"
#include "core/models/model.h"

namespace dubito {

/// True classes of a dataset's items in the model's numbering, -1 if unknown. Classes are matched
/// by name if both the model and the dataset name their classes, by number if the dataset does not.
/// If only the dataset names them, see matchUnnamed(). Items of OOD and unlabelled datasets have no
/// true class.
class ModelLabels {
 public:
  /// If the dataset has a class that the model lacks, an error that names the class or the first
  /// item of that class; if its classes cannot be matched, an error that says why. `dataset` must
  /// outlive the result.
  [[nodiscard]] static Expected<ModelLabels> of(const Model& model, const Dataset& dataset);

  /// What was assumed to match the classes, as sentences.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

  /// The class of the item at `index`.
  [[nodiscard]] std::int64_t at(std::int64_t index) const {
    return class_of_.at(dataset_->labels()[static_cast<std::size_t>(index)]);
  }

 private:
  explicit ModelLabels(const Dataset& dataset) : dataset_(&dataset) {}
  /// The model's numbers of these labels; adds to notes().
  [[nodiscard]] Expected<std::vector<std::int64_t>> numbersOf(
      const std::vector<std::int64_t>& occurring, const Model& model);

  const Dataset* dataset_;
  /// The model's class for each label in the dataset.
  std::unordered_map<std::int64_t, std::int64_t> class_of_;
  std::vector<std::string> notes_;
};

}  // namespace dubito
