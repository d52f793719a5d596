// SPDX-License-Identifier: GPL-3.0-or-later
// The decisions of a label store.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_set>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/base/now_ms.h"
#include "core/labels/class_rules.h"
#include "core/labels/label_queries.h"
#include "core/labels/label_store.h"

namespace dubito {
namespace {

constexpr std::size_t kManyRows = 1000;

std::vector<std::int64_t> itemsOf(std::span<const Decision> decisions) {
  std::vector<std::int64_t> items;
  items.reserve(decisions.size());
  for (const Decision& decision : decisions) {
    items.push_back(decision.item);
  }
  return items;
}

std::string nameOfItem(const Decision& decision) {
  return decision.item_name.empty() ? fmt::format("item {}", decision.item)
                                    : inQuotes(decision.item_name);
}

void ignoreRow(const SqlRow&) {}

/// What a hash was computed from; hashes of different kinds say nothing about each other.
std::string kindOfHash(const std::string& hash) {
  const std::size_t colon = hash.find(':');
  return colon == std::string::npos ? std::string() : hash.substr(0, colon);
}

}  // namespace

Status LabelStore::checkDecisions(std::span<const Decision> decisions) {
  if (decisions.empty()) {
    return refuse("there is no decision to record; choose items first");
  }
  const auto all = classes();
  if (!all) {
    return failWith(all);
  }
  std::unordered_set<std::int64_t> ids;
  for (const LabelClass& one : *all) {
    ids.insert(one.id);
  }
  for (const Decision& decision : decisions) {
    if (decision.annotator != decisions.front().annotator) {
      return refuse(
          fmt::format("one step has decisions of {} and {}; record them one after the "
                      "other",
                      inQuotes(decisions.front().annotator), inQuotes(decision.annotator)));
    }
    if (assignsClass(decision.action) != decision.class_id.has_value()) {
      return refuse(fmt::format(
          "{}: \"{}\" {}", nameOfItem(decision), keyOf(decision.action),
          decision.class_id ? "takes no class; leave it out" : "needs a class; choose one"));
    }
    if (decision.class_id && !ids.contains(*decision.class_id)) {
      return refuse(fmt::format("{}: there is no class with the number {}; choose one of the list",
                                nameOfItem(decision), *decision.class_id));
    }
  }
  return {};
}

Status LabelStore::checkContentHashes(std::span<const Decision> decisions) {
  std::vector<std::int64_t> hashed_items;
  std::map<std::pair<std::int64_t, std::string>, std::string> hashes;
  for (const Decision& decision : decisions) {
    if (!decision.content_hash.empty()) {
      hashed_items.push_back(decision.item);
    }
  }
  Status read = queryItems(
      *connection_,
      "SELECT item, content_hash FROM journal WHERE item IN (ITEMS) AND content_hash IS NOT NULL",
      hashed_items, [&](const SqlRow& row) {
        RowReader reader(row);
        const std::int64_t item = reader.integer();
        std::string hash = reader.text();
        hashes.try_emplace({item, kindOfHash(hash)}, std::move(hash));
      });
  if (!read) {
    return read;
  }
  for (const Decision& decision : decisions) {
    if (decision.content_hash.empty()) {
      continue;
    }
    const std::string& hash = decision.content_hash;
    if (hashes.try_emplace({decision.item, kindOfHash(hash)}, hash).first->second != hash) {
      return refuse(
          fmt::format("{} has changed since it was labelled; restore the file, or "
                      "label the changed dataset in a new label store",
                      nameOfItem(decision)));
    }
  }
  return {};
}

Status LabelStore::endReservations(std::span<const Decision> decisions) {
  return queryItems(*connection_, "DELETE FROM lease WHERE item IN (ITEMS)", itemsOf(decisions),
                    ignoreRow);
}

Expected<std::int64_t> LabelStore::decide(std::span<const Decision> decisions) {
  auto transaction = SqlTransaction::begin(*connection_, SqlTransactionKind::kWrite);
  if (!transaction) {
    return failWith(transaction);
  }
  for (const auto check : {&LabelStore::checkDecisions, &LabelStore::checkContentHashes}) {
    if (Status checked = (this->*check)(decisions); !checked) {
      return failWith(checked);
    }
  }
  const auto newest = newestEntry(*connection_);
  if (!newest) {
    return failWith(newest);
  }
  const std::int64_t step = *newest + 1;
  std::vector<SqlRow> rows;
  rows.reserve(decisions.size());
  for (const Decision& decision : decisions) {
    rows.push_back(decisionRow(decision, step + static_cast<std::int64_t>(rows.size()), step));
  }
  if (Status recorded = connection_->insert(kInsertDecision, rows); !recorded) {
    return failWith(recorded);
  }
  const std::string analysis(connection_->dialect().after_many_rows);
  if (rows.size() >= kManyRows && !analysis.empty()) {
    if (Status analysed = connection_->runScript(analysis); !analysed) {
      return failWith(analysed);
    }
  }
  if (Status ended = endReservations(decisions); !ended) {
    return failWith(ended);
  }
  if (Status committed = transaction->commit(); !committed) {
    return failWith(committed);
  }
  return step;
}

Expected<std::optional<UndoneStep>> LabelStore::undo(const std::string& annotator) {
  auto transaction = SqlTransaction::begin(*connection_, SqlTransactionKind::kWrite);
  if (!transaction) {
    return failWith(transaction);
  }
  const auto step = connection_->integer(
      "SELECT step FROM journal WHERE annotator = $1"
      " AND (kind = 'decision' OR (kind = 'class' AND change <> 'network'))"
      " AND step NOT IN (SELECT step FROM undone_step) ORDER BY sequence DESC LIMIT 1",
      SqlRow{storableText(annotator)});
  if (!step) {
    return failWith(step);
  }
  if (!*step) {
    return std::nullopt;
  }
  auto undone = toggle(**step, true, annotator);
  if (!undone) {
    return failWith(undone);
  }
  if (Status committed = transaction->commit(); !committed) {
    return failWith(committed);
  }
  return std::move(*undone);
}

Expected<std::optional<UndoneStep>> LabelStore::redo(const std::string& annotator) {
  auto transaction = SqlTransaction::begin(*connection_, SqlTransactionKind::kWrite);
  if (!transaction) {
    return failWith(transaction);
  }
  // Steps that this annotator decided after the undo make it too late.
  const auto step = connection_->integer(
      "SELECT step FROM journal WHERE annotator = $1 AND item IS NULL AND kind = 'undo'"
      " AND step IN (SELECT step FROM undone_step)"
      " AND sequence > (SELECT coalesce(max(sequence), 0) FROM journal"
      "                 WHERE annotator = $1 AND kind IN ('decision', 'class'))"
      " ORDER BY sequence DESC LIMIT 1",
      SqlRow{storableText(annotator)});
  if (!step) {
    return failWith(step);
  }
  if (!*step) {
    return std::nullopt;
  }
  auto restored = toggle(**step, false, annotator);
  if (!restored) {
    return failWith(restored);
  }
  if (Status committed = transaction->commit(); !committed) {
    return failWith(committed);
  }
  return std::move(*restored);
}

Expected<UndoneStep> LabelStore::toggle(std::int64_t step, bool undo,
                                        const std::string& annotator) {
  const auto newest = newestEntry(*connection_);
  if (!newest) {
    return failWith(newest);
  }
  const SqlRow entry{*newest + 1, step, std::string(undo ? "undo" : "redo"),
                     storableText(annotator), nowMs()};
  if (Status done =
          connection_->insert({.into = "journal (sequence, step, kind, annotator, time_ms)",
                               .values = "($1, $2, $3, $4, $5)"},
                              std::span(&entry, 1));
      !done) {
    return failWith(done);
  }
  auto decisions = readRows<RecordedDecision>(
      *connection_,
      // The decisions of a step follow each other, and the first one's number is the step's.
      fmt::format("SELECT {} FROM journal WHERE item IS NOT NULL AND sequence >= $1"
                  " AND sequence < coalesce((SELECT sequence FROM journal"
                  "   WHERE sequence > $1 AND step <> $1 ORDER BY sequence LIMIT 1), {})"
                  " ORDER BY sequence",
                  kDecisionColumns, std::numeric_limits<std::int64_t>::max()),
      SqlRow{step}, recordedDecision);
  if (!decisions) {
    return failWith(decisions);
  }
  // Taking back decisions breaks no reference.
  if (!undo || decisions->empty()) {
    if (Status checked = checkReferences(undo); !checked) {
      return failWith(checked);
    }
  }
  return UndoneStep{step, std::move(*decisions)};
}

Status LabelStore::checkReferences(bool undo) {
  const std::string refused = undo ? "this change of the classes cannot be undone, because"
                                   : "this step cannot be restored, because";
  const auto all = classes();
  if (!all) {
    return failWith(all);
  }
  if (const std::string wrong = wrongWithClasses(*all); !wrong.empty()) {
    return refuse(fmt::format("{} {}", refused, wrong));
  }
  const auto changes = connection_->integer(
      "SELECT count(*) FROM class_entry WHERE class_id NOT IN"
      " (SELECT class_id FROM class_entry WHERE change IN ('network', 'add'))");
  if (!changes) {
    return failWith(changes);
  }
  const auto decisions = connection_->integer(
      "SELECT count(*) FROM journal WHERE item IS NOT NULL AND class_id IS NOT NULL"
      " AND step NOT IN (SELECT step FROM undone_step) AND class_id NOT IN"
      " (SELECT class_id FROM class_entry WHERE change IN ('network', 'add'))");
  if (!decisions) {
    return failWith(decisions);
  }
  if (const std::int64_t count = changes->value_or(0) + decisions->value_or(0); count > 0) {
    return refuse(fmt::format("{} {} newer {} its class; {}", refused, count,
                              count == 1 ? "entry uses" : "entries use",
                              undo ? "undo those first" : "restore the class first"));
  }
  return {};
}

Expected<std::vector<PresentLabel>> LabelStore::labels() {
  return readRows<PresentLabel>(
      *connection_, fmt::format("SELECT {} FROM present_label ORDER BY item", kPresentColumns), {},
      presentLabel);
}

Expected<std::optional<PresentLabel>> LabelStore::label(std::int64_t item) {
  const auto found = readRows<PresentLabel>(
      *connection_, fmt::format("SELECT {} FROM present_label WHERE item = $1", kPresentColumns),
      SqlRow{item}, presentLabel);
  if (!found) {
    return failWith(found);
  }
  return found->empty() ? std::nullopt : std::optional(found->front());
}

Expected<std::vector<RecordedDecision>> LabelStore::journal(std::int64_t after_sequence) {
  return readRows<RecordedDecision>(
      *connection_,
      fmt::format("SELECT {} FROM journal WHERE sequence > $1 AND item IS NOT NULL"
                  " ORDER BY sequence",
                  kDecisionColumns),
      SqlRow{after_sequence}, recordedDecision);
}

Expected<std::vector<Decision>> LabelStore::opinions(std::int64_t item) {
  auto recorded = readRows<RecordedDecision>(
      *connection_,
      fmt::format("SELECT {} FROM journal WHERE item = $1 ORDER BY sequence", kDecisionColumns),
      SqlRow{item}, recordedDecision);
  if (!recorded) {
    return failWith(recorded);
  }
  std::vector<Decision> opinions;
  for (RecordedDecision& entry : *recorded) {
    if (entry.undone || entry.decision.origin != LabelOrigin::kPerson) {
      continue;
    }
    std::erase_if(opinions, [&](const Decision& earlier) {
      return earlier.annotator == entry.decision.annotator;
    });
    opinions.push_back(std::move(entry.decision));
  }
  return opinions;
}

Expected<std::vector<RecordedDecision>> LabelStore::newest(const std::string& annotator,
                                                           std::int64_t count) {
  const std::string select =
      fmt::format("SELECT {} FROM journal WHERE item IS NOT NULL", kDecisionColumns);
  if (annotator.empty()) {
    return readRows<RecordedDecision>(*connection_, select + " ORDER BY sequence DESC LIMIT $1",
                                      SqlRow{count}, recordedDecision);
  }
  return readRows<RecordedDecision>(*connection_,
                                    select + " AND annotator = $1 ORDER BY sequence DESC LIMIT $2",
                                    SqlRow{storableText(annotator), count}, recordedDecision);
}

Expected<std::vector<std::int64_t>> LabelStore::reserve(std::span<const std::int64_t> items,
                                                        std::int64_t count,
                                                        const std::string& holder,
                                                        std::chrono::milliseconds duration) {
  auto transaction = SqlTransaction::begin(*connection_, SqlTransactionKind::kWrite);
  if (!transaction) {
    return failWith(transaction);
  }
  const std::string now(connection_->dialect().now_ms);
  std::unordered_set<std::int64_t> reserved;
  Status done = connection_->query(
      fmt::format("SELECT item FROM lease WHERE until_ms > {} AND holder <> $1", now),
      SqlRow{storableText(holder)},
      [&](const SqlRow& row) { reserved.insert(RowReader(row).integer()); });
  if (!done) {
    return failWith(done);
  }
  std::vector<std::int64_t> granted;
  std::vector<SqlRow> rows;
  for (const std::int64_t item : items) {
    if (static_cast<std::int64_t>(granted.size()) >= count) {
      break;
    }
    if (reserved.insert(item).second) {
      granted.push_back(item);
      rows.push_back({item, storableText(holder), std::int64_t{duration.count()}});
    }
  }
  if (granted.empty()) {
    return granted;
  }
  done =
      connection_->insert({.into = "lease (item, holder, until_ms)",
                           .values = fmt::format("($1, $2, {} + $3)", now),
                           .then = "ON CONFLICT (item) DO UPDATE"
                                   " SET holder = excluded.holder, until_ms = excluded.until_ms"},
                          rows);
  if (!done) {
    return failWith(done);
  }
  if (Status committed = transaction->commit(); !committed) {
    return failWith(committed);
  }
  return granted;
}

Expected<std::vector<Reserved>> LabelStore::reserved() {
  return readRows<Reserved>(
      *connection_,
      fmt::format("SELECT holder, count(*), max(until_ms) FROM lease WHERE until_ms > {}"
                  " GROUP BY holder ORDER BY holder",
                  connection_->dialect().now_ms),
      SqlRow{}, +[](RowReader& row) {
        Reserved reserved;
        reserved.holder = row.text();
        reserved.items = row.integer();
        reserved.until_ms = row.integer();
        return reserved;
      });
}

Status LabelStore::release(const std::string& holder) {
  auto transaction = SqlTransaction::begin(*connection_, SqlTransactionKind::kWrite);
  if (!transaction) {
    return failWith(transaction);
  }
  if (Status done = connection_->query("DELETE FROM lease WHERE holder = $1",
                                       SqlRow{storableText(holder)}, ignoreRow);
      !done) {
    return done;
  }
  return transaction->commit();
}

}  // namespace dubito
