// How much of a test's random work is done: all of it in a plain build, less where a sanitizer
// makes every step slower and looks for something else.
#pragma once

#include <cstdint>

namespace weir::test {

#if defined(__SANITIZE_ADDRESS__)
#define WEIR_TEST_ADDRESS_SANITIZER 1
#elif defined(__SANITIZE_THREAD__)
#define WEIR_TEST_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WEIR_TEST_ADDRESS_SANITIZER 1
#elif __has_feature(thread_sanitizer)
#define WEIR_TEST_THREAD_SANITIZER 1
#endif
#endif

#if defined(WEIR_TEST_THREAD_SANITIZER)
inline constexpr std::uint64_t kEffortPercent = 10;
inline constexpr std::uint64_t kInstructionsFactor = 300;
#elif defined(WEIR_TEST_ADDRESS_SANITIZER)
inline constexpr std::uint64_t kEffortPercent = 100;
inline constexpr std::uint64_t kInstructionsFactor = 30;
#else
inline constexpr std::uint64_t kEffortPercent = 100;
inline constexpr std::uint64_t kInstructionsFactor = 1;
#endif

constexpr std::uint64_t effort(std::uint64_t all) { return all * kEffortPercent / 100; }

}  // namespace weir::test
