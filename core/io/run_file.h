// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/atomic_file.h"
#include "core/io/run.h"

namespace dubito {

/// Writes `run` as one .npz file that NumPy reads as it is and readRun maps: `probs` [N, K],
/// `labels`, `ids`, `predictions` (int64 [N]), `confidence` (float64 [N]), what there is of
/// `log_rest`, `entropy`, `expected_entropy`, `mutual_information`, `variation_ratio`, `variance`
/// (float64 [N]), `logits` [N, K]
/// (float32 or float64) and `samples` [T, N, K] (float32), and `meta`, a JSON text. The file
/// appears when it is complete; after a cancel, or an error (kWriteFailed), an older one is as it
/// was. Throws std::invalid_argument for a run whose arrays do not fit together.
[[nodiscard]] Status writeRun(const Run& run, const std::string& path, RunContext& context);
/// The same into a file that the caller made.
[[nodiscard]] Status writeRun(const Run& run, AtomicFile file, RunContext& context);

/// Maps a file that writeRun wrote. Shapes, the ranges of labels and predictions, the uniqueness of
/// ids, and the rows of `probs` are checked (of more than 2^25 probabilities a regular sample of
/// rows); the contents of logits and samples are not. Arrays of up to 16 MiB are compared with
/// their checksums, larger ones by verifyRunFile alone. kMalformed, kUnsupported (another task, a
/// newer schema), or what NpzFile::open and read return.
[[nodiscard]] Expected<Run> readRun(const std::string& path, RunContext& context);

/// Compares every array of a run file with its checksum (NpzFile::verify): reads all of the file,
/// which takes about 0.2 s per GB once it is in memory.
[[nodiscard]] Status verifyRunFile(const std::string& path, RunContext& context);

/// True if the file is a .npz with a `meta` text that names a schema version, or with `meta` among
/// the names that our runs have: readRun is to open it, or to say what is wrong with it.
[[nodiscard]] bool isRunFile(const std::string& path);

}  // namespace dubito
