// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/prediction_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "core/io/mapped_file.h"
#include "core/io/npy.h"
#include "core/io/prediction_csv.h"
#include "core/io/prediction_npz.h"
#include "core/io/raw_predictions.h"
#include "core/io/run_file.h"
#include "core/io/usual_names.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

enum class FileKind { kNpy, kZip, kText, kPickle, kHdf5, kGzip };

/// By the first bytes, which are more reliable than names.
FileKind kindOf(ByteSpan bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("\x93NUMPY")) {
    return FileKind::kNpy;
  }
  if (text.starts_with("PK")) {
    return FileKind::kZip;
  }
  if (text.starts_with("\x89HDF")) {
    return FileKind::kHdf5;
  }
  if (text.starts_with("\x1F\x8B")) {
    return FileKind::kGzip;
  }
  const bool pickle = text.size() > 1 && text[0] == '\x80' && text[1] >= 2 && text[1] <= 5;
  return pickle ? FileKind::kPickle : FileKind::kText;
}

/// The labels next to a file of probabilities, by usual endings of their name.
std::optional<fs::path> findLabelsNextTo(const fs::path& probs) {
  std::string stem = probs.stem().string();
  for (const std::string_view name : kProbNames) {
    if (normalName(stem).ends_with(fmt::format("_{}", name))) {
      stem.resize(stem.size() - name.size() - 1);
      break;
    }
  }
  for (const char* ending : {"_original_labels", "_labels", "_ground_truth", "_targets", "_y_true",
                             "_y", "_true_labels"}) {
    fs::path candidate = probs.parent_path() / (stem + ending + ".npy");
    std::error_code error;
    if (fs::is_regular_file(candidate, error)) {
      return candidate;
    }
  }
  return std::nullopt;
}

Expected<Run> readPredictionNpy(const std::string& path, const std::optional<std::string>& labels,
                                RunContext& context) {
  RawPredictions raw;
  raw.file.path = path;
  auto scores = readNpy(path);
  if (!scores) {
    return failWith(scores);
  }
  raw.scores = std::move(*scores);
  raw.scores_name = "the array";
  raw.scores_are_logits = normalName(fs::path(path).stem().string()).ends_with("logits");
  std::optional<std::string> labels_path = labels;
  if (!labels_path) {
    if (const auto found = findLabelsNextTo(path)) {
      labels_path = found->string();
      raw.notes.push_back("labels taken from the file next to it, " + found->filename().string());
    }
  }
  if (labels_path) {
    auto read = readNpyOrTexts(*labels_path);
    if (!read) {
      return failWith(read);
    }
    raw.labels = GivenClasses{fs::path(*labels_path).filename().string(), *std::move(read)};
  }
  // Keeps both files mapped until they are read.
  const auto arrays = std::pair(raw.scores, raw.labels);
  Expected<Run> run = makeRun(std::move(raw), context);
  if (Status unchanged = mappedFilesUnchanged(); !unchanged) {
    return failWith(unchanged);
  }
  return run;
}

/// "A.npy,B.npy" as two paths, if the whole text is not a file.
std::optional<std::pair<std::string, std::string>> splitPair(const std::string& spec) {
  std::error_code error;
  if (fs::exists(spec, error)) {
    return std::nullopt;
  }
  for (std::size_t at = spec.find(','); at != std::string::npos; at = spec.find(',', at + 1)) {
    const std::string first = spec.substr(0, at);
    if (fs::is_regular_file(first, error)) {
      return std::pair{first, spec.substr(at + 1)};
    }
  }
  return std::nullopt;
}

Expected<Run> readByKind(ByteSpan bytes, const std::string& path, RunContext& context) {
  const auto unsupported = [&](const char* what) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: is {}; save the arrays with numpy.savez", path, what));
  };
  switch (kindOf(bytes)) {
    case FileKind::kNpy:
      return readPredictionNpy(path, std::nullopt, context);
    case FileKind::kZip:
      return readPredictionNpz(path, context);
    case FileKind::kPickle:
      return unsupported("a Python pickle, which could run arbitrary code and is never opened");
    case FileKind::kHdf5:
      return unsupported("an HDF5 file, which is not supported");
    case FileKind::kGzip:
      return fail(ErrorCode::kUnsupported, path + ": is compressed with gzip; unpack it first");
    case FileKind::kText:
      break;
  }
  return readPredictionCsv(path, context);
}

Expected<Run> openOne(const std::string& path, RunContext& context) {
  const auto file = MappedFile::open(path);
  if (!file) {
    return failWith(file);
  }
  Expected<Run> run = readByKind((*file)->bytes(), path, context);
  if (Status unchanged = (*file)->unchanged(); !unchanged) {
    return failWith(unchanged);
  }
  return run;
}

}  // namespace

Expected<Run> openPredictions(const std::string& spec, RunContext& context) {
  if (context.step("opening", 0, 0) == Step::kCancel) {
    return cancelled();
  }
  const auto pair = splitPair(spec);
  const std::string path = pair ? pair->first : spec;
  if (!pair && isRunFile(path)) {
    return readRun(path, context);
  }
  Expected<Run> run =
      pair ? readPredictionNpy(path, pair->second, context) : openOne(path, context);
  if (run) {
    run->meta.method = "predictions";
    run->meta.dataset_name = fs::path(path).stem().string();
    run->meta.dataset_spec = spec;
  }
  return run;
}

}  // namespace dubito
