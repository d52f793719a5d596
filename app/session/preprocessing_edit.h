// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/models/model.h"
#include "core/models/output_choice.h"

namespace dubito {

/// Editable form of a model's metadata. Numbers are text as written in papers ("1/255",
/// "0.485, 0.456, 0.406"); choices are names.
struct PreprocessingEdit {
  std::int64_t height = 0;  ///< pixels; 0: as stored
  std::int64_t width = 0;
  std::int64_t length = 0;  ///< declared length of vector inputs; 0: images, or not declared
  std::string resize = "exact";
  std::int64_t resize_to = 0;
  std::string interpolation = "bilinear";
  std::string channels = "as stored";  ///< "grey", "colour"
  std::string channel_order = "rgb";
  std::string scale = "1/255";
  std::string mean;
  std::string std;
  std::string output = "automatic";  ///< "logits", "probabilities"
  std::string name;
  std::vector<std::string> classes;  ///< class names; empty: classes are numbered
  /// The entry of `outputs` with the class scores (name from describeOption), or "automatic".
  std::string output_tensor = "automatic";
  /// The tensors that the network returns; empty if it returns only one.
  std::vector<OutputOption> outputs;

  /// The current settings of `model`. Without a declared size, that of the input is 0: images are
  /// used as stored, whatever size the audit has tried.
  [[nodiscard]] static PreprocessingEdit of(const Model& model);

  /// Form fields for all members except `classes`; includes `output_tensor` only if there are
  /// several outputs.
  [[nodiscard]] std::vector<Field> fields();
  /// The edited preprocessing. Error messages name the invalid field.
  [[nodiscard]] Expected<Preprocessing> preprocessing() const;
  /// `before` with all edits applied.
  [[nodiscard]] Expected<ModelMetadata> metadata(const ModelMetadata& before) const;

  friend bool operator==(const PreprocessingEdit&, const PreprocessingEdit&) = default;
};

/// A common way to scale image values.
struct ValuePreset {
  std::string name;
  std::string scale;
  std::string mean;
  std::string std;
};
/// Presets: ImageNet, MNIST, 0..1, -1..1, 0..255.
[[nodiscard]] const std::vector<ValuePreset>& valuePresets();

}  // namespace dubito
