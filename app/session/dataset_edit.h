// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/data/items/dataset.h"

namespace dubito {

/// Editable form of a dataset's specification. Edits change the role, the items or the label rules,
/// but not the files.
struct DatasetEdit {
  std::string name;
  std::string role = "test";
  std::string items;    ///< "FIRST:END" or "FIRST:END:STEP"; empty: all
  std::string classes;  ///< numbers or names, separated by commas; empty: all
  /// Second file of the dataset, if its kind has one (for idx, the labels); empty: none.
  std::string second_file;
  /// Options specific to this kind of dataset, by key; an empty value means not set.
  std::map<std::string, std::string> extra;

  /// The edit form of `dataset`, which is listed as `name`. Error if its specification cannot be
  /// parsed, which means that it was not opened from files.
  [[nodiscard]] static Expected<DatasetEdit> of(const Dataset& dataset, const std::string& name);

  [[nodiscard]] std::vector<Field> fields();
  /// The edited specification. Error if a field is invalid.
  [[nodiscard]] Expected<std::string> specification() const;

  friend bool operator==(const DatasetEdit&, const DatasetEdit&) = default;

 private:
  [[nodiscard]] std::optional<FieldInfo> secondFile() const;

  std::string scheme_;
  std::string location_;  ///< without the second file
  std::string corruption_;
  std::string part_;  ///< ItemPart
};

}  // namespace dubito
