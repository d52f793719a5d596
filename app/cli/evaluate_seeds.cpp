// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/evaluate_seeds.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/csv_text.h"
#include "app/cli/evaluation_notes.h"
#include "app/cli/run_identity.h"
#include "core/base/json_text.h"
#include "core/io/atomic_file.h"
#include "core/io/csv.h"
#include "core/io/make_folder.h"
#include "core/io/mapped_file.h"
#include "core/io/run_notes.h"
#include "core/metrics/across_seeds.h"

namespace dubito::cli {
namespace {

/// The runs on one dataset (evaluated or OOD), one per seed.
class SeedRuns {
 public:
  SeedRuns(std::string name, std::vector<std::string> paths)
      : name_(std::move(name)), paths_(std::move(paths)) {}

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::size_t size() const { return paths_.size(); }

  // Both refuse a run with the predictions of another one: it would lower the standard deviation.
  [[nodiscard]] Expected<Run> open(std::size_t seed, const RunInput& input, RunContext& context) {
    return unseen(seed, input.open(paths_[seed], context));
  }
  [[nodiscard]] Expected<Run> openLabelled(std::size_t seed, const RunInput& input,
                                           RunContext& context) {
    return unseen(seed, input.openLabelled(paths_[seed], context));
  }

 private:
  [[nodiscard]] Expected<Run> unseen(std::size_t seed, Expected<Run> run) {
    const std::string& path = paths_[seed];
    if (!run) {
      return run;
    }
    const auto [before, is_new] = seen_.try_emplace(predictionHash(*run), path);
    if (!is_new) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: same predictions as {}; pass a different run for each seed",
                              path, before->second));
    }
    return run;
  }

  std::string name_;
  std::vector<std::string> paths_;
  std::map<std::string, std::string> seen_;  ///< paths by predictionHash()
};

/// Splits "RUN,RUN,..."; each run is PROBS.npy,LABELS.npy if there are twice as many files as
/// seeds.
std::vector<std::string> splitRuns(const std::string& list, std::size_t seeds) {
  std::vector<std::string> pieces;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t comma = std::min(list.find(',', begin), list.size());
    pieces.push_back(list.substr(begin, comma - begin));
    begin = comma + 1;
  }
  if (pieces.size() != 2 * seeds) {
    return pieces;
  }
  std::vector<std::string> runs;
  for (std::size_t i = 0; i < pieces.size(); i += 2) {
    runs.push_back(pieces[i] + ',' + pieces[i + 1]);
  }
  return runs;
}

Expected<SeedRuns> parseOod(const std::string& text, std::size_t seeds) {
  const auto equals = text.find('=');
  const bool named = equals != std::string::npos && equals > 0;
  SeedRuns ood(text.substr(0, equals),
               named ? splitRuns(text.substr(equals + 1), seeds) : std::vector<std::string>());
  if (ood.size() != seeds) {
    return usageError(
        fmt::format("--ood {}: --seed-run needs one run for each of the {} seeds; write --ood "
                    "fashion=a.npz,b.npz",
                    text, seeds));
  }
  return ood;
}

/// Evaluation of one seed.
struct EvaluatedSeed {
  Evaluation evaluation;
  std::vector<Note> notes;
};

Expected<EvaluatedSeed> evaluateOne(SeedRuns& runs, std::vector<SeedRuns>& ood, std::size_t seed,
                                    const SeedsRequest& request, RunContext& context) {
  const auto run = runs.openLabelled(seed, request.input, context);
  if (!run) {
    return failWith(run);
  }
  std::vector<Run> opened;
  for (SeedRuns& set : ood) {
    auto ood_run = set.open(seed, request.input, context);
    if (!ood_run) {
      return failWith(ood_run);
    }
    opened.push_back(*std::move(ood_run));
  }
  std::vector<NamedRun> named;
  for (std::size_t i = 0; i < ood.size(); ++i) {
    named.push_back({ood[i].name(), &opened[i]});
  }
  auto evaluation = evaluate(*run, named, request.options, context);
  if (!evaluation) {
    return failWith(evaluation);
  }
  if (Status unchanged = mappedFilesUnchanged(); !unchanged) {
    return failWith(unchanged);
  }
  return EvaluatedSeed{*std::move(evaluation), notesOfAll(*run, named, context)};
}

std::string formatRow(const SeedRow& row) {
  SeedStatistics shown = row.statistics;
  if (row.row.is_fraction) {
    shown.mean *= 100.0;
    shown.std_dev *= 100.0;
  }
  const bool constant_count = row.row.is_count && shown.std_dev == 0.0;
  return formatSeedStatistics(shown, constant_count        ? 0
                                     : row.row.is_fraction ? 3
                                                           : 5) +
         (row.row.is_fraction ? " %" : "");
}

std::string seedTable(const std::vector<SeedRow>& rows) {
  std::size_t width = 0;
  for (const SeedRow& row : rows) {
    width = std::max(width, row.row.name.size() + row.row.score.size() + 2);
  }
  std::string text;
  std::string group;
  for (const SeedRow& row : rows) {
    if (row.row.group != group || text.empty()) {
      group = row.row.group;
      text += group + "\n";
    }
    const std::string name =
        row.row.score.empty() ? row.row.name : row.row.name + ", " + row.row.score;
    text += fmt::format("  {:<{}}  {}\n", name, width, formatRow(row));
  }
  return text;
}

std::string seedCsv(const std::vector<SeedRow>& rows) {
  std::string csv = "group,metric,score,n,mean,std_dev\n";
  for (const SeedRow& row : rows) {
    csv += fmt::format("{},{},{},{},{},{}\n", csvField(row.row.group), csvField(row.row.name),
                       row.row.score, row.statistics.n, numberText(row.statistics.mean),
                       numberText(row.statistics.std_dev));
  }
  return csv;
}

Status writeCsv(const std::string& folder, const std::vector<SeedRow>& rows) {
  if (Status made = makeFolder(folder); !made) {
    return made;
  }
  return writeFileAtomically((std::filesystem::path(folder) / "metrics_of_seeds.csv").string(),
                             seedCsv(rows));
}

}  // namespace

Status evaluateSeeds(const SeedsRequest& request, RunContext& context) {
  const std::size_t seeds = request.runs.size();
  SeedRuns runs("", request.runs);
  std::vector<SeedRuns> ood;
  for (const std::string& text : request.ood) {
    auto parsed = parseOod(text, seeds);
    if (!parsed) {
      return failWith(parsed);
    }
    ood.push_back(*std::move(parsed));
  }
  std::vector<Evaluation> evaluations;
  std::vector<std::vector<Note>> notes_of_runs;
  for (std::size_t seed = 0; seed < seeds; ++seed) {
    auto evaluated = evaluateOne(runs, ood, seed, request, context);
    if (!evaluated) {
      return failWith(evaluated);
    }
    evaluations.push_back(std::move(evaluated->evaluation));
    notes_of_runs.push_back(std::move(evaluated->notes));
  }
  const std::vector<std::string> notes = textsOf(joinedNotes(request.runs, notes_of_runs));
  const std::vector<SeedRow> rows = seedRows(evaluations);
  const nlohmann::json object{
      {"runs", request.runs}, {"notes", notes}, {"metrics", seedsToJson(evaluations)}};
  const std::string json = jsonText(object, 2) + "\n";
  if (request.json == "-") {
    fmt::print("{}", json);
  } else {
    for (const std::string& note : notes) {
      fmt::print("note: {}\n", note);
    }
    fmt::print("{} runs, mean +- sample standard deviation\n{}", seeds, seedTable(rows));
    if (!request.json.empty()) {
      if (Status written = writeFileAtomically(request.json, json); !written) {
        return written;
      }
    }
  }
  return request.csv_folder.empty() ? Status() : writeCsv(request.csv_folder, rows);
}

}  // namespace dubito::cli
