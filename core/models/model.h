// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/note.h"
#include "core/base/options.h"
#include "core/base/run_context.h"
#include "core/data/images/preprocessing.h"
#include "core/models/items_per_pass.h"
#include "core/task/task.h"

namespace dubito {

/// Meaning of the rows that a model returns. Determined once per model, never per batch.
enum class OutputKind { kLogits, kProbabilities };

/// Information about a model beyond its weights, from `metadata.json` inside the archive,
/// `MODEL.json` next to it, or a given file.
struct ModelMetadata {
  std::string name;
  std::string task = kClassification;    ///< key of a Task
  std::vector<std::string> class_names;  ///< empty: classes have numbers only
  /// The class names are from files in its folder that may describe another network.
  bool classes_assumed = false;
  Preprocessing preprocessing;
  OutputKind output = OutputKind::kLogits;
  bool output_declared = false;  ///< false: `output` is determined by running the model
  /// Name or position, as in OutputTensor, of the returned tensor that contains the class scores.
  /// Empty: the only candidate is used.
  std::string output_key;
  bool scale_declared = false;  ///< false: Preprocessing::scale is a default
  /// Where the metadata was read from: "inside the archive", a path, or "none: defaults".
  std::string source = "none: defaults";
  std::vector<std::string> notes;  ///< unused keys, ignored files
};

/// A place where the network can drop units, or draws other random numbers in training.
struct DropoutSite {
  /// Part of the key of every mask. Dropout is numbered in execution order, other random numbers
  /// (`is_noise`) follow.
  std::int64_t site = 0;
  std::string name;        ///< module path ("dropout1"), or "functional"
  std::string op;          ///< "aten::dropout", "aten::feature_dropout", "aten::randn_like", ...
  double drop_rate = 0.0;  ///< as stored in the model; the mean of `unit_rates` if there are any
  /// Random numbers that the program draws itself: noise, masks of its own. They have no drop rate.
  bool is_noise = false;
  /// Drop rates of the units or channels, if each has its own; empty: `drop_rate` is that of all.
  std::vector<double> unit_rates = {};
  std::string place;  ///< location, in words: "before fc2"
  std::string mode;   ///< "follows training", "always on", "always off"
  /// Why the site cannot be used; empty if it can.
  std::string refused;
  /// False: the network's results do not depend on it in training either.
  bool is_used = true;
  /// Why the site is off unless chosen; empty: it is on by default.
  std::string off = {};
  /// Sites of the same training branch that draw whenever this one is on.
  std::vector<std::int64_t> brings = {};
};

/// Whether passes with the default choice of sites differ because of this one.
[[nodiscard]] bool drawsByDefault(const DropoutSite& site);

/// "rate 0.5", "rate 0.12 on average, 0.01 to 0.4 over 512 units", or "random numbers".
[[nodiscard]] std::string dropRateText(const DropoutSite& site);

/// A normalisation layer; its running statistics are never updated.
struct NormLayer {
  std::string name;
  std::string op;
  std::string mode;  ///< see DropoutSite::mode
};

/// The last linear layer; its inputs are the features.
struct Head {
  bool found = false;
  std::string op;
  std::int64_t features = 0;
  std::int64_t classes = 0;
  bool has_bias = false;
  /// Another term added to W h ("wide (aten::linear)"): a computed bias, or outputs of other
  /// layers. Empty if none.
  std::string added;
  bool quantised = false;
  double reconstruction_error = 0.0;  ///< largest |W h + b (+ added) - logits| on the probe batch
  std::string reason;                 ///< why the head was not found
};

/// Whether the results for an item depend on the other items of its batch.
struct BatchBehaviour {
  bool is_known = true;  ///< false: the network's own random numbers make it impossible to tell
  bool depends_on_batch = false;
  double max_prob_difference = 0.0;  ///< largest |dp| between an item alone and in a batch of eight
  /// Whether results with dropout on depend on it although those without do not.
  bool draws_depend_on_batch = false;
  /// Largest |dp| of a draw of an item, under the same masks, between two batches; NaN if a batch
  /// failed.
  double max_draw_difference = 0.0;
  bool single_item_fails = false;
  std::string reason;  ///< the suspected cause ("quantized::linear_dynamic")

  /// Whether results depend on the batch, with dropout on or off.
  [[nodiscard]] bool affects(bool with_dropout) const {
    return depends_on_batch || (with_dropout && draws_depend_on_batch);
  }
};

/// A tensor that a network takes, as its file states it.
struct InputTensor {
  std::string name;                 ///< "x", "pixel_values"
  std::vector<std::int64_t> shape;  ///< with items first; 0 for any size; empty if not stated
  std::string type;                 ///< element type: "Float", "Long"; empty if not stated
};

/// One of the tensors that a network returns.
struct OutputTensor {
  /// Keys of dictionaries, fields of named tuples and positions, joined by dots: "logits", "0",
  /// "1.boxes". Empty if the network returns a single tensor.
  std::string name;
  std::vector<std::int64_t> shape;  ///< for the probe batch
  std::string type;                 ///< element type: "Float", "Long"
  bool used = false;                ///< its rows are the class scores
};

/// What is known about a model from examining its program and running it.
struct ModelAudit {
  std::vector<DropoutSite> dropout_sites;
  std::vector<NormLayer> norm_layers;
  Head head;
  std::string first_stochastic_site;  ///< name of the site; empty if none
  OutputKind output = OutputKind::kLogits;
  std::int64_t classes = 0;
  /// The network has a single output per item, which stands for two classes: the log-odds or the
  /// probability of class 1.
  bool one_output = false;
  std::vector<InputTensor> inputs;    ///< all tensors that the network takes, in order
  std::vector<OutputTensor> outputs;  ///< all tensors that the network returns, in order
  std::int64_t parameter_count = 0;
  std::string number_type;  ///< type of the parameters as stored: "Float", "Double", "Half"
  std::vector<std::int64_t> input_shape;  ///< shape of one item, as used in the probe batch
  std::string format;                     ///< NetworkFormat::name of the file
  std::string written_by;                 ///< what the file reveals about the program that wrote it
  BatchBehaviour batch;
  ItemsPerPass items_per_pass;
  /// Why two passes over the same items differ, in a sentence (the network draws random numbers, or
  /// has state that changes between calls); empty if they agree.
  std::string unrepeatable;
  std::vector<Note> notes;  ///< findings as sentences, most important first
  /// The notes that concern results and are repeated in every run.
  std::vector<std::string> run_notes;
};

/// A loaded network with its metadata and audit. It is immutable, but only one thread at a time may
/// run the network.
class Model {
 public:
  struct Impl;  ///< in model_torch.h
  Model(ModelMetadata metadata, ModelAudit audit, std::string path, std::shared_ptr<Impl> impl);
  ~Model();

  [[nodiscard]] const ModelMetadata& metadata() const { return metadata_; }
  [[nodiscard]] const ModelAudit& audit() const { return audit_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] Impl& impl() const { return *impl_; }

 private:
  ModelMetadata metadata_;
  ModelAudit audit_;
  std::string path_;
  std::shared_ptr<Impl> impl_;
};

using ModelPtr = std::shared_ptr<const Model>;

/// Options for opening a model.
struct LoadModelOptions {
  /// Metadata file to use instead of the metadata inside or next to the model; empty: use those.
  std::string metadata_path;
  /// Overrides ModelMetadata::output_key; empty: use the key in the metadata.
  std::string output_key;
  /// Other threads of the process compute with torch meanwhile: the audit takes one thread and
  /// leaves torch's settings alone. Fails with kBusy if the network draws from torch's generator of
  /// random numbers, which is shared.
  bool shares_torch = false;

  [[nodiscard]] std::vector<Field> fields();
};

/// Loads and audits a TorchScript file. The audit runs the network on a probe batch of the
/// metadata's input size (if unknown, 28 x 28 greyscale, then common sizes). Fails, stating the
/// reason, for state_dicts and pickled modules, for multi-label and regression networks, and for
/// models that return one row for a batch of eight, rows that are not [K], or several tensors that
/// could be the class scores.
[[nodiscard]] Expected<ModelPtr> loadModel(const std::string& path, const LoadModelOptions& options,
                                           RunContext& context);

}  // namespace dubito
