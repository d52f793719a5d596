// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/parsed_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/in_quotes.h"
#include "core/io/csv.h"
#include "core/io/mapped_file.h"

namespace dubito {
namespace {

constexpr int kMaxJsonLevels = 64;

/// The reason in an exception of nlohmann::json:
/// "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error ... - REASON".
std::string reasonOf(const std::string& what) {
  std::string_view text = what;
  if (const std::size_t end = text.find("] "); text.starts_with('[') && end != text.npos) {
    text.remove_prefix(end + 2);
  }
  if (const std::size_t end = text.find(": ");
      text.starts_with("parse error") && end != text.npos) {
    text.remove_prefix(end + 2);
  }
  constexpr std::size_t kMaxReason = 160;
  return shownText(text, kMaxReason);
}

}  // namespace

std::string lineAndColumn(std::string_view text, std::size_t position, std::int64_t first_line) {
  const std::string_view before = text.substr(0, std::min(position, text.size()));
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return fmt::format("line {}, column {}", lines + first_line, before.size() - line_start + 1);
}

Expected<nlohmann::json> parseJson(std::string_view text, const std::string& source,
                                   const std::string& remedy, std::string_view skipped,
                                   std::int64_t first_line) {
  bool too_deep = false;
  const auto filter = [&](int depth, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
    too_deep = too_deep || depth > kMaxJsonLevels;
    if (event == nlohmann::json::parse_event_t::key && !skipped.empty()) {
      return !too_deep && parsed.get_ref<const std::string&>() != skipped;
    }
    return !too_deep;
  };
  try {
    nlohmann::json value = nlohmann::json::parse(text.begin(), text.end(), filter);
    if (too_deep) {
      return fail(ErrorCode::kMalformed, fmt::format("{}: is nested more than {} levels; {}",
                                                     source, kMaxJsonLevels, remedy));
    }
    return value;
  } catch (const nlohmann::json::parse_error& error) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: {}: {}; {}", source,
                            lineAndColumn(text, error.byte > 0 ? error.byte - 1 : 0, first_line),
                            reasonOf(error.what()), remedy));
  } catch (const nlohmann::json::exception& error) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: {}; {}", source, reasonOf(error.what()), remedy));
  }
}

Expected<nlohmann::json> readJsonFile(const std::string& path, const std::string& remedy,
                                      std::string_view skipped) {
  auto file = MappedFile::open(path);
  if (!file) {
    return failWith(file);
  }
  const ByteSpan bytes = (*file)->bytes();
  auto value =
      parseJson({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path, remedy, skipped);
  if (const Status unchanged = (*file)->unchanged(); !unchanged) {
    return failWith(unchanged);
  }
  return value;
}

const nlohmann::json* memberOf(const nlohmann::json& value, const char* key) {
  if (!value.is_object()) {
    return nullptr;
  }
  const auto found = value.find(key);
  return found == value.end() ? nullptr : &*found;
}

const nlohmann::json& listMember(const nlohmann::json& value, const char* key) {
  static const nlohmann::json none = nlohmann::json::array();
  const nlohmann::json* const member = memberOf(value, key);
  return member != nullptr && member->is_array() ? *member : none;
}

Status requireList(const nlohmann::json& value, const char* key, const std::string& source,
                   const std::string& remedy) {
  const nlohmann::json* const member = memberOf(value, key);
  return member != nullptr && member->is_array()
             ? Status()
             : fail(ErrorCode::kMalformed,
                    fmt::format("{}: has no list '{}'; {}", source, key, remedy));
}

std::string textMember(const nlohmann::json& value, const char* key) {
  const nlohmann::json* const member = memberOf(value, key);
  return member != nullptr && member->is_string() ? member->get<std::string>() : std::string();
}

std::optional<std::int64_t> integerMember(const nlohmann::json& value, const char* key) {
  const nlohmann::json* member = memberOf(value, key);
  if (member != nullptr && member->is_object()) {
    member = memberOf(*member, "$numberLong");
  }
  if (member == nullptr) {
    return std::nullopt;
  }
  if (member->is_number_unsigned() &&
      member->get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) {
    return std::nullopt;
  }
  if (member->is_number_integer()) {
    return member->get<std::int64_t>();
  }
  return member->is_string() ? parseInteger(member->get_ref<const std::string&>()) : std::nullopt;
}

std::optional<double> numberMember(const nlohmann::json& value, const char* key) {
  const nlohmann::json* const member = memberOf(value, key);
  return member != nullptr && member->is_number() ? std::optional(member->get<double>())
                                                  : std::nullopt;
}

}  // namespace dubito
