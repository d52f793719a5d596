// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/note_kinds.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/io/npz_writer.h"
#include "core/io/run_arrays.h"
#include "core/io/run_file.h"
#include "core/io/run_summary.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using nlohmann::json;

/// A note of each kind in the words of version 0.1.0; earlier files have only these words.
std::vector<Note> notesOfAllKinds() {
  return {
      "Batches of 2 items",
      {NoteKind::kGuessedPreprocessing,
       "The preprocessing is guessed (input size, value range): 28 x 28 (x / 255); if the model "
       "was "
       "trained with different values, its results are wrong",
       {"input size", "value range"},
       "set the correct values in its metadata"},
      {NoteKind::kLabelFit,
       "The labels or the preprocessing do not seem to fit: the accuracy of 10 % over 90 labelled "
       "items is no better than that of unrelated predictions (10 %)"},
      {NoteKind::kGaugedItems,
       "The honesty gauge holds 1000 draws for each of about 20 of 30 items, chosen by seed and "
       "id; "
       "setting it to 1000 draws covers all items"},
      {NoteKind::kUnusedVariance,
       "The link bridge does not use the variance of the logits: the probabilities of all items "
       "are "
       "the network's own softmax; use the link mc or probit"},
      {NoteKind::kVariancesAlone,
       "The link mc was applied to the variances of the logits alone: their covariances are not "
       "stored in a run"},
      {NoteKind::kLabelSource,
       "the labels and suggestions come from labels.csv (csv), not from a network"},
      {NoteKind::kLabelSource,
       "the suggestions are the given labels, not from a network; accuracy means something only "
       "with reviewed labels"},
      {NoteKind::kLabelScores, "Scores of the labels: those of all classes, from the file"}};
}

/// All of them, and those with a start that is always the same as notes of a member as well.
std::vector<Note> sampleNotes() {
  std::vector<Note> notes = notesOfAllKinds();
  for (const Note& note : notesOfAllKinds()) {
    if (note.kind != NoteKind::kLabelSource) {
      notes.push_back(takenFrom("member 2: b.npz", note));
    }
  }
  return notes;
}

Run sampleRun() {
  Run run;
  run.probs = Array<float>::fromVector({2, 2}, {0.25F, 0.75F, 1.0F, 0.0F});
  run.labels = Array<std::int64_t>::fromVector({1, 0});
  run.ids = Array<std::int64_t>::fromVector({0, 1});
  fillFromProbs(run, RunContext());
  run.meta.notes = sampleNotes();
  return run;
}

/// The notes of a file that stores `meta`.
std::vector<Note> notesOfFile(const Run& run, const json& meta) {
  const test::TempDir folder;
  auto writer = NpzWriter::create(folder.file("r.npz"));
  EXPECT_OK(writer);
  EXPECT_OK(writeArrays(run, meta, *writer));
  RunContext context;
  const auto read = readRun(folder.file("r.npz"), context);
  EXPECT_OK(read);
  return read ? read->meta.notes : std::vector<Note>();
}

TEST(NoteKinds, SurviveSavingAndOpening) {
  const dubito::Run run = sampleRun();
  const json meta = toJson(run.meta);
  // Programs that know only texts find them where they were.
  EXPECT_EQ(meta.at("notes"), json(textsOf(run.meta.notes)));
  EXPECT_EQ(meta.at(kNoteKindsKey).at(0),
            (json{{"note", 1},
                  {"kind", "guessed_preprocessing"},
                  {"arguments", {"input size", "value range"}},
                  {"remedy", "set the correct values in its metadata"}}));
  EXPECT_EQ(notesOfFile(run, meta), run.meta.notes);
}

TEST(NoteKinds, AreRecognisedInFilesOfEarlierVersions) {
  const dubito::Run run = sampleRun();
  json meta = toJson(run.meta);
  ASSERT_EQ(meta.erase(kNoteKindsKey), 1U);
  const std::vector<Note> notes = notesOfFile(run, meta);
  ASSERT_EQ(notes.size(), run.meta.notes.size());
  for (std::size_t i = 0; i < notes.size(); ++i) {
    EXPECT_EQ(notes[i], run.meta.notes[i]) << toText(notes[i]);
  }
  meta.erase("notes");
  EXPECT_EQ(notesOfFile(run, meta), std::vector<Note>());
}

TEST(NoteKinds, AreNotGuessedFromTextsIfTheFileHasThem) {
  const dubito::Run run = sampleRun();
  json meta = toJson(run.meta);
  meta[kNoteKindsKey] = json::array();
  for (const Note& note : notesOfFile(run, meta)) {
    EXPECT_EQ(note, Note(note.text));
  }
  // A kind of a later version is one that nobody here looks up; edited texts stay whole.
  meta[kNoteKindsKey] = {{{"note", 0}, {"kind", "later"}, {"origin", "Batches of 2 items"}},
                         {{"note", 3}, {"kind", "gauged_items"}, {"origin", "elsewhere"}}};
  const std::vector<Note> notes = notesOfFile(run, meta);
  ASSERT_EQ(notes.size(), run.meta.notes.size());
  EXPECT_EQ(notes[0], run.meta.notes[0]);
  EXPECT_EQ(notes[3], run.meta.notes[3]);
}

TEST(NoteKinds, ThatDoNotFitTheNotesAreMalformed) {
  const json meta = toJson(sampleRun().meta);
  for (const char* const kinds :
       {R"("text")", "[1]", R"([{"note": 99, "kind": "label_fit"}])",
        R"([{"note": -1, "kind": "label_fit"}])", R"([{"kind": "label_fit"}])", R"([{"note": 1}])",
        R"([{"note": 1, "kind": 3}])",
        R"([{"note": 1, "kind": "label_fit", "arguments": "few"}])"}) {
    json changed = meta;
    changed[kNoteKindsKey] = json::parse(kinds);
    const auto read = runMetaFromJson(changed);
    ASSERT_FALSE(read) << kinds;
    EXPECT_EQ(read.error().code, ErrorCode::kMalformed);
    EXPECT_EQ(read.error().message, "meta: note_kinds has the wrong type; recompute the run");
  }
}

}  // namespace
}  // namespace dubito
