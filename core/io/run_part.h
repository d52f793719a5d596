// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/atomic_file.h"
#include "core/io/run.h"

namespace dubito {

/// The items [begin, end) of a dataset on their way into one run. Its file is a run file of its
/// own, whose `meta` has one key more, `part`.
struct RunPart {
  std::int64_t begin = 0;  ///< positions in the dataset
  std::int64_t end = 0;
  /// The items that could be used, and what is known of them alone: hashes, timings, skipped items.
  Run run;
  /// What whoever computes must know to go on: a JSON object in text form.
  std::string details = "{}";
};

/// Writes a part; nothing can interrupt it.
[[nodiscard]] Status writePart(const RunPart& part, AtomicFile file);

/// Maps the part in the file `path`. All its bytes are compared with their checksums, and its items
/// are counted. Errors of readRun; kMalformed for a run that is no part.
[[nodiscard]] Expected<RunPart> readPart(const std::string& path, RunContext& context);

/// Writes one run from the parts in the files `paths`, whose items follow each other in this order,
/// without holding it in memory. The parts have the same arrays; of their `meta` nothing is used.
/// kMalformed for parts that do not fit together; a cancel leaves no file.
[[nodiscard]] Status mergeParts(const std::vector<std::string>& paths, const RunMeta& meta,
                                AtomicFile file, RunContext& context);

}  // namespace dubito
