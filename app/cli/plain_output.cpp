// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plain_output.h"

#include <unistd.h>

#include <cstdio>

namespace dubito::cli {
namespace {

constexpr char kFirstOfLatin1 = '\xC2';

bool isControl(char c) {
  return (c >= 0 && c < ' ' && c != '\n' && c != '\t') || c == '\x7F';
}

/// Writes all of it; returns the number of bytes taken, fewer after an error (errno is set).
ssize_t writePlain(void* plain, const char* data, std::size_t count) {
  const std::string text = static_cast<PlainText*>(plain)->convert({data, count});
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t now = write(STDOUT_FILENO, text.data() + written, text.size() - written);
    if (now < 0) {
      return 0;
    }
    written += static_cast<std::size_t>(now);
  }
  return static_cast<ssize_t>(count);
}

}  // namespace

std::string PlainText::convert(std::string_view text) {
  std::string plain;
  plain.reserve(text.size() + 1);
  for (const char c : text) {
    if (after_c2_) {
      after_c2_ = false;
      const auto code = static_cast<unsigned char>(c);
      if (code >= 0x80 && code < 0xA0) {
        plain += '?';
        continue;
      }
      plain += kFirstOfLatin1;
    }
    if (c == kFirstOfLatin1) {
      after_c2_ = true;
    } else {
      plain += isControl(c) ? '?' : c;
    }
  }
  return plain;
}

void printPlainTextOnly() {
  static PlainText plain;
  static bool done = false;
  if (done) {
    return;
  }
  done = true;
  std::FILE* const stream = fopencookie(
      &plain, "w", {.read = nullptr, .write = writePlain, .seek = nullptr, .close = nullptr});
  if (stream != nullptr) {
    if (isatty(STDOUT_FILENO) == 1) {
      std::setvbuf(stream, nullptr, _IOLBF, BUFSIZ);
    }
    std::fflush(stdout);
    stdout = stream;
  }
}

}  // namespace dubito::cli
