// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "core/base/now_ms.h"
#include "core/labels/label_queries.h"
#include "core/labels/label_schema.h"
#include "core/labels/label_store.h"

namespace dubito {
namespace {

struct SubjectKey {
  RemarkSubject subject;
  std::string_view key;
};
constexpr std::array kSubjects{SubjectKey{RemarkSubject::kItem, "item"},
                               SubjectKey{RemarkSubject::kClass, "class"},
                               SubjectKey{RemarkSubject::kExample, "example"}};

Remark remarkOfRow(RowReader& reader) {
  Remark remark;
  remark.number = reader.integer();
  remark.subject = remarkSubjectOfKey(reader.text()).value_or(RemarkSubject::kItem);
  remark.about = reader.integer();
  remark.annotator = reader.text();
  remark.time_ms = reader.integer();
  remark.text = reader.text();
  return remark;
}

}  // namespace

std::string_view keyOf(RemarkSubject subject) {
  return std::ranges::find(kSubjects, subject, &SubjectKey::subject)->key;
}

std::optional<RemarkSubject> remarkSubjectOfKey(std::string_view key) {
  const auto* const found = std::ranges::find(kSubjects, key, &SubjectKey::key);
  return found == kSubjects.end() ? std::nullopt : std::optional(found->subject);
}

std::string exampleText(std::int64_t class_id) {
  return std::to_string(class_id);
}

std::optional<std::int64_t> classOfExample(std::string_view text) {
  std::int64_t id = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), id);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() && id >= 0
             ? std::optional(id)
             : std::nullopt;
}

Expected<bool> LabelStore::hasRemarks() {
  if (!has_remarks_) {
    const auto count = connection_->integer(std::string(connection_->dialect().count_tables),
                                            SqlRow{std::string("remark")});
    if (!count) {
      return failWith(count);
    }
    has_remarks_ = count->value_or(0) > 0;
  }
  return has_remarks_;
}

Status LabelStore::setRemarks(std::span<const Remark> remarks) {
  auto transaction = SqlTransaction::begin(*connection_, SqlTransactionKind::kWrite);
  if (!transaction) {
    return failWith(transaction);
  }
  const Status written = writeRemarks(remarks);
  return written ? transaction->commit() : written;
}

Status LabelStore::writeRemarks(std::span<const Remark> remarks) {
  const auto exists = hasRemarks();
  if (!exists) {
    return failWith(exists);
  }
  // Created only if absent: on a server, a colleague may write in the table without being able to
  // make it.
  if (!*exists) {
    if (Status made = connection_->runScript(remarkSchema(connection_->dialect())); !made) {
      return made;
    }
  }
  const auto newest = connection_->integer("SELECT max(number) FROM remark");
  if (!newest) {
    return failWith(newest);
  }
  std::int64_t number = newest->value_or(0);
  std::vector<SqlRow> rows;
  for (const Remark& remark : remarks) {
    // Only comments are one for each person.
    const std::string owner =
        remark.subject == RemarkSubject::kItem ? storableText(remark.annotator) : std::string();
    rows.push_back({++number, std::string(keyOf(remark.subject)), remark.about, owner,
                    storableText(remark.annotator), remark.time_ms == 0 ? nowMs() : remark.time_ms,
                    storableText(remark.text)});
  }
  return connection_->insert(
      {.into = "remark (number, subject, about, owner, annotator, time_ms, text)",
       .values = "($1, $2, $3, $4, $5, $6, $7)",
       .then = "ON CONFLICT (subject, about, owner) DO UPDATE"
               " SET number = excluded.number, annotator = excluded.annotator,"
               " time_ms = excluded.time_ms, text = excluded.text"},
      rows);
}

Expected<std::vector<Remark>> LabelStore::remarks(std::int64_t after_number) {
  const auto exists = hasRemarks();
  if (!exists) {
    return failWith(exists);
  }
  if (!*exists) {
    return std::vector<Remark>();
  }
  return readRows<Remark>(*connection_,
                          "SELECT number, subject, about, annotator, time_ms, text FROM remark"
                          " WHERE number > $1 ORDER BY number",
                          SqlRow{after_number}, remarkOfRow);
}

}  // namespace dubito
