// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/run_notes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <string>

#include "core/metrics/label_fit.h"
#include "tests/core/analysis/sample_analysis.h"

namespace dubito::test {
namespace {

std::shared_ptr<Run> runWithNote(const std::string& text) {
  auto run = std::make_shared<Run>(*sampleAnalysis()->in().run);
  run->meta.notes.emplace_back(text);
  return run;
}

bool says(const NotesPtr& notes, const std::string& text) {
  return std::ranges::any_of(*notes, [&](const Note& note) { return note.text == text; });
}

TEST(RunNotes, AreThoseOfTheRunAndKept) {
  const std::shared_ptr<const dubito::Run> run = runWithNote("first");
  const NotesPtr notes = keptNotesOfRun(run);
  EXPECT_EQ(*notes, notesOfRun(*run, RunContext()));
  EXPECT_TRUE(says(notes, "first"));
  EXPECT_EQ(keptNotesOfRun(run), notes);
  // An equal run has its own.
  const std::shared_ptr<const dubito::Run> copy = std::make_shared<dubito::Run>(*run);
  EXPECT_NE(keptNotesOfRun(copy), notes);
  EXPECT_EQ(*keptNotesOfRun(copy), *notes);
}

TEST(RunNotes, ARunAtTheAddressOfAnEarlierOneHasItsOwn) {
  // One place in memory, used again and again.
  alignas(dubito::Run) std::byte place[sizeof(dubito::Run)];
  const auto destroy = [](dubito::Run* run) { std::destroy_at(run); };
  for (const char* const text : {"first", "second", "third"}) {
    const std::shared_ptr<dubito::Run> run(new (place) dubito::Run(*runWithNote(text)), destroy);
    const NotesPtr notes = keptNotesOfRun(run);
    EXPECT_TRUE(says(notes, text));
    EXPECT_EQ(*notes, notesOfRun(*run, RunContext()));
  }
}

TEST(RunNotes, AnAnalysisHasThemAlready) {
  const std::shared_ptr<dubito::Run> run = runWithNote("first");
  RunContext context;
  const auto analysis =
      analyse({makePart("insects", run, nullptr, context)}, nullptr, std::nullopt, {}, context);
  ASSERT_TRUE(analysis);
  // Not allowed, but shows that the notes are not made again.
  run->meta.notes.emplace_back("later");
  EXPECT_TRUE(says(keptNotesOfRun(run), "first"));
  EXPECT_FALSE(says(keptNotesOfRun(run), "later"));
}

}  // namespace
}  // namespace dubito::test
