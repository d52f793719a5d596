// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/json_text.h"
#include "core/base/rank_group.h"
#include "core/io/atomic_file.h"
#include "core/io/make_folder.h"
#include "core/io/mapped_file.h"
#include "core/study/study_files.h"
#include "core/study/study_output.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The part of the work that this process does.
struct Share {
  int rank = 0;
  int size = 1;

  [[nodiscard]] bool has(std::size_t number) const {
    return number % static_cast<std::size_t>(size) == static_cast<std::size_t>(rank);
  }
  [[nodiscard]] bool leads() const { return rank == 0; }
};

/// All processes return the same error, or none.
Status agreed(const RunContext& context, const Status& mine) {
  return context.ranks ? agree(*context.ranks, mine) : mine;
}

/// Moves results of an earlier version of the study out of the way, and those that the study has
/// again back. Returns how many are out of the way.
Expected<std::int64_t> sortFiles(const StudyPlan& plan, const fs::path& folder) {
  const std::vector<std::string> names = plan.fileNames();
  const std::set<std::string> wanted(names.begin(), names.end());
  const fs::path earlier = folder / "earlier";
  std::error_code error;
  std::vector<fs::path> unwanted;
  for (const auto& entry : fs::directory_iterator(plan.folder, error)) {
    const std::string name = entry.path().filename().string();
    // An unfinished training or prediction belongs to its result.
    const std::string result = name.ends_with(".part")    ? name.substr(0, name.size() - 5)
                               : name.ends_with(".parts") ? name.substr(0, name.size() - 6)
                                                          : name;
    if (!wanted.contains(result)) {
      unwanted.push_back(entry.path());
    }
  }
  if (!unwanted.empty()) {
    if (Status made = makeFolder(earlier.string()); !made) {
      return failWith(made);
    }
  }
  for (const fs::path& path : unwanted) {
    fs::rename(path, earlier / path.filename(), error);
    if (error) {
      return fail(ErrorCode::kWriteFailed,
                  fmt::format("{}: cannot be moved to {} ({}); check the folder's permissions",
                              path.string(), earlier.string(), error.message()));
    }
  }
  std::int64_t count = 0;
  if (fs::is_directory(earlier, error)) {
    for (const auto& entry : fs::directory_iterator(earlier, error)) {
      const std::string name = entry.path().filename().string();
      const fs::path back = fs::path(plan.folder) / name;
      if (wanted.contains(name) && !fs::exists(back)) {
        fs::rename(entry.path(), back, error);
      } else {
        ++count;
      }
    }
  }
  return count;
}

std::int64_t filesThere(const StudyPlan& plan) {
  std::int64_t count = 0;
  for (const std::string& name : plan.fileNames()) {
    std::error_code ignored;
    count += fs::exists(fs::path(plan.folder) / name, ignored) ? 1 : 0;
  }
  return count;
}

json toJson(const StudyWorker& worker) {
  const StudyCounts& counts = worker.counts();
  json object{{"trained", counts.trained},     {"predicted", counts.predicted},
              {"evaluated", counts.evaluated}, {"recomputed", counts.recomputed},
              {"left_out", counts.left_out},   {"failures", json::array()}};
  for (const StudyFailure& failure : worker.failures()) {
    object["failures"].push_back({failure.what, failure.message});
  }
  return object;
}

void addTo(StudyReport& report, const json& object) {
  report.counts.add({.trained = object.at("trained"),
                     .predicted = object.at("predicted"),
                     .evaluated = object.at("evaluated"),
                     .recomputed = object.at("recomputed"),
                     .left_out = object.at("left_out")});
  for (const json& failure : object.at("failures")) {
    report.failures.push_back({failure.at(0), failure.at(1)});
  }
}

class StudyRunner {
 public:
  StudyRunner(const StudySpec& spec, const StudyPlace& place,
              const std::function<void(const std::string&)>& on_line, RunContext& context)
      : spec_(spec), place_(place), on_line_(on_line), context_(context) {
    if (context.ranks) {
      share_ = {context.ranks->rank(), context.ranks->size()};
    }
  }

  Expected<StudyReport> run() {
    RunContext alone = ownContext();
    auto inputs = openStudy(spec_, alone);
    if (Status all = agreed(context_, inputs ? Status() : failWith(inputs)); !all) {
      return failWith(all);
    }
    inputs_ = *std::move(inputs);
    plan_ = planStudy(spec_, inputs_, (fs::path(place_.folder) / kRunsFolder).string(), context_);
    StudyReport report;
    report.files = std::ssize(plan_.fileNames());
    if (Status ready = agreed(context_, share_.leads() ? prepare(report) : Status()); !ready) {
      return failWith(ready);
    }
    StudyWorker worker(spec_, inputs_, plan_, on_line_);
    if (Status done = agreed(context_, work(worker)); !done) {
      return failWith(done);
    }
    gather(worker, report);
    if (!share_.leads()) {
      return report;
    }
    auto results = collectResults(spec_, plan_, alone);
    if (!results) {
      return failWith(results);
    }
    report.results = *std::move(results);
    auto written = writeStudyFolder(
        spec_, plan_, studyFolderOf(spec_, place_.folder, report.results, report.failures), alone);
    if (!written) {
      return failWith(written);
    }
    report.written = *std::move(written);
    return report;
  }

 private:
  /// A context for work that this process does alone.
  [[nodiscard]] RunContext ownContext() const {
    RunContext own = context_;
    own.ranks = nullptr;
    return own;
  }

  Status prepare(StudyReport& report) {
    if (Status made = makeFolder(plan_.folder); !made) {
      return made;
    }
    std::error_code error;
    const bool has_results =
        fs::directory_iterator(plan_.folder, error) != fs::directory_iterator();
    if (has_results && !place_.resume) {
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format("{}: has results; resume the study, or use another folder", plan_.folder),
          {setting("resume")});
    }
    if (Status kept = keepStudyFile(); !kept) {
      return kept;
    }
    const auto earlier = sortFiles(plan_, place_.folder);
    if (!earlier) {
      return failWith(earlier);
    }
    report.earlier = *earlier;
    report.counts.kept = filesThere(plan_);
    return {};
  }

  /// So that the folder names the study of its results.
  [[nodiscard]] Status keepStudyFile() const {
    const std::string path = (fs::path(place_.folder) / kStudyFile).string();
    if (const auto there = MappedFile::open(path)) {
      const ByteSpan bytes = (*there)->bytes();
      if (std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()) ==
          spec_.text) {
        return {};
      }
    }
    return writeFileAtomically(path, std::string_view(spec_.text));
  }

  /// Networks first, because ensembles need those of other seeds.
  Status work(StudyWorker& worker) {
    const std::size_t networks = plan_.networks.size();
    Status status;
    for (std::size_t i = 0; i < networks && status; ++i) {
      if (share_.has(i)) {
        RunContext own = stageContext(fmt::format("network {} of {}", i + 1, networks));
        status = worker.runNetwork(i, own);
      }
    }
    if (Status all = agreed(context_, status); !all) {
      return all;
    }
    const std::vector<std::size_t> mine = ownEvaluations();
    for (std::size_t i = 0; i < mine.size() && status; ++i) {
      RunContext own = stageContext(fmt::format("evaluation {} of {}", i + 1, mine.size()));
      status = own.step("evaluating", 0, 1) == Step::kCancel ? Status(cancelled())
                                                             : worker.runEvaluation(mine[i], own);
    }
    return status;
  }

  /// All targets of a row and seed, one after the other: they share the network and the runs over
  /// the OOD sets.
  [[nodiscard]] std::vector<std::size_t> ownEvaluations() const {
    std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < plan_.evaluations.size(); ++i) {
      const EvaluationTask& task = plan_.evaluations[i];
      groups[{task.row, task.seed_index}].push_back(i);
    }
    std::vector<std::size_t> mine;
    std::size_t number = 0;
    for (const auto& [group, evaluations] : groups) {
      if (share_.has(number++)) {
        mine.insert(mine.end(), evaluations.begin(), evaluations.end());
      }
    }
    return mine;
  }

  [[nodiscard]] RunContext stageContext(const std::string& stage) const {
    RunContext own = ownContext();
    if (context_.on_progress) {
      own.on_progress = [stage, report = context_.on_progress](const Progress& progress) {
        report({stage + ", " + progress.stage, progress.done, progress.total});
      };
    }
    return own;
  }

  void gather(const StudyWorker& worker, StudyReport& report) const {
    const std::string mine = jsonText(toJson(worker), -1);
    const std::vector<std::string> all =
        context_.ranks ? context_.ranks->gather(mine) : std::vector<std::string>{mine};
    for (const std::string& text : all) {
      addTo(report, json::parse(text));
    }
  }

  const StudySpec& spec_;
  const StudyPlace& place_;
  const std::function<void(const std::string&)>& on_line_;
  RunContext& context_;
  Share share_;
  StudyInputs inputs_;
  StudyPlan plan_;
};

}  // namespace

Expected<StudyReport> runStudy(const StudySpec& spec, const StudyPlace& place,
                               const std::function<void(const std::string&)>& on_line,
                               RunContext& context) {
  return StudyRunner(spec, place, on_line, context).run();
}

}  // namespace dubito
