// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labels/label_store.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "core/io/atomic_file.h"
#include "core/labels/label_queries.h"
#include "core/labels/label_schema.h"
#include "core/labels/sql/open_connection.h"

namespace dubito {
namespace {

constexpr std::int64_t kRowsPerCopy = 10'000;

/// All columns, for copies.
constexpr const char* kDatasetColumns = "id, name, spec, fingerprint";
constexpr const char* kJournalColumns =
    "sequence, step, kind, annotator, time_ms, item, action, class_id, origin, previous_class,"
    " previous_origin, spent_ms, prediction_shown, queue, run, content_hash, item_name, change,"
    " class_name, colour, key, merged_into, probs";
constexpr std::size_t kSpecColumn = 2;  // of kDatasetColumns
constexpr std::size_t kItemColumn = 5;  // of kJournalColumns

std::string placeholders(std::size_t count) {
  std::string list;
  for (std::size_t i = 1; i <= count; ++i) {
    list += fmt::format("{}${}", i == 1 ? "" : ", ", i);
  }
  return list;
}

Status copyRows(SqlConnection& copy, const char* table, const char* columns,
                const std::vector<SqlRow>& rows) {
  if (rows.empty()) {
    return {};
  }
  return copy.insert({.into = fmt::format("{} ({})", table, columns),
                      .values = fmt::format("({})", placeholders(rows.front().size()))},
                     rows);
}

}  // namespace

Expected<std::unique_ptr<LabelStore>> LabelStore::open(const std::string& place, StoreMode mode) {
  auto connection = openConnection(place, mode);
  if (!connection) {
    return failWith(connection);
  }
  return open(std::move(*connection), mode);
}

Expected<std::unique_ptr<LabelStore>> LabelStore::open(std::unique_ptr<SqlConnection> connection,
                                                       StoreMode mode) {
  std::unique_ptr<LabelStore> store(new LabelStore(std::move(connection)));
  if (Status prepared = store->prepare(mode); !prepared) {
    return failWith(prepared);
  }
  return store;
}

LabelStore::LabelStore(std::unique_ptr<SqlConnection> connection)
    : connection_(std::move(connection)) {}

LabelStore::~LabelStore() = default;

const std::string& LabelStore::place() const {
  return connection_->place();
}

const std::vector<std::string>& LabelStore::notes() const {
  return connection_->notes();
}

tl::unexpected<Error> LabelStore::refuse(const std::string& reason) const {
  return fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}", place(), reason));
}

Status LabelStore::prepare(StoreMode mode) {
  Expected<std::int64_t> version = connection_->storeVersion();
  if (version && *version == 0 && mode != StoreMode::kOpenOrCreate) {
    return fail(ErrorCode::kNotFound,
                place() + ": contains no label store; check the place or create a new one");
  }
  if (version && *version == 0) {
    auto transaction = SqlTransaction::begin(*connection_, SqlTransactionKind::kWrite);
    if (!transaction) {
      return failWith(transaction);
    }
    // Another process may have been first.
    version = connection_->storeVersion();
    if (version && *version == 0) {
      if (Status marked = connection_->markAsStore(kLabelSchemaVersion); !marked) {
        return marked;
      }
      if (Status created = connection_->runScript(labelSchema(connection_->dialect())); !created) {
        return created;
      }
      if (Status committed = transaction->commit(); !committed) {
        return committed;
      }
      version = kLabelSchemaVersion;
    }
  }
  if (!version) {
    return failWith(version);
  }
  if (*version > kLabelSchemaVersion) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: was written by a newer version of this program (format {}, this "
                            "program reads up to {}); update the program",
                            place(), *version, kLabelSchemaVersion));
  }
  return {};
}

Expected<std::optional<LabelledDataset>> LabelStore::dataset() {
  const auto found = readRows<LabelledDataset>(
      *connection_, "SELECT name, spec, fingerprint FROM dataset", {}, [](RowReader& reader) {
        LabelledDataset one;
        one.name = reader.text();
        one.spec = reader.text();
        one.fingerprint = reader.text();
        return one;
      });
  if (!found) {
    return failWith(found);
  }
  return found->empty() ? std::nullopt : std::optional(found->front());
}

Expected<std::int64_t> LabelStore::newestSequence() {
  return newestEntry(*connection_);
}

namespace {

Expected<AtomicFile> newFile(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) {
    return fail(ErrorCode::kWriteFailed, path + ": already exists; choose another name");
  }
  return AtomicFile::create(path);
}

/// The temporary name of a file means nothing to a user.
Error withPath(Error error, const AtomicFile& file, const std::string& path) {
  if (error.message.starts_with(file.tempPath())) {
    error.message.replace(0, file.tempPath().size(), path);
  }
  return error;
}

}  // namespace

Status LabelStore::copyTo(const std::string& path) {
  Expected<AtomicFile> file = newFile(path);
  if (!file) {
    return failWith(file);
  }
  const Expected<bool> copied = connection_->copyFile(file->tempPath());
  const Status done = !copied   ? Status(failWith(copied))
                      : *copied ? Status()
                                : copyRowsInto(file->tempPath(), {});
  return done ? file->commit() : tl::unexpected<Error>(withPath(done.error(), *file, path));
}

Status LabelStore::copyRenumbered(
    const std::string& path, const std::string& spec,
    const std::unordered_map<std::int64_t, std::int64_t>& renumbered) {
  Expected<AtomicFile> file = newFile(path);
  if (!file) {
    return failWith(file);
  }
  const Status done = copyRowsInto(file->tempPath(), {spec, renumbered});
  return done ? file->commit() : tl::unexpected<Error>(withPath(done.error(), *file, path));
}

Status LabelStore::copyRowsInto(const std::string& temp_path, const CopyChanges& changes) {
  auto copy = open(temp_path, StoreMode::kOpenOrCreate);
  return copy ? copyRowsTo(**copy, changes) : failWith(copy);
}

Status LabelStore::copyRowsTo(LabelStore& copy, const CopyChanges& changes) {
  auto source = SqlTransaction::begin(*connection_, SqlTransactionKind::kRead);
  if (!source) {
    return failWith(source);
  }
  auto target = SqlTransaction::begin(*copy.connection_, SqlTransactionKind::kWrite);
  if (!target) {
    return failWith(target);
  }
  const auto renumber = [&](std::int64_t item) {
    const auto found = changes.items.find(item);
    return found == changes.items.end() ? item : found->second;
  };
  auto dataset = connection_->rows(fmt::format("SELECT {} FROM dataset", kDatasetColumns));
  if (!dataset) {
    return failWith(dataset);
  }
  for (SqlRow& row : *dataset) {
    if (!changes.spec.empty()) {
      row.at(kSpecColumn) = changes.spec;
      row.at(kSpecColumn + 1) = std::string();  // the fingerprint may depend on the names
    }
  }
  if (Status done = copyRows(*copy.connection_, "dataset", kDatasetColumns, *dataset); !done) {
    return done;
  }
  const std::string part = fmt::format(
      "SELECT {} FROM journal WHERE sequence > $1 ORDER BY sequence LIMIT $2", kJournalColumns);
  std::int64_t last = 0;
  while (true) {
    auto rows = connection_->rows(part, SqlRow{last, kRowsPerCopy});
    if (!rows) {
      return failWith(rows);
    }
    if (rows->empty()) {
      auto written = remarks();
      if (written) {
        for (Remark& remark : *written) {
          if (remark.subject != RemarkSubject::kClass) {
            remark.about = renumber(remark.about);
          }
        }
      }
      Status done = written ? Status() : Status(failWith(written));
      if (done && !written->empty()) {
        done = copy.writeRemarks(*written);
      }
      return done ? target->commit() : done;
    }
    for (SqlRow& row : *rows) {
      if (auto* const item = std::get_if<std::int64_t>(&row.at(kItemColumn))) {
        *item = renumber(*item);
      }
    }
    if (Status done = copyRows(*copy.connection_, "journal", kJournalColumns, *rows); !done) {
      return done;
    }
    last = std::get<std::int64_t>(rows->back().at(0));
  }
}

}  // namespace dubito
