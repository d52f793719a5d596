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
#include "core/data/attribute.h"

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

/// Opens what `spec` names:
///   idx:IMAGES[,LABELS]   cifar10:FILE[,FILE...]   npz:FILE   folder:DIR   csv:FILE
///   synthetic:NAME?n=..&seed=..&noise=..
/// each with ?items=a:b&classes=0,1,2&role=train|calibration|test|ood|unlabelled
/// &corrupt=KIND:SEVERITY&name=TEXT appended. A path without a scheme is guessed from what it is (a
/// folder, *.npz,
/// *-idx3-ubyte[.gz], data_batch_1.bin and test_batch.bin, a *.csv with a column of paths).
/// `items` counts rows of the underlying data and is applied before `classes`; ids do not depend on
/// either. Nothing left after filtering is an error.
///
/// idx: labels are looked for beside the images where they are not given.
/// cifar10: the official binary batches; the class names of batches.meta.txt beside them.
/// npz: arrays images/x and labels/y. Of x_train, y_train, x_test and y_test, ?split=train|val|test
/// chooses, else the role: train and calibration take the training items, all else the test items.
/// folder: a class a subfolder, or ?labels=prefix:N (the label is the first N letters of the name).
/// csv: a manifest with the columns path (relative to its folder), label (name or number, empty
/// where unknown) and any others, which become attributes.
/// synthetic: blobs and moons are points [2]; ?blobs=N (or classes=N) blobs, by default 4. glyphs
/// are the characters 0-9 and A-Z, white on black as 8-bit images [28, 28, 1], turned, scaled,
/// sheared and shifted at random, with normal noise of standard deviation `noise` (of the full
/// range, by default 0.1); characters=N (or classes=N) takes the first N of them. An
/// item is a function of seed
/// and position alone.
[[nodiscard]] Expected<DatasetPtr> openDataset(const std::string& spec, RunContext& context);

}  // namespace dubito
