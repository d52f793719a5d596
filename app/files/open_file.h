// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/files/file_kind.h"
#include "core/analysis/analysis.h"
#include "core/base/expected.h"

namespace dubito {

/// One thing to open.
struct OpenRequest {
  std::string specification;           ///< a path, or a dataset specification
  FileKind kind = FileKind::kUnknown;  ///< kUnknown: guessed
  bool ood = false;
  std::string name;   ///< as the workspace is to list it; empty: its own
  bool demo = false;  ///< part of the embedded demo
};

/// Predictions read from a file, with the items they are about where those could be found again.
struct OpenedRun {
  std::shared_ptr<const Run> run;
  DatasetPtr dataset;
};

using Opened = std::variant<ModelPtr, DatasetPtr, OpenedRun>;

/// A request and what came of it.
struct OpenResult {
  OpenRequest request;
  Expected<Opened> opened;
  /// What was guessed and can be changed, in a sentence; empty: nothing.
  std::string note = {};
};

/// Opens one thing. A dataset without a role gets the one that its name says (guessedRole).
/// Blocking; models belong on the compute thread.
[[nodiscard]] Expected<Opened> openFile(const OpenRequest& request, RunContext& context);

/// The role that the name of a file or folder says: train for "train-images-idx3-ubyte" and
/// "data_batch_1.bin", calibration for "calibration"; nothing for others, and where `specification`
/// names a role or a split.
[[nodiscard]] std::optional<Role> guessedRole(const std::string& specification);

/// Opens all in turn; one that fails does not stop the others.
[[nodiscard]] Expected<std::vector<OpenResult>> openFiles(const std::vector<OpenRequest>& requests,
                                                          RunContext& context);

/// Evaluates `parts`, the first of which was read from `run_file`, as analyse() does: with that of
/// `models` which made them, where it is among them, and its method.
[[nodiscard]] Expected<AnalysisPtr> analyseOpened(std::vector<AnalysisPart> parts,
                                                  const std::string& run_file,
                                                  const std::vector<ModelPtr>& models,
                                                  const EvaluationOptions& options,
                                                  RunContext& context);

/// A name for people: "mnist-test" for idx:/data/mnist-test-images.gz, the file name for the rest.
[[nodiscard]] std::string displayName(const OpenRequest& request, const Opened& opened);

}  // namespace dubito
