// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study/study_draft.h"

#include <cstdlib>
#include <utility>

#include "app/session/error_text.h"
#include "core/study/study_spec.h"

namespace dubito {
namespace {

/// Stands for the file in messages.
constexpr const char* kName = "study";
constexpr std::size_t kMaxWidth = 76;
constexpr std::size_t kIndent = 2;

std::string scalarText(const StudyJson& value) {
  return value.dump(-1, ' ', false, StudyJson::error_handler_t::replace);
}

/// "key: " of a member of an object, else empty.
std::string keyText(const StudyJson& parent, const std::string& key) {
  return parent.is_object() ? scalarText(key) + ": " : std::string();
}

std::string onOneLine(const StudyJson& value) {
  if (!value.is_structured()) {
    return scalarText(value);
  }
  std::string text(1, value.is_object() ? '{' : '[');
  for (const auto& member : value.items()) {
    text +=
        (text.size() > 1 ? ", " : "") + keyText(value, member.key()) + onOneLine(member.value());
  }
  return text + (value.is_object() ? '}' : ']');
}

std::string laidOut(const StudyJson& value, std::size_t depth, std::size_t before) {
  std::string line = onOneLine(value);
  if (!value.is_structured() || value.empty() || (depth > 0 && before + line.size() <= kMaxWidth)) {
    return line;
  }
  const std::string indent((depth + 1) * kIndent, ' ');
  std::string text(1, value.is_object() ? '{' : '[');
  bool is_first = true;
  for (const auto& member : value.items()) {
    const std::string key = indent + keyText(value, member.key());
    text += (is_first ? "\n" : ",\n") + key + laidOut(member.value(), depth + 1, key.size());
    is_first = false;
  }
  return text + "\n" + std::string(depth * kIndent, ' ') + (value.is_object() ? '}' : ']');
}

/// The line that a message of parseStudy() names: "study, line 12, PLACE: ...".
std::size_t lineOf(const std::string& message) {
  const std::string begin = std::string(kName) + ", line ";
  return message.starts_with(begin)
             ? static_cast<std::size_t>(std::strtoul(message.c_str() + begin.size(), nullptr, 10))
             : 0;
}

}  // namespace

std::string studyFileText(const StudyJson& document) {
  return laidOut(document, 0, 0) + "\n";
}

void StudyDraft::setText(std::string text) {
  text_ = std::move(text);
  StudyJson parsed = StudyJson::parse(text_, nullptr, /*allow_exceptions=*/false);
  document_ = parsed.is_object() ? std::optional(std::move(parsed)) : std::nullopt;
  check();
}

void StudyDraft::setDocument(StudyJson document) {
  text_ = studyFileText(document);
  document_ = std::move(document);
  check();
}

void StudyDraft::set(const StudyJson::json_pointer& place, StudyJson value) {
  StudyJson changed = *document_;
  if (!value.is_null()) {
    changed[place] = std::move(value);
  } else if (changed.contains(place)) {
    StudyJson& parent = changed[place.parent_pointer()];
    if (parent.is_array()) {
      parent.erase(std::stoul(place.back()));
    } else {
      parent.erase(place.back());
    }
  }
  setDocument(std::move(changed));
}

const StudyJson* StudyDraft::find(const StudyJson::json_pointer& place) const {
  return document_ && document_->contains(place) ? &(*document_)[place] : nullptr;
}

void StudyDraft::check() {
  problem_.reset();
  size_.reset();
  const Expected<StudySpec> spec = parseStudy(text_, kName);
  if (!spec) {
    problem_ = StudyProblem{errorText(spec.error()).toStdString(), lineOf(spec.error().message)};
    return;
  }
  size_ = Size{spec->targets.size(), spec->networks.size(), spec->rows.size(), spec->seeds.size()};
}

}  // namespace dubito
