// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/labels/decision.h"
#include "core/labels/label_class.h"

namespace dubito {

class SqlConnection;

/// The dataset that labels belong to; another one is refused, because ids are unique only within a
/// dataset.
struct LabelledDataset {
  std::string name;
  std::string spec;         ///< the text that opens it; may differ between machines
  std::string fingerprint;  ///< equal for the same items; empty: unknown, not compared
};

/// What one undo or redo changed.
struct UndoneStep {
  std::int64_t step = 0;
  std::vector<RecordedDecision> decisions;  ///< empty for a change of the classes
};

enum class StoreMode {
  kOpen,          ///< must exist
  kOpenOrCreate,  ///< created if absent
  kReadOnly,
};

/// A journal of decisions about the items of one dataset, and its classes: an SQLite file
/// NAME.labels, or a schema on a PostgreSQL server. The journal only grows: undo and redo are
/// entries too. Whatever a function has recorded when it returns is on the disk. Several processes
/// can use one store at a time; one object is used by one thread at a time.
///
/// Errors of all functions name the place and the remedy: kWriteFailed for a full disk, a read-only
/// file or a lost connection (nothing of the step is recorded, and the store stays usable),
/// kReadFailed, kMalformed for a damaged file. After a lost connection, the next call reconnects.
class LabelStore {
 public:
  /// `place` is a path or an address postgresql://USER@HOST/DATABASE. kNotFound if it is absent
  /// (kOpen, kReadOnly); kMalformed if it is no label store; kUnsupported for one of a newer
  /// version, or if the program was built without the server's library.
  [[nodiscard]] static Expected<std::unique_ptr<LabelStore>> open(const std::string& place,
                                                                  StoreMode mode);
  ~LabelStore();
  LabelStore(const LabelStore&) = delete;
  LabelStore& operator=(const LabelStore&) = delete;

  [[nodiscard]] const std::string& place() const { return place_; }
  /// What a user should know about this place: a network file system without write-ahead log.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

  // --- Dataset and classes

  /// Empty until belongTo().
  [[nodiscard]] Expected<std::optional<LabelledDataset>> dataset();
  /// Records the dataset and its classes in a new store; in others, checks that it is the same:
  /// kInvalidArgument for another fingerprint or other names of the same classes.
  [[nodiscard]] Status belongTo(const LabelledDataset& dataset,
                                std::span<const std::string> class_names);
  /// Sorted by id, merged ones included.
  [[nodiscard]] Expected<std::vector<LabelClass>> classes();
  /// Each is a step of the journal. kInvalidArgument for an empty or duplicate name, a key already
  /// taken, an unknown id, a merge of a class with itself.
  [[nodiscard]] Expected<LabelClass> addClass(const std::string& name,
                                              const std::string& annotator);
  /// Sets name, colour and key of the class with this id.
  [[nodiscard]] Status changeClass(const LabelClass& changed, const std::string& annotator);
  [[nodiscard]] Status mergeClass(std::int64_t id, std::int64_t into,
                                  const std::string& annotator);

  // --- Decisions

  /// Records all decisions as one step, or none. Returns the step. Leases of these items end.
  /// kInvalidArgument for a class that is unknown, missing or superfluous, and for an item whose
  /// content hash differs from the one recorded earlier.
  [[nodiscard]] Expected<std::int64_t> decide(std::span<const Decision> decisions);
  /// Takes back the newest step of this annotator that is not undone; nothing if there is none.
  [[nodiscard]] Expected<std::optional<UndoneStep>> undo(const std::string& annotator);
  /// Restores the step that this annotator undid last, if there is no newer decision of hers.
  [[nodiscard]] Expected<std::optional<UndoneStep>> redo(const std::string& annotator);

  /// One per decided item, sorted by item.
  [[nodiscard]] Expected<std::vector<PresentLabel>> labels();
  /// The present label of one item; nothing if it is undecided.
  [[nodiscard]] Expected<std::optional<PresentLabel>> label(std::int64_t item);
  /// Recorded decisions after `sequence`, in order, undone ones included.
  [[nodiscard]] Expected<std::vector<RecordedDecision>> journal(std::int64_t after_sequence = 0);
  /// The newest decisions of an annotator (empty: of all), newest first.
  [[nodiscard]] Expected<std::vector<RecordedDecision>> newest(const std::string& annotator,
                                                               std::int64_t count);
  /// The newest entry of the journal, 0 if it is empty: tells whether others have changed anything.
  [[nodiscard]] Expected<std::int64_t> newestSequence();

  // --- Leases

  /// Reserves the first `count` of `items` that no other holder has reserved, until now +
  /// `duration`; returns them. Items already reserved by this holder are renewed.
  [[nodiscard]] Expected<std::vector<std::int64_t>> lease(std::span<const std::int64_t> items,
                                                          std::int64_t count,
                                                          const std::string& holder,
                                                          std::chrono::milliseconds duration);
  [[nodiscard]] Status release(const std::string& holder);

  // --- Copies

  /// Writes everything into a new file, to go on there. kWriteFailed if `path` exists.
  [[nodiscard]] Status copyTo(const std::string& path);

 private:
  LabelStore(std::string place, std::unique_ptr<SqlConnection> connection,
             std::vector<std::string> notes);

  std::string place_;
  std::unique_ptr<SqlConnection> connection_;
  std::vector<std::string> notes_;
};

}  // namespace dubito
