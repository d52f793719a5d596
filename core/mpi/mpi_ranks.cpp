// SPDX-License-Identifier: GPL-3.0-or-later
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "core/mpi/mpi_library.h"

namespace dubito {
namespace {

/// MPI counts in int; longer arrays are sent in pieces.
constexpr std::size_t kMaxPiece = std::size_t{1} << 28;

/// All processes of MPI_COMM_WORLD. MPI's own errors end the program with MPI's message.
class MpiRanks : public RankGroup {
 public:
  MpiRanks() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~MpiRanks() override { MPI_Finalize(); }

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }

  void sum(std::span<double> values) override {
    // Summed on one rank: an all-reduce may round differently on every rank.
    for (std::size_t at = 0; at < values.size(); at += kMaxPiece) {
      const int count = static_cast<int>(std::min(kMaxPiece, values.size() - at));
      double* const piece = values.data() + at;
      MPI_Reduce(rank_ == 0 ? MPI_IN_PLACE : piece, piece, count, MPI_DOUBLE, MPI_SUM, 0,
                 MPI_COMM_WORLD);
      MPI_Bcast(piece, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
  }

  [[nodiscard]] std::vector<std::string> gather(const std::string& text) override {
    const int length = static_cast<int>(std::min<std::size_t>(
        text.size(), static_cast<std::size_t>(std::numeric_limits<int>::max() / size_)));
    std::vector<int> lengths(static_cast<std::size_t>(size_));
    MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, MPI_COMM_WORLD);
    std::vector<int> offsets;
    int total = 0;
    for (const int one : lengths) {
      offsets.push_back(total);
      total += one;
    }
    std::string all(static_cast<std::size_t>(total), '\0');
    MPI_Allgatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), offsets.data(),
                   MPI_CHAR, MPI_COMM_WORLD);
    std::vector<std::string> texts;
    for (std::size_t r = 0; r < lengths.size(); ++r) {
      texts.push_back(
          all.substr(static_cast<std::size_t>(offsets[r]), static_cast<std::size_t>(lengths[r])));
    }
    return texts;
  }

  [[noreturn]] void abort(int exit_code) override {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
  }

 private:
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace
}  // namespace dubito

extern "C" __attribute__((visibility("default"))) dubito::RankGroup* dubito_mpi_ranks_v1() {
  return new dubito::MpiRanks;
}
