// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What ThreadSanitizer, where it watches, must know to see the threads of a kernel as threads: two
// accesses race if neither a barrier nor the launch lies between them, in whatever order they ran.

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>

extern "C" {
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}
#endif

namespace dubito::cuda_on_cpu {

#ifdef __SANITIZE_THREAD__

/// What ran before is ordered before whatever follows expectOrder of the same place.
inline void giveOrder(void* place) {
  __tsan_release(place);
}

inline void expectOrder(void* place) {
  __tsan_acquire(place);
}

inline void stopWatching() {
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
}

inline void watchAgain() {
  AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
}

#else

inline void giveOrder(void*) {}
inline void expectOrder(void*) {}

inline void stopWatching() {}
inline void watchAgain() {}

#endif

/// While it lives, the accesses of the running thread are not the kernel's.
class Unwatched {
 public:
  Unwatched() { stopWatching(); }
  ~Unwatched() { watchAgain(); }
  Unwatched(const Unwatched&) = delete;
  Unwatched& operator=(const Unwatched&) = delete;
};

/// While it lives, they are the kernel's again.
class Watched {
 public:
  Watched() { watchAgain(); }
  ~Watched() { stopWatching(); }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
};

}  // namespace dubito::cuda_on_cpu
