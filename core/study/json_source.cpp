// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/json_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/base/json_text.h"
#include "core/io/mapped_file.h"

namespace dubito {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxLevels = 64;

/// Reads text and counts the lines that the parser has passed.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* line) : at_(at), line_(line) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    *line_ += *at_ == '\n' ? 1 : 0;
    ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) {
    return a.at_ == b.at_;
  }
  friend bool operator!=(const CountingIterator& a, const CountingIterator& b) {
    return a.at_ != b.at_;
  }

 private:
  const char* at_;
  std::size_t* line_;
};

/// Notes the line of each value and finds keys that occur twice, which the parser accepts.
class LineRecorder : public nlohmann::json_sax<json> {
 public:
  explicit LineRecorder(const std::size_t& line) : line_(line) {}

  bool null() override { return record(); }
  bool boolean(bool) override { return record(); }
  bool number_integer(number_integer_t) override { return record(); }
  bool number_unsigned(number_unsigned_t) override { return record(); }
  bool number_float(number_float_t, const string_t&) override { return record(); }
  bool string(string_t&) override { return record(); }
  bool binary(binary_t&) override { return record(); }
  bool start_object(std::size_t) override { return open(/*is_array=*/false); }
  bool start_array(std::size_t) override { return open(/*is_array=*/true); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& key) override {
    Frame& frame = frames_.back();
    frame.key = key;
    frame.key_line = line_;
    if (!frame.keys.insert(key).second) {
      duplicate = pathOfNext();
      duplicate_line = line_;
      return false;
    }
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const json::exception& error) override {
    syntax_error = error.what();
    return false;
  }

  std::map<std::string, std::size_t> lines;
  std::string duplicate;
  std::size_t duplicate_line = 0;
  std::string syntax_error;

 private:
  struct Frame {
    std::string path;
    bool is_array = false;
    std::size_t count = 0;
    std::string key = {};
    std::size_t key_line = 0;
    std::set<std::string> keys = {};
  };

  [[nodiscard]] std::string pathOfNext() const {
    if (frames_.empty()) {
      return {};
    }
    const Frame& frame = frames_.back();
    return frame.is_array       ? fmt::format("{}[{}]", frame.path, frame.count)
           : frame.path.empty() ? frame.key
                                : frame.path + "." + frame.key;
  }
  bool record() {
    // A number ends with the character after it, which may be a line break: the key's line is safe.
    const bool has_key = !frames_.empty() && !frames_.back().is_array;
    lines[pathOfNext()] = has_key ? frames_.back().key_line : line_;
    if (!frames_.empty()) {
      ++frames_.back().count;
    }
    return true;
  }
  bool open(bool is_array) {
    // Each level repeats the path of the one above it.
    if (frames_.size() >= kMaxLevels) {
      syntax_error = fmt::format("line {}: has more than {} levels", line_, kMaxLevels);
      return false;
    }
    const std::string path = pathOfNext();
    record();
    frames_.push_back({.path = path, .is_array = is_array});
    return true;
  }
  bool close() {
    frames_.pop_back();
    return true;
  }

  const std::size_t& line_;
  std::vector<Frame> frames_;
};

const char* typeName(const json& value) {
  return value.is_object()    ? "an object"
         : value.is_array()   ? "a list"
         : value.is_string()  ? "a text"
         : value.is_number()  ? "a number"
         : value.is_boolean() ? "true or false"
                              : "null";
}

}  // namespace

Expected<JsonSource> JsonSource::read(const std::string& path) {
  const auto file = MappedFile::open(path);
  if (!file) {
    return failWith(file);
  }
  const ByteSpan bytes = (*file)->bytes();
  return parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
}

Expected<JsonSource> JsonSource::parse(std::string_view text, const std::string& name) {
  std::size_t line = 1;
  LineRecorder recorder(line);
  const CountingIterator begin(text.data(), &line);
  const CountingIterator end(text.data() + text.size(), &line);
  if (!json::sax_parse(begin, end, &recorder)) {
    if (!recorder.duplicate.empty()) {
      return dubito::fail(ErrorCode::kMalformed,
                          fmt::format("{}, line {}: {} is there twice; keep one of them", name,
                                      recorder.duplicate_line, recorder.duplicate));
    }
    const std::string& what = recorder.syntax_error;
    const auto at = what.find("line ");
    return dubito::fail(
        ErrorCode::kMalformed,
        fmt::format("{}, {}; correct the JSON there", name,
                    shownText(at == std::string::npos ? what : what.substr(at), 300)));
  }
  JsonSource source;
  source.name_ = name;
  source.text_ = text;
  source.root_ = json::parse(text.begin(), text.end());
  source.lines_ = std::move(recorder.lines);
  return source;
}

std::string JsonSource::placeOf(const std::string& path) const {
  const auto line = lines_.find(path);
  std::string place = name_;
  if (line != lines_.end() && !path.empty()) {
    place += fmt::format(", line {}", line->second);
  }
  return path.empty() ? place : place + ", " + path;
}

void JsonNode::fail(const std::string& message, std::vector<Setting> settings) const {
  throw JsonFault{source_->placeOf(path_) + ": " + message, std::move(settings)};
}

void JsonNode::expectObject(const std::vector<std::string>& keys) const {
  if (!value_->is_object()) {
    fail(fmt::format("is {}; write an object {{...}}", typeName(*value_)));
  }
  for (const auto& item : value_->items()) {
    if (std::ranges::find(keys, item.key()) == keys.end()) {
      find(item.key())->fail(fmt::format("unknown key; known here are {}", fmt::join(keys, ", ")));
    }
  }
}

std::optional<JsonNode> JsonNode::find(const std::string& key) const {
  const auto found = value_->find(key);
  if (found == value_->end()) {
    return std::nullopt;
  }
  return JsonNode(*source_, *found, path_.empty() ? key : path_ + "." + key);
}

JsonNode JsonNode::at(const std::string& key, const std::string& remedy) const {
  auto found = find(key);
  if (!found) {
    fail(fmt::format("has no \"{}\"; {}", key, remedy));
  }
  return *found;
}

std::vector<JsonNode> JsonNode::list() const {
  if (!value_->is_array()) {
    fail(fmt::format("is {}; write a list [...]", typeName(*value_)));
  }
  return listOrOne();
}

std::vector<JsonNode> JsonNode::listOrOne() const {
  if (!value_->is_array()) {
    return {*this};
  }
  std::vector<JsonNode> nodes;
  for (std::size_t i = 0; i < value_->size(); ++i) {
    nodes.push_back(JsonNode(*source_, (*value_)[i], fmt::format("{}[{}]", path_, i)));
  }
  return nodes;
}

std::string JsonNode::text() const {
  if (!value_->is_string() || value_->get_ref<const std::string&>().empty()) {
    fail(fmt::format("is {}; write a text", value_->is_string() ? "empty" : typeName(*value_)));
  }
  return value_->get<std::string>();
}

double JsonNode::number() const {
  if (!value_->is_number()) {
    fail(fmt::format("is {}; write a number", typeName(*value_)));
  }
  return value_->get<double>();
}

std::int64_t JsonNode::wholeNumber(std::int64_t low, std::int64_t high) const {
  const bool whole = value_->is_number_integer();
  if (!whole || value_->get<std::int64_t>() < low || value_->get<std::int64_t>() > high ||
      (value_->is_number_unsigned() &&
       value_->get<std::uint64_t>() > static_cast<std::uint64_t>(high))) {
    fail(fmt::format("is {}; write a whole number from {} to {}", jsonExcerpt(*value_), low, high));
  }
  return value_->get<std::int64_t>();
}

}  // namespace dubito
