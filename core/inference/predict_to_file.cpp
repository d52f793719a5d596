// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inference/predict_to_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "core/inference/kept_parts.h"
#include "core/inference/prediction_torch.h"
#include "core/io/parts_folder.h"
#include "core/io/run_file.h"

namespace dubito {
namespace {

/// A part that is on the disk.
struct KeptPart {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::string path;
};

/// One call of predictToFile.
class FilePrediction : public PartSink {
 public:
  FilePrediction(Prediction& prediction, const Dataset& dataset, PartsFolder& folder,
                 const SaveOptions& save, RunContext& context)
      : prediction_(prediction),
        dataset_(dataset),
        folder_(folder),
        save_(save),
        context_(context),
        identity_(prediction.identity()) {}

  Expected<SavedRun> run();

  [[nodiscard]] bool isDue(std::int64_t items,
                           std::chrono::steady_clock::time_point begun) const override;
  [[nodiscard]] Status take(ComputedPart computed) override;

 private:
  Status readEarlier();
  Status goOnWith(const std::string& path, const RunPart& part, PartDetails details);
  [[nodiscard]] tl::unexpected<Error> refused(const std::string& reason) const;
  [[nodiscard]] std::vector<std::pair<std::int64_t, std::int64_t>> missing() const;
  Expected<bool> compute();
  Status writeRunFile(const RunMeta& meta);
  void keep(KeptPart part);
  void addFindings(std::int64_t begin, RunFindings findings);
  [[nodiscard]] tl::unexpected<Error> explained(Error error) const;

  Prediction& prediction_;
  const Dataset& dataset_;
  PartsFolder& folder_;
  const SaveOptions& save_;
  RunContext& context_;
  RunIdentity identity_;
  std::vector<KeptPart> kept_;  ///< ascending
  std::optional<Run> only_;     ///< the whole run, where it is too short for parts
  RunFindings all_;
  /// Lists are put in order at the end; parts are not read in the order they were made in.
  std::map<std::int64_t, std::vector<SkippedItem>> skipped_from_;
  SavedRun saved_;
};

bool FilePrediction::isDue(std::int64_t items, std::chrono::steady_clock::time_point begun) const {
  return items * prediction_.bytesPerItem() >= save_.part_bytes ||
         std::chrono::steady_clock::now() - begun >= save_.part_age;
}

void FilePrediction::keep(KeptPart part) {
  const auto after = std::ranges::upper_bound(kept_, part.begin, {}, &KeptPart::begin);
  kept_.insert(after, std::move(part));
  prediction_.setStage("predicting, parts in " + folder_.name());
}

void FilePrediction::addFindings(std::int64_t begin, RunFindings findings) {
  if (!findings.skipped.empty()) {
    skipped_from_[begin] = std::exchange(findings.skipped, {});
  }
  all_.add(std::move(findings));
}

Status FilePrediction::take(ComputedPart computed) {
  const std::int64_t items = computed.findings.items;
  addFindings(computed.begin, computed.findings);
  if (items == 0) {
    return {};
  }
  saved_.items += items;
  saved_.classes = computed.run.classCount();
  const bool is_last = computed.end == dataset_.size() || context_.control()->stopEarlyRequested();
  if (kept_.empty() && is_last && !context_.cancelRequested()) {
    only_ = std::move(computed.run);
    return {};
  }
  RunPart part{computed.begin, computed.end, std::move(computed.run)};
  describePart({identity_, std::move(computed.findings), std::move(computed.probe)},
               prediction_.meta(), part);
  if (Status added = folder_.add(part); !added) {
    return added;
  }
  keep({part.begin, part.end, folder_.pathOf(part.begin, part.end)});
  return {};
}

tl::unexpected<Error> FilePrediction::refused(const std::string& reason) const {
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{}: {}; go on with what it was begun with, or delete this folder and "
                          "leave --resume out to begin anew",
                          folder_.path(), reason));
}

Status FilePrediction::goOnWith(const std::string& path, const RunPart& part, PartDetails details) {
  if (const std::string difference = firstDifference(details.identity, identity_);
      !difference.empty()) {
    return refused("holds parts of another run, whose " + difference);
  }
  const auto now = prediction_.probeAgain(details.probe);
  if (!now) {
    return failWith(now);
  }
  if (*now != details.probe) {
    return refused(fmt::format("the dataset has changed since (item {} of {})", details.probe.index,
                               dataset_.info().name));
  }
  saved_.items += part.run.itemCount();
  saved_.items_of_earlier += part.run.itemCount();
  saved_.classes = part.run.classCount();
  addFindings(part.begin, std::move(details.findings));
  keep({part.begin, part.end, path});
  return {};
}

Status FilePrediction::readEarlier() {
  saved_.parts_ignored = folder_.unfinished();
  const std::vector<std::string> paths = folder_.partPaths();
  std::int64_t items_done = 0;
  for (const std::string& path : paths) {
    if (context_.step("reading parts", static_cast<std::int64_t>(kept_.size()),
                      static_cast<std::int64_t>(paths.size())) == Step::kCancel) {
      return cancelled();
    }
    const auto part = readPart(path, context_);
    if (!part && part.error().code == ErrorCode::kCancelled) {
      return failWith(part);
    }
    auto details = part ? detailsOf(*part) : Expected<PartDetails>(failWith(part));
    const std::int64_t free_from = kept_.empty() ? 0 : kept_.back().end;
    if (!details || part->begin < free_from || part->end > dataset_.size() ||
        part->begin % prediction_.batch() != 0) {
      ++saved_.parts_ignored;
      continue;
    }
    if (Status taken = goOnWith(path, *part, *std::move(details)); !taken) {
      return taken;
    }
    items_done += part->end - part->begin;
  }
  prediction_.goOnFrom(all_, items_done);
  return {};
}

std::vector<std::pair<std::int64_t, std::int64_t>> FilePrediction::missing() const {
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
  std::int64_t from = 0;
  for (const KeptPart& part : kept_) {
    if (part.begin > from) {
      ranges.emplace_back(from, part.begin);
    }
    from = part.end;
  }
  if (from < dataset_.size()) {
    ranges.emplace_back(from, dataset_.size());
  }
  return ranges;
}

Expected<bool> FilePrediction::compute() {
  // A part is found to be full at the end of a batch.
  const std::int64_t most_items =
      save_.part_bytes / prediction_.bytesPerItem() + 1 + prediction_.batch();
  for (const auto& [begin, end] : missing()) {
    const auto completed = prediction_.run(begin, end, most_items, *this);
    if (!completed || !*completed) {
      return completed;
    }
  }
  return true;
}

Status FilePrediction::writeRunFile(const RunMeta& meta) {
  auto file = folder_.createRunFile();
  if (!file) {
    return failWith(file);
  }
  if (only_) {
    only_->meta = meta;
    return writeRun(*only_, std::move(*file), context_);
  }
  std::vector<std::string> paths;
  for (const KeptPart& part : kept_) {
    paths.push_back(part.path);
  }
  return mergeParts(paths, meta, std::move(*file), context_);
}

tl::unexpected<Error> FilePrediction::explained(Error error) const {
  std::int64_t items_done = 0;
  for (const KeptPart& part : kept_) {
    items_done += part.end - part.begin;
  }
  if (error.code == ErrorCode::kCancelled) {
    error.message = kept_.empty()
                        ? "cancelled; nothing was kept"
                        : fmt::format(
                              "cancelled; {} of {} items are kept in {}, the same command with "
                              "--resume goes on from there",
                              items_done, dataset_.size(), folder_.path());
  } else if (error.code == ErrorCode::kWriteFailed && !kept_.empty()) {
    error.message += ", and go on with --resume";
  }
  return tl::unexpected<Error>(std::move(error));
}

Expected<SavedRun> FilePrediction::run() {
  if (Status read = readEarlier(); !read) {
    return explained(read.error());
  }
  const auto completed = compute();
  if (!completed) {
    return explained(completed.error());
  }
  for (auto& [begin, skipped] : skipped_from_) {
    std::ranges::move(skipped, std::back_inserter(all_.skipped));
  }
  auto meta = prediction_.finish(all_, !*completed);
  if (!meta) {
    return explained(meta.error());
  }
  if (Status written = writeRunFile(*meta); !written) {
    return explained(written.error());
  }
  folder_.removeParts();
  saved_.meta = *std::move(meta);
  return std::move(saved_);
}

}  // namespace

Expected<SavedRun> predictToFile(const Model& model, const Dataset& dataset,
                                 const MethodOptions& method, const PredictOptions& options,
                                 const std::string& run_path, const SaveOptions& save,
                                 RunContext& context) {
  auto folder = PartsFolder::claim(run_path);
  if (!folder) {
    return failWith(folder);
  }
  if (const auto parts = folder->partPaths(); !save.resume && !parts.empty()) {
    return fail(ErrorCode::kWriteFailed,
                fmt::format("{}: holds {} parts of a run that was interrupted; go on with "
                            "--resume, or delete this folder to begin anew",
                            folder->path(), parts.size()));
  }
  Prediction prediction(model, dataset, method, options, context);
  if (Status prepared = prediction.prepare(); !prepared) {
    return failWith(prepared);
  }
  return FilePrediction(prediction, dataset, *folder, save, context).run();
}

}  // namespace dubito
