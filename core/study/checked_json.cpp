// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/checked_json.h"

#include <fmt/format.h>

#include <span>
#include <string_view>

#include "core/base/json_text.h"
#include "core/io/atomic_file.h"
#include "core/io/mapped_file.h"
#include "core/io/zip_crc.h"

namespace dubito {
namespace {

using nlohmann::json;

constexpr const char* kChecksum = "checksum";
constexpr const char* kResults = "results";

/// Of the values, however they are laid out.
std::string checksumOf(const json& value) {
  const std::string text = jsonText(value, -1);
  return fmt::format("{:08x}", zipCrc(0, std::as_bytes(std::span(text))));
}

}  // namespace

json withChecksum(json value) {
  // Invalid UTF-8 is replaced when it is written, and infinite numbers become null.
  value = json::parse(jsonText(value, -1));
  value[kChecksum] = checksumOf(value);
  return value;
}

bool hasRightChecksum(const json& value) {
  if (!value.is_object() || !value.contains(kChecksum)) {
    return true;
  }
  json content = value;
  content.erase(kChecksum);
  return value[kChecksum] == checksumOf(content);
}

Status writeCheckedJson(const std::string& path, const json& value) {
  const json object = withChecksum(value.is_object() ? value : json{{kResults, value}});
  return writeFileAtomically(path, jsonText(object, 2) + "\n");
}

Expected<json> readCheckedJson(const std::string& path) {
  const auto file = MappedFile::open(path);
  if (!file) {
    return failWith(file);
  }
  const ByteSpan bytes = (*file)->bytes();
  const auto* const text = reinterpret_cast<const char*>(bytes.data());
  json value = json::parse(text, text + bytes.size(), nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded()) {
    return fail(ErrorCode::kMalformed,
                path + ": is not JSON, or is incomplete; remove it to compute it again");
  }
  if (!hasRightChecksum(value)) {
    return fail(ErrorCode::kMalformed,
                path + ": is damaged (its checksum differs); remove it to compute it again");
  }
  if (!value.is_object()) {
    return value;
  }
  value.erase(kChecksum);
  return value.contains(kResults) ? value[kResults] : value;
}

}  // namespace dubito
