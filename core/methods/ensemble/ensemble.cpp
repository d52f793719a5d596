// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/methods/ensemble/ensemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/base/json_text.h"
#include "core/base/memory_budget.h"
#include "core/base/stopwatch.h"
#include "core/io/join_runs.h"
#include "core/io/parts_folder.h"
#include "core/io/run_needs.h"
#include "core/io/run_notes.h"
#include "core/kernels/number_hash.h"
#include "core/metrics/label_fit.h"
#include "core/runs/run_builder.h"

namespace dubito {
namespace {

/// An order-independent hash over the networks of all members; empty if one is unknown.
std::string networksOf(const std::vector<EnsembleMember>& members) {
  std::vector<std::string> hashes;
  for (const EnsembleMember& member : members) {
    hashes.push_back(member.run.meta.network_hash);
    if (hashes.back().empty()) {
      return {};
    }
  }
  std::ranges::sort(hashes);
  NumberHash all;
  for (const std::string& hash : hashes) {
    all.add(hash);
  }
  return all.hex();
}

/// For each member the rows of the items of the first one, as rowsOfSameItems().
Expected<std::vector<std::vector<std::int64_t>>> rowsOfMembers(
    const std::vector<EnsembleMember>& members) {
  if (members.size() < 2) {
    return fail(ErrorCode::kInvalidArgument, "an ensemble needs at least two members; give more",
                {setting("member")});
  }
  const EnsembleMember& first = members.front();
  std::vector<std::vector<std::int64_t>> all;
  for (const EnsembleMember& member : members) {
    if (Status usable = requireProbabilities(member.run, member.name); !usable) {
      return failWith(usable);
    }
    if (member.run.itemCount() == 0) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: has no items; give a run with items", member.name));
    }
    auto rows = rowsOfSameItems({first.run, first.name}, {member.run, member.name});
    if (!rows) {
      return failWith(rows);
    }
    all.push_back(*std::move(rows));
  }
  return all;
}

class Ensemble {
 public:
  /// The members must be compatible. All arguments must outlive the object.
  [[nodiscard]] static Expected<std::unique_ptr<Ensemble>> of(
      const std::vector<EnsembleMember>& members, const EnsembleRunOptions& options,
      RunContext& context) {
    auto rows = rowsOfMembers(members);
    if (!rows) {
      return failWith(rows);
    }
    std::unique_ptr<Ensemble> ensemble(new Ensemble(members, options, context));
    ensemble->join(*std::move(rows));
    return ensemble;
  }

  [[nodiscard]] Status write(const std::string& path);
  /// Warns if the predictions do not fit the labels.
  void noteLabelFit(const LabelFit& fit);
  [[nodiscard]] Expected<Run> inMemory();

  SavedRun saved;

 private:
  Ensemble(const std::vector<EnsembleMember>& members, const EnsembleRunOptions& options,
           RunContext& context)
      : members_(members), first_(members.front()), options_(options), context_(context) {}

  void join(std::vector<std::vector<std::int64_t>> rows);
  void chooseDraws();
  void describe();
  [[nodiscard]] std::int64_t rowIn(std::size_t member, std::int64_t item) const {
    return rows_[member].empty() ? item : rows_[member][static_cast<std::size_t>(item)];
  }
  /// Probabilities of the draws for the items [begin, end), [T, B, K].
  [[nodiscard]] Array<float> drawsOf(std::int64_t begin, std::int64_t end) const;
  [[nodiscard]] RunShape shape() const {
    return {.classes = saved.classes, .draws = draws_, .keep_samples = keep_samples_};
  }
  /// Number of items whose draws and results are held at a time.
  [[nodiscard]] std::int64_t itemsPerStep() const;
  [[nodiscard]] Status addItems(std::int64_t begin, std::int64_t end, RunBuilder& builder) const;

  const std::vector<EnsembleMember>& members_;
  const EnsembleMember& first_;
  const EnsembleRunOptions& options_;
  RunContext& context_;
  std::vector<std::vector<std::int64_t>> rows_;
  std::int64_t draws_of_member_ = 0;  ///< 0: each member counts as one draw
  std::int64_t draws_ = 0;
  bool keep_samples_ = false;
};

void Ensemble::chooseDraws() {
  const auto kept = [](const EnsembleMember& member) { return member.run.drawCount(); };
  const bool equal = std::ranges::all_of(
      members_, [&](const EnsembleMember& member) { return kept(member) == kept(first_); });
  draws_of_member_ = equal ? kept(first_) : 0;
  const auto count = static_cast<std::int64_t>(members_.size());
  draws_ = count * std::max<std::int64_t>(1, draws_of_member_);
  const bool some_spread = std::ranges::any_of(members_, [&](const EnsembleMember& member) {
    return member.run.mutual_information || kept(member) > 0;
  });
  std::vector<Note>& notes = saved.meta.notes;
  if (draws_of_member_ > 0) {
    notes.push_back(fmt::format("{} members with {} draws each: all {} draws count equally", count,
                                draws_of_member_, draws_));
  } else if (some_spread) {
    notes.push_back(
        "The members' own draws are not stored, or differ in number: each member counts as one "
        "draw with its mean, so the mutual information is between members only");
  }
  const std::int64_t bytes =
      saved.items * draws_ * saved.classes * static_cast<std::int64_t>(sizeof(float));
  std::int64_t limit = options_.keep_samples_mb * kMebibyte;
  if (context_.memory_budget_bytes > 0) {
    limit = std::min(limit, context_.memory_budget_bytes / 2);
  }
  keep_samples_ = bytes <= limit;
  if (!keep_samples_) {
    notes.push_back(fmt::format("The members ({} MB) were not stored as draws (limit {} MB)",
                                bytes / kMebibyte, limit / kMebibyte));
  }
}

void Ensemble::describe() {
  RunMeta& meta = saved.meta;
  const RunMeta& first = first_.run.meta;
  meta.method = "ensemble";
  meta.notes.insert(meta.notes.end(), options_.notes.begin(), options_.notes.end());
  nlohmann::json members = nlohmann::json::array();
  std::vector<std::string> names;
  std::vector<std::vector<Note>> notes;
  for (const EnsembleMember& member : members_) {
    const RunMeta& of_member = member.run.meta;
    members.push_back({{"name", member.name},
                       {"method", of_member.method},
                       {"model", of_member.model_name},
                       {"options", nlohmann::json::parse(of_member.method_options)},
                       {"seed", of_member.seed}});
    names.push_back(member.name);
    notes.push_back(of_member.notes);
  }
  std::ranges::move(joinedNotes(names, notes), std::back_inserter(meta.notes));
  meta.method_options = jsonText({{"draws", draws_}, {"members", members}}, -1);
  meta.model_name = fmt::format("{} members", members_.size());
  meta.network_hash = networksOf(members_);
  meta.dataset_name = first.dataset_name;
  meta.dataset_spec = first.dataset_spec;
  meta.task = first.task;
  meta.role = first.role;
  meta.reviewed_labels = first.reviewed_labels;
  meta.class_names = first.class_names;
  meta.preprocessing = first.preprocessing;
  meta.versions = first.versions;
  meta.skipped = first.skipped;
  meta.batch = first.batch;
  meta.device = first.device;
  meta.threads = context_.threads;
  meta.seed = first.seed;
  // Members with identical inputs have the same content hash.
  const bool same_content = std::ranges::all_of(members_, [&](const EnsembleMember& member) {
    return member.run.meta.dataset_hash == first.dataset_hash;
  });
  meta.dataset_hash = same_content ? first.dataset_hash : "";
  if (!same_content) {
    meta.notes.push_back(
        "The members' networks received different inputs (other preprocessing or other item "
        "contents): compare their data if this was not intended");
  }
}

void Ensemble::join(std::vector<std::vector<std::int64_t>> rows) {
  rows_ = std::move(rows);
  saved.items = first_.run.itemCount();
  saved.classes = first_.run.classCount();
  chooseDraws();
  describe();
}

Array<float> Ensemble::drawsOf(std::int64_t begin, std::int64_t end) const {
  const std::int64_t classes = saved.classes;
  const std::int64_t items = end - begin;
  const std::int64_t all_items = saved.items;
  Array<float> draws = Array<float>::zeros({draws_, items, classes});
  float* to = draws.mutableData();
  for (std::size_t m = 0; m < members_.size(); ++m) {
    const Run& run = members_[m].run;
    for (std::int64_t t = 0; t < std::max<std::int64_t>(1, draws_of_member_); ++t) {
      for (std::int64_t i = begin; i < end; ++i, to += classes) {
        const std::int64_t row = rowIn(m, i);
        if (draws_of_member_ > 0) {
          const float* const from = run.samples->data() + (t * all_items + row) * classes;
          std::copy(from, from + classes, to);
        } else {
          for (std::int64_t k = 0; k < classes; ++k) {
            to[k] = static_cast<float>(run.prob(row, k));
          }
        }
      }
    }
  }
  return draws;
}

std::int64_t Ensemble::itemsPerStep() const {
  const std::int64_t held_bytes = draws_ * saved.classes * static_cast<std::int64_t>(sizeof(float));
  return std::max<std::int64_t>(1, options_.part_bytes / (shape().bytesPerItem() + held_bytes));
}

Status Ensemble::addItems(std::int64_t begin, std::int64_t end, RunBuilder& builder) const {
  builder.addItemsOf(first_.run, begin, end);
  return builder.addDraws(drawsOf(begin, end), context_);
}

void Ensemble::noteLabelFit(const LabelFit& fit) {
  if (std::optional<Note> warning = labelFitNote(saved.meta, fit)) {
    saved.meta.notes.push_back(*std::move(warning));
  }
}

Expected<Run> Ensemble::inMemory() {
  const Stopwatch watch;
  const std::int64_t block = itemsPerStep();
  RunBuilder builder(saved.items, shape());
  for (std::int64_t begin = 0; begin < saved.items; begin += block) {
    const std::int64_t end = std::min(begin + block, saved.items);
    if (Status added = addItems(begin, end, builder); !added) {
      return failWith(added);
    }
    if (context_.step("joining", end, saved.items) == Step::kCancel) {
      return cancelled();
    }
  }
  saved.meta.timings["total"] = watch.seconds();
  Run run = std::move(builder).finish();
  LabelFit fit;
  fit.add(run);
  noteLabelFit(fit);
  run.meta = std::move(saved.meta);
  return run;
}

Status Ensemble::write(const std::string& path) {
  const Stopwatch watch;
  auto folder = PartsFolder::claim(path);
  if (!folder) {
    return failWith(folder);
  }
  if (const auto parts = folder->partPaths(); !parts.empty()) {
    return fail(
        ErrorCode::kWriteFailed,
        fmt::format(
            "{}: holds {} parts of a run that was interrupted; delete this folder to start again",
            folder->path(), parts.size()));
  }
  const std::int64_t block = itemsPerStep();
  std::vector<std::string> paths;
  Status status;
  LabelFit fit;
  for (std::int64_t begin = 0; begin < saved.items && status; begin += block) {
    const std::int64_t end = std::min(begin + block, saved.items);
    RunBuilder builder(end - begin, shape());
    status = addItems(begin, end, builder);
    if (status && context_.step("joining", end, saved.items) == Step::kCancel) {
      status = cancelled();
    }
    if (status) {
      RunPart part{begin, end, std::move(builder).finish()};
      fit.add(part.run);
      status = folder->add(part);
      paths.push_back(folder->pathOf(begin, end));
    }
  }
  saved.meta.timings["total"] = watch.seconds();
  noteLabelFit(fit);
  if (status) {
    auto file = folder->createRunFile();
    status =
        file ? mergeParts(paths, saved.meta, std::move(*file), context_) : Status(failWith(file));
  }
  // Parts joined so far are quickly recomputed.
  folder->removeParts();
  return status;
}

}  // namespace

Status checkMembers(const std::vector<EnsembleMember>& members) {
  const auto rows = rowsOfMembers(members);
  return rows ? Status() : Status(failWith(rows));
}

Expected<SavedRun> ensembleToFile(const std::vector<EnsembleMember>& members,
                                  const std::string& path, const EnsembleRunOptions& options,
                                  RunContext& context) {
  auto ensemble = Ensemble::of(members, options, context);
  if (!ensemble) {
    return failWith(ensemble);
  }
  if (Status written = (*ensemble)->write(path); !written) {
    return failWith(written);
  }
  return std::move((*ensemble)->saved);
}

Expected<Run> ensembleRun(const std::vector<EnsembleMember>& members,
                          const EnsembleRunOptions& options, RunContext& context) {
  auto ensemble = Ensemble::of(members, options, context);
  return ensemble ? (*ensemble)->inMemory() : Expected<Run>(failWith(ensemble));
}

}  // namespace dubito
