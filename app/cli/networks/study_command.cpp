// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/networks/compute_flags.h"
#include "app/cli/networks/study_pdf.h"
#include "core/base/stopwatch.h"
#include "core/study/study_folder.h"
#include "core/study/study_notes.h"
#include "core/study/study_run.h"
#include "core/study/study_tables.h"
#include "core/study/study_values.h"

namespace dubito::cli {
namespace {

struct StudyArguments {
  std::string study;
  StudyPlace place;
  ComputeFlags compute;
  bool as_json = false;
  bool without_pdf = false;
};

/// A report of many figures takes seconds.
constexpr std::chrono::minutes kPdfLimit{5};

nlohmann::json toJson(const StudyReport& report, double seconds) {
  nlohmann::json failures = nlohmann::json::array();
  for (const StudyFailure& failure : report.failures) {
    failures.push_back({{"what", failure.what}, {"reason", failure.message}});
  }
  return {{"files", report.files},
          {"kept", report.counts.kept},
          {"recomputed", report.counts.recomputed},
          {"trained", report.counts.trained},
          {"predicted", report.counts.predicted},
          {"evaluated", report.counts.evaluated},
          {"left_out", report.counts.left_out},
          {"earlier", report.earlier},
          {"failures", failures},
          {"written", report.written},
          {"seconds", seconds}};
}

std::string countsText(const StudyReport& report, double seconds) {
  const StudyCounts& counts = report.counts;
  std::string text = fmt::format(
      "{} results: {} were there; trained {} networks, computed {} runs and {} "
      "evaluations, {:.0f} s\n",
      report.files, counts.kept, counts.trained, counts.predicted, counts.evaluated, seconds);
  if (counts.recomputed > 0) {
    text += fmt::format("{} damaged runs were computed again\n", counts.recomputed);
  }
  if (report.earlier > 0) {
    text += fmt::format("{} results of an earlier version of the study are in earlier/\n",
                        report.earlier);
  }
  return text;
}

Status study(const StudyArguments& arguments, RunContext& context) {
  const Stopwatch watch;
  if (Status applied = arguments.compute.apply(context); !applied) {
    return applied;
  }
  const auto spec = readStudy(arguments.study);
  if (Status read = agreeOnFailure(context, spec); !read) {
    return read;
  }
  auto report = runStudy(
      *spec, arguments.place,
      [&](const std::string& line) {
        if (!arguments.as_json) {
          fmt::print("{}\n", line);
          std::fflush(stdout);
        }
      },
      context);
  if (Status done = agreeOnFailure(context, report); !done) {
    // What was interrupted speaks of its own file and flags.
    return done.error().code == ErrorCode::kCancelled
               ? fail(ErrorCode::kCancelled,
                      fmt::format("{}: cancelled; what is finished is kept, and the same command "
                                  "with --resume continues",
                                  arguments.place.folder))
               : done;
  }
  if (context.ranks && context.ranks->rank() > 0) {
    return {};
  }
  if (!arguments.without_pdf) {
    const Status made = makeStudyPdf(windowProgram(), arguments.place.folder, kPdfLimit, context);
    if (made) {
      report->written.push_back(
          (std::filesystem::path(arguments.place.folder) / kStudyPdf).string());
    } else if (made.error().code == ErrorCode::kCancelled) {
      return fail(ErrorCode::kCancelled,
                  fmt::format("{}: complete, but cancelled before report.pdf was made; dubito "
                              "--study-report makes it",
                              arguments.place.folder));
    } else {
      fmt::print(stderr, "{}\n", made.error().message);
    }
  }
  if (arguments.as_json) {
    fmt::print("{}\n", toJson(*report, watch.seconds()).dump(2));
  } else {
    fmt::print("{}", studyText(*spec, report->results));
    const StudyFolder study =
        studyFolderOf(*spec, arguments.place.folder, report->results, report->failures);
    for (const std::string& note : textsOf(notesOfRuns(study))) {
      fmt::print("note: {}\n", note);
    }
    fmt::print("{}", countsText(*report, watch.seconds()));
    for (const std::string& path : report->written) {
      fmt::print("{}\n", path);
    }
  }
  if (report->failures.empty()) {
    return {};
  }
  return fail(ErrorCode::kInternal,
              fmt::format("{}: {} results failed and {} that need them were left out; the first: "
                          "{}: {}",
                          arguments.study, report->failures.size(), report->counts.left_out,
                          report->failures.front().what, report->failures.front().message));
}

}  // namespace

Command studyCommand(CLI::App& app) {
  const auto arguments = std::make_shared<StudyArguments>();
  // Sums of one thread are the same everywhere; several cores are used by several processes.
  arguments->compute.threads = 1;
  app.add_option("study", arguments->study, "study file (JSON), see the user guide")->required();
  app.add_option("-o,--output", arguments->place.folder, "folder for results, tables and report")
      ->required();
  app.add_flag("--resume", arguments->place.resume,
               "keep the results in the folder that the study still has");
  arguments->compute.declare(app, /*with_seed=*/false);
  app.add_flag("--no-pdf", arguments->without_pdf, "do not make report.pdf");
  app.add_flag("--json", arguments->as_json, "print JSON at the end");
  return {[arguments](RunContext& context) { return study(*arguments, context); },
          /*shares_work=*/true};
}

}  // namespace dubito::cli
