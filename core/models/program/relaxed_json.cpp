// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/program/relaxed_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace dubito {
namespace {

using nlohmann::json;

bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// Rewrites a text as JSON.
class JsonRewriter {
 public:
  explicit JsonRewriter(std::string_view text) : text_(text) {}

  /// Nothing if the text has something that has no counterpart.
  std::optional<std::string> rewrite() {
    while (at_ < text_.size()) {
      if (!rewriteOne()) {
        return std::nullopt;
      }
    }
    return std::move(out_);
  }
  [[nodiscard]] const std::set<std::string>& deviations() const { return deviations_; }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  bool rewriteOne() {
    const char c = peek();
    if (c == '"' || c == '\'') {
      return rewriteString();
    }
    if (c == '#' || (c == '/' && (peek(1) == '/' || peek(1) == '*'))) {
      return skipComment();
    }
    if (isDigit(c) || c == '-' || (c == '.' && isDigit(peek(1)))) {
      return rewriteNumber();
    }
    if (isLetter(c)) {
      return rewriteWord();
    }
    if (c == '(' || c == ')') {
      deviations_.insert("tuples");
    }
    if (c == ')' || c == ']' || c == '}') {
      dropTrailingComma();
    }
    out_ += c == '(' ? '[' : c == ')' ? ']' : c;
    ++at_;
    return true;
  }

  void dropTrailingComma() {
    const std::size_t last = out_.find_last_not_of(" \t\r\n");
    if (last != std::string::npos && out_[last] == ',') {
      out_.resize(last);
      deviations_.insert("trailing commas");
    }
  }

  bool skipComment() {
    deviations_.insert("comments");
    const bool is_block = peek(1) == '*' && peek() == '/';
    const std::size_t end = text_.find(is_block ? "*/" : "\n", at_);
    if (is_block && end == std::string_view::npos) {
      return false;
    }
    at_ = end == std::string_view::npos ? text_.size() : end + (is_block ? 2 : 0);
    return true;
  }

  bool rewriteString() {
    const char quote = peek();
    if (quote == '\'') {
      deviations_.insert("single quotes");
    }
    std::string value;
    for (++at_; peek() != quote; ++at_) {
      if (at_ >= text_.size() || peek() == '\n') {
        return false;
      }
      if (peek() != '\\') {
        value += peek();
        continue;
      }
      ++at_;
      if (!appendEscaped(value)) {
        return false;
      }
    }
    ++at_;
    out_ += json(value).dump(-1, ' ', false, json::error_handler_t::replace);
    return true;
  }

  /// The character after a backslash.
  bool appendEscaped(std::string& value) {
    constexpr std::string_view kLetters = "\\'\"/ntrbf";
    constexpr std::string_view kMeanings = "\\'\"/\n\t\r\b\f";
    const char c = peek();
    if (const std::size_t simple = kLetters.find(c);
        c != '\0' && simple != std::string_view::npos) {
      value += kMeanings[simple];
      return true;
    }
    const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : 0;
    std::uint32_t code = 0;
    const char* const begin = text_.data() + std::min(text_.size(), at_ + 1);
    const char* const end = text_.data() + std::min(text_.size(), at_ + 1 + digits);
    const auto [rest, error] = std::from_chars(begin, end, code, 16);
    constexpr std::uint32_t kFirstSurrogate = 0xD800;
    if (digits == 0 || error != std::errc() || rest != end || end != begin + digits ||
        code >= kFirstSurrogate) {
      return false;
    }
    // JSON writes the character itself.
    value += json::parse(fmt::format("\"\\u{:04x}\"", code)).get<std::string>();
    at_ += digits;
    return true;
  }

  bool rewriteNumber() {
    const std::size_t begin = at_;
    while (isDigit(peek()) || isLetter(peek()) || peek() == '.' || peek() == '-' || peek() == '+') {
      ++at_;
    }
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (json::accept(word)) {
      appendScalar(std::string(word));
      return true;
    }
    double value = 0.0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) {
      return false;
    }
    appendScalar(json(value).dump());
    return true;
  }

  bool rewriteWord() {
    const std::size_t begin = at_;
    while (isLetter(peek()) || isDigit(peek())) {
      ++at_;
    }
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word == "u" && (peek() == '\'' || peek() == '"')) {
      return rewriteString();
    }
    const bool is_python = word == "True" || word == "False" || word == "None";
    if (is_python) {
      deviations_.insert("Python's True, False or None");
    } else if (word != "true" && word != "false" && word != "null") {
      return false;
    }
    appendScalar(word == "True"    ? "true"
                 : word == "False" ? "false"
                 : word == "None"  ? "null"
                                   : std::string(word));
    return true;
  }

  /// Appends a number or word, in quotes if it is a key.
  void appendScalar(const std::string& value) {
    std::size_t next = at_;
    while (next < text_.size() && (text_[next] == ' ' || text_[next] == '\t')) {
      ++next;
    }
    const bool is_key = next < text_.size() && text_[next] == ':';
    if (is_key) {
      deviations_.insert("keys without quotes");
    }
    out_ += is_key ? '"' + value + '"' : value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
  std::set<std::string> deviations_;
};

}  // namespace

std::optional<RelaxedObject> parseRelaxed(std::string_view text) {
  json strict = json::parse(text, nullptr, false);
  if (!strict.is_discarded()) {
    return strict.is_object() ? std::optional(RelaxedObject{std::move(strict), {}}) : std::nullopt;
  }
  JsonRewriter rewriter(text);
  const auto rewritten = rewriter.rewrite();
  json object = rewritten ? json::parse(*rewritten, nullptr, false) : json();
  if (!object.is_object()) {
    return std::nullopt;
  }
  return RelaxedObject{std::move(object),
                       fmt::format("it has {}", fmt::join(rewriter.deviations(), ", "))};
}

std::string firstJsonError(std::string_view text) {
  try {
    const json parsed = json::parse(text);
    return parsed.is_discarded() ? std::string("line 1") : std::string();
  } catch (const json::parse_error& error) {
    const std::string_view before = text.substr(0, std::min(text.size(), error.byte));
    const std::size_t line_start = before.find_last_of('\n');
    return fmt::format("line {}, column {}", 1 + std::ranges::count(before, '\n'),
                       before.size() - (line_start == std::string_view::npos ? 0 : line_start + 1));
  } catch (const json::exception&) {
    return "a number that is too large";
  }
}

}  // namespace dubito
