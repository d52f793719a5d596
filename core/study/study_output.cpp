// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/base/json_text.h"
#include "core/io/atomic_file.h"
#include "core/io/make_folder.h"
#include "core/study/checked_json.h"
#include "core/study/study_figures.h"
#include "core/study/study_report.h"
#include "core/study/study_tables.h"
#include "core/study/study_values.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

/// Name in the folder and content.
using Files = std::vector<std::pair<std::string, std::string>>;

/// A title as part of a file name: "Precision kept, guaranteed 90 %" is
/// "precision-kept-guaranteed-90".
std::string fileNameOf(const std::string& title) {
  constexpr std::size_t kMaxLength = 60;
  std::string name;
  for (const char c : title) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (is_letter || (c >= 'A' && c <= 'Z')) {
      name += is_letter ? c : static_cast<char>(c - 'A' + 'a');
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  name.resize(std::min(name.size(), kMaxLength));
  if (name.ends_with('-')) {
    name.pop_back();
  }
  return name.empty() ? "figure" : name;
}

/// Adds the figures to `study`; returns their files.
Files addFigures(const std::vector<FigureGroup>& groups, StudyFolder& study) {
  Files files;
  for (const FigureGroup& group : groups) {
    StudyFigureGroup added{.heading = group.heading, .text = group.text, .figures = {}};
    for (const Chart& chart : group.charts) {
      const std::string name =
          fmt::format("{}/{:03}-{}.svg", kFiguresFolder, files.size() + 1, fileNameOf(chart.title));
      added.figures.push_back({chart.title, (fs::path(study.path) / name).string()});
      files.emplace_back(name, chartSvg(chart));
    }
    study.figures.push_back(std::move(added));
  }
  return files;
}

Expected<std::vector<FigureGroup>> figureGroups(const StudySpec& spec, const StudyPlan& plan,
                                                const StudyResults& results, RunContext& context) {
  std::vector<FigureGroup> groups{labellingFigures(spec, results), severityFigures(spec, results)};
  auto of_seed = seedFigures(spec, plan, context);
  if (!of_seed) {
    return failWith(of_seed);
  }
  groups.insert(groups.end(), of_seed->begin(), of_seed->end());
  std::erase_if(groups, [](const FigureGroup& group) { return group.charts.empty(); });
  return groups;
}

void removeFigures(const StudyFolder& before, const std::set<std::string>& kept) {
  for (const StudyFigureGroup& group : before.figures) {
    for (const StudyFigure& figure : group.figures) {
      if (!kept.contains(figure.path)) {
        std::error_code ignored;
        fs::remove(figure.path, ignored);
      }
    }
  }
}

}  // namespace

Expected<std::vector<std::string>> writeStudyFolder(const StudySpec& spec, const StudyPlan& plan,
                                                    StudyFolder study, RunContext& context) {
  const auto groups = figureGroups(spec, plan, study.results, context);
  if (!groups) {
    return failWith(groups);
  }
  const auto before = readStudyFolder(study.path);
  Files files = addFigures(*groups, study);
  files.insert(files.end(), {{"table.csv", studyCsv(spec, study.results)},
                             {"metrics.csv", studyMetricsCsv(spec, study.results)},
                             {kStudyTable, jsonText(withChecksum(toJson(study)), 2) + "\n"},
                             {"table.tex", studyTex(spec, study.results)}});
  if (spec.labelling) {
    files.emplace_back("labelling.csv", studyLabellingCsv(spec, study.results));
  }
  if (spec.retraining) {
    files.emplace_back("retraining.csv", studyRetrainingCsv(spec, study.results));
  }
  files.emplace_back("report.html", studyHtml(studyContent(study), *groups));
  if (Status made = makeFolder((fs::path(study.path) / kFiguresFolder).string()); !made) {
    return failWith(made);
  }
  std::vector<std::string> written;
  for (const auto& [name, text] : files) {
    written.push_back((fs::path(study.path) / name).string());
    if (Status done = writeFileAtomically(written.back(), std::string_view(text)); !done) {
      return failWith(done);
    }
  }
  if (before) {
    removeFigures(*before, {written.begin(), written.end()});
  }
  // It has the numbers of an earlier version; a new one is made from the files written here.
  std::error_code ignored;
  fs::remove(fs::path(study.path) / kStudyPdf, ignored);
  return written;
}

}  // namespace dubito
