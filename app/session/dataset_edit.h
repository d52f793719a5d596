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

/// A dataset's specification as a person edits it: the same files with another role, other items or
/// another rule for the labels.
struct DatasetEdit {
  std::string name;
  std::string role = "test";
  std::string items;    ///< "FIRST:END" or "FIRST:END:STEP"; empty: all
  std::string classes;  ///< numbers or names, separated by commas; empty: all
  /// The second file of the location, if the kind has one (the labels of idx); empty: left out.
  std::string second_file;
  /// The options that only this kind of dataset knows, by key; empty: absent.
  std::map<std::string, std::string> extra;

  /// Of a dataset that is listed under `name`. An error where its specification cannot be read: it
  /// was not opened from files.
  [[nodiscard]] static Expected<DatasetEdit> of(const Dataset& dataset, const std::string& name);

  [[nodiscard]] std::vector<Field> fields();
  /// The text that opens it so; an error names what is wrong.
  [[nodiscard]] Expected<std::string> specification() const;

 private:
  [[nodiscard]] std::optional<FieldInfo> secondFile() const;

  std::string scheme_;
  std::string location_;  ///< without the second file
  std::string corruption_;
};

}  // namespace dubito
