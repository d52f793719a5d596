// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/uci/uci_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <tuple>

#include "core/base/json_text.h"
#include "core/base/sample_files.h"
#include "core/io/atomic_file.h"
#include "core/io/mapped_file.h"
#include "core/labs/uci/uci_sets.h"

namespace dubito {
namespace {

using nlohmann::json;

constexpr int kSchemaVersion = 1;
constexpr const char* kRemedy = "delete it and compute it again";

/// Thrown by the readers below and caught in uciResultFromJson().
struct Unreadable {
  std::string reason;
};

const json& valueOf(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) {
    throw Unreadable{fmt::format("has no \"{}\"", key)};
  }
  return *found;
}

double numberOf(const json& object, const char* key) {
  const json& value = valueOf(object, key);
  if (!value.is_number() || !std::isfinite(value.get<double>())) {
    throw Unreadable{fmt::format("\"{}\" is not a number", key)};
  }
  return value.get<double>();
}

std::int64_t countOf(const json& object, const char* key, std::int64_t least) {
  const json& value = valueOf(object, key);
  if (!value.is_number_integer() || value.get<std::int64_t>() < least) {
    throw Unreadable{fmt::format("\"{}\" is not a number of at least {}", key, least)};
  }
  return value.get<std::int64_t>();
}

std::string textOf(const json& object, const char* key) {
  const json& value = valueOf(object, key);
  if (!value.is_string()) {
    throw Unreadable{fmt::format("\"{}\" is not a text", key)};
  }
  return value.get<std::string>();
}

UciResult resultOf(const json& object) {
  if (!object.is_object()) {
    throw Unreadable{"is not a JSON object"};
  }
  if (const std::int64_t version = countOf(object, "schema_version", 1); version > kSchemaVersion) {
    throw Unreadable{fmt::format("has schema version {}, newer than this program", version)};
  }
  UciResult result;
  result.set = textOf(object, "set");
  const UciSetInfo* const set = findUciSet(result.set);
  if (set == nullptr) {
    throw Unreadable{fmt::format("names an unknown set, {}", jsonExcerpt(object["set"]))};
  }
  result.method = textOf(object, "method");
  if (findUciMethod(result.method) == nullptr) {
    throw Unreadable{fmt::format("names an unknown method, {}", jsonExcerpt(object["method"]))};
  }
  result.split = countOf(object, "split", 0);
  if (result.split >= set->splits) {
    throw Unreadable{fmt::format("names split {}, which does not exist", result.split)};
  }
  const json& seed = valueOf(object, "seed");
  if (!seed.is_number_unsigned()) {
    throw Unreadable{"\"seed\" is not a number of at least 0"};
  }
  result.seed = seed.get<std::uint64_t>();
  result.options.draws = countOf(object, "draws", 1);
  result.options.validation_draws = countOf(object, "validation_draws", 1);
  if (!valueOf(object, "epochs").is_null()) {
    result.options.epochs = countOf(object, "epochs", 1);
  }
  const json& choice = valueOf(object, "choice");
  if (!choice.is_object()) {
    throw Unreadable{"\"choice\" is not a JSON object"};
  }
  for (const auto& [name, value] : choice.items()) {
    result.choice.emplace_back(name, numberOf(choice, name.c_str()));
  }
  result.validation_log_likelihood = numberOf(object, "validation_log_likelihood");
  result.test = {numberOf(object, "rmse"), numberOf(object, "log_likelihood")};
  result.seconds = numberOf(object, "seconds");
  return result;
}

Expected<json> readJson(const std::string& path) {
  const auto file = MappedFile::open(path);
  if (!file) {
    return failWith(file);
  }
  const auto bytes = (*file)->bytes();
  json object = json::parse(bytes.begin(), bytes.end(), nullptr, /*allow_exceptions=*/false);
  if (object.is_discarded()) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: is not JSON, or is incomplete; {}", path, kRemedy));
  }
  return object;
}

bool isBefore(const UciResult& a, const UciResult& b) {
  // Pointers into the tables compare in their order.
  return std::tuple(findUciSet(a.set), findUciMethod(a.method), a.split) <
         std::tuple(findUciSet(b.set), findUciMethod(b.method), b.split);
}

Expected<std::vector<UciResult>> readFolder(const std::string& folder) {
  std::vector<UciResult> results;
  for (const UciSetInfo& set : uciSets()) {
    for (const UciMethodInfo& method : uciMethods()) {
      for (std::int64_t split = 0; split < set.splits; ++split) {
        const std::string path = uciResultPath(folder, set.key, method.key, split);
        if (!std::filesystem::exists(path)) {
          continue;
        }
        auto result = readUciResult(path);
        if (!result) {
          return failWith(result);
        }
        results.push_back(*std::move(result));
      }
    }
  }
  return results;
}

Expected<std::vector<UciResult>> readArray(const std::string& path) {
  const auto object = readJson(path);
  if (!object) {
    return failWith(object);
  }
  const auto array = object->find("results");
  if (!object->is_object() || array == object->end() || !array->is_array()) {
    return fail(
        ErrorCode::kMalformed,
        fmt::format(
            "{}: has no array \"results\"; open a folder of results, or a file with such an array",
            path));
  }
  std::vector<UciResult> results;
  for (const json& item : *array) {
    auto result = uciResultFromJson(item, path);
    if (!result) {
      return failWith(result);
    }
    results.push_back(*std::move(result));
  }
  std::ranges::stable_sort(results, isBefore);
  return results;
}

}  // namespace

std::vector<Field> UciOptions::fields() {
  constexpr double kMaxDraws = 1e6;
  return {field(&draws, "draws", "Draws", "draws of each network behind the scores of test items",
                {.min = 1, .max = kMaxDraws}),
          field(&validation_draws, "validation_draws", "Validation draws",
                "draws of each network behind the scores that choose drop rate and precision",
                {.min = 1, .max = kMaxDraws}),
          field(&epochs, "epochs", "Epochs",
                "passes over the data in every training; by default those of the method",
                {.min = 1, .max = 1e6, .advanced = true})};
}

json uciResultToJson(const UciResult& result) {
  json choice = json::object();
  for (const auto& [name, value] : result.choice) {
    choice[name] = value;
  }
  return {{"schema_version", kSchemaVersion},
          {"set", result.set},
          {"method", result.method},
          {"split", result.split},
          {"seed", result.seed},
          {"draws", result.options.draws},
          {"validation_draws", result.options.validation_draws},
          {"epochs", result.options.epochs ? json(*result.options.epochs) : json()},
          {"choice", choice},
          {"validation_log_likelihood", result.validation_log_likelihood},
          {"rmse", result.test.rmse},
          {"log_likelihood", result.test.log_likelihood},
          {"seconds", result.seconds}};
}

Expected<UciResult> uciResultFromJson(const json& object, const std::string& source) {
  try {
    return resultOf(object);
  } catch (const Unreadable& unreadable) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: {}; {}", source, unreadable.reason, kRemedy));
  }
}

std::string uciResultPath(const std::string& folder, const std::string& set,
                          const std::string& method, std::int64_t split) {
  return fmt::format("{}/{}.{}.{:02}.json", folder, set, method, split);
}

Expected<UciResult> readUciResult(const std::string& path) {
  const auto object = readJson(path);
  if (!object) {
    return failWith(object);
  }
  auto result = uciResultFromJson(*object, path);
  if (result && !path.ends_with(uciResultPath("", result->set, result->method, result->split))) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: is the result of {} with {} on split {}; rename it", path,
                            result->set, result->method, result->split));
  }
  return result;
}

Status writeUciResult(const std::string& path, const UciResult& result) {
  return writeFileAtomically(path, jsonText(uciResultToJson(result), 1) + "\n");
}

Expected<std::vector<UciResult>> readUciResults(const std::string& path) {
  std::error_code error;
  auto results = std::filesystem::is_directory(path, error) ? readFolder(path) : readArray(path);
  if (results && results->empty()) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: has no results; compute some with dubito-cli uci", path));
  }
  return results;
}

Expected<std::string> sampleUciResults() {
  constexpr const char* kSample = "uci-results.json";
  const auto path = findSampleFile(kSample);
  if (!path) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: the sample of this program is missing; open a folder of results",
                            kSample));
  }
  return *path;
}

}  // namespace dubito
