// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/in_quotes.h"
#include "core/io/mapped_file.h"
#include "core/io/zip_crc.h"
#include "core/models/exported/exported_archive_torch.h"
#include "core/models/exported/saved_tensors_torch.h"
#include "core/models/exported/tensor_meta_torch.h"
#include "core/models/program/export_lines.h"

namespace dubito {
namespace {

using Records = std::map<std::string, ZipEntry>;

/// The largest graphs of known networks take a few megabytes.
constexpr std::uint64_t kMaxJsonBytes = 256U << 20U;
constexpr std::uint64_t kMaxMetadataBytes = 16U << 20U;
constexpr const char* kOldProgram = "serialized_exported_program.json";
constexpr const char* kCopyAgain = "copy the file again, or export the network again";

/// Records by their names below the one folder that they all are in, if there is one.
Records withoutFolder(std::vector<ZipEntry> entries) {
  std::string folder;
  if (!entries.empty()) {
    folder = entries.front().name.substr(0, entries.front().name.find('/') + 1);
  }
  const bool has_folder =
      !folder.empty() && std::ranges::all_of(entries, [&folder](const ZipEntry& entry) {
        return entry.name.starts_with(folder);
      });
  Records records;
  for (ZipEntry& entry : entries) {
    std::string name = has_folder ? entry.name.substr(folder.size()) : entry.name;
    records.emplace(std::move(name), std::move(entry));
  }
  return records;
}

Expected<Records> recordsOf(const std::string& path) {
  const auto file = MappedFile::open(path);
  if (!file) {
    return failWith(file);
  }
  auto entries = readZipDirectory((*file)->bytes(), path);
  if (!entries) {
    return failWith(entries);
  }
  return withoutFolder(*std::move(entries));
}

/// The records of programs: "models/NAME.json".
std::vector<std::string> programsIn(const Records& records) {
  std::vector<std::string> programs;
  for (const auto& [name, entry] : records) {
    if (name.starts_with("models/") && name.ends_with(".json")) {
      programs.push_back(name);
    }
  }
  return programs;
}

bool holdsCompiledCode(const Records& records) {
  return std::ranges::any_of(records, [](const auto& record) {
    return record.first.find("aotinductor/") != std::string::npos ||
           record.first.ends_with(".wrapper.so");
  });
}

/// "NAME" of "models/NAME.json".
std::string modelName(const std::string& program_record) {
  const std::size_t begin = program_record.find('/') + 1;
  return program_record.substr(begin, program_record.rfind('.') - begin);
}

/// The record of the configuration of a model's weights or constants: its own if there is one.
std::string configOf(const Records& records, const std::string& folder, const std::string& model,
                     const std::string& ending) {
  std::string found;
  for (const auto& [name, entry] : records) {
    if (name.starts_with(folder) && name.ends_with(ending)) {
      found = found.empty() || name == folder + model + ending ? name : found;
    }
  }
  return found;
}

}  // namespace

bool isExportedArchive(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string start(2, '\0');
  if (!stream.read(start.data(), 2) || start != "PK") {
    return false;
  }
  const auto records = recordsOf(path);
  return records && (records->contains(kOldProgram) || !programsIn(*records).empty() ||
                     holdsCompiledCode(*records) ||
                     (records->contains("archive_format") && !records->contains("constants.pkl")));
}

ExportedArchive::ExportedArchive(std::string path, std::map<std::string, ZipEntry> records,
                                 ExportedLayout layout, std::string program_record)
    : path_(std::move(path)),
      records_(std::move(records)),
      layout_(layout),
      program_record_(std::move(program_record)) {}

Expected<ExportedArchive> ExportedArchive::open(const std::string& path) {
  auto records = recordsOf(path);
  if (!records) {
    return failWith(records);
  }
  if (records->contains(kOldProgram)) {
    return ExportedArchive(path, *std::move(records), ExportedLayout::kThreePickles, kOldProgram);
  }
  const std::vector<std::string> programs = programsIn(*records);
  if (programs.empty()) {
    return holdsCompiledCode(*records)
               ? refuseHeld(path,
                            "this package contains code compiled for one kind of machine "
                            "(AOTInductor), not the network's graph",
                            HeldNetwork::kWithoutItsSource)
               : fail(ErrorCode::kUnsupported,
                      fmt::format("{}: this package of torch.export contains no program; save it "
                                  "with torch.export.save(program, FILE)",
                                  path));
  }
  if (programs.size() > 1 && !records->contains("models/model.json")) {
    std::string names;
    for (const std::string& program : programs) {
      names += (names.empty() ? "" : ", ") + inQuotes(modelName(program));
    }
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: this package contains several programs ({}); save the one to open "
                            "with torch.export.save(program, FILE)",
                            path, shownText(names, 200)));
  }
  std::string program =
      records->contains("models/model.json") ? "models/model.json" : programs.front();
  return ExportedArchive(path, *std::move(records), ExportedLayout::kPackage, std::move(program));
}

Expected<at::Tensor> ExportedArchive::bytes(const std::string& record) const {
  const auto found = records_.find(record);
  if (found == records_.end()) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: it lacks the record {}; {}", path_, inQuotes(record), kCopyAgain));
  }
  const ZipEntry& entry = found->second;
  if (entry.encrypted || entry.method != kZipStored) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: its record {} is compressed or encrypted, which torch.export.save "
                            "never does; export the network again",
                            path_, inQuotes(record)));
  }
  at::Tensor data = at::empty({static_cast<std::int64_t>(entry.stored_bytes)}, at::kByte);
  auto* const target = static_cast<char*>(data.mutable_data_ptr());
  std::ifstream stream(path_, std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(entry.data_offset));
  if (!stream.read(target, static_cast<std::streamsize>(entry.stored_bytes))) {
    return fail(ErrorCode::kReadFailed, fmt::format("{}: its record {} cannot be read; {}", path_,
                                                    inQuotes(record), kCopyAgain));
  }
  if (zipCrc(0, std::as_bytes(std::span(target, entry.stored_bytes))) != entry.crc32) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: its record {} is damaged (its checksum differs); {}", path_,
                            inQuotes(record), kCopyAgain));
  }
  return data;
}

Expected<std::string> ExportedArchive::text(const std::string& record,
                                            std::uint64_t max_bytes) const {
  if (const auto found = records_.find(record);
      found != records_.end() && found->second.stored_bytes > max_bytes) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: its record {} has {} bytes, more than the {} that such records "
                            "may have; export the network again",
                            path_, inQuotes(record), found->second.stored_bytes, max_bytes));
  }
  const auto data = bytes(record);
  if (!data) {
    return failWith(data);
  }
  return std::string(static_cast<const char*>(data->const_data_ptr()),
                     static_cast<std::size_t>(data->numel()));
}

Expected<std::string> ExportedArchive::programJson() const {
  return text(program_record_, kMaxJsonBytes);
}

Expected<std::string> ExportedArchive::metadataJson() const {
  for (const char* const record : {"extra/metadata.json", "extra_files/metadata.json"}) {
    if (has(record)) {
      return text(record, kMaxMetadataBytes);
    }
  }
  return std::string();
}

Status ExportedArchive::addConfigured(const std::string& config_record,
                                      std::map<std::string, at::Tensor>& tensors) const {
  const auto config = text(config_record, kMaxJsonBytes);
  if (!config) {
    return failWith(config);
  }
  const std::string folder = config_record.substr(0, config_record.rfind('/') + 1);
  std::map<std::string, at::Tensor> read;  // records by name: several tensors may share one
  std::string name;
  try {
    const nlohmann::json entries = nlohmann::json::parse(*config).at("config");
    for (const auto& [key, entry] : entries.items()) {
      name = key;
      if (entry.value("use_pickle", false)) {
        throw std::runtime_error("it is a pickled object");
      }
      const std::string record = folder + entry.at("path_name").get<std::string>();
      auto data = read.find(record);
      if (data == read.end()) {
        auto contents = bytes(record);
        if (!contents) {
          return failWith(contents);
        }
        data = read.emplace(record, *std::move(contents)).first;
      }
      tensors[name] = tensorIn(data->second, entry.at("tensor_meta"));
    }
    return {};
  } catch (const std::exception& exception) {
    return fail(
        ErrorCode::kMalformed,
        fmt::format("{}: its weights cannot be read ({}{}); export the network again", path_,
                    name.empty() ? "" : inQuotes(name) + ": ", shownText(exception.what(), 200)));
  }
}

Status ExportedArchive::addPickled(const std::string& record,
                                   std::map<std::string, at::Tensor>& tensors) const {
  if (!has(record)) {
    return {};
  }
  const auto data = bytes(record);
  if (!data) {
    return failWith(data);
  }
  if (data->numel() == 0) {
    return {};
  }
  try {
    for (auto& [name, tensor] : readSavedTensors(*data)) {
      tensors[name] = std::move(tensor);
    }
    return {};
  } catch (const std::exception& exception) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: its record {} cannot be read ({}); export the network again with "
                            "torch 2.8 or later",
                            path_, inQuotes(record), shownText(exception.what(), 200)));
  }
}

Expected<std::map<std::string, at::Tensor>> ExportedArchive::tensors() const {
  std::map<std::string, at::Tensor> tensors;
  if (layout_ == ExportedLayout::kThreePickles) {
    for (const char* const record : {"serialized_state_dict.pt", "serialized_constants.pt"}) {
      if (Status added = addPickled(record, tensors); !added) {
        return failWith(added);
      }
    }
    return tensors;
  }
  const std::string model = modelName(program_record_);
  for (const auto& [folder, ending] : {std::pair("data/weights/", "_weights_config.json"),
                                       std::pair("data/constants/", "_constants_config.json")}) {
    const std::string config = configOf(records_, folder, model, ending);
    Status added = config.empty() ? Status() : addConfigured(config, tensors);
    if (!added) {
      return failWith(added);
    }
  }
  return tensors;
}

}  // namespace dubito
