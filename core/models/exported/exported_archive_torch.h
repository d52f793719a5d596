// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/io/zip_directory.h"

namespace dubito {

/// How torch.export.save has laid out its archives.
enum class ExportedLayout {
  kPackage,      ///< models/NAME.json with data/weights and data/constants: torch 2.8 and later
  kThreePickles  ///< serialized_exported_program.json and pickled tensors: before that
};

/// The records of an archive of torch.export.save. Records are read once, straight into the memory
/// of the tensors, and compared with their checksums.
class ExportedArchive {
 public:
  /// Errors of opening a zip archive; kUnsupported for archives that hold no graph, by what they
  /// are instead.
  [[nodiscard]] static Expected<ExportedArchive> open(const std::string& path);

  [[nodiscard]] ExportedLayout layout() const { return layout_; }
  /// The text of the program: its graph and what its inputs are.
  [[nodiscard]] Expected<std::string> programJson() const;
  /// metadata.json among the archive's extra files; empty if absent.
  [[nodiscard]] Expected<std::string> metadataJson() const;
  /// All weights and constants by name; tensors that share memory in the file share it here.
  [[nodiscard]] Expected<std::map<std::string, at::Tensor>> tensors() const;

 private:
  ExportedArchive(std::string path, std::map<std::string, ZipEntry> records, ExportedLayout layout,
                  std::string program_record);

  [[nodiscard]] bool has(const std::string& record) const { return records_.contains(record); }
  /// A record of at most `max_bytes` as text.
  [[nodiscard]] Expected<std::string> text(const std::string& record,
                                           std::uint64_t max_bytes) const;
  /// The bytes of a record [bytes], as numbers from 0 to 255.
  [[nodiscard]] Expected<at::Tensor> bytes(const std::string& record) const;
  /// Adds the tensors that a configuration ("data/weights/NAME_weights_config.json") lists.
  [[nodiscard]] Status addConfigured(const std::string& config_record,
                                     std::map<std::string, at::Tensor>& tensors) const;
  /// Adds the tensors of a pickled dictionary ("serialized_state_dict.pt").
  [[nodiscard]] Status addPickled(const std::string& record,
                                  std::map<std::string, at::Tensor>& tensors) const;

  std::string path_;
  std::map<std::string, ZipEntry> records_;  ///< by name, without the folder of the archive
  ExportedLayout layout_;
  std::string program_record_;
};

/// Whether a file is a zip archive of torch.export: a program, or compiled code (AOTInductor).
[[nodiscard]] bool isExportedArchive(const std::string& path);

}  // namespace dubito
