// SPDX-License-Identifier: GPL-3.0-or-later
// What the report of a study says, in every format.
#include "core/study/study_content.h"

#include <algorithm>

#include "core/study/study_headline.h"
#include "core/study/study_notes.h"
#include "core/study/study_report.h"
#include "tests/core/study/sample_study.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

/// The cells of a row that stand out.
std::vector<std::string> marked(const std::vector<StudyText>& row, StudyMark mark) {
  std::vector<std::string> texts;
  for (const StudyText& cell : row) {
    if (cell.mark == mark) {
      texts.push_back(cell.text);
    }
  }
  return texts;
}

std::vector<std::string> textsOf(const std::vector<StudyText>& row) {
  std::vector<std::string> texts;
  for (const StudyText& cell : row) {
    texts.push_back(cell.text);
  }
  return texts;
}

TEST(StudyContent, SaysWhatWasCompared) {
  const StudyContent content = studyContent(test::sampleStudy("s"));
  EXPECT_EQ(content.title, "Digits that turn");
  EXPECT_EQ(content.subtitle,
            "3 methods of 1 network on 3 targets, 1 OOD set, 2 seeds; baseline plain/map. ECE and "
            "MCE with 15 bins of equal width.");
  EXPECT_EQ(content.notes,
            (std::vector<std::string>{"Members are shared.", "failed: plain, seed 3: no memory"}));
  std::vector<std::string> headings;
  for (const StudySection& section : content.sections) {
    headings.push_back(section.heading);
  }
  EXPECT_EQ(headings, (std::vector<std::string>{"Target upright", "Target turned", "Target dark",
                                                "Retraining on automatic labels"}));
  EXPECT_EQ(content.sections[1].text, "Shift: rotation, severity 3.");
  EXPECT_EQ(content.sections[2].text, "No results.");
  EXPECT_TRUE(content.sections[2].tables.empty());
}

TEST(StudyContent, NotesOfRunsNameRowTargetsAndSeeds) {
  StudyFolder study = test::sampleStudy("s");
  const auto add = [&study](std::size_t row, std::size_t target, std::uint64_t seed,
                            const std::string& note) {
    for (StudyCell& cell : study.results.cells) {
      for (StudyCellRuns& runs : cell.runs) {
        if (cell.row == row && cell.target == target && runs.seed == seed) {
          runs.notes.push_back(note);
        }
      }
    }
  };
  for (const std::uint64_t seed : {1U, 2U}) {
    add(1, 0, seed, "Draws are few.");
    add(1, 1, seed, "Draws are few.");
  }
  add(0, 1, 2, "A file was skipped.");
  EXPECT_EQ(textsOf(notesOfRuns(study)),
            (std::vector<std::string>{"plain/map on turned, seed 2: A file was skipped.",
                                      "plain/dropout on upright, turned: Draws are few."}));
  EXPECT_EQ(
      studyContent(study).notes,
      (std::vector<std::string>{
          "Members are shared.", "plain/map on turned, seed 2: A file was skipped.",
          "plain/dropout on upright, turned: Draws are few.", "failed: plain, seed 3: no memory"}));
}

TEST(StudyContent, TheHeadlineSaysWhatIsKeptOfTheGuarantee) {
  const auto headline = studyHeadline(test::sampleStudy("s"));
  ASSERT_EQ(headline.size(), 2U);
  EXPECT_EQ(headline[0], "plain/map is right in 80.0 % of upright and in 50.0 % of turned.");
  EXPECT_EQ(
      headline[1],
      "90 % right labels guaranteed: a threshold chosen on the source labels 30.0 % of turned, "
      "and 50.0 % of these labels are right; on upright 94.0 % are right (means over 3 rows "
      "of the table that label anything). On every target, the guarantee is kept by: "
      "conformal.");
}

TEST(StudyContent, TheHeadlineOfOneTarget) {
  StudyFolder study = test::sampleStudy("s");
  std::erase_if(study.results.cells, [](const StudyCell& cell) { return cell.target != 1; });
  for (StudyCell& cell : study.results.cells) {
    std::erase_if(cell.labelling,
                  [](const StudyLabelling& one) { return one.rule == LabellingRule::kConformal; });
  }
  const auto headline = studyHeadline(study);
  EXPECT_EQ(headline[0], "plain/map is right in 50.0 % of turned.");
  EXPECT_THAT(headline[1], HasSubstr("labels 30.0 % of turned, and 50.0 % of these labels are "
                                     "right (means over 3 rows of the table that label anything). "
                                     "No rule keeps the guarantee on every target."));
  // Only the rule that labels nothing is left.
  for (StudyCell& cell : study.results.cells) {
    cell.labelling = {cell.labelling[1]};
  }
  EXPECT_THAT(studyHeadline(study)[1], HasSubstr("guaranteed: no rule labels anything;"));
  study.results.cells.clear();
  study.labelling.reset();
  EXPECT_TRUE(studyHeadline(study).empty());
}

TEST(StudyContent, TheMeanOfARuleIsOverTheRowsThatLabel) {
  StudyFolder study = test::sampleStudy("s");
  study.results.cells[0].labelling[0].kept = {.n = 0};
  study.results.cells[0].labelling[0].share.mean = 0.0;
  const MeanLabelling mean = meanLabelling(study, 0, LabellingRule::kSource, 0.9);
  EXPECT_EQ(mean.rows, 2);
  EXPECT_NEAR(mean.kept, 0.945, 1e-12);
  EXPECT_NEAR(mean.share, 0.6, 1e-12);
  EXPECT_EQ(meanLabelling(study, 0, LabellingRule::kSource, 0.5).rows, 0);
}

TEST(StudyContent, TheBestOfEachColumnIsMarked) {
  const StudyContent content = studyContent(test::sampleStudy("s"));
  const StudyTable& table = content.sections[1].tables[0];
  EXPECT_EQ(table.names, 2U);
  ASSERT_EQ(table.columns.size(), 2 + studyColumns().size());
  EXPECT_EQ(table.columns[2], "accuracy\u00a0↑");
  EXPECT_EQ(table.columns[4], "NLL\u00a0↓");
  EXPECT_EQ(table.columns[10], "AUROC vs OOD (entropy)\u00a0↑");
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.rows[2][1].text, "ensemble (3 members)");
  EXPECT_EQ(table.rows[0][2].text, "0.500 ± 0.010");
  EXPECT_TRUE(marked(table.rows[0], StudyMark::kBest).empty());
  EXPECT_EQ(marked(table.rows[2], StudyMark::kBest).size(), studyColumns().size());
}

TEST(StudyContent, DifferencesAreThoseToTheBaseline) {
  const StudyContent content = studyContent(test::sampleStudy("s"));
  const StudyTable& table = content.sections[0].tables[1];
  EXPECT_THAT(table.caption, HasSubstr("Differences to plain/map"));
  EXPECT_THAT(table.caption, HasSubstr("2000 paired bootstrap replicates"));
  EXPECT_EQ(table.columns[2], "Δ accuracy");
  EXPECT_EQ(table.columns[7], "p (NLL)");
  ASSERT_EQ(table.rows.size(), 2U);  // not the baseline
  EXPECT_EQ(textsOf(table.rows[0])[1], "dropout");
  EXPECT_EQ(textsOf(table.rows[0])[2], "+0.020 [+0.010, +0.030]");
  EXPECT_EQ(textsOf(table.rows[0])[3], "0.004");
}

TEST(StudyContent, BrokenGuaranteesAreMarked) {
  const StudyContent content = studyContent(test::sampleStudy("s"));
  const StudyTable& table = content.sections[1].tables[2];
  EXPECT_EQ(table.names, 3U);
  EXPECT_EQ(table.columns,
            (std::vector<std::string>{"network", "method", "rule", "labelled at 90\u00a0%",
                                      "right at 90\u00a0%"}));
  ASSERT_EQ(table.rows.size(), 12U);
  EXPECT_EQ(textsOf(table.rows[4]), (std::vector<std::string>{"plain", "dropout", "source",
                                                              "0.300 ± 0.010", "0.500 ± 0.010"}));
  EXPECT_EQ(marked(table.rows[4], StudyMark::kBroken), std::vector<std::string>{"0.500 ± 0.010"});
  EXPECT_EQ(textsOf(table.rows[5])[4], "-");  // labels nothing
  EXPECT_TRUE(marked(table.rows[5], StudyMark::kBroken).empty());
  EXPECT_TRUE(marked(table.rows[6], StudyMark::kBroken).empty());
  EXPECT_EQ(marked(table.rows[7], StudyMark::kBroken).size(), 1U);
}

TEST(StudyContent, RetrainingNamesRowTargetAndRule) {
  const StudyContent content = studyContent(test::sampleStudy("s"));
  const StudyTable& table = content.sections[3].tables[0];
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(
      textsOf(table.rows[1]),
      (std::vector<std::string>{"plain", "map", "turned", "source at 90 %", "120", "0.500 ± 0.010",
                                "0.450 ± 0.010", "0.700 ± 0.010", "0.750 ± 0.010"}));
}

TEST(StudyContent, RetrainingTellsLayersAndBudget) {
  StudyFolder study = test::sampleStudy("s");
  EXPECT_THAT(studyContent(study).sections[3].text,
              HasSubstr("all layers are trained further on the validation items and the 100 surest "
                        "of these labels;"));
  study.retraining.reset();  // not known
  EXPECT_THAT(
      studyContent(study).sections[3].text,
      HasSubstr("the last layer is trained anew on the validation items and these labels;"));
}

TEST(StudyContent, ThePageHasAllOfIt) {
  StudyFolder study = test::sampleStudy("s");
  study.notes = {"a < b"};
  const StudyContent content = studyContent(study);
  const std::string html = studyHtml(content, {{.heading = "Figures",
                                                .text = "Shown.",
                                                .charts = {{.title = "Chart",
                                                            .x_label = "x",
                                                            .y_label = "y",
                                                            .x = {0, 1},
                                                            .y = {0, 1},
                                                            .series = {}}}}});
  EXPECT_THAT(html, HasSubstr("<h1>Digits that turn</h1>"));
  EXPECT_THAT(html, HasSubstr("<li>" + content.headline[1] + "</li>"));
  EXPECT_THAT(html, HasSubstr("<li>a &lt; b</li>"));
  EXPECT_THAT(html, HasSubstr("<li>failed: plain, seed 3: no memory</li>"));
  EXPECT_THAT(html, HasSubstr("<td><b>0.840 ± 0.010</b></td>"));
  EXPECT_THAT(html, HasSubstr("<td class=\"broken\">0.500 ± 0.010</td>"));
  EXPECT_THAT(html, HasSubstr("<td class=\"name\">ensemble (3 members)</td>"));
  EXPECT_THAT(html, HasSubstr("<h2>Figures</h2>"));
  EXPECT_THAT(html, HasSubstr("<svg "));
}

TEST(StudyContent, AnOldFolderHasFewerWords) {
  StudyFolder study = test::sampleStudy("s");
  study.bins = 0;
  study.replicates = 0;
  study.labelling->measure.clear();
  const StudyContent content = studyContent(study);
  EXPECT_THAT(content.subtitle, Not(HasSubstr("bins")));
  EXPECT_THAT(content.sections[0].tables[1].caption, HasSubstr("p by paired bootstrap replicates"));
  EXPECT_THAT(content.sections[0].tables[2].caption, HasSubstr("Automatic labelling: share"));
}

TEST(StudyContent, TheSampleIsReadAsItWasWritten) {
  const test::TempDir folder;
  test::writeSampleStudy(folder.file("s"));
  const auto study = readStudyFolder(folder.file("s"));
  ASSERT_OK(study);
  const StudyContent read = studyContent(*study);
  const StudyContent written = studyContent(test::sampleStudy(folder.file("s")));
  EXPECT_EQ(studyHtml(read, {}), studyHtml(written, {}));
}

}  // namespace
}  // namespace dubito
