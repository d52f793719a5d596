// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/run_notes.h"

#include <gtest/gtest.h>

namespace dubito {
namespace {

using Notes = std::vector<Note>;

TEST(RunNotes, WhatAllRunsSayIsSaidOnce) {
  EXPECT_EQ(joinedNotes({"a", "b"}, {{"guessed", "small"}, {"guessed"}}),
            (Notes{"guessed", "a: small"}));
  EXPECT_EQ(joinedNotes({"a", "b"}, {{"small", "guessed"}, {"guessed", "large"}}),
            (Notes{"a: small", "guessed", "b: large"}));
  EXPECT_EQ(joinedNotes({"a", "b", "c"}, {{"guessed"}, {"guessed"}, {}}),
            (Notes{"a: guessed", "b: guessed"}));
  EXPECT_EQ(joinedNotes({"a"}, {{"twice", "twice"}}), (Notes{"twice"}));
  EXPECT_EQ(joinedNotes({}, {}), Notes{});
  const Note fit(NoteKind::kLabelFit, "does not fit");
  EXPECT_EQ(joinedNotes({"a", "b"}, {{fit}, {fit}}), Notes{fit});
  EXPECT_EQ(joinedNotes({"a", "b"}, {{fit}, {"small"}}), (Notes{takenFrom("a", fit), "b: small"}));
}

}  // namespace
}  // namespace dubito
