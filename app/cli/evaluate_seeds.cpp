// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/evaluate_seeds.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/csv_text.h"
#include "core/base/json_text.h"
#include "core/io/atomic_file.h"
#include "core/io/csv_field.h"
#include "core/io/make_folder.h"
#include "core/io/mapped_file.h"
#include "core/io/prediction_file.h"
#include "core/metrics/across_seeds.h"

namespace dubito::cli {
namespace {

/// The OOD set of one name, a run for each seed.
struct OodOfSeeds {
  std::string name;
  std::vector<std::string> runs;
};

Expected<OodOfSeeds> parseOod(const std::string& text, std::size_t seeds) {
  const auto equals = text.find('=');
  OodOfSeeds ood;
  for (std::size_t begin = equals + 1; equals != std::string::npos && begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    ood.runs.push_back(text.substr(begin, comma - begin));
    begin = comma + 1;
  }
  if (equals == 0 || ood.runs.size() != seeds) {
    return usageError(fmt::format(
        "--ood {}: with --seed-run it names a run for each of the {} seeds, as in --ood "
        "fashion=a.npz,b.npz",
        text, seeds));
  }
  ood.name = text.substr(0, equals);
  return ood;
}

Expected<Evaluation> evaluateOne(const std::string& path, const std::vector<OodOfSeeds>& ood,
                                 std::size_t seed, const EvaluationOptions& options,
                                 RunContext& context) {
  const auto run = openPredictions(path, context);
  if (!run) {
    return failWith(run);
  }
  std::vector<Run> opened;
  for (const OodOfSeeds& set : ood) {
    auto ood_run = openPredictions(set.runs[seed], context);
    if (!ood_run) {
      return failWith(ood_run);
    }
    opened.push_back(*std::move(ood_run));
  }
  std::vector<NamedRun> named;
  for (std::size_t i = 0; i < ood.size(); ++i) {
    named.push_back({ood[i].name, &opened[i]});
  }
  auto evaluation = evaluate(*run, named, options, context);
  if (Status unchanged = mappedFilesUnchanged(); !unchanged) {
    return failWith(unchanged);
  }
  return evaluation;
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

std::string tableOf(const std::vector<SeedRow>& rows) {
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

std::string csvOf(const std::vector<SeedRow>& rows) {
  std::string csv = "group,metric,score,n,mean,std_dev\n";
  for (const SeedRow& row : rows) {
    csv += fmt::format("{},{},{},{},{},{}\n", csvField(row.row.group), csvField(row.row.name),
                       row.row.score, row.statistics.n, number(row.statistics.mean),
                       number(row.statistics.std_dev));
  }
  return csv;
}

Status writeCsv(const std::string& folder, const std::vector<SeedRow>& rows) {
  if (Status made = makeFolder(folder); !made) {
    return made;
  }
  return writeFileAtomically((std::filesystem::path(folder) / "metrics_of_seeds.csv").string(),
                             csvOf(rows));
}

}  // namespace

Status evaluateSeeds(const SeedsRequest& request, RunContext& context) {
  std::vector<OodOfSeeds> ood;
  for (const std::string& text : request.ood) {
    auto parsed = parseOod(text, request.runs.size());
    if (!parsed) {
      return failWith(parsed);
    }
    ood.push_back(*std::move(parsed));
  }
  std::vector<Evaluation> evaluations;
  for (std::size_t seed = 0; seed < request.runs.size(); ++seed) {
    auto evaluation = evaluateOne(request.runs[seed], ood, seed, request.options, context);
    if (!evaluation) {
      return failWith(evaluation);
    }
    evaluations.push_back(*std::move(evaluation));
  }
  const std::vector<SeedRow> rows = seedRows(evaluations);
  const nlohmann::json object{{"runs", request.runs}, {"metrics", seedsToJson(evaluations)}};
  const std::string json = jsonText(object, 2) + "\n";
  if (request.json == "-") {
    fmt::print("{}", json);
  } else {
    fmt::print("{} runs, mean +- sample standard deviation\n{}", request.runs.size(),
               tableOf(rows));
    if (!request.json.empty()) {
      if (Status written = writeFileAtomically(request.json, json); !written) {
        return written;
      }
    }
  }
  return request.csv_folder.empty() ? Status() : writeCsv(request.csv_folder, rows);
}

}  // namespace dubito::cli
