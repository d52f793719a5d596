// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/files/file_kind.h"
#include "app/files/open_model.h"
#include "core/analysis/analysis.h"
#include "core/base/expected.h"

namespace dubito {

/// A file or dataset to open.
struct OpenRequest {
  std::string specification = {};      ///< a path, or a dataset specification
  FileKind kind = FileKind::kUnknown;  ///< kUnknown: guess the kind
  bool ood = false;
  std::string name = {};          ///< name in the workspace; empty: default
  bool demo = false;              ///< part of the embedded demo
  std::optional<Role> role = {};  ///< of a dataset; empty: that of its specification, or guessed
};

/// Predictions read from a file, with their dataset if it can still be opened (else null); or the
/// labels of another program as a run, with their images.
struct OpenedRun {
  std::shared_ptr<const Run> run;
  DatasetPtr dataset;
  bool is_repeatable = false;  ///< made of labels, which are still there if it is lost
  std::string store = {};      ///< place of the label store to go on in; empty: the usual one
};

using Opened = std::variant<ModelPtr, DatasetPtr, OpenedRun>;

/// A request and its result.
struct OpenResult {
  OpenRequest request;
  Expected<Opened> opened;
  /// A sentence for the user on what was guessed and how to change it; empty if nothing was
  /// guessed.
  std::string note = {};
};

/// Opens one file. A dataset without a role gets the role that its name suggests (guessedRole).
/// Networks are opened as `models` says, except those of the demo, which are trusted. Blocking;
/// open models on the compute thread, or on another one with ModelOpening::shares_torch.
[[nodiscard]] Expected<Opened> openFile(const OpenRequest& request, const ModelOpening& models,
                                        RunContext& context);

/// The role that the name of a file or folder suggests: train for "train-images-idx3-ubyte" and
/// "data_batch_1.bin", calibration for "calibration". Empty for other names, and if `specification`
/// already has a role or a split.
[[nodiscard]] std::optional<Role> guessedRole(const std::string& specification);

/// Opens all requests in order; a failure does not affect the other requests.
[[nodiscard]] Expected<std::vector<OpenResult>> openFiles(const std::vector<OpenRequest>& requests,
                                                          const ModelOpening& models,
                                                          RunContext& context);

/// Evaluates `parts` like analyse(). If the model that computed them is in `models`, passes it and
/// the method of the run as well. The first part was read from `run_file`.
[[nodiscard]] Expected<AnalysisPtr> analyseOpened(std::vector<AnalysisPart> parts,
                                                  const std::string& run_file,
                                                  const std::vector<ModelPtr>& models,
                                                  const EvaluationOptions& options,
                                                  RunContext& context);

/// Name for display: the name in the request, else that of the model or dataset ("mnist-test" for
/// idx:/data/mnist-test-images.gz), else the file name without extension.
[[nodiscard]] std::string displayName(const OpenRequest& request, const Opened& opened);

}  // namespace dubito
