// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/types.h>  // in_memory_adapter.h takes it for granted

#include <caffe2/serialize/in_memory_adapter.h>
#include <caffe2/serialize/inline_container.h>
#include <torch/csrc/jit/serialization/unpickler.h>

#include <stdexcept>

#include "core/models/exported/saved_tensors_torch.h"
#include "core/models/program/pickle_bytes.h"
#include "core/models/program/record_tensors_torch.h"

namespace dubito {

using caffe2::serialize::PyTorchStreamReader;

std::map<std::string, at::Tensor> readSavedTensors(const at::Tensor& file) {
  PyTorchStreamReader archive(
      std::make_shared<caffe2::serialize::MemoryReadAdapter>(file.const_data_ptr(), file.numel()));
  auto [pickle, size] = archive.getRecord("data.pkl");
  RecordTensors records;
  torch::jit::Unpickler unpickler(
      bytesOf({static_cast<const char*>(pickle.get()), size}),
      [](const c10::QualifiedName& type) -> c10::StrongTypePtr {
        throw std::runtime_error("it contains the class " + type.qualifiedName());
      },
      [](const c10::StrongTypePtr&, const c10::IValue&) -> c10::intrusive_ptr<c10::ivalue::Object> {
        throw std::runtime_error("it contains an object");
      },
      [&](const std::string& key) {
        auto [data, bytes] = archive.getRecord("data/" + key);
        records.add(data, bytes);
        return std::move(data);
      },
      c10::Device(c10::kCPU));
  unpickler.set_version(archive.version());
  const c10::IValue value = unpickler.parse_ivalue();
  records.check(value);
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
