// SPDX-License-Identifier: GPL-3.0-or-later
// The classes of a label store.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/in_quotes.h"
#include "core/base/now_ms.h"
#include "core/labels/class_rules.h"
#include "core/labels/label_queries.h"
#include "core/labels/label_store.h"

namespace dubito {
namespace {

SqlValue textOrNull(const std::string& text) {
  return text.empty() ? SqlValue() : SqlValue(storableText(text));
}

/// Appends changes of classes as one step. Of a merge, only the id and `merged_into` count.
Status recordChanges(SqlConnection& connection, const std::string& change,
                     std::span<const LabelClass> changed, const std::string& annotator) {
  const auto newest = newestEntry(connection);
  if (!newest) {
    return failWith(newest);
  }
  const std::int64_t step = *newest + 1;
  const bool merges = change == "merge";
  std::vector<SqlRow> rows;
  for (const LabelClass& one : changed) {
    rows.push_back({step + static_cast<std::int64_t>(rows.size()), step, storableText(annotator),
                    nowMs(), one.id, change, merges ? SqlValue() : textOrNull(one.name),
                    merges ? SqlValue() : textOrNull(one.colour),
                    merges ? SqlValue() : textOrNull(one.key),
                    merges ? SqlValue(one.merged_into.value()) : SqlValue()});
  }
  return connection.insert({.into = "journal (sequence, step, kind, annotator, time_ms, class_id,"
                                    " change, class_name, colour, key, merged_into)",
                            .values = "($1, $2, 'class', $3, $4, $5, $6, $7, $8, $9, $10)"},
                           rows);
}

/// The names that the classes of the network had at first, by id.
Expected<std::vector<std::string>> networkClassNames(SqlConnection& connection) {
  return readRows<std::string>(
      connection, "SELECT class_name FROM journal WHERE change = 'network' ORDER BY class_id", {},
      [](RowReader& reader) { return reader.text(); });
}

/// How `names` differ from the classes, as "belongs to ..."; empty if they do not.
std::string differenceOfNames(std::span<const std::string> names,
                              std::span<const std::string> names_at_first,
                              std::span<const LabelClass> classes) {
  if (names.size() < names_at_first.size() || names.size() > classes.size()) {
    return fmt::format("belongs to a network of {} classes, not {}", names_at_first.size(),
                       names.size());
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool as_at_first =
        i < names_at_first.size() && names_at_first[i] == storableText(names[i]);
    if (!as_at_first && classes[i].name != storableText(names[i])) {
      return fmt::format("belongs to a network whose class {} is {}, not {}", i,
                         inQuotes(classes[i].name), inQuotes(names[i]));
    }
  }
  return {};
}

std::string anotherStore(const std::string& difference) {
  return difference + "; open the label store of this dataset, or create a new one";
}

}  // namespace

Expected<LabelStore::Recorded> LabelStore::recordedOf(const LabelledDataset& dataset,
                                                      std::span<const std::string> class_names) {
  const auto recorded = this->dataset();
  if (!recorded) {
    return failWith(recorded);
  }
  const auto present = classes();
  if (!present) {
    return failWith(present);
  }
  const Recorded known{.dataset = recorded->has_value(),
                       .classes = class_names.empty() || !present->empty()};
  if (Status same = checkItems(dataset); !same) {
    return failWith(same);
  }
  if (class_names.empty() || !known.classes) {
    return known;
  }
  const auto names_at_first = networkClassNames(*connection_);
  if (!names_at_first) {
    return failWith(names_at_first);
  }
  const std::string difference = differenceOfNames(class_names, *names_at_first, *present);
  if (!difference.empty()) {
    return refuse(anotherStore(difference));
  }
  return known;
}

Status LabelStore::checkItems(const LabelledDataset& dataset) {
  const auto recorded = this->dataset();
  if (!recorded) {
    return failWith(recorded);
  }
  const std::string known = *recorded ? (*recorded)->fingerprint : std::string();
  if (!known.empty() && !dataset.fingerprint.empty() && known != dataset.fingerprint) {
    return refuse(
        anotherStore(fmt::format("belongs to the dataset {}, whose items are not those "
                                 "of {}",
                                 inQuotes((*recorded)->name), inQuotes(dataset.name))));
  }
  return {};
}

Expected<std::vector<std::string>> LabelStore::networkClasses() {
  return networkClassNames(*connection_);
}

Status LabelStore::belongTo(const LabelledDataset& dataset,
                            std::span<const std::string> class_names) {
  auto known = recordedOf(dataset, class_names);
  if (!known || (known->dataset && known->classes)) {
    return known ? Status() : failWith(known);
  }
  auto transaction = SqlTransaction::begin(*connection_, SqlTransactionKind::kWrite);
  if (!transaction) {
    return failWith(transaction);
  }
  // Another process may have been first.
  known = recordedOf(dataset, class_names);
  if (!known) {
    return failWith(known);
  }
  if (!known->dataset) {
    const SqlRow row{storableText(dataset.name), storableText(dataset.spec),
                     storableText(dataset.fingerprint)};
    if (Status done = connection_->insert(
            {.into = "dataset (id, name, spec, fingerprint)", .values = "(1, $1, $2, $3)"},
            std::span(&row, 1));
        !done) {
      return done;
    }
  }
  if (!known->classes) {
    std::vector<LabelClass> fresh;
    for (const std::string& name : class_names) {
      fresh.push_back({.id = static_cast<std::int64_t>(fresh.size()), .name = storableText(name)});
      if (const std::string wrong = wrongWithClass(fresh.back()); !wrong.empty()) {
        return refuse(wrong);
      }
    }
    if (const std::string wrong = wrongWithClasses(fresh); !wrong.empty()) {
      return refuse(wrong);
    }
    if (Status done = recordChanges(*connection_, "network", fresh, {}); !done) {
      return done;
    }
  }
  return transaction->commit();
}

Expected<std::vector<LabelClass>> LabelStore::classes() {
  return readRows<LabelClass>(*connection_,
                              fmt::format("SELECT {} FROM label_class ORDER BY id", kClassColumns),
                              {}, labelClass);
}

Expected<LabelClass> LabelStore::addClass(const std::string& name, const std::string& annotator) {
  auto transaction = SqlTransaction::begin(*connection_, SqlTransactionKind::kWrite);
  if (!transaction) {
    return failWith(transaction);
  }
  auto all = classes();
  if (!all) {
    return failWith(all);
  }
  const auto last =
      connection_->integer("SELECT max(class_id) FROM journal WHERE change IS NOT NULL");
  if (!last) {
    return failWith(last);
  }
  const LabelClass added{.id = last->value_or(-1) + 1, .name = storableText(name)};
  all->push_back(added);
  for (const std::string& wrong : {wrongWithClass(added), wrongWithClasses(*all)}) {
    if (!wrong.empty()) {
      return refuse(wrong);
    }
  }
  if (Status done = recordChanges(*connection_, "add", std::span(&added, 1), annotator); !done) {
    return failWith(done);
  }
  if (Status committed = transaction->commit(); !committed) {
    return failWith(committed);
  }
  return added;
}

Status LabelStore::changeClass(const LabelClass& changed, const std::string& annotator) {
  auto transaction = SqlTransaction::begin(*connection_, SqlTransactionKind::kWrite);
  if (!transaction) {
    return failWith(transaction);
  }
  auto all = classes();
  if (!all) {
    return failWith(all);
  }
  const auto present = std::ranges::find(*all, changed.id, &LabelClass::id);
  if (present == all->end() || present->merged_into) {
    return refuse(
        fmt::format("there is no class with the number {}; choose one of the list", changed.id));
  }
  *present = changed;
  present->merged_into.reset();
  for (const std::string& wrong : {wrongWithClass(*present), wrongWithClasses(*all)}) {
    if (!wrong.empty()) {
      return refuse(wrong);
    }
  }
  if (Status done = recordChanges(*connection_, "change", std::span(&*present, 1), annotator);
      !done) {
    return done;
  }
  return transaction->commit();
}

Status LabelStore::mergeClass(std::int64_t id, std::int64_t into, const std::string& annotator) {
  auto transaction = SqlTransaction::begin(*connection_, SqlTransactionKind::kWrite);
  if (!transaction) {
    return failWith(transaction);
  }
  const auto all = classes();
  if (!all) {
    return failWith(all);
  }
  for (const std::int64_t one : {id, into}) {
    const LabelClass* const found = findClass(*all, one);
    if (found == nullptr || found->merged_into) {
      return refuse(
          fmt::format("there is no class with the number {}; choose one of the list", one));
    }
  }
  if (id == into) {
    return refuse(fmt::format("the class {} cannot be merged into itself; choose another one",
                              inQuotes(findClass(*all, id)->name)));
  }
  const LabelClass merged{.id = id, .name = {}, .merged_into = into};
  if (Status done = recordChanges(*connection_, "merge", std::span(&merged, 1), annotator); !done) {
    return done;
  }
  return transaction->commit();
}

}  // namespace dubito
