// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <torch/csrc/jit/serialization/unpickler.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>

#include "core/io/zip_directory.h"
#include "core/models/exported/saved_tensors_torch.h"
#include "core/models/program/pickle_bytes.h"
#include "core/models/program/record_tensors_torch.h"

namespace dubito {
namespace {

/// Of the format in which torch.save has pickled tensors since 1.6.
constexpr std::uint64_t kArchiveVersion = 3;

/// The records of an archive in memory, by their names below its folder.
std::map<std::string, ByteSpan> recordsIn(ByteSpan archive) {
  const auto entries = readZipDirectory(archive, "the archive");
  if (!entries) {
    throw std::runtime_error(entries.error().message);
  }
  std::map<std::string, ByteSpan> records;
  for (const ZipEntry& entry : *entries) {
    if (entry.encrypted || entry.method != kZipStored) {
      throw std::runtime_error("it contains a compressed record");
    }
    records.emplace(entry.name.substr(entry.name.find('/') + 1),
                    archive.subspan(entry.data_offset, entry.stored_bytes));
  }
  return records;
}

/// Bytes of `file` as the memory of a tensor, which keeps all of `file`. Bytes that no type of
/// numbers could begin at are copied.
at::DataPtr memoryOf(const at::Tensor& file, ByteSpan bytes) {
  constexpr std::uintptr_t kAlignment = alignof(std::max_align_t);
  at::Tensor owner = file;
  auto* first = const_cast<std::byte*>(bytes.data());
  if (reinterpret_cast<std::uintptr_t>(first) % kAlignment != 0) {
    owner = at::empty({static_cast<std::int64_t>(bytes.size())}, at::kByte);
    first = static_cast<std::byte*>(owner.mutable_data_ptr());
    std::ranges::copy(bytes, first);
  }
  auto kept = std::make_unique<at::Tensor>(std::move(owner));
  return {first, kept.release(), [](void* tensor) { delete static_cast<at::Tensor*>(tensor); },
          c10::Device(c10::kCPU)};
}

}  // namespace

std::map<std::string, at::Tensor> readSavedTensors(const at::Tensor& file) {
  const std::map<std::string, ByteSpan> records =
      recordsIn({static_cast<const std::byte*>(file.const_data_ptr()),
                 static_cast<std::size_t>(file.numel())});
  const auto recordNamed = [&records](const std::string& name) {
    const auto found = records.find(name);
    if (found == records.end()) {
      throw std::runtime_error("it lacks the record " + name);
    }
    return found->second;
  };
  const ByteSpan pickle = recordNamed("data.pkl");
  RecordTensors checked;
  torch::jit::Unpickler unpickler(
      bytesOf({reinterpret_cast<const char*>(pickle.data()), pickle.size()}),
      [](const c10::QualifiedName& type) -> c10::StrongTypePtr {
        throw std::runtime_error("it contains the class " + type.qualifiedName());
      },
      [](const c10::StrongTypePtr&, const c10::IValue&) -> c10::intrusive_ptr<c10::ivalue::Object> {
        throw std::runtime_error("it contains an object");
      },
      [&](const std::string& key) {
        const ByteSpan bytes = recordNamed("data/" + key);
        at::DataPtr memory = memoryOf(file, bytes);
        checked.add(memory, bytes.size());
        return memory;
      },
      c10::Device(c10::kCPU));
  unpickler.set_version(kArchiveVersion);
  const c10::IValue value = unpickler.parse_ivalue();
  checked.check(value);
  if (!value.isGenericDict()) {
    throw std::runtime_error("it contains no dictionary");
  }
  std::map<std::string, at::Tensor> tensors;
  for (const auto& entry : value.toGenericDict()) {
    if (!entry.key().isString() || !entry.value().isTensor()) {
      throw std::runtime_error("its dictionary contains something else than tensors by name");
    }
    tensors[entry.key().toStringRef()] = entry.value().toTensor();
  }
  return tensors;
}

}  // namespace dubito
