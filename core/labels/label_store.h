// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/expected.h"
#include "core/labels/decision.h"
#include "core/labels/label_class.h"
#include "core/labels/remark.h"
#include "core/labels/sql/store_mode.h"

namespace dubito {

class SqlConnection;

/// The dataset that labels belong to; another one is refused, because ids are unique only within a
/// dataset.
struct LabelledDataset {
  std::string name;
  std::string spec;         ///< the text that opens it; may differ between machines
  std::string fingerprint;  ///< equal for the same items; empty: unknown, not compared
};

/// Items that somebody has reserved.
struct Reserved {
  std::string holder;
  std::int64_t items = 0;
  std::int64_t until_ms = 0;  ///< the latest end, since 1970-01-01 UTC
};

/// What one undo or redo changed.
struct UndoneStep {
  std::int64_t step = 0;
  std::vector<RecordedDecision> decisions;  ///< empty for a change of the classes
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
  /// The same over a connection that is already open.
  [[nodiscard]] static Expected<std::unique_ptr<LabelStore>> open(
      std::unique_ptr<SqlConnection> connection, StoreMode mode);
  ~LabelStore();
  LabelStore(const LabelStore&) = delete;
  LabelStore& operator=(const LabelStore&) = delete;

  /// For messages: the path, or the address without its password.
  [[nodiscard]] const std::string& place() const;
  /// What a user should know about this place: a network file system without write-ahead log.
  [[nodiscard]] const std::vector<std::string>& notes() const;

  // --- Dataset and classes

  /// Empty until belongTo().
  [[nodiscard]] Expected<std::optional<LabelledDataset>> dataset();
  /// Records the dataset and its classes in a new store; in others, checks that it is the same:
  /// kInvalidArgument for another fingerprint, and for classes that are neither the recorded ones
  /// nor, name by name, the present ones. No names: the classes are not compared.
  [[nodiscard]] Status belongTo(const LabelledDataset& dataset,
                                std::span<const std::string> class_names);
  /// Checks without writing that the recorded dataset, if any, has the items of `dataset`:
  /// kInvalidArgument if both fingerprints are known and differ.
  [[nodiscard]] Status checkItems(const LabelledDataset& dataset);
  /// The names that the outputs of the network had at first, by number; empty if none are recorded.
  [[nodiscard]] Expected<std::vector<std::string>> networkClasses();
  /// Sorted by id, merged ones included.
  [[nodiscard]] Expected<std::vector<LabelClass>> classes();
  /// Each is a step of the journal. kInvalidArgument for an empty or duplicate name, a key that is
  /// taken or no letter or digit, an invalid colour, an unknown or merged id, a merge of a class
  /// with itself.
  [[nodiscard]] Expected<LabelClass> addClass(const std::string& name,
                                              const std::string& annotator);
  /// Sets name, colour and key of the class with this id; `merged_into` is ignored.
  [[nodiscard]] Status changeClass(const LabelClass& changed, const std::string& annotator);
  [[nodiscard]] Status mergeClass(std::int64_t id, std::int64_t into, const std::string& annotator);

  // --- Decisions

  /// Records all decisions, at least one and all of one annotator, as one step, or none. Returns
  /// the step. Reservations of these items end. kInvalidArgument for a class that is unknown,
  /// missing or superfluous, and for an item whose content hash differs from the one recorded
  /// earlier.
  [[nodiscard]] Expected<std::int64_t> decide(std::span<const Decision> decisions);
  /// Takes back the newest step of this annotator that is not undone; nothing if there is none.
  /// kInvalidArgument for a change of the classes that later changes or decisions of others rely
  /// on.
  [[nodiscard]] Expected<std::optional<UndoneStep>> undo(const std::string& annotator);
  /// Restores the step that this annotator undid last, if there is no newer decision of theirs.
  [[nodiscard]] Expected<std::optional<UndoneStep>> redo(const std::string& annotator);

  /// One per decided item, sorted by item.
  [[nodiscard]] Expected<std::vector<PresentLabel>> labels();
  /// The present label of one item; nothing if it is undecided.
  [[nodiscard]] Expected<std::optional<PresentLabel>> label(std::int64_t item);
  /// Recorded decisions after `sequence`, in order, undone ones included.
  [[nodiscard]] Expected<std::vector<RecordedDecision>> journal(std::int64_t after_sequence = 0);
  /// What each person has said last about an item, skips included; nothing that was undone. In the
  /// order of time.
  [[nodiscard]] Expected<std::vector<Decision>> opinions(std::int64_t item);
  /// The newest decisions of an annotator (empty: of all), newest first, undone ones included.
  [[nodiscard]] Expected<std::vector<RecordedDecision>> newest(const std::string& annotator,
                                                               std::int64_t count);
  /// The newest entry of the journal, 0 if it is empty: tells whether others have changed anything.
  [[nodiscard]] Expected<std::int64_t> newestSequence();

  // --- Remarks

  /// Each replaces what its person has written about the item, or what is written about the class;
  /// an empty text removes it. Numbers are ignored. All or none are recorded.
  [[nodiscard]] Status setRemarks(std::span<const Remark> remarks);
  /// Those that changed after `after_number`, in that order; removed ones have an empty text.
  [[nodiscard]] Expected<std::vector<Remark>> remarks(std::int64_t after_number = 0);

  // --- Reservations

  /// Reserves the first `count` of `items` that no other holder has reserved, until now +
  /// `duration`; returns them. Those already reserved by this holder are renewed. Somebody else may
  /// have decided an item since `items` was listed: check its label() before showing it.
  [[nodiscard]] Expected<std::vector<std::int64_t>> reserve(std::span<const std::int64_t> items,
                                                            std::int64_t count,
                                                            const std::string& holder,
                                                            std::chrono::milliseconds duration);
  [[nodiscard]] Status release(const std::string& holder);
  /// Reservations that have not ended, sorted by holder.
  [[nodiscard]] Expected<std::vector<Reserved>> reserved();

  // --- Copies

  /// Writes everything into a new file, to continue there. kWriteFailed if `path` exists.
  [[nodiscard]] Status copyTo(const std::string& path);
  /// copyTo() for items that have other ids now, in a dataset that is opened by `spec`: ids that
  /// `renumbered` lacks stay.
  [[nodiscard]] Status copyRenumbered(
      const std::string& path, const std::string& spec,
      const std::unordered_map<std::int64_t, std::int64_t>& renumbered);

 private:
  explicit LabelStore(std::unique_ptr<SqlConnection> connection);

  /// Which parts of a dataset are recorded already.
  struct Recorded {
    bool dataset = false;
    bool classes = false;
  };

  [[nodiscard]] Status prepare(StoreMode mode);
  /// kInvalidArgument if the recorded parts are those of another dataset.
  [[nodiscard]] Expected<Recorded> recordedOf(const LabelledDataset& dataset,
                                              std::span<const std::string> class_names);
  /// An error about this place.
  [[nodiscard]] tl::unexpected<Error> refuse(const std::string& reason) const;
  [[nodiscard]] Status checkDecisions(std::span<const Decision> decisions);
  [[nodiscard]] Status checkContentHashes(std::span<const Decision> decisions);
  [[nodiscard]] Status endReservations(std::span<const Decision> decisions);
  /// Records an undo or redo of `step` and returns what it changed.
  [[nodiscard]] Expected<UndoneStep> toggle(std::int64_t step, bool undo,
                                            const std::string& annotator);
  /// Checks that classes and decisions still fit together after an undo or redo.
  [[nodiscard]] Status checkReferences(bool undo);
  /// What changes in a copy.
  struct CopyChanges {
    std::string spec;  ///< of the dataset; empty: the same, and its fingerprint
    std::unordered_map<std::int64_t, std::int64_t> items;
  };
  [[nodiscard]] Status copyRowsTo(LabelStore& copy, const CopyChanges& changes);
  /// copyRowsTo() a new file.
  [[nodiscard]] Status copyRowsInto(const std::string& temp_path, const CopyChanges& changes);
  /// setRemarks() in an open transaction.
  [[nodiscard]] Status writeRemarks(std::span<const Remark> remarks);
  /// Whether there is a table of remarks: older stores get it with their first one.
  [[nodiscard]] Expected<bool> hasRemarks();

  std::unique_ptr<SqlConnection> connection_;
  bool has_remarks_ = false;  ///< true once there is one
};

}  // namespace dubito
