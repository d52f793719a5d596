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

/// What a dataset is for. Fitting on test data is refused, OOD items have no true class.
enum class Role { kTrain, kCalibration, kTest, kOod, kUnlabelled };

[[nodiscard]] std::string toString(Role role);
[[nodiscard]] Expected<Role> parseRole(const std::string& text);

/// What a dataset says of itself as a whole.
struct DatasetInfo {
  std::string name;  ///< short, for captions: "mnist t10k", "asl"
  std::string spec;  ///< the text that opens it again
  Role role = Role::kTest;
  std::vector<std::string> class_names;  ///< empty where only numbers are known
  /// What a user should know of how it was opened, in sentences: files that were ignored, labels
  /// that are missing.
  std::vector<std::string> notes;
};

/// One item as it is stored: an 8-bit image, or real numbers (a vector [F], or an image [H, W, C]).
using Sample = std::variant<Image8, Array<float>>;

/// A fixed list of items. Opening decodes nothing; items are read one by one, from any thread.
class Dataset {
 public:
  virtual ~Dataset() = default;

  [[nodiscard]] virtual const DatasetInfo& info() const = 0;
  [[nodiscard]] virtual std::int64_t size() const = 0;
  /// Stable 64-bit ids, non-negative and unique: the row number in array formats, a hash of the
  /// relative path in folders.
  [[nodiscard]] virtual std::span<const std::int64_t> ids() const = 0;
  /// True classes, -1 unknown; as many as ids. All -1 in the roles OOD and unlabelled.
  [[nodiscard]] virtual std::span<const std::int64_t> labels() const = 0;
  /// What else is known of each item, by name; only manifests have any.
  [[nodiscard]] virtual std::span<const Attribute> attributes() const { return {}; }
  /// What a person calls item `index`: a relative path, or "#17".
  [[nodiscard]] virtual std::string itemName(std::int64_t index) const = 0;
  /// Decodes item `index` in [0, size()). An error concerns this item alone (a broken file).
  [[nodiscard]] virtual Expected<Sample> read(std::int64_t index) const = 0;
};

using DatasetPtr = std::shared_ptr<const Dataset>;

/// Opens what `spec` names, KIND:LOCATION?key=value&key=value:
///   idx:IMAGES,LABELS?items=0:1000&role=calibration
/// The kinds and what each of them expects are those of allDatasetKinds() (dataset_kinds.h);
/// each built-in one is described where it is declared (idx_dataset.h).
///
/// Options of all kinds, each of which may be left out:
///   items=FIRST:END[:STEP]   rows of the underlying data, as Python cuts a list
///   classes=0,1,2            classes to keep, by number or by name
///   role=ROLE                train, calibration, test, ood or unlabelled
///   corrupt=KIND:SEVERITY    what is done to every image
///   name=TEXT                overrides the dataset's own name
/// Other options are those of one kind (DatasetKind::options()).
///
/// A path without a kind is opened by the kind that recognises it (resolveScheme): a folder by what
/// it is, a file by its name, size and first bytes.
///
/// `items` counts rows of the underlying data and is applied before `classes`; ids do not depend on
/// either. Nothing left after filtering is an error.
///
/// Errors: kInvalidArgument for a specification that cannot be read, kNotFound for a missing path,
/// kUnsupported for a path that no kind recognises, kMalformed for a damaged file, kCancelled,
/// and those of the reader. Each names the path and the reason. A single item that cannot be read
/// is not among them: opening reads none.
[[nodiscard]] Expected<DatasetPtr> openDataset(const std::string& spec, RunContext& context);

}  // namespace dubito
