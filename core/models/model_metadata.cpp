// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/model_metadata.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "core/base/in_quotes.h"
#include "core/base/json_text.h"
#include "core/base/regular_file.h"
#include "core/io/atomic_file.h"

namespace dubito {
namespace {

constexpr const char* kInsideArchive = "inside the archive";
constexpr std::uintmax_t kMaxMetadataBytes = 16U << 20U;

constexpr std::array<const char*, 15> kKnownKeys = {
    "name",       "classes",  "output",        "output_key", "task",
    "input_size", "channels", "channel_order", "mean",       "std",
    "scale",      "resize",   "interpolation", "resize_to",  "training"};

bool isKnownKey(const std::string& key) {
  return std::find(kKnownKeys.begin(), kKnownKeys.end(), key) != kKnownKeys.end();
}

Status readClasses(const nlohmann::json& classes, const std::string& source,
                   ModelMetadata& metadata) {
  if (!classes.is_array()) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: 'classes' is not a list; write [\"cat\", \"dog\"]", source));
  }
  std::set<std::string> seen;
  for (const nlohmann::json& entry : classes) {
    if (!entry.is_string() && !entry.is_number_integer()) {
      return fail(ErrorCode::kMalformed,
                  fmt::format("{}: 'classes' contains {}; class names must be strings", source,
                              jsonExcerpt(entry)));
    }
    const std::string name = entry.is_string() ? entry.get<std::string>() : entry.dump();
    if (!seen.insert(name).second) {
      return fail(ErrorCode::kMalformed,
                  fmt::format("{}: the class {} appears twice; give every class a unique name",
                              source, inQuotes(name)));
    }
    metadata.class_names.push_back(name);
  }
  return {};
}

/// Refuses reserved names of tasks.
Status checkTask(const nlohmann::json& task, const char* key, const std::string& source) {
  const std::string name = task.is_string() ? task.get<std::string>() : std::string();
  if (name == "multi-label" || name == "regression" || name == "dense") {
    return fail(
        ErrorCode::kUnsupported,
        fmt::format("{}: '{}' is \"{}\", which is not supported; if the network chooses one "
                    "of several classes, write \"output\": \"logits\" or "
                    "\"probabilities\" instead",
                    source, key, name));
  }
  return {};
}

Status readOutputKey(const nlohmann::json& key, const std::string& source,
                     ModelMetadata& metadata) {
  if (!(key.is_string() && !key.get<std::string>().empty()) && !key.is_number_unsigned()) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: 'output_key' is {}; write the name or position of a returned "
                            "tensor, as in \"logits\" or 0",
                            source, jsonExcerpt(key)));
  }
  metadata.output_key = key.is_string() ? key.get<std::string>() : key.dump();
  return {};
}

Status readOutput(const nlohmann::json& output, const std::string& source,
                  ModelMetadata& metadata) {
  if (Status reserved = checkTask(output, "output", source); !reserved) {
    return reserved;
  }
  if (output == "logits") {
    metadata.output = OutputKind::kLogits;
  } else if (output == "probabilities") {
    metadata.output = OutputKind::kProbabilities;
  } else {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: 'output' is {}; it must be \"logits\" or \"probabilities\"",
                            source, jsonExcerpt(output)));
  }
  metadata.output_declared = true;
  return {};
}

Expected<std::string> readText(const std::filesystem::path& path) {
  if (Status is_file = checkRegularFile(path.string()); !is_file) {
    return failWith(is_file);
  }
  std::error_code code;
  const auto size = std::filesystem::file_size(path, code);
  if (code) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: the metadata file cannot be read ({}); check the path",
                            path.string(), code.message()));
  }
  if (size > kMaxMetadataBytes) {
    return fail(ErrorCode::kMalformed, fmt::format("{}: {} bytes are too many for a metadata file; "
                                                   "give the JSON file that describes the model",
                                                   path.string(), size));
  }
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) {
    return fail(
        ErrorCode::kReadFailed,
        fmt::format("{}: the metadata file cannot be read; check its permissions", path.string()));
  }
  return text.str();
}

/// Whether a JSON file next to a model describes it.
bool looksLikeMetadata(const std::string& text) {
  const nlohmann::json object = nlohmann::json::parse(text, nullptr, false);
  if (!object.is_object()) {
    return false;
  }
  return std::any_of(kKnownKeys.begin(), kKnownKeys.end(), [&object](const char* key) {
    return std::string(key) != "name" && std::string(key) != "task" && object.contains(key);
  });
}

}  // namespace

Expected<ModelMetadata> parseModelMetadata(const std::string& json_text,
                                           const std::string& source) {
  const nlohmann::json object = nlohmann::json::parse(json_text, nullptr, false);
  if (!object.is_object()) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: this is not a JSON object; write {{\"classes\": [...], "
                            "\"input_size\": [28, 28], ...}}",
                            source));
  }
  ModelMetadata metadata;
  metadata.source = source;
  if (object.contains("name")) {
    if (!object["name"].is_string()) {
      return fail(ErrorCode::kMalformed,
                  fmt::format("{}: 'name' is not a string; write \"name\": \"...\"", source));
    }
    metadata.name = object["name"].get<std::string>();
  }
  if (object.contains("classes")) {
    if (Status read = readClasses(object["classes"], source, metadata); !read) {
      return failWith(read);
    }
  }
  if (object.contains("output")) {
    if (Status read = readOutput(object["output"], source, metadata); !read) {
      return failWith(read);
    }
  }
  if (object.contains("task")) {
    if (Status read = checkTask(object["task"], "task", source); !read) {
      return failWith(read);
    }
  }
  if (object.contains("output_key")) {
    if (Status read = readOutputKey(object["output_key"], source, metadata); !read) {
      return failWith(read);
    }
  }
  metadata.scale_declared = object.contains("scale");
  auto preprocessing = preprocessingFromJson(object);
  if (!preprocessing) {
    Error error = preprocessing.error();
    error.message = fmt::format("{}: {}", source, error.message);
    return tl::unexpected<Error>(std::move(error));
  }
  metadata.preprocessing = *std::move(preprocessing);
  for (const auto& entry : object.items()) {
    if (!isKnownKey(entry.key())) {
      metadata.notes.push_back(
          fmt::format("{}: the unknown key {} was ignored", source, inQuotes(entry.key())));
    }
  }
  return metadata;
}

namespace {

Expected<FoundMetadata> parseFound(const std::string& text, const std::string& source) {
  auto metadata = parseModelMetadata(text, source);
  if (!metadata) {
    return failWith(metadata);
  }
  const nlohmann::json object = nlohmann::json::parse(text, nullptr, false);
  return FoundMetadata{*std::move(metadata), object.contains("scale") || object.contains("mean") ||
                                                 object.contains("std")};
}

/// Merges the keys of the file `beside` over those inside the archive.
Expected<FoundMetadata> mergeMetadata(const std::string& inside, const std::string& text,
                                      const std::string& beside) {
  nlohmann::json object = nlohmann::json::parse(inside, nullptr, false);
  std::vector<std::string> changed;
  const nlohmann::json over = nlohmann::json::parse(text, nullptr, false);
  for (const auto& [key, value] : over.items()) {
    if (isKnownKey(key) && object.contains(key) && object[key] != value) {
      changed.push_back(key);
    }
    object[key] = value;
  }
  auto both = parseFound(jsonText(object, -1), beside);
  if (both && !changed.empty()) {
    both->metadata.notes.push_back(fmt::format("{} overrides the metadata inside the archive: {}",
                                               std::filesystem::path(beside).filename().string(),
                                               fmt::join(changed, ", ")));
  }
  return both;
}

}  // namespace

Expected<FoundMetadata> findModelMetadata(const std::string& model_path,
                                          const std::string& given_path,
                                          const std::string& inside) {
  namespace fs = std::filesystem;
  if (!given_path.empty()) {
    auto text = readText(given_path);
    return text ? parseFound(*text, given_path) : failWith(text);
  }
  FoundMetadata result;
  if (!inside.empty()) {
    auto of_archive = parseFound(inside, fmt::format("{}: metadata.json", model_path));
    if (!of_archive) {
      return of_archive;
    }
    result = *std::move(of_archive);
    result.metadata.source = kInsideArchive;
  }
  for (const std::string& candidate : metadataPathsFor(model_path)) {
    std::error_code code;
    const fs::path beside(candidate);
    if (candidate == model_path || !fs::is_regular_file(beside, code)) {
      continue;
    }
    auto text = readText(beside);
    if (!text && inside.empty()) {
      return failWith(text);
    }
    if (text && looksLikeMetadata(*text)) {
      if (inside.empty()) {
        return parseFound(*text, candidate);
      }
      auto both = mergeMetadata(inside, *text, candidate);
      if (both) {
        return both;
      }
      text = failWith(both);
    }
    result.metadata.notes.push_back(
        text ? fmt::format("{} is next to the model but does not describe it and was ignored",
                           beside.filename().string())
             : fmt::format("{}; the metadata inside the archive was used", text.error().message));
  }
  return result;
}

std::vector<std::string> metadataPathsFor(const std::string& model_path) {
  return {model_path + ".json",
          std::filesystem::path(model_path).replace_extension(".json").string()};
}

namespace {

/// The file to write next to a model, with its current contents.
struct WrittenFile {
  std::string path;
  nlohmann::json object = nlohmann::json::object();

  void set(const char* key, bool known, nlohmann::json value) {
    if (known) {
      object[key] = std::move(value);
    } else {
      object.erase(key);
    }
  }
  [[nodiscard]] Expected<std::string> write() const {
    const Status written = writeFileAtomically(path, std::string_view(jsonText(object, 2) + "\n"));
    return written ? Expected<std::string>(path) : failWith(written);
  }
};

/// The metadata file in use, else the short name unless that is some other file.
Expected<WrittenFile> fileToWrite(const std::string& model_path) {
  namespace fs = std::filesystem;
  const std::vector<std::string> candidates = metadataPathsFor(model_path);
  for (const std::string& candidate : candidates) {
    std::error_code code;
    if (!fs::exists(candidate, code)) {
      continue;
    }
    auto text = readText(candidate);
    if (!text) {
      return failWith(text);
    }
    if (candidate != model_path && looksLikeMetadata(*text)) {
      return WrittenFile{candidate, nlohmann::json::parse(*text)};
    }
  }
  std::error_code code;
  const std::string& plain = candidates.back();
  std::string target = plain == model_path || fs::exists(plain, code) ? candidates.front() : plain;
  if (fs::exists(target, code)) {
    return fail(ErrorCode::kWriteFailed,
                fmt::format("{}: the file exists but does not describe the model, so it is not "
                            "overwritten; rename it",
                            target));
  }
  return WrittenFile{std::move(target)};
}

}  // namespace

Expected<std::string> writeModelMetadata(const std::string& model_path,
                                         const ModelMetadata& metadata) {
  if (Status checked = metadata.preprocessing.check(); !checked) {
    return failWith(checked);
  }
  auto file = fileToWrite(model_path);
  if (!file) {
    return failWith(file);
  }
  file->object.erase("input_size");
  file->object.update(toJson(metadata.preprocessing));
  file->set("name", !metadata.name.empty(), metadata.name);
  file->set("classes", !metadata.class_names.empty(), metadata.class_names);
  file->set("output", metadata.output_declared,
            metadata.output == OutputKind::kLogits ? "logits" : "probabilities");
  file->set("output_key", !metadata.output_key.empty(), metadata.output_key);
  return file->write();
}

Expected<std::string> writeOutputKey(const std::string& model_path, const std::string& key) {
  auto file = fileToWrite(model_path);
  if (!file) {
    return failWith(file);
  }
  file->set("output_key", true, key);
  return file->write();
}

}  // namespace dubito
