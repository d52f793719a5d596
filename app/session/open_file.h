// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "app/session/analysis.h"
#include "app/session/file_kind.h"
#include "core/base/expected.h"

namespace dubito {

/// One thing to open.
struct OpenRequest {
  std::string specification;           ///< a path, or a dataset specification
  FileKind kind = FileKind::kUnknown;  ///< kUnknown: guessed
  bool ood = false;
  std::string name;  ///< as the workspace is to list it; empty: its own
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
};

/// Opens one thing. Blocking; models belong on the compute thread.
[[nodiscard]] Expected<Opened> openFile(const OpenRequest& request, RunContext& context);

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
