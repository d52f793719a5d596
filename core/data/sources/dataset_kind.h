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

/// An option specific to one kind of dataset: a key of its specification and a field of its form.
struct DatasetOption {
  FieldInfo info;             ///< `name` is the key: lower-case letters and underscores
  std::string location = {};  ///< the only location that has this option ("glyphs"); empty: all
  /// The value is a specification itself, in which %, ? and & are written as %25, %3F and %26.
  bool is_specification = false;
};

/// An example specification, offered as a starting point.
struct DatasetExample {
  std::string specification;
  std::string meaning;  ///< a few words, without a full stop
};

/// An existing path whose kind is to be detected.
struct PathToRecognise {
  std::string path;         ///< the first one if several are joined by commas
  bool is_list = false;     ///< more paths follow, separated by commas
  bool is_folder = false;   ///< false for lists
  std::string first_bytes;  ///< up to 4 bytes; empty for folders
};

/// How confidently a kind claims a path. The most confident kind opens it; ties go to the first in
/// allDatasetKinds().
enum class MatchConfidence {
  kNone,
  kPossible,  ///< by features that other formats share
  kCertain,
};

/// A kind of dataset: everything that the specification parser, the command line, the window and
/// workspaces need to know about it. Each built-in kind is defined next to its reader and listed in
/// dataset_kinds.cpp; others are added with addDatasetKind(). Kinds are stateless: their functions
/// are called from any thread.
class DatasetKind {
 public:
  virtual ~DatasetKind() = default;

  // --- Description

  /// The part of a specification before the colon: lower-case letters, optionally followed by
  /// digits.
  [[nodiscard]] virtual std::string scheme() const = 0;
  /// The part after the colon, as shown in help texts: "IMAGES[,LABELS]".
  [[nodiscard]] virtual std::string location() const = 0;
  /// Plural name of its files, for filters and messages: "NPZ files".
  [[nodiscard]] virtual std::string label() const = 0;
  /// Examples offered by the window, simplest first; at least one.
  [[nodiscard]] virtual std::vector<DatasetExample> examples() const = 0;
  /// Options specific to this kind.
  [[nodiscard]] virtual std::vector<DatasetOption> options() const = 0;

  // --- Detection

  /// File dialog patterns ("*.npz"); none for folders and generated items.
  [[nodiscard]] virtual std::vector<std::string> patterns() const = 0;
  /// Whether the file name alone, in lower case and without its folder, identifies a dataset of
  /// this kind. False if such files could also be models or predictions.
  [[nodiscard]] virtual bool claimsName(const std::string& name) const = 0;
  /// Whether a path without a scheme is of this kind. May read the file. An error states the path
  /// and what is missing; it is shown only if no other kind recognises the path.
  [[nodiscard]] virtual Expected<MatchConfidence> recognise(const PathToRecognise& path) const = 0;
  /// The files and folders named by a location; joined with commas, they are the location again.
  /// None if the items are generated.
  [[nodiscard]] virtual std::vector<std::string> files(const std::string& location) const = 0;
  /// Where the items come from; see sourceParts().
  [[nodiscard]] virtual std::vector<SourcePart> parts(const DatasetSpec& spec) const = 0;

  // --- Opening

  /// The whole dataset, before items, classes, role, corruption and name are applied. Its info
  /// contains `spec` as text. Fails with kCancelled.
  [[nodiscard]] virtual Expected<DatasetPtr> open(const DatasetSpec& spec,
                                                  RunContext& context) const = 0;

  // --- Optional features

  /// The specification of the dataset whose items this one contains, if it has none of its own.
  [[nodiscard]] virtual Expected<std::optional<std::string>> wrapped(
      const DatasetSpec& /*spec*/) const {
    return std::nullopt;
  }
  /// What runs and workspaces record: the specification without secrets such as passwords.
  [[nodiscard]] virtual DatasetSpec recorded(DatasetSpec spec) const { return spec; }

  /// The form field for an optional second file in the location; nullopt if there is no such field.
  [[nodiscard]] virtual std::optional<FieldInfo> secondFile() const { return std::nullopt; }
  /// The option that classes=N sets for this kind if N is a single number; empty: classes=N selects
  /// class N, as usual.
  [[nodiscard]] virtual std::string classCountOption(const std::string& /*location*/) const {
    return {};
  }
  /// The specification that opens the same items whatever the role.
  [[nodiscard]] virtual DatasetSpec independentOfRole(DatasetSpec spec) const { return spec; }
};

}  // namespace dubito
