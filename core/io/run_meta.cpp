// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/base/json_integer.h"
#include "core/io/run.h"

#include "core/base/json_text.h"
#include "core/io/note_kinds.h"

namespace dubito {
namespace {

using nlohmann::json;

/// The fields that are stored unchanged, with their keys; `meta` may be const.
template <class Meta, class Visitor>
void visitPlainFields(Meta& meta, Visitor&& visit) {
  visit("task", meta.task);
  visit("method", meta.method);
  visit("model_name", meta.model_name);
  visit("model_path", meta.model_path);
  visit("network_hash", meta.network_hash);
  visit("dataset_name", meta.dataset_name);
  visit("dataset_spec", meta.dataset_spec);
  visit("role", meta.role);
  visit("dataset_hash", meta.dataset_hash);
  visit("class_names", meta.class_names);
  visit("seed", meta.seed);
  visit("device", meta.device);
  visit("batch", meta.batch);
  visit("threads", meta.threads);
  visit("preprocessing", meta.preprocessing);
  visit("versions", meta.versions);
  visit("timings", meta.timings);
  visit("stopped_early", meta.stopped_early);
}

tl::unexpected<Error> malformedMeta(const std::string& reason) {
  return fail(ErrorCode::kMalformed, "meta: " + reason + "; recompute the run");
}

/// 64 bits as hexadecimal text, because many JSON readers keep only 53 bits of a number.
std::uint64_t parseHash(const std::string& text) {
  std::uint64_t hash = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, hash, 16);
  if (error != std::errc() || rest != end) {
    throw std::invalid_argument("a mask hash is not a hexadecimal number");
  }
  return hash;
}

void readLists(const json& object, RunMeta& meta) {
  for (const json& entry : object.value("mask_hashes", json::array())) {
    meta.mask_hashes.push_back({integerFrom<std::int64_t>(entry.at("site")),
                                integerFrom<std::int64_t>(entry.at("draw")),
                                parseHash(entry.at("hash").get<std::string>())});
  }
  for (const json& entry : object.value("skipped", json::array())) {
    meta.skipped.push_back(
        {entry.at("name").get<std::string>(), entry.at("reason").get<std::string>()});
  }
}

}  // namespace

json toJson(const RunMeta& meta) {
  json object;
  object["schema_version"] = meta.schema_version;
  visitPlainFields(meta, [&](const char* key, const auto& value) { object[key] = value; });
  object["notes"] = textsOf(meta.notes);
  object[kNoteKindsKey] = noteKinds(meta.notes);
  object["options"] = json::parse(meta.method_options);
  object["mask_hashes"] = json::array();
  for (const MaskHash& mask : meta.mask_hashes) {
    object["mask_hashes"].push_back(
        {{"site", mask.site}, {"draw", mask.draw}, {"hash", fmt::format("{:016x}", mask.hash)}});
  }
  object["skipped"] = json::array();
  for (const SkippedItem& item : meta.skipped) {
    object["skipped"].push_back({{"name", item.name}, {"reason", item.reason}});
  }
  if (meta.reviewed_labels) {
    object["reviewed_labels"] = toJson(*meta.reviewed_labels);
  }
  return object;
}

Expected<RunMeta> runMetaFromJson(const json& object) {
  const auto version = object.is_object() ? object.find("schema_version") : object.end();
  if (version == object.end() || !version->is_number_integer() || version->get<double>() < 1) {
    return malformedMeta("has no schema_version");
  }
  if (version->get<double>() > RunMeta::kSchemaVersion) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("meta: was written by a newer version of Dubito (schema {}, this one "
                            "reads up to {}); update Dubito",
                            version->get<std::uint64_t>(), RunMeta::kSchemaVersion));
  }
  RunMeta meta;
  std::string current_key = "mask_hashes or skipped";
  try {
    readLists(object, meta);
    visitPlainFields(meta, [&](const char* key, auto& value) {
      current_key = key;
      if (const auto entry = object.find(key); entry != object.end()) {
        readInto(*entry, value);
      }
    });
    current_key = "notes";
    const auto texts = object.value(current_key, std::vector<std::string>());
    current_key = kNoteKindsKey;
    const auto kinds = object.find(current_key);
    meta.notes = notesOfTexts(texts, kinds == object.end() ? nullptr : &*kinds);
    current_key = "reviewed_labels";
    if (const auto entry = object.find(current_key); entry != object.end()) {
      meta.reviewed_labels = labelSourceFromJson(*entry);
    }
  } catch (const std::exception& error) {  // json's exceptions, and ours for a hash
    return fail(ErrorCode::kMalformed,
                "meta: " + current_key + " has the wrong type; recompute the run", error.what());
  }
  const json options = object.value("options", json::object());
  if (!options.is_object()) {
    return malformedMeta("options is not an object");
  }
  meta.method_options = jsonText(options, -1);
  return meta;
}

}  // namespace dubito
