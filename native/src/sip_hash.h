// SipHash-c-d with 128-bit output, after Aumasson and Bernstein, "SipHash: a fast short-input PRF"
// (2012), and its 128-bit variant: the initial v1 and the finalisation take 0xee and 0xdd. Bucket
// keys are chosen by strangers; a keyed hash is what keeps them from choosing two that meet. Rounds
// are template parameters so that the published SipHash-2-4 vectors test this very code.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace weir {

struct Hash128 {
  std::uint64_t low;
  std::uint64_t high;

  friend bool operator==(const Hash128&, const Hash128&) = default;
};

// The secret. 16 random bytes, little-endian halves.
struct HashSeed {
  std::uint64_t low;
  std::uint64_t high;
};

inline std::uint64_t load_little_endian(const unsigned char* bytes) noexcept {
  std::uint64_t word = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&word, bytes, sizeof word);
  } else {
    for (unsigned i = 0; i < 8; ++i) word |= static_cast<std::uint64_t>(bytes[i]) << (8 * i);
  }
  return word;
}

inline void store_little_endian(std::uint64_t word, unsigned char* bytes) noexcept {
  for (unsigned i = 0; i < 8; ++i) bytes[i] = static_cast<unsigned char>(word >> (8 * i));
}

inline HashSeed load_seed(const unsigned char* bytes) noexcept {
  return {load_little_endian(bytes), load_little_endian(bytes + 8)};
}

struct SipState {
  std::uint64_t v0, v1, v2, v3;

  template <unsigned count>
  void rounds() noexcept {
    for (unsigned i = 0; i < count; ++i) {
      v0 += v1;
      v2 += v3;
      v1 = std::rotl(v1, 13) ^ v0;
      v3 = std::rotl(v3, 16) ^ v2;
      v0 = std::rotl(v0, 32);
      v2 += v1;
      v0 += v3;
      v1 = std::rotl(v1, 17) ^ v2;
      v3 = std::rotl(v3, 21) ^ v0;
      v2 = std::rotl(v2, 32);
    }
  }

  std::uint64_t folded() const noexcept { return v0 ^ v1 ^ v2 ^ v3; }
};

template <unsigned c, unsigned d>
Hash128 sip_hash(const HashSeed& seed, const unsigned char* bytes, std::size_t length) noexcept {
  // "somepseudorandomlygeneratedbytes", as the paper fixes it
  SipState state{seed.low ^ 0x736f6d6570736575ULL, seed.high ^ 0x646f72616e646f6dULL ^ 0xee,
                 seed.low ^ 0x6c7967656e657261ULL, seed.high ^ 0x7465646279746573ULL};
  const unsigned char* const tail = bytes + length / 8 * 8;
  for (; bytes != tail; bytes += 8) {
    const std::uint64_t word = load_little_endian(bytes);
    state.v3 ^= word;
    state.template rounds<c>();
    state.v0 ^= word;
  }
  // The last word holds what is left of the input and, on top, its length modulo 256.
  std::uint64_t last = static_cast<std::uint64_t>(length) << 56;
  for (std::size_t i = 0; i < length % 8; ++i) last |= static_cast<std::uint64_t>(tail[i]) << 8 * i;
  state.v3 ^= last;
  state.template rounds<c>();
  state.v0 ^= last;

  Hash128 hash{};
  state.v2 ^= 0xee;
  state.template rounds<d>();
  hash.low = state.folded();
  state.v1 ^= 0xdd;
  state.template rounds<d>();
  hash.high = state.folded();
  return hash;
}

// What the counters use: enough against chosen keys in a table, half the time of 2-4.
inline Hash128 key_hash(const HashSeed& seed, const unsigned char* bytes,
                        std::size_t length) noexcept {
  return sip_hash<1, 3>(seed, bytes, length);
}

}  // namespace weir
