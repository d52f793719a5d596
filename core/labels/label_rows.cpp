// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labels/label_rows.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/base/now_ms.h"
#include "core/io/utf.h"

namespace dubito {

static_assert(std::endian::native == std::endian::little, "probabilities are stored as they are");

const SqlInsert kInsertDecision{
    .into =
        "journal (sequence, step, kind, annotator, time_ms, item, action, class_id, origin,"
        " previous_class, previous_origin, spent_ms, prediction_shown, queue, run,"
        " content_hash, item_name, probs)",
    .values =
        "($1, $2, 'decision', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,"
        " $17)"};

const char* const kDecisionColumns =
    "sequence, step, CASE WHEN step IN (SELECT step FROM undone_step) THEN 1 ELSE 0 END, annotator,"
    " time_ms, item, action, class_id, origin, previous_class, previous_origin, spent_ms,"
    " prediction_shown, queue, run, content_hash, item_name, probs";

const char* const kPresentColumns =
    "item, action, class_id, origin, annotator, time_ms, sequence, annotators, conflict";

const char* const kClassColumns = "id, name, colour, key, merged_into";

std::int64_t RowReader::integer() {
  const auto* const value = std::get_if<std::int64_t>(&next());
  valid_ = valid_ && value != nullptr;
  return value == nullptr ? 0 : *value;
}

std::optional<std::int64_t> RowReader::optionalInteger() {
  const SqlValue& value = next();
  const auto* const number = std::get_if<std::int64_t>(&value);
  valid_ = valid_ && (number != nullptr || std::holds_alternative<std::monostate>(value));
  return number == nullptr ? std::nullopt : std::optional(*number);
}

std::string RowReader::text() {
  const SqlValue& value = next();
  const auto* const text = std::get_if<std::string>(&value);
  valid_ = valid_ && (text != nullptr || std::holds_alternative<std::monostate>(value));
  return text == nullptr ? std::string() : *text;
}

LabelAction RowReader::action() {
  const std::optional<LabelAction> action = labelActionOfKey(text());
  valid_ = valid_ && action.has_value();
  return action.value_or(LabelAction::kSkip);
}

LabelOrigin RowReader::origin() {
  const std::optional<LabelOrigin> origin = optionalOrigin();
  valid_ = valid_ && origin.has_value();
  return origin.value_or(LabelOrigin::kModel);
}

std::optional<LabelOrigin> RowReader::optionalOrigin() {
  const std::string key = text();
  const std::optional<LabelOrigin> origin = labelOriginOfKey(key);
  valid_ = valid_ && (origin.has_value() || key.empty());
  return origin;
}

std::vector<float> RowReader::floats() {
  const SqlValue& value = next();
  const auto* const blob = std::get_if<SqlBlob>(&value);
  valid_ = valid_ && (blob != nullptr ? blob->bytes.size() % sizeof(float) == 0
                                      : std::holds_alternative<std::monostate>(value));
  std::vector<float> floats(blob == nullptr ? 0 : blob->bytes.size() / sizeof(float));
  if (!floats.empty()) {
    std::memcpy(floats.data(), blob->bytes.data(), floats.size() * sizeof(float));
  }
  return floats;
}

SqlRow decisionRow(const Decision& decision, std::int64_t sequence, std::int64_t step) {
  const auto optional = [](std::optional<std::int64_t> value) {
    return value ? SqlValue(*value) : SqlValue();
  };
  const auto text = [](std::string_view value) {
    return value.empty() ? SqlValue() : SqlValue(storableText(value));
  };
  SqlValue probs;
  if (!decision.probs.empty()) {
    probs = SqlBlob{{reinterpret_cast<const char*>(decision.probs.data()),
                     decision.probs.size() * sizeof(float)}};
  }
  return {sequence,
          step,
          storableText(decision.annotator),
          decision.time_ms != 0 ? decision.time_ms : nowMs(),
          decision.item,
          std::string(keyOf(decision.action)),
          optional(decision.class_id),
          std::string(keyOf(decision.origin)),
          optional(decision.previous_class),
          decision.previous_origin ? text(keyOf(*decision.previous_origin)) : SqlValue(),
          decision.spent_ms,
          std::int64_t{decision.prediction_shown ? 1 : 0},
          text(decision.queue),
          text(decision.run),
          text(decision.content_hash),
          text(decision.item_name),
          std::move(probs)};
}

RecordedDecision recordedDecision(RowReader& reader) {
  RecordedDecision recorded;
  Decision& decision = recorded.decision;
  recorded.sequence = reader.integer();
  recorded.step = reader.integer();
  recorded.undone = reader.integer() != 0;
  decision.annotator = reader.text();
  decision.time_ms = reader.integer();
  decision.item = reader.integer();
  decision.action = reader.action();
  decision.class_id = reader.optionalInteger();
  decision.origin = reader.origin();
  decision.previous_class = reader.optionalInteger();
  decision.previous_origin = reader.optionalOrigin();
  decision.spent_ms = reader.integer();
  decision.prediction_shown = reader.integer() != 0;
  decision.queue = reader.text();
  decision.run = reader.text();
  decision.content_hash = reader.text();
  decision.item_name = reader.text();
  decision.probs = reader.floats();
  return recorded;
}

PresentLabel presentLabel(RowReader& reader) {
  PresentLabel label;
  label.item = reader.integer();
  label.action = reader.action();
  label.class_id = reader.optionalInteger();
  label.origin = reader.origin();
  label.annotator = reader.text();
  label.time_ms = reader.integer();
  label.sequence = reader.integer();
  label.annotators = reader.integer();
  label.conflict = reader.integer() != 0;
  return label;
}

LabelClass labelClass(RowReader& reader) {
  LabelClass one;
  one.id = reader.integer();
  one.name = reader.text();
  one.colour = reader.text();
  one.key = reader.text();
  one.merged_into = reader.optionalInteger();
  return one;
}

std::string storableText(std::string_view text) {
  const bool plain = std::ranges::all_of(text, [](char c) { return c > 0; });
  if (plain) {
    return std::string(text);
  }
  const std::string wide = utf32FromUtf8(text);
  std::string valid = utf8FromUtf32(asBytes(wide), false);
  std::ranges::replace(valid, '\0', '?');
  return valid;
}

}  // namespace dubito
