// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/model_metadata.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>

#include "core/base/in_quotes.h"
#include "core/base/json_text.h"
#include "core/base/regular_file.h"
#include "core/io/atomic_file.h"
#include "core/models/hub_files.h"
#include "core/models/program/relaxed_json.h"
#include "core/models/translated_metadata.h"

namespace dubito {
namespace {

constexpr const char* kInsideArchive = "inside the archive";
constexpr std::uintmax_t kMaxMetadataBytes = 16U << 20U;

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

/// Refuses tasks that exist elsewhere but not here. Other names are those of other programs and say
/// nothing about what the network returns.
Status checkTask(const nlohmann::json& task, const char* key, const std::string& source) {
  const std::string name = task.is_string() ? task.get<std::string>() : std::string();
  if (isTask(name)) {
    return {};
  }
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

/// Metadata as it was found, in our keys.
struct ReadMetadata {
  nlohmann::json object;
  std::vector<std::string> notes;
  std::string contradiction;  ///< see TranslatedMetadata
};

ReadMetadata inOurKeys(const nlohmann::json& object, const std::string& source) {
  TranslatedMetadata metadata = translateMetadata(object);
  ReadMetadata read;
  read.object = std::move(metadata.object);
  read.contradiction = std::move(metadata.contradiction);
  if (!metadata.translated.empty()) {
    read.notes.push_back(fmt::format("{}: read {}", source, fmt::join(metadata.translated, ", ")));
  }
  if (!metadata.ignored.empty()) {
    read.notes.push_back(fmt::format(
        "{}: the unknown {} {} {} ignored", source, metadata.ignored.size() == 1 ? "key" : "keys",
        fmt::join(metadata.ignored, ", "), metadata.ignored.size() == 1 ? "was" : "were"));
  }
  return read;
}

/// Nothing if the text is no object.
std::optional<ReadMetadata> readMetadata(const std::string& text, const std::string& source) {
  auto relaxed = parseRelaxed(text);
  if (!relaxed) {
    return std::nullopt;
  }
  ReadMetadata read = inOurKeys(relaxed->object, source);
  if (!relaxed->deviation.empty()) {
    read.notes.insert(read.notes.begin(), fmt::format("{} is not JSON ({}), but was understood",
                                                      source, relaxed->deviation));
  }
  return read;
}

/// Whether an object next to a model describes it.
bool describesModel(const nlohmann::json& object) {
  for (const auto& entry : object.items()) {
    if (isMetadataKey(entry.key()) && entry.key() != "name" && entry.key() != "task") {
      return true;
    }
  }
  return false;
}

/// Whether mean and std are for values from 0 to 255: after a division by 255 they would leave
/// nothing of an image.
bool areForBytes(const Preprocessing& preprocessing) {
  constexpr double kMuchMoreThanOne = 3.0;
  const auto isLarge = [](double value) { return value > kMuchMoreThanOne; };
  return std::ranges::any_of(preprocessing.mean, isLarge) ||
         std::ranges::any_of(preprocessing.std, isLarge);
}

/// Fails if a value is invalid.
Expected<ModelMetadata> metadataFrom(const ReadMetadata& stated, const std::string& source) {
  if (!stated.contradiction.empty()) {
    return fail(ErrorCode::kMalformed, fmt::format("{}: {}", source, stated.contradiction));
  }
  const nlohmann::json& object = stated.object;
  ModelMetadata metadata;
  metadata.source = source;
  metadata.notes = stated.notes;
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
    if (object["task"].is_string() && isTask(object["task"].get<std::string>())) {
      metadata.task = object["task"].get<std::string>();
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
    return failOf(source, preprocessing.error());
  }
  metadata.preprocessing = *std::move(preprocessing);
  metadata.preprocessing.scale_guessed = !metadata.scale_declared;
  if (!metadata.scale_declared && metadata.preprocessing.length == 0 &&
      areForBytes(metadata.preprocessing)) {
    metadata.preprocessing.scale = 1.0;
    metadata.notes.push_back(
        fmt::format("{}: mean and std are for values from 0 to 255 ({}), so the values are not "
                    "divided by 255; \"scale\" in the metadata decides otherwise",
                    source, metadata.preprocessing.describe()));
  }
  return metadata;
}

tl::unexpected<Error> notAnObject(const std::string& text, const std::string& source) {
  const std::string where = firstJsonError(text);
  return fail(ErrorCode::kMalformed,
              fmt::format("{}: this is not a JSON object{}; write {{\"classes\": [...], "
                          "\"input_size\": [28, 28], ...}}",
                          source, where.empty() ? "" : fmt::format(" (see {})", where)));
}

FoundMetadata foundMetadata(ModelMetadata metadata, const nlohmann::json& object) {
  return {std::move(metadata),
          object.contains("scale") || object.contains("mean") || object.contains("std")};
}

}  // namespace

Expected<ModelMetadata> parseModelMetadata(const std::string& json_text,
                                           const std::string& source) {
  const auto read = readMetadata(json_text, source);
  return read ? metadataFrom(*read, source) : notAnObject(json_text, source);
}

namespace {

Expected<FoundMetadata> parseFound(const std::string& text, const std::string& source) {
  const auto read = readMetadata(text, source);
  if (!read) {
    return notAnObject(text, source);
  }
  auto metadata = metadataFrom(*read, source);
  return metadata ? Expected<FoundMetadata>(foundMetadata(*std::move(metadata), read->object))
                  : failWith(metadata);
}

/// Merges the keys of `file` over those inside the archive.
Expected<FoundMetadata> mergeMetadata(ReadMetadata inside, const ReadMetadata& over,
                                      const std::string& file) {
  std::vector<std::string> changed;
  for (const auto& [key, value] : over.object.items()) {
    if (inside.object.contains(key) && inside.object[key] != value) {
      changed.push_back(key);
    }
    inside.object[key] = value;
  }
  inside.notes.insert(inside.notes.end(), over.notes.begin(), over.notes.end());
  auto metadata = metadataFrom(inside, file);
  if (!metadata) {
    return failWith(metadata);
  }
  if (!changed.empty()) {
    metadata->notes.push_back(fmt::format("{} overrides the metadata inside the archive: {}",
                                          std::filesystem::path(file).filename().string(),
                                          fmt::join(changed, ", ")));
  }
  return foundMetadata(*std::move(metadata), inside.object);
}

/// The metadata in the files of Hugging Face next to the model, else `found`, with a note on what
/// cannot be used.
FoundMetadata ofHub(const std::string& model_path, FoundMetadata found) {
  const auto description = hubDescriptionFor(model_path);
  if (!description) {
    return found;
  }
  const ReadMetadata read = inOurKeys(description->object, description->source);
  auto metadata = metadataFrom(read, description->source);
  if (!metadata) {
    found.metadata.notes.push_back(metadata.error().message + "; it was ignored");
    return found;
  }
  metadata->classes_assumed = true;
  metadata->notes.insert(metadata->notes.begin(), found.metadata.notes.begin(),
                         found.metadata.notes.end());
  return foundMetadata(*std::move(metadata), read.object);
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
  result.metadata.preprocessing.scale_guessed = true;
  const std::string inside_source = fmt::format("{}: metadata.json", model_path);
  const auto of_archive = inside.empty() ? std::nullopt : readMetadata(inside, inside_source);
  if (!inside.empty()) {
    auto parsed = parseFound(inside, inside_source);
    if (!parsed) {
      return parsed;
    }
    result = *std::move(parsed);
    result.metadata.source = kInsideArchive;
  }
  for (const std::string& candidate : metadataPathsFor(model_path)) {
    std::error_code code;
    const fs::path file(candidate);
    if (candidate == model_path || !fs::is_regular_file(file, code)) {
      continue;
    }
    const auto text = readText(file);
    if (!text && inside.empty()) {
      return failWith(text);
    }
    const auto read = text ? readMetadata(*text, candidate) : std::nullopt;
    std::string reason;
    if (read && describesModel(read->object)) {
      auto found =
          of_archive ? mergeMetadata(*of_archive, *read, candidate) : parseFound(*text, candidate);
      if (found || inside.empty()) {
        return found;
      }
      reason = found.error().message;
    } else if (!text) {
      reason = text.error().message;
    }
    const std::string where = text && !read ? firstJsonError(*text) : std::string();
    result.metadata.notes.push_back(
        !reason.empty() ? fmt::format("{}; the metadata inside the archive was used", reason)
        : !where.empty()
            ? fmt::format("{} is next to the model but is not JSON ({}) and was ignored",
                          file.filename().string(), where)
            : fmt::format("{} is next to the model but does not describe it and was ignored",
                          file.filename().string()));
  }
  if (inside.empty()) {
    return ofHub(model_path, std::move(result));
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
    const auto read = candidate != model_path ? readMetadata(*text, candidate) : std::nullopt;
    if (read && describesModel(read->object)) {
      return WrittenFile{candidate, parseRelaxed(*text)->object};
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
