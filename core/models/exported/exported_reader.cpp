// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/exported/exported_reader_torch.h"
#include "core/models/exported/tensor_meta_torch.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/in_quotes.h"
#include "core/models/exported/exported_archive_torch.h"
#include "core/models/exported/exported_network_torch.h"
#include "core/models/program/program_check_torch.h"
#include "core/models/program/torch_reason.h"

namespace dubito {

using nlohmann::json;

namespace {

/// The version of the schema that this reader was written for; later ones are tried.
constexpr std::int64_t kKnownMajor = 8;
/// A part of the version of the schema; `fallback` if it is not stated.
std::int64_t versionIn(const json& program, const char* part, std::int64_t fallback) {
  const json version = program.value("schema_version", json::object());
  return version.contains(part) ? integerIn(version[part]) : fallback;
}

/// "by torch 2.11.0 (schema 8.17)".
std::string writtenBy(const json& program) {
  return fmt::format("by torch {} (schema {}.{})",
                     shownText(program.value("torch_version", std::string("2.4 or earlier")), 40),
                     versionIn(program, "major", 0), versionIn(program, "minor", 0));
}

/// The text with quotes around the numbers that JSON does not have: torch wrote Infinity as Python
/// does until 2.5, and as text since.
std::string withoutBareInfinities(std::string text) {
  std::string quoted;
  bool is_inside = false;  // of a string
  std::size_t begin = 0;   // of what is not copied yet
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_inside && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      is_inside = !is_inside;
    } else if (!is_inside && (text[i] == 'I' || text[i] == 'N')) {
      const std::size_t end = std::min(text.find_first_of(",]} \n", i), text.size());
      const std::size_t start = i > 0 && text[i - 1] == '-' ? i - 1 : i;
      quoted += text.substr(begin, start - begin);
      quoted += '"' + text.substr(start, end - start) + '"';
      begin = end;
      i = end - 1;
    }
  }
  return begin == 0 ? std::move(text) : quoted + text.substr(begin);
}

void addNotes(const json& program, const ExportedNetwork& network, NetworkFile& file) {
  const std::int64_t major = versionIn(program, "major", kKnownMajor);
  if (major > kKnownMajor) {
    file.run_notes.push_back(fmt::format(
        "The file has version {} of its format, newer than the {} that is known here; compare a "
        "few results with those of Python",
        major, kKnownMajor));
  }
  constexpr const char* kUnknown =
      "what the network does only in training in its own code (stochastic depth, noise) is not";
  if (network.mode.is_training) {
    file.notes.emplace_back(
        "Exported in training mode: normalisation and dropout are used as in inference, and "
        "dropout is on only where a method draws");
  } else if (network.mode.has_flags) {
    file.notes.push_back(
        fmt::format("Exported in inference mode: dropout layers are in the file; {}", kUnknown));
  } else {
    file.notes.push_back(fmt::format(
        "If the program was exported in inference mode, {} in the file; model.train() before "
        "torch.export.export keeps it",
        kUnknown));
  }
}

NetworkFile translated(const json& program, const std::map<std::string, at::Tensor>& tensors) {
  ExportedNetwork network = translateProgram(program, tensors);
  NetworkFile file;
  file.written_by = writtenBy(program);
  addNotes(program, network, file);
  file.module = std::move(network.module);
  file.module.eval();
  file.input = std::move(network.input);
  file.inputs = std::move(network.inputs);
  return file;
}

}  // namespace

Expected<NetworkFile> readExported(const std::string& path) {
  const auto archive = ExportedArchive::open(path);
  if (!archive) {
    return failWith(archive);
  }
  const auto text = archive->programJson();
  if (!text) {
    return failWith(text);
  }
  auto metadata = archive->metadataJson();
  if (!metadata) {
    return failWith(metadata);
  }
  const auto tensors = archive->tensors();
  if (!tensors) {
    return failWith(tensors);
  }
  try {
    NetworkFile file = translated(json::parse(withoutBareInfinities(*text)), *tensors);
    file.metadata_json = *std::move(metadata);
    return file;
  } catch (const RefusedProgram& refused) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: refused without running it, because its program contains {}: a "
                            "network may only compute with its own tensors; export it without that",
                            path, shownText(refused.what(), 200)));
  } catch (const UntranslatableProgram& exception) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: the exported program cannot be used: {}; change that in the "
                            "network, or wrap it, and export it again",
                            path, shownText(exception.what(), 500)));
  } catch (const json::exception& exception) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: its program is not as torch.export.save writes it; copy the file "
                            "again, or export the network again",
                            path),
                exception.what());
  } catch (const std::exception& exception) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: its program cannot be read ({}); export the network again", path,
                            shownText(torchReason(exception), 200)),
                exception.what());
  }
}

}  // namespace dubito
