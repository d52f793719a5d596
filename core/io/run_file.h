// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/atomic_file.h"
#include "core/io/run.h"

namespace dubito {

/// Writes `run` as one .npz file that NumPy can read and readRun maps: `probs` [N, K], `labels`,
/// `ids`, `predictions` (int64 [N]), `confidence` (float64 [N]), if present `log_rest`, `entropy`,
/// `expected_entropy`, `mutual_information`, `variation_ratio`, `variance` (float64 [N]), `logits`
/// [N, K] (float32 or float64), `samples` [T, N, K] (float32) and the other arrays of Run under the
/// names of its members, and `meta`, a JSON text. The file gets its name only when it is complete;
/// after a cancel or an error (kWriteFailed), an older file is unchanged. Throws
/// std::invalid_argument for a run whose arrays have inconsistent shapes.
[[nodiscard]] Status writeRun(const Run& run, const std::string& path, RunContext& context);
/// Like writeRun, but writes to a file that the caller has created.
[[nodiscard]] Status writeRun(const Run& run, AtomicFile file, RunContext& context);

/// Maps a file written by writeRun. Checks shapes, the ranges of labels and predictions, the
/// uniqueness of ids, and the rows of `probs` and `samples` (an evenly spaced sample if there are
/// more than 2^25 probabilities), but not the contents of logits. Arrays up to 16 MiB are verified
/// against their checksums, larger arrays only by verifyRunFile. kMalformed, kUnsupported (another
/// task, a newer schema), or the errors of NpzFile::open and read.
[[nodiscard]] Expected<Run> readRun(const std::string& path, RunContext& context);

/// Verifies every array of a run file against its checksum (NpzFile::verify). Reads the whole file,
/// which takes about 0.2 s per GB if it is cached.
[[nodiscard]] Status verifyRunFile(const std::string& path, RunContext& context);

/// True for a .npz file that claims to be a run file: its `meta` text has a schema version, or it
/// contains `meta`, `ids`, `labels` and `confidence`. readRun should then open it or report the
/// error.
[[nodiscard]] bool isRunFile(const std::string& path);

}  // namespace dubito
