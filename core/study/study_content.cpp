// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_content.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/study/study_headline.h"
#include "core/study/study_notes.h"
#include "core/study/study_tables.h"
#include "core/study/study_values.h"

namespace dubito {
namespace {

std::vector<StudyText> nameTexts(const StudyTableRow& row) {
  return {{row.network}, {row.methodText()}};
}

StudyTable metricsTable(const StudyFolder& study, const std::vector<const StudyCell*>& cells) {
  StudyTable table{
      .caption = "Mean ± standard deviation over seeds; the best mean of each column is bold.",
      .names = 2,
      .columns = {"network", "method"},
      .rows = {}};
  for (const StudyColumn& column : studyColumns()) {
    table.columns.push_back(columnTitle(column, study.score_misclassified, study.score_ood) +
                            (column.high_is_good ? "\u00a0↑" : "\u00a0↓"));
  }
  const auto best = bestCells(cells);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::vector<StudyText> row = nameTexts(study.rows[cells[i]->row]);
    for (std::size_t c = 0; c < studyColumns().size(); ++c) {
      row.push_back(
          {cellText(cells[i]->columns[c]), best[c] == i ? StudyMark::kBest : StudyMark::kNone});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

StudyTable differencesTable(const StudyFolder& study, const std::vector<const StudyCell*>& cells) {
  StudyTable table{.caption = fmt::format(
                       "Differences to {}, with 95 % intervals and p by {}paired "
                       "bootstrap replicates over items and seeds.",
                       study.baseline,
                       study.replicates > 0 ? fmt::format("{} ", study.replicates) : std::string()),
                   .names = 2,
                   .together = 2,
                   .columns = {"network", "method"},
                   .rows = {}};
  for (const char* const metric : kStudyDifferences) {
    const StudyColumn& column = studyColumns()[studyColumnIndex(metric)];
    table.columns.push_back(fmt::format("Δ {}", column.title));
    table.columns.push_back(fmt::format("p ({})", column.title));
  }
  for (const StudyCell* const one : cells) {
    if (one->differences.empty()) {
      continue;
    }
    std::vector<StudyText> row = nameTexts(study.rows[one->row]);
    for (const BootstrappedMean& value : one->differences) {
      row.push_back({fmt::format("{:+.3f} [{:+.3f}, {:+.3f}]", value.mean, value.interval.low,
                                 value.interval.high)});
      row.push_back({fmt::format("{:.3g}", value.p)});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// One line per row and rule.
StudyTable labellingTable(const StudyFolder& study, const std::vector<const StudyCell*>& cells) {
  const StudyLabellingSettings& settings = *study.labelling;
  const std::string how = settings.measure.empty()
                              ? std::string()
                              : fmt::format(" by {}, δ = {:g}", settings.measure, settings.delta);
  StudyTable table{.caption = fmt::format("Automatic labelling{}: share of the target that is "
                                          "labelled, and share of these labels that is right; a "
                                          "broken guarantee is orange.",
                                          how),
                   .names = 3,
                   .together = 2,
                   .columns = {"network", "method", "rule"},
                   .rows = {}};
  for (const double guaranteed : settings.guarantees) {
    table.columns.push_back(fmt::format("labelled at {:g}\u00a0%", 100.0 * guaranteed));
    table.columns.push_back(fmt::format("right at {:g}\u00a0%", 100.0 * guaranteed));
  }
  for (const StudyCell* const one : cells) {
    for (int rule = 0; rule < kLabellingRules; ++rule) {
      std::vector<StudyText> row = nameTexts(study.rows[one->row]);
      row.push_back({keyOf(static_cast<LabellingRule>(rule))});
      bool any = false;
      for (const double guaranteed : settings.guarantees) {
        const auto value = std::ranges::find_if(one->labelling, [&](const StudyLabelling& all) {
          return all.rule == static_cast<LabellingRule>(rule) && all.guaranteed == guaranteed;
        });
        if (value == one->labelling.end()) {
          row.insert(row.end(), {{"-"}, {"-"}});
          continue;
        }
        any = true;
        row.push_back({cellText(value->share)});
        row.push_back(
            {cellText(value->kept), isBroken(*value) ? StudyMark::kBroken : StudyMark::kNone});
      }
      if (any) {
        table.rows.push_back(std::move(row));
      }
    }
  }
  return table;
}

/// Accuracy before and after retraining, of all targets.
StudySection retrainingSection(const StudyFolder& study) {
  StudyTable table{.caption =
                       "Number of labels, and accuracies: mean ± standard deviation over "
                       "seeds.",
                   .names = 4,
                   .columns = {"network", "method", "target", "rule"},
                   .rows = {}};
  for (const RetrainingValue& value : kRetrainingValues) {
    table.columns.emplace_back(value.key);
  }
  for (const StudyCell& cell : study.results.cells) {
    for (const StudyRetraining& one : cell.retraining) {
      std::vector<StudyText> row = nameTexts(study.rows[cell.row]);
      row.push_back({study.targets[cell.target].name});
      row.push_back({fmt::format("{} at {:g} %", keyOf(one.rule), 100.0 * one.guaranteed)});
      for (const RetrainingValue& value : kRetrainingValues) {
        const SeedStatistics& statistics = one.*value.value;
        row.push_back({value.value == &StudyRetraining::labels
                           ? fmt::format("{:.0f}", statistics.mean)
                           : cellText(statistics)});
      }
      table.rows.push_back(std::move(row));
    }
  }
  const StudyRetrainingSettings settings = study.retraining.value_or(
      StudyRetrainingSettings{.layers = "last"});  // older studies had no choice
  StudySection section{
      .heading = "Retraining on automatic labels",
      .text = fmt::format(
          "The rule labels one half of the target; {} on the validation items and {} labels; "
          "accuracy on the other half. For comparison, the same number of true labels of random "
          "and of the most uncertain items.",
          settings.layers == "all" ? "all layers are trained further"
                                   : "the last layer is trained anew",
          settings.budget ? fmt::format("the {} surest of these", *settings.budget) : "these")};
  if (!table.rows.empty()) {
    section.tables.push_back(std::move(table));
  }
  return section;
}

StudySection targetSection(const StudyFolder& study, std::size_t target) {
  const StudyTarget& set = study.targets[target];
  StudySection section{.heading = "Target " + set.name};
  if (set.severity) {
    section.text =
        fmt::format("Shift: {}, severity {:g}.", fmt::join(set.shifts, ", "), *set.severity);
  }
  const auto cells = cellsOf(study.results, target);
  if (cells.empty()) {
    section.text += section.text.empty() ? "No results." : " No results.";
    return section;
  }
  section.tables.push_back(metricsTable(study, cells));
  if (StudyTable table = differencesTable(study, cells); !table.rows.empty()) {
    section.tables.push_back(std::move(table));
  }
  if (study.labelling) {
    if (StudyTable table = labellingTable(study, cells); !table.rows.empty()) {
      section.tables.push_back(std::move(table));
    }
  }
  return section;
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string subtitleOf(const StudyFolder& study) {
  std::set<std::string> networks;
  for (const StudyTableRow& row : study.rows) {
    networks.insert(row.network);
  }
  std::string text = fmt::format("{} of {} on {}, {}, {}; baseline {}.",
                                 counted(study.rows.size(), "method", "methods"),
                                 counted(networks.size(), "network", "networks"),
                                 counted(study.targets.size(), "target", "targets"),
                                 counted(study.ood.size(), "OOD set", "OOD sets"),
                                 counted(study.seeds.size(), "seed", "seeds"), study.baseline);
  if (study.bins > 0) {
    text += fmt::format(" ECE and MCE with {} bins of equal width.", study.bins);
  }
  if (study.ood.size() > 1) {
    text += " OOD columns are means over the OOD sets.";
  }
  return text;
}

}  // namespace

StudyContent studyContent(const StudyFolder& study) {
  StudyContent content{.title = study.name,
                       .subtitle = subtitleOf(study),
                       .headline = studyHeadline(study),
                       .notes = study.notes,
                       .sections = {}};
  for (std::string& note : textsOf(notesOfRuns(study))) {
    content.notes.push_back(std::move(note));
  }
  for (const StudyFailure& failure : study.failures) {
    content.notes.push_back(fmt::format("failed: {}: {}", failure.what, failure.message));
  }
  for (std::size_t target = 0; target < study.targets.size(); ++target) {
    content.sections.push_back(targetSection(study, target));
  }
  if (StudySection section = retrainingSection(study); !section.tables.empty()) {
    content.sections.push_back(std::move(section));
  }
  return content;
}

}  // namespace dubito
