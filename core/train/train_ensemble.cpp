// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/train_ensemble.h"

#include <fmt/format.h>

#include "core/base/rank_group.h"
#include "core/io/atomic_file.h"
#include "core/train/train_torch.h"

namespace dubito {
namespace {

/// The context of one member: its seed, no other processes, and its number in the progress.
RunContext contextOf(const RunContext& context, const MemberReport& member, std::int64_t members) {
  RunContext own = context;
  own.seed = member.seed;
  own.ranks = nullptr;
  if (context.on_progress) {
    own.on_progress = [report = context.on_progress, number = member.number,
                       members](const Progress& progress) {
      Progress of_member = progress;
      of_member.stage = fmt::format("member {} of {}, {}", number, members, progress.stage);
      report(of_member);
    };
  }
  return own;
}

}  // namespace

std::vector<Field> EnsembleOptions::fields() {
  return {{{.name = "members",
            .label = "Members",
            .help = "networks of a deep ensemble, with the seeds SEED, SEED + 1, ...",
            .min = 1,
            .max = 1000},
           &members}};
}

Status EnsembleOptions::check() const {
  EnsembleOptions copy = *this;
  return checkFields(copy.fields());
}

Expected<std::vector<MemberReport>> trainEnsemble(
    const Dataset& dataset, const TrainOptions& options, const EnsembleOptions& ensemble,
    const std::string& output_path, RunContext& context, const EnsembleEvents& events) {
  for (const Status& status : {ensemble.check(), checkTraining(dataset, options, context)}) {
    if (!status) {
      return failWith(status);
    }
  }
  const std::int64_t rank = context.ranks ? context.ranks->rank() : 0;
  const std::int64_t ranks = context.ranks ? context.ranks->size() : 1;
  if (const auto writable = AtomicFile::create(numberedPath(output_path, rank + 1)); !writable) {
    return failWith(writable);
  }
  const auto set = readTrainingSet(dataset, context);
  if (!set) {
    return failWith(set);
  }
  std::vector<MemberReport> reports;
  for (std::int64_t i = rank; i < ensemble.members; i += ranks) {
    MemberReport member{
        .number = i + 1, .seed = context.seed + static_cast<std::uint64_t>(i), .training = {}};
    const std::string path = numberedPath(output_path, member.number);
    RunContext own = contextOf(context, member, ensemble.members);
    if (!options.restart && isTrained(*set, dataset, options, path, own)) {
      member.was_trained = true;
      member.training.items = set->size();
      member.training.averaged_epochs = options.averaging.averagedEpochs(options.epochs);
      member.training.networks = networkPaths(options.averaging, path);
    } else {
      if (events.on_member) {
        events.on_member(member.number, member.seed);
      }
      auto trained = trainOn(*set, dataset, options, path, own, events.training);
      if (!trained && trained.error().code == ErrorCode::kCancelled && !reports.empty()) {
        trained.error().message += fmt::format("; {} finished before it {} kept", reports.size(),
                                               reports.size() == 1 ? "is" : "are");
      }
      if (!trained) {
        return failWith(trained);
      }
      member.training = *std::move(trained);
    }
    const bool stopped = member.training.stopped_early;
    reports.push_back(std::move(member));
    if (stopped) {
      break;
    }
  }
  return reports;
}

}  // namespace dubito
