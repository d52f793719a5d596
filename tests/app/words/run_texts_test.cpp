// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words/run_texts.h"

#include <gtest/gtest.h>

#include "tests/core/analysis/sample_analysis.h"

namespace dubito {
namespace {

/// The sample, of a labelled and an OOD part, with this metadata.
Analysis sampleWith(const RunMeta& labelled, const RunMeta& ood) {
  Analysis analysis = *test::sampleAnalysis();
  const RunMeta* const metas[] = {&labelled, &ood};
  for (std::size_t i = 0; i < analysis.parts.size(); ++i) {
    auto run = std::make_shared<dubito::Run>(*analysis.parts[i].run);
    run->meta = *metas[i];
    analysis.parts[i].run = run;
  }
  return analysis;
}

TEST(RunTexts, AWarningOfAllPartsStandsOnceAndOneOfAPartWithItsName) {
  RunMeta labelled;
  labelled.notes = {"a batch of 1 makes them independent", "of the labelled alone"};
  RunMeta ood;
  ood.notes = {"a batch of 1 makes them independent"};
  ood.stopped_early = true;
  for (int i = 0; i < 7; ++i) {
    ood.skipped.push_back({"image" + std::to_string(i) + ".png", "cut short"});
  }
  const Analysis analysis = sampleWith(labelled, ood);
  const QString name = QString::fromStdString(analysis.parts[0].name);
  const QString ood_name = QString::fromStdString(analysis.parts[1].name);
  const QStringList warnings = runWarnings(analysis);
  ASSERT_EQ(warnings.size(), 4);
  EXPECT_EQ(warnings[0], "a batch of 1 makes them independent");
  EXPECT_EQ(warnings[1], name + ": of the labelled alone");
  EXPECT_EQ(warnings[2], ood_name + ": stopped early: fewer items or draws than requested");
  EXPECT_TRUE(warnings[3].startsWith(ood_name + ": items skipped (7): image0.png (cut short), "))
      << warnings[3].toStdString();
  EXPECT_TRUE(warnings[3].endsWith("image4.png (cut short), 2 more")) << warnings[3].toStdString();
}

TEST(RunTexts, ARunOfOnePartNamesNoPart) {
  Analysis analysis = sampleWith({}, {});
  analysis.parts.resize(1);
  auto run = std::make_shared<dubito::Run>(*analysis.parts[0].run);
  run->meta.notes = {"the prior was chosen on 20 items"};
  analysis.parts[0].run = run;
  EXPECT_EQ(runWarnings(analysis), QStringList({"the prior was chosen on 20 items"}));
}

TEST(RunTexts, TheRunThatWasAdjustedHasWordsOfTheWindow) {
  RunMeta meta;
  meta.method = "tuned";
  meta.method_options = R"({"of": {"method": "laplace", "options": {"structure": "kron",
      "prior": "auto-evidence"}}, "temperature": 1.5})";
  const auto settings = methodSettings(meta);
  ASSERT_EQ(settings.size(), 2U);
  EXPECT_EQ(settings[0].first, "Adjusted run");
  const QString& text = settings[0].second;
  EXPECT_TRUE(text.contains("Kronecker") && text.contains("by evidence")) << text.toStdString();
  EXPECT_FALSE(text.contains("kron") || text.contains("auto-evidence")) << text.toStdString();
  EXPECT_EQ(settings[1].second, "1.500");
}

TEST(RunTexts, SettingsHaveTheLabelsOfTheFormFirst) {
  RunMeta meta;
  meta.method = "mc-dropout";
  meta.method_options = R"({"fitted": {"temperature": 1.25}, "draws": 20000, "new_option": true})";
  const auto settings = methodSettings(meta);
  ASSERT_EQ(settings.size(), 3U);
  EXPECT_EQ(settings[0].first, "Draws");
  EXPECT_EQ(settings[0].second, QStringLiteral("20\u202F000"));
  EXPECT_EQ(settings[1].first, "Fitted");
  EXPECT_EQ(settings[1].second, "temperature 1.250");
  EXPECT_EQ(settings[2].first, "New option");
  EXPECT_EQ(settings[2].second, "yes");
  meta.method_options = "cut off {";
  EXPECT_TRUE(methodSettings(meta).empty());
}

}  // namespace
}  // namespace dubito
