// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labels/label_schema.h"

#include <fmt/format.h>

namespace dubito {
namespace {

constexpr const char* kTables = R"(
CREATE TABLE dataset (
  id {integer} PRIMARY KEY CHECK (id = 1),
  name {text} NOT NULL,
  spec {text} NOT NULL,
  fingerprint {text} NOT NULL
) {options};

CREATE TABLE journal (
  sequence {integer} PRIMARY KEY CHECK (sequence > 0),
  step {integer} NOT NULL CHECK (step BETWEEN 1 AND sequence),
  kind {text} NOT NULL CHECK (kind IN ('decision', 'class', 'undo', 'redo')),
  annotator {text} NOT NULL,
  time_ms {integer} NOT NULL,
  item {integer},
  action {text} CHECK
    (action IN ('accept', 'correct', 'not-in-classes', 'ambiguous', 'skip', 'flag')),
  class_id {integer} CHECK (class_id >= 0),
  origin {text} CHECK (origin IN ('dataset', 'model', 'person')),
  previous_class {integer},
  previous_origin {text} CHECK (previous_origin IN ('dataset', 'model', 'person')),
  spent_ms {integer},
  prediction_shown {integer} CHECK (prediction_shown IN (0, 1)),
  queue {text},
  run {text},
  content_hash {text},
  item_name {text},
  change {text} CHECK (change IN ('network', 'add', 'change', 'merge')),
  class_name {text},
  colour {text},
  key {text},
  merged_into {integer},
  probs {blob},
  CHECK ((kind = 'decision') = (item IS NOT NULL)),
  CHECK ((kind = 'decision') = (action IS NOT NULL)),
  CHECK ((kind = 'decision') = (origin IS NOT NULL)),
  CHECK ((kind = 'class') = (change IS NOT NULL)),
  CHECK ((class_id IS NOT NULL) =
         (kind = 'class' OR (action IS NOT NULL AND action IN ('accept', 'correct'))))
) {options};

CREATE TABLE lease (
  item {integer} PRIMARY KEY,
  holder {text} NOT NULL,
  until_ms {integer} NOT NULL
) {options};
)";

/// The first index contains every column of the view `standing`.
constexpr const char* kIndices = R"(
CREATE INDEX journal_items ON journal
  (item, origin, annotator, sequence, step, action, class_id);
CREATE INDEX journal_annotators ON journal (annotator, sequence);
CREATE INDEX journal_undo ON journal (step, kind, sequence) WHERE item IS NULL;
CREATE INDEX journal_classes ON journal (class_id, sequence) WHERE change IS NOT NULL;
)";

constexpr const char* kViews = R"(
CREATE VIEW undone_step AS
SELECT step FROM journal
WHERE item IS NULL AND kind IN ('undo', 'redo')
GROUP BY step
HAVING max(CASE WHEN kind = 'undo' THEN sequence ELSE 0 END)
     > max(CASE WHEN kind = 'redo' THEN sequence ELSE 0 END);

CREATE VIEW class_entry AS
SELECT sequence, class_id, change, class_name, colour, key, merged_into FROM journal
WHERE change IS NOT NULL AND step NOT IN (SELECT step FROM undone_step);

CREATE VIEW label_class AS
SELECT named.class_id AS id, named.class_name AS name, named.colour, named.key,
       merged.merged_into
FROM (SELECT class_id, class_name, colour, key,
             row_number() OVER (PARTITION BY class_id ORDER BY sequence DESC) AS place
      FROM class_entry WHERE change <> 'merge') AS named
LEFT JOIN (SELECT class_id, merged_into,
                  row_number() OVER (PARTITION BY class_id ORDER BY sequence DESC) AS place
           FROM class_entry WHERE change = 'merge') AS merged
  ON merged.class_id = named.class_id AND merged.place = 1
WHERE named.place = 1;

CREATE VIEW class_root AS
WITH RECURSIVE
  merge (id, target) AS
    (SELECT id, merged_into FROM label_class WHERE merged_into IS NOT NULL),
  ancestor (id, target) AS
    (SELECT id, target FROM merge
     UNION
     SELECT ancestor.id, merge.target FROM ancestor JOIN merge ON merge.id = ancestor.target)
SELECT id, target AS root FROM ancestor WHERE target NOT IN (SELECT id FROM merge);

CREATE VIEW standing AS
SELECT item, origin, annotator, sequence, action, class_id FROM journal
WHERE item IS NOT NULL AND step NOT IN (SELECT step FROM undone_step);

CREATE VIEW present_label AS
SELECT summary.item, journal.action, coalesce(class_root.root, journal.class_id) AS class_id,
       journal.origin, journal.annotator, journal.time_ms, journal.sequence, summary.annotators,
       CASE WHEN summary.annotators < 2 THEN 0 ELSE
         (SELECT CASE WHEN count(DISTINCT
                   CASE one.action WHEN 'not-in-classes' THEN -1 WHEN 'ambiguous' THEN -2
                                   ELSE coalesce(class_root.root, one.class_id) END) > 1
                 THEN 1 ELSE 0 END
          FROM standing AS one LEFT JOIN class_root ON class_root.id = one.class_id
          WHERE one.item = summary.item AND one.origin = 'person'
            AND NOT EXISTS (SELECT 1 FROM standing AS later
                            WHERE later.item = one.item AND later.origin = 'person'
                              AND later.annotator = one.annotator
                              AND later.sequence > one.sequence)) END AS conflict
FROM (SELECT item,
             coalesce(max(CASE WHEN origin = 'person' THEN sequence END), max(sequence)) AS newest,
             count(DISTINCT CASE WHEN origin = 'person' THEN annotator END) AS annotators
      FROM standing GROUP BY item) AS summary
JOIN journal ON journal.sequence = summary.newest
LEFT JOIN class_root ON class_root.id = journal.class_id;
)";

constexpr const char* kRemarks = R"(
CREATE TABLE IF NOT EXISTS remark (
  number {integer} NOT NULL CHECK (number > 0),
  subject {text} NOT NULL CHECK (subject IN ('item', 'class', 'example')),
  about {integer} NOT NULL,
  owner {text} NOT NULL,
  annotator {text} NOT NULL,
  time_ms {integer} NOT NULL,
  text {text} NOT NULL,
  PRIMARY KEY (subject, about, owner)
) {options};
CREATE INDEX IF NOT EXISTS remark_numbers ON remark (number);
)";

}  // namespace

std::string remarkSchema(const SqlDialect& dialect) {
  return fmt::format(fmt::runtime(kRemarks), fmt::arg("integer", dialect.integer),
                     fmt::arg("text", dialect.text), fmt::arg("options", dialect.table_options));
}

std::string labelSchema(const SqlDialect& dialect) {
  return fmt::format(fmt::runtime(kTables), fmt::arg("integer", dialect.integer),
                     fmt::arg("text", dialect.text), fmt::arg("blob", dialect.blob),
                     fmt::arg("options", dialect.table_options)) +
         remarkSchema(dialect) + kIndices + kViews + dialect.append_only("journal") +
         dialect.append_only("dataset");
}

}  // namespace dubito
