// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/resumable_prediction_torch.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/io/run_file.h"

namespace dubito {
namespace {

std::string textOf(std::span<const IndexRange> ranges) {
  nlohmann::json pairs = nlohmann::json::array();
  for (const IndexRange& range : ranges) {
    pairs.push_back({range.begin, range.end});
  }
  return pairs.dump();
}

std::vector<IndexRange> rangesFromText(const std::string& text) {
  std::vector<IndexRange> ranges;
  for (const nlohmann::json& pair : nlohmann::json::parse(text)) {
    ranges.push_back({pair.at(0).get<std::int64_t>(), pair.at(1).get<std::int64_t>()});
  }
  return ranges;
}

}  // namespace

Expected<std::optional<RunSizes>> readExistingSizes(const PartsFolder& folder,
                                                    RunContext& context) {
  for (const std::string& path : folder.partPaths()) {
    const auto part = readPart(path, context);
    if (const auto details = part ? detailsOf(*part) : Expected<PartDetails>(failWith(part))) {
      return RunSizes{part->run.meta.batch, part->run.samples.has_value(), details->pass_bytes};
    }
    if (!part && part.error().code == ErrorCode::kCancelled) {
      return failWith(part);
    }
  }
  return std::nullopt;
}

bool ResumablePrediction::isDue(std::int64_t items,
                                std::chrono::steady_clock::time_point start_time) const {
  return items * prediction_.bytesPerItem() >= save_.part_bytes ||
         std::chrono::steady_clock::now() - start_time >= save_.part_age;
}

void ResumablePrediction::keep(KeptPart part) {
  const auto after = std::ranges::upper_bound(kept_, part.begin, {}, &KeptPart::begin);
  kept_.insert(after, std::move(part));
}

std::string ResumablePrediction::stage() const {
  return kept_.empty() ? PartSink::stage() : "predicting, parts in " + folder_.name();
}

void ResumablePrediction::addFindings(std::int64_t begin, RunFindings findings) {
  if (!findings.skipped.empty()) {
    skipped_from_[begin] = std::exchange(findings.skipped, {});
  }
  all_.add(std::move(findings));
}

Status ResumablePrediction::take(ComputedPart computed) {
  const std::int64_t items = computed.findings.items;
  addFindings(computed.begin, computed.findings);
  if (items == 0) {
    return {};
  }
  saved_.items += items;
  saved_.classes = computed.run.classCount();
  const bool is_last = computed.end == dataset_.size() || context_.control()->stopEarlyRequested();
  if (!shares_ && kept_.empty() && is_last && !context_.cancelRequested()) {
    whole_run_ = std::move(computed.run);
    return {};
  }
  RunPart part{computed.begin, computed.end, std::move(computed.run)};
  describePart(
      {identity_, std::move(computed.findings), std::move(computed.probe), prediction_.passBytes()},
      prediction_.meta(), part);
  if (Status added = folder_.add(part); !added) {
    return added;
  }
  keep({part.begin, part.end, folder_.pathOf(part.begin, part.end)});
  return {};
}

tl::unexpected<Error> ResumablePrediction::refused(const std::string& reason) const {
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{}: {}; use the original settings, or delete this folder to start again",
                          folder_.path(), reason));
}

Status ResumablePrediction::reusePart(const std::string& path, const RunPart& part,
                                      PartDetails details) {
  if (const std::string difference = firstDifference(details.identity, identity_);
      !difference.empty()) {
    return refused("contains parts of another run, whose " + difference);
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
  saved_.resumed_items += part.run.itemCount();
  saved_.classes = part.run.classCount();
  addFindings(part.begin, std::move(details.findings));
  keep({part.begin, part.end, path});
  return {};
}

Expected<std::int64_t> ResumablePrediction::readExistingParts() {
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
    if (Status taken = reusePart(path, *part, *std::move(details)); !taken) {
      return failWith(taken);
    }
    items_done += part->end - part->begin;
  }
  return items_done;
}

std::vector<IndexRange> ResumablePrediction::missing() const {
  std::vector<IndexRange> ranges;
  std::int64_t from = 0;
  for (const KeptPart& part : kept_) {
    if (part.begin > from) {
      ranges.push_back({from, part.begin});
    }
    from = part.end;
  }
  if (from < dataset_.size()) {
    ranges.push_back({from, dataset_.size()});
  }
  return ranges;
}

Expected<bool> ResumablePrediction::compute(PredictionLoop& loop,
                                            std::span<const IndexRange> ranges) {
  // Parts end at the end of a batch.
  const std::int64_t max_items =
      save_.part_bytes / prediction_.bytesPerItem() + 1 + prediction_.batch();
  for (const auto& [begin, end] : ranges) {
    auto completed = loop.run(begin, end, max_items, *this);
    if (!completed || !*completed) {
      return completed;
    }
  }
  return true;
}

Status ResumablePrediction::writeRunFile(const RunMeta& meta) {
  auto file = folder_.createRunFile();
  if (!file) {
    return failWith(file);
  }
  if (whole_run_) {
    whole_run_->meta = meta;
    return writeRun(*whole_run_, std::move(*file), context_);
  }
  std::vector<std::string> paths;
  for (const KeptPart& part : kept_) {
    paths.push_back(part.path);
  }
  return mergeParts(paths, meta, std::move(*file), context_);
}

tl::unexpected<Error> ResumablePrediction::explained(Error error) const {
  std::int64_t items_done = 0;
  for (const KeptPart& part : kept_) {
    items_done += part.end - part.begin;
  }
  const bool is_cancelled = error.code == ErrorCode::kCancelled;
  if (is_cancelled && kept_.empty()) {
    error.message = "cancelled; nothing was saved";
  } else if (is_cancelled) {
    error.message = fmt::format("cancelled; {} of {} items are saved in {}; continue from there",
                                items_done, dataset_.size(), folder_.path());
    error.remedy.settings.push_back(setting("resume"));
  } else if (error.code == ErrorCode::kWriteFailed && !kept_.empty()) {
    error.message += ", and continue from what is saved";
    error.remedy.settings.push_back(setting("resume"));
  }
  return tl::unexpected<Error>(std::move(error));
}

Status ResumablePrediction::computeShare(RankGroup& ranks) {
  shares_ = true;
  Expected<std::int64_t> read = std::int64_t{0};
  if (ranks.rank() == 0) {
    read = readExistingParts();
  }
  if (Status agreed = agree(ranks, read ? Status() : Status(failWith(read))); !agreed) {
    return agreed;
  }
  const auto share = rankShare(rangesFromText(fromFirst(ranks, textOf(missing()))),
                               prediction_.batch(), ranks.rank(), ranks.size());
  std::int64_t items = 0;
  for (const IndexRange& range : share) {
    items += range.end - range.begin;
  }
  PredictionLoop loop(prediction_, {}, 0, items);
  const auto completed = compute(loop, share);
  return agree(ranks, completed ? Status() : Status(explained(completed.error())));
}

Expected<SavedRun> ResumablePrediction::run() {
  const auto items_done = readExistingParts();
  if (!items_done) {
    return explained(items_done.error());
  }
  PredictionLoop loop(prediction_, all_, *items_done, dataset_.size());
  const auto completed = compute(loop, missing());
  if (!completed) {
    return explained(completed.error());
  }
  for (auto& [begin, skipped] : skipped_from_) {
    std::ranges::move(skipped, std::back_inserter(all_.skipped));
  }
  auto meta = std::move(loop).finish(all_, !*completed);
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

}  // namespace dubito
