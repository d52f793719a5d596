// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/options.h"
#include "core/data/items/dataset.h"
#include "core/data/sources/dataset_source.h"
#include "core/data/sources/dataset_spec.h"

namespace dubito {

/// An option that one kind of dataset has: a key of its specification, a field of its form.
struct DatasetOption {
  FieldInfo info;             ///< the name is the key: lower-case letters and underscores
  std::string location = {};  ///< the only location with this option ("glyphs"); empty: all
};

/// A specification to start from.
struct DatasetExample {
  std::string specification;
  std::string meaning;  ///< a few words, without a full stop
};

/// An existing path whose kind is to be found.
struct PathToRecognise {
  std::string path;         ///< the first one if several are joined by commas
  bool is_list = false;     ///< others follow, after a comma
  bool is_folder = false;   ///< never if it is a list
  std::string first_bytes;  ///< up to 4, of a file
};

/// How surely a path is of one kind. Of several kinds the surest one opens the path, and of equally
/// sure ones the first in allDatasetKinds().
enum class Likeness {
  kNone,
  kPossible,  ///< by signs that other formats have as well
  kCertain,
};

/// A kind of dataset: everything that the parser of specifications, the command line, the window
/// and workspaces know of it. Each built-in kind is defined in the file of its reader and listed in
/// dataset_kinds.cpp; others are added with addDatasetKind(). A kind has no state: its functions
/// are called from any thread.
class DatasetKind {
 public:
  virtual ~DatasetKind() = default;

  // --- In words

  /// The word before the colon of a specification: lower-case letters, then perhaps digits.
  [[nodiscard]] virtual std::string scheme() const = 0;
  /// What follows the colon, as help texts show it: "IMAGES[,LABELS]".
  [[nodiscard]] virtual std::string location() const = 0;
  /// Its files as filters and messages name them, in the plural: "NPZ files".
  [[nodiscard]] virtual std::string label() const = 0;
  /// What the window offers as text, the plainest first; at least one.
  [[nodiscard]] virtual std::vector<DatasetExample> examples() const = 0;
  /// The options that only this kind has.
  [[nodiscard]] virtual std::vector<DatasetOption> options() const = 0;

  // --- On disk

  /// Names of its files for the filters of file dialogs ("*.npz"); none for folders and for items
  /// that are generated.
  [[nodiscard]] virtual std::vector<std::string> patterns() const = 0;
  /// Whether a file is a dataset of this kind by its name alone, which is in lower case and has no
  /// folder. False if such files may as well be models or predictions.
  [[nodiscard]] virtual bool claimsName(const std::string& name) const = 0;
  /// Whether a path without a scheme is of this kind. May read the file. An error is shown if no
  /// other kind recognises the path; it names the path and what is missing.
  [[nodiscard]] virtual Expected<Likeness> recognise(const PathToRecognise& path) const = 0;
  /// The files and folders that a location names; joined by commas they are the location again.
  /// None if the items are generated.
  [[nodiscard]] virtual std::vector<std::string> files(const std::string& location) const = 0;
  /// Where the items come from, see sourceParts().
  [[nodiscard]] virtual std::vector<SourcePart> parts(const DatasetSpec& spec) const = 0;

  // --- Opening

  /// The whole dataset, before items, classes, role, corruption and name are applied. Its info
  /// names `spec` as the text that opens it. kCancelled if `context` says so.
  [[nodiscard]] virtual Expected<DatasetPtr> open(const DatasetSpec& spec,
                                                  RunContext& context) const = 0;

  // --- What few kinds have

  /// The form's field for the second file of the location, which may be left out; absent: the
  /// location is not edited.
  [[nodiscard]] virtual std::optional<FieldInfo> secondFile() const { return std::nullopt; }
  /// The option that a number alone after classes= sets, in place of choosing classes; empty: none.
  [[nodiscard]] virtual std::string classCountOption(const std::string& /*location*/) const {
    return {};
  }
  /// The specification that opens the same items in another role.
  [[nodiscard]] virtual DatasetSpec withoutRoleChoice(DatasetSpec spec) const { return spec; }
};

}  // namespace dubito
