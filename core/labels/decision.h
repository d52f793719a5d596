// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dubito {

/// What a decision says about an item.
enum class LabelAction : std::uint8_t {
  kAccept,        ///< the suggested class is right
  kCorrect,       ///< another class is right
  kNotInClasses,  ///< none of the classes is right
  kAmbiguous,     ///< several classes are right, or nobody can tell
  kSkip,          ///< not decided; shown again later
  kFlag,          ///< marked for somebody else
};

/// Who gave a label.
enum class LabelOrigin : std::uint8_t { kDataset, kModel, kPerson };

/// How an action or an origin is written in files: "not-in-classes", "person".
[[nodiscard]] std::string_view keyOf(LabelAction action);
[[nodiscard]] std::string_view keyOf(LabelOrigin origin);
[[nodiscard]] std::optional<LabelAction> labelActionOfKey(std::string_view key);
[[nodiscard]] std::optional<LabelOrigin> labelOriginOfKey(std::string_view key);

/// Whether the action assigns a class: accept and correct.
[[nodiscard]] bool assignsClass(LabelAction action);
/// Whether the item needs no further decision: all but skip and flag.
[[nodiscard]] bool settles(LabelAction action);

/// One decision about one item. Classes are ids of LabelClass.
struct Decision {
  std::int64_t item = 0;  ///< id of the dataset
  /// Of the stored item: hexadecimal, after a word and ":" if it is not of pixels or numbers. Only
  /// hashes with the same word are compared. Empty: unknown.
  std::string content_hash = {};
  std::string item_name = {};  ///< relative path or "#17", for exports; empty: unknown
  LabelAction action = LabelAction::kAccept;
  std::optional<std::int64_t> class_id = {};  ///< set exactly if assignsClass(action)
  LabelOrigin origin = LabelOrigin::kPerson;
  /// The label before this decision, if there was one.
  std::optional<std::int64_t> previous_class = {};
  std::optional<LabelOrigin> previous_origin = {};
  std::string annotator = {};
  std::int64_t time_ms = 0;   ///< since 1970-01-01 UTC; 0: set when it is recorded
  std::int64_t spent_ms = 0;  ///< from showing the item to the decision; 0: unknown
  bool prediction_shown = true;
  std::string queue = {};         ///< where the item came from: "entropy"
  std::string run = {};           ///< the run that was shown: file name and method
  std::vector<float> probs = {};  ///< [K], as shown; empty: none
};

struct PresentLabel;
/// Sets the label before the decision: `present` (may be null), or else the class that the dataset
/// gives, -1 for none.
void setPreviousLabel(const PresentLabel* present, std::int64_t given, Decision& decision);

/// A decision as recorded.
struct RecordedDecision {
  std::int64_t sequence = 0;  ///< position in the journal, ascending
  std::int64_t step = 0;      ///< decisions of one step are undone together
  bool undone = false;
  Decision decision;
};

/// The present label of an item: its newest decision that was not undone, where decisions of
/// persons come before those of the model.
struct PresentLabel {
  std::int64_t item = 0;
  LabelAction action = LabelAction::kAccept;
  std::optional<std::int64_t> class_id = {};  ///< after merges
  LabelOrigin origin = LabelOrigin::kPerson;
  std::string annotator = {};
  std::int64_t time_ms = 0;
  std::int64_t sequence = 0;
  std::int64_t annotators = 0;  ///< persons with a decision that was not undone
  /// Whether persons disagree: the newest decisions of all annotators, except skips and flags, give
  /// different classes (accepting a class agrees with correcting to it) or different reasons for
  /// none.
  bool conflict = false;
};

}  // namespace dubito
