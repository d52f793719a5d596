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

/// The results for the items [begin, end) of a dataset: a part of an unfinished run. It is saved as
/// a run file whose `meta` has the additional key `part`.
struct RunPart {
  std::int64_t begin = 0;  ///< positions in the dataset
  std::int64_t end = 0;
  /// The items that could be read, with the metadata of this part: hashes, timings, skipped items.
  Run run;
  /// What the computation needs to resume: a JSON object in text form.
  std::string details = "{}";
};

/// Writes a part; cannot be cancelled.
[[nodiscard]] Status writePart(const RunPart& part, AtomicFile file);

/// Maps the part in the file `path`, verifying all checksums and the number of items. Errors of
/// readRun; kMalformed for a run that is not a part.
[[nodiscard]] Expected<RunPart> readPart(const std::string& path, RunContext& context);

/// Merges the parts in the files `paths`, in this order, into one run file, without loading it into
/// memory. The parts must have the same arrays; their `meta` is ignored. kMalformed for parts with
/// different arrays; after a cancel, no file is left.
[[nodiscard]] Status mergeParts(const std::vector<std::string>& paths, const RunMeta& meta,
                                AtomicFile file, RunContext& context);

}  // namespace dubito
