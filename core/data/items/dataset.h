// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/plot_values.h"
#include "core/base/run_context.h"
#include "core/data/items/attribute.h"

namespace dubito {

/// The purpose of a dataset. Fitting on test data is refused; the items of an OOD dataset have no
/// true class.
enum class Role { kTrain, kCalibration, kTest, kOod, kUnlabelled };

[[nodiscard]] std::string toString(Role role);
[[nodiscard]] Expected<Role> parseRole(const std::string& text);

/// Properties of a dataset as a whole.
struct DatasetInfo {
  std::string name;  ///< short, for captions: "mnist t10k", "asl"
  std::string spec;  ///< specification that opens the dataset again
  Role role = Role::kTest;
  std::vector<std::string> class_names;  ///< empty if classes have only numbers
  /// Findings while opening the dataset that the user should see, as sentences: ignored files,
  /// missing labels.
  std::vector<std::string> notes;
};

/// One raw item: an 8-bit image, or real numbers (a vector [F], or an image [H, W, C]).
using Sample = std::variant<Image8, Array<float>>;

/// A fixed list of items. Opening a dataset decodes nothing; items are read one by one, from any
/// thread.
class Dataset {
 public:
  virtual ~Dataset() = default;

  [[nodiscard]] virtual const DatasetInfo& info() const = 0;
  [[nodiscard]] virtual std::int64_t size() const = 0;
  /// Stable 64-bit ids, non-negative and unique: the row number in array formats, a hash of the
  /// relative path in folders.
  [[nodiscard]] virtual std::span<const std::int64_t> ids() const = 0;
  /// True class of each item; -1 if unknown. All are -1 in the roles OOD and unlabelled.
  [[nodiscard]] virtual std::span<const std::int64_t> labels() const = 0;
  /// Further properties of the items; only manifests have any.
  [[nodiscard]] virtual std::span<const Attribute> attributes() const { return {}; }
  /// Display name of item `index`: a relative path, or "#17".
  [[nodiscard]] virtual std::string itemName(std::int64_t index) const = 0;
  /// Decodes item `index` in [0, size()). An error concerns only this item (for example, a damaged
  /// file).
  [[nodiscard]] virtual Expected<Sample> read(std::int64_t index) const = 0;
};

using DatasetPtr = std::shared_ptr<const Dataset>;

/// Opens the dataset that `spec` describes, KIND:LOCATION?key=value&key=value:
///   idx:IMAGES,LABELS?items=0:1000&role=calibration
/// allDatasetKinds() (dataset_kinds.h) lists the kinds; each built-in kind is documented where it
/// is declared (for example idx_dataset.h).
///
/// Common options, all of them optional:
///   items=FIRST:END[:STEP]   rows of the underlying data, as a Python slice
///   classes=0,1,2            classes to keep, by number or by name
///   part=held-out:N, rest:N  N items drawn at random by their ids, or the others
///   role=ROLE                train, calibration, test, ood or unlabelled
///   corrupt=KIND:SEVERITY    applied to every image
///   name=TEXT                overrides the dataset's own name
/// Each kind may have further options (DatasetKind::options()).
///
/// A path without a kind is opened by the kind that recognises it (resolveScheme): folders by their
/// contents, files by name, size and first bytes.
///
/// `items` counts rows of the underlying data and is applied before `classes`, and `part` after
/// both; none changes ids.
/// An empty selection is an error.
///
/// Errors: kInvalidArgument for an invalid specification, kNotFound for a missing path,
/// kUnsupported for a path that no kind recognises, kMalformed for a damaged file, kCancelled, and
/// errors of the reader. The message states the path and the reason. Items that cannot be read are
/// not reported here, because opening reads no items.
[[nodiscard]] Expected<DatasetPtr> openDataset(const std::string& spec, RunContext& context);

}  // namespace dubito
