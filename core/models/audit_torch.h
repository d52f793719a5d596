// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>

#include <string>
#include <vector>

#include "core/models/head_torch.h"
#include "core/models/model.h"
#include "core/models/prepare_torch.h"
#include "core/models/probe_torch.h"

namespace dubito {

/// Describes the head `found`. Checks that its weights reproduce the logits of the probe batch; if
/// they do not, Head::found is false and Head::reason says why.
[[nodiscard]] Head auditHead(const torch::jit::Module& module, const PreparedNetwork& network,
                             const Probe& probe, HeadNode& found);

/// Refuses dropout sites whose masks do not follow items, because the rows of their input are not
/// items or are in another order, and removes them from the graph. `behaviour` is that without
/// dropout; adds whether the draws of an item still depend on the batch it is in.
void auditSiteRows(const torch::jit::Module& module, PreparedNetwork& network, const Probe& probe,
                   OutputKind output, BatchBehaviour& behaviour);

/// Number of weights, including those that freezing or quantisation turned into constants.
[[nodiscard]] std::int64_t countParameters(const torch::jit::Module& module,
                                           const PreparedNetwork& network);

/// Adds the findings as sentences to ModelAudit::notes, most important first, and to run_notes
/// those that every run must repeat.
void addAuditNotes(const ModelMetadata& metadata, const PreparedNetwork& network,
                   const Probe& probe, const HeadNode& head, ModelAudit& audit);

}  // namespace dubito
