// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/review/exchange.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/review/formats/label_format.h"

namespace dubito::cli {

Items itemsOf(const Dataset& dataset) {
  Items items{{dataset.ids().begin(), dataset.ids().end()}, {}};
  for (const std::int64_t label : dataset.labels()) {
    items.class_count = std::max(items.class_count, label + 1);
  }
  for (std::int64_t i = 0; i < dataset.size(); ++i) {
    items.names.push_back(dataset.itemName(i));
  }
  return items;
}

namespace {

std::vector<std::string> formatKeys() {
  std::vector<std::string> keys;
  for (const LabelFormat* const format : allLabelFormats()) {
    keys.emplace_back(format->key);
  }
  return keys;
}

}  // namespace

CLI::Option* declareFormat(CLI::App& app, std::string& key) {
  std::string help = "file format:";
  for (const LabelFormat* const format : allLabelFormats()) {
    help += fmt::format(" {} ({}),", format->key, format->summary);
  }
  help.pop_back();
  return app.add_option("--format", key, help)->check(CLI::IsMember(formatKeys()));
}

std::vector<std::string> textsOf(const std::vector<LabelNote>& notes) {
  std::vector<std::string> texts;
  for (const LabelNote& note : notes) {
    texts.push_back(toText(note));
  }
  return texts;
}

void append(const std::vector<std::string>& more, std::vector<std::string>& notes) {
  notes.insert(notes.end(), more.begin(), more.end());
}

std::string notesText(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) {
    text += fmt::format("note: {}\n", note);
  }
  return text;
}

}  // namespace dubito::cli
