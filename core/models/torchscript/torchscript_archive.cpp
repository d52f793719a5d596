// SPDX-License-Identifier: GPL-3.0-or-later
#include <caffe2/serialize/inline_container.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/base/in_quotes.h"
#include "core/base/regular_file.h"
#include "core/io/zip_check.h"
#include "core/models/program/export_lines.h"
#include "core/models/program/foreign_file.h"
#include "core/models/program/program_check_torch.h"
#include "core/models/program/remedy.h"
#include "core/models/program/torch_reason.h"
#include "core/models/torchscript/checked_import_torch.h"
#include "core/models/torchscript/torchscript_archive_torch.h"

namespace dubito {
namespace {

using caffe2::serialize::PyTorchStreamReader;

constexpr std::uint64_t kMaxPickleBytes = 16U << 20U;
constexpr const char* kMetadataRecord = "extra/metadata.json";
constexpr const char* kNoProgram = "this zip archive contains no TorchScript program";

Status checkStart(const std::string& path) {
  std::error_code code;
  if (!std::filesystem::exists(path, code)) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: there is no such file; check the path", path));
  }
  if (auto foreign = foreignFolderError(path)) {
    return tl::unexpected<Error>(*std::move(foreign));
  }
  if (Status is_file = checkRegularFile(path); !is_file) {
    return is_file;
  }
  std::ifstream stream(path, std::ios::binary);
  std::string start(9, '\0');
  stream.read(start.data(), 9);
  start.resize(static_cast<std::size_t>(stream.gcount()));
  if (start.empty()) {
    return std::filesystem::file_size(path, code) == 0
               ? fail(ErrorCode::kMalformed,
                      fmt::format("{}: the file is empty; save or copy the model again", path))
               : fail(ErrorCode::kReadFailed,
                      fmt::format("{}: the file cannot be read; check its permissions", path));
  }
  if (start.compare(0, 1, "\x80") == 0) {
    return refuseHeld(path, "this is a pickle written by an old torch.save, without a program",
                      HeldNetwork::kPickledModule);
  }
  if (!start.starts_with(std::string("PK\x03\x04", 4))) {
    if (auto foreign = foreignFileError(path, start)) {
      return tl::unexpected<Error>(*std::move(foreign));
    }
    return refuseHeld(path, "this is not a network of PyTorch (it is not a zip archive)",
                      HeldNetwork::kWithoutItsSource);
  }
  return {};
}

std::string recordText(PyTorchStreamReader& reader, const std::string& name) {
  auto [data, size] = reader.getRecord(name);
  return {static_cast<const char*>(data.get()), size};
}

/// Why an archive without code cannot be run.
tl::unexpected<Error> refuseWithoutCode(const std::string& path, PyTorchStreamReader& reader) {
  if (reader.hasRecord("bytecode.pkl")) {
    return refuseHeld(path,
                      "this archive contains only bytecode for the lite interpreter of mobile "
                      "devices",
                      HeldNetwork::kWithoutItsSource);
  }
  const std::vector<std::string> records = reader.getAllRecords();
  if (std::ranges::any_of(records,
                          [](const std::string& name) { return name.ends_with(".npy"); })) {
    return fail(ErrorCode::kUnsupported, path + ": " + kArraysInsteadOfNetwork);
  }
  if (auto foreign = foreignFileError(path, "")) {
    return tl::unexpected<Error>(*std::move(foreign));
  }
  if (!reader.hasRecord("data.pkl")) {
    return refuseHeld(path, kNoProgram, HeldNetwork::kWithoutItsSource);
  }
  const std::string pickle = reader.getRecordSize("data.pkl") <= kMaxPickleBytes
                                 ? recordText(reader, "data.pkl")
                                 : std::string();
  // A pickled module names the class of its layers; a state_dict only tensors and containers.
  const bool has_class = pickle.find("torch.nn.modules") != std::string::npos ||
                         pickle.find("__main__") != std::string::npos;
  return has_class ? refuseHeld(path,
                                "this is a whole module pickled by torch.save, which needs its "
                                "Python classes",
                                HeldNetwork::kPickledModule)
                   : refuseHeld(path, "this contains only weights (a state_dict), not the network",
                                HeldNetwork::kStateDict);
}

/// All records but the code are stored uncompressed: an archive that would unpack to many times its
/// size was not written by torch.
Status checkSizes(const std::string& path, PyTorchStreamReader& reader) {
  std::error_code code;
  const std::uint64_t file_size = std::filesystem::file_size(path, code);
  const std::uint64_t limit = file_size * 20 + (64U << 20U);
  std::uint64_t total = 0;
  for (const std::string& record : reader.getAllRecords()) {
    const std::uint64_t size = reader.getRecordSize(record);
    if (size > limit || (total += size) > limit) {
      return fail(ErrorCode::kMalformed,
                  fmt::format("{}: '{}' claims {} bytes in a file of {}; save the model again",
                              path, record, size, file_size));
    }
  }
  return {};
}

std::string torchVersion(PyTorchStreamReader& reader) {
  // The torch release is not recorded; the serialisation id and byte order came with 2.1.
  const bool recent = reader.hasRecord(".data/serialization_id") && reader.hasRecord("byteorder");
  return fmt::format("by torch {} (archive version {})", recent ? "2.1 or later" : "before 2.1",
                     reader.version());
}

/// metadata.json of the archive; empty if absent.
Expected<std::string> metadataIn(const std::string& path, PyTorchStreamReader& reader) {
  if (!reader.hasRecord(kMetadataRecord)) {
    return std::string();
  }
  if (reader.getRecordSize(kMetadataRecord) > kMaxPickleBytes) {
    return fail(
        ErrorCode::kMalformed,
        fmt::format("{}: its metadata.json is larger than 16 MB; save the model again", path));
  }
  return recordText(reader, kMetadataRecord);
}

/// The arguments of forward that have no default. TorchScript states neither shapes nor types of
/// elements.
std::vector<StatedTensor> statedTensors(const torch::jit::Module& module) {
  std::vector<StatedTensor> tensors;
  const auto forward = module.find_method("forward");
  if (!forward) {
    return tensors;
  }
  for (const c10::Argument& argument : forward->function().getSchema().arguments()) {
    const bool is_module = argument.type()->kind() == c10::TypeKind::ClassType;
    if (!is_module && (tensors.empty() || !argument.default_value())) {
      tensors.push_back({argument.name(), {}, {}});
    }
  }
  return tensors;
}

Expected<NetworkFile> readArchive(const std::string& path) {
  NetworkFile archive;
  const auto reader = std::make_shared<PyTorchStreamReader>(path);
  if (Status sizes = checkSizes(path, *reader); !sizes) {
    return failWith(sizes);
  }
  if (!reader->hasRecord("constants.pkl")) {
    return refuseWithoutCode(path, *reader);
  }
  if (Status whole = checkZipContents(path, "copy the file again, or save the model again");
      !whole) {
    return failWith(whole);
  }
  archive.written_by = torchVersion(*reader);
  auto metadata = metadataIn(path, *reader);
  if (!metadata) {
    return failWith(metadata);
  }
  archive.metadata_json = *std::move(metadata);
  archive.module = importChecked(reader);
  archive.module.eval();
  archive.inputs = statedTensors(archive.module);
  return archive;
}

/// Why torch could not read the archive.
tl::unexpected<Error> unreadable(const std::string& path, const std::exception& exception) {
  const std::string reason = torchReason(exception);
  if (reason.find("central directory") != std::string::npos ||
      reason.find("failed reading zip") != std::string::npos ||
      reason.find("file not found") != std::string::npos) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: the archive is damaged or truncated; copy or save it again", path),
                exception.what());
  }
  if (reason.find("not in a subdirectory") != std::string::npos) {
    const bool has_arrays = reason.find(".npy") != std::string::npos;
    return has_arrays
               ? fail(ErrorCode::kUnsupported, path + ": " + kArraysInsteadOfNetwork,
                      exception.what())
               : refuseHeld(path, kNoProgram, HeldNetwork::kWithoutItsSource, exception.what());
  }
  if (reason.find("attribute 'value' is undefined") != std::string::npos) {
    return fail(
        ErrorCode::kUnsupported,
        fmt::format("{}: its program lacks weights, as after torch.jit.optimize_for_inference; "
                    "save the scripted model without that step",
                    path),
        exception.what());
  }
  return fail(ErrorCode::kMalformed,
              fmt::format("{}: {}", path, whyNotLoaded(exception.what(), reason)),
              exception.what());
}

}  // namespace

Expected<NetworkFile> openTorchScript(const std::string& path) {
  if (Status start = checkStart(path); !start) {
    return failWith(start);
  }
  try {
    return readArchive(path);
  } catch (const RefusedProgram& refused) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: refused without running it, because its program contains {}: a "
                            "network may only compute with its own tensors; save it without that",
                            path, shownText(refused.what(), 200)));
  } catch (const std::exception& exception) {
    return unreadable(path, exception);
  }
}

Expected<std::string> readArchiveMetadata(const std::string& path) {
  if (Status start = checkStart(path); !start) {
    return failWith(start);
  }
  try {
    PyTorchStreamReader reader(path);
    if (Status sizes = checkSizes(path, reader); !sizes) {
      return failWith(sizes);
    }
    return metadataIn(path, reader);
  } catch (const std::exception& exception) {
    return unreadable(path, exception);
  }
}

}  // namespace dubito
