// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

/// A JSON document that remembers the line of each of its values, so that errors can name it.
class JsonSource {
 public:
  /// kNotFound, kReadFailed; kMalformed, naming the line, for a syntax error, a key that
  /// occurs twice in an object, and more than 64 levels.
  [[nodiscard]] static Expected<JsonSource> read(const std::string& path);
  /// Of a text; `name` stands for the file in messages.
  [[nodiscard]] static Expected<JsonSource> parse(std::string_view text, const std::string& name);

  [[nodiscard]] const nlohmann::json& root() const { return root_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& text() const { return text_; }
  /// "FILE, line 12, methods[2].draws"; `path` is empty for the whole document.
  [[nodiscard]] std::string placeOf(const std::string& path) const;

 private:
  std::string name_;
  std::string text_;
  nlohmann::json root_;
  std::map<std::string, std::size_t> lines_;  ///< by path
};

/// Thrown while a document is read, and caught by the function that reads it.
struct JsonFault {
  std::string message;
  std::vector<Setting> settings = {};  ///< see Remedy::settings
};

/// A value of a JsonSource, which must outlive it. All functions throw JsonFault, naming file, line
/// and path, if the value is not what they expect.
class JsonNode {
 public:
  explicit JsonNode(const JsonSource& source) : source_(&source), value_(&source.root()) {}

  [[nodiscard]] const nlohmann::json& value() const { return *value_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// "FILE, line 3, PATH"
  [[nodiscard]] std::string place() const { return source_->placeOf(path_); }

  /// Checks that the value is an object that has only these keys.
  void expectObject(const std::vector<std::string>& keys) const;
  /// The member `key`; nullopt if there is none. Requires an object.
  [[nodiscard]] std::optional<JsonNode> find(const std::string& key) const;
  /// The member `key`; `remedy` says what to write.
  [[nodiscard]] JsonNode at(const std::string& key, const std::string& remedy) const;
  /// The elements of an array.
  [[nodiscard]] std::vector<JsonNode> list() const;
  /// As list(), but a single value is a list of one.
  [[nodiscard]] std::vector<JsonNode> listOrOne() const;

  [[nodiscard]] std::string text() const;  ///< not empty
  [[nodiscard]] double number() const;
  [[nodiscard]] std::int64_t wholeNumber(std::int64_t low, std::int64_t high) const;

  /// Throws JsonFault: "FILE, line 3, PATH: MESSAGE".
  [[noreturn]] void fail(const std::string& message, std::vector<Setting> settings = {}) const;

 private:
  JsonNode(const JsonSource& source, const nlohmann::json& value, std::string path)
      : source_(&source), value_(&value), path_(std::move(path)) {}

  const JsonSource* source_;
  const nlohmann::json* value_;
  std::string path_;
};

}  // namespace dubito
