// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/note.h"

#include <gtest/gtest.h>

namespace dubito {
namespace {

const Note kGuess(NoteKind::kGuessedPreprocessing, "The scale is guessed", {"value range"},
                  "state it");

TEST(Note, IsShownWithOriginAndRemedy) {
  EXPECT_EQ(toText(Note("plain")), "plain");
  EXPECT_EQ(toText(kGuess), "The scale is guessed; state it");
  EXPECT_EQ(toText(kGuess, "press the button"), "The scale is guessed; press the button");
  EXPECT_EQ(toText(kGuess, ""), "The scale is guessed");
  EXPECT_EQ(toText(takenFrom("a", kGuess)), "a: The scale is guessed; state it");
  EXPECT_EQ(textsOf({"plain", kGuess}),
            (std::vector<std::string>{"plain", "The scale is guessed; state it"}));
}

TEST(Note, KeepsItsKindWhenTakenFromOtherRuns) {
  const Note taken = takenFrom("b", takenFrom("a", kGuess));
  EXPECT_EQ(taken.kind, NoteKind::kGuessedPreprocessing);
  EXPECT_EQ(taken.origin, "b: a");
  EXPECT_EQ(taken.text, kGuess.text);
  EXPECT_EQ(taken.arguments, kGuess.arguments);
  // Without a kind it is only a text, as when it is read from a file.
  EXPECT_EQ(takenFrom("a", "plain"), Note("a: plain"));
}

TEST(Note, RemovalOfAKindLeavesTheOthers) {
  const Note fit(NoteKind::kLabelFit, "The labels do not fit");
  std::vector<Note> notes{"plain", kGuess, fit, takenFrom("a", fit), "The labels do not fit"};
  removeNotes(notes, NoteKind::kLabelFit);
  EXPECT_EQ(notes, (std::vector<Note>{"plain", kGuess, "The labels do not fit"}));
  removeNotes(notes, NoteKind::kGaugedItems);
  EXPECT_EQ(notes.size(), 3U);
}

TEST(Note, KindsHaveDistinctKeys) {
  for (int i = 0; i <= static_cast<int>(NoteKind::kLabelScores); ++i) {
    const auto kind = static_cast<NoteKind>(i);
    EXPECT_FALSE(keyOf(kind).empty());
    EXPECT_EQ(noteKindOf(keyOf(kind)), kind) << keyOf(kind);
  }
  EXPECT_EQ(noteKindOf("of a later version"), NoteKind::kOther);
}

}  // namespace
}  // namespace dubito
