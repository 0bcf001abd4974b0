// Proves that the hash is SipHash: the published 2-4 vectors and OpenSSL's 1-3 for every length of
// tail, at every alignment; that each bit of seed and input counts; that no byte past the end is
// read (under ASAN: the input ends where its allocation ends).
#include "sip_hash.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "check.h"
#include "sip_hash_vectors.h"

namespace {

std::string hexadecimal(const weir::Hash128& hash) {
  unsigned char bytes[16];
  weir::store_little_endian(hash.low, bytes);
  weir::store_little_endian(hash.high, bytes + 8);
  std::string text;
  for (const unsigned char byte : bytes) {
    char two[3];
    std::snprintf(two, sizeof two, "%02x", static_cast<unsigned>(byte));
    text += two;
  }
  return text;
}

weir::HashSeed counting_seed() {
  unsigned char bytes[16];
  for (unsigned i = 0; i < 16; ++i) bytes[i] = static_cast<unsigned char>(i);
  return weir::load_seed(bytes);
}

void published_vectors_at_every_alignment() {
  const weir::HashSeed seed = counting_seed();
  for (const SipHashVector& vector : kSipHashVectors) {
    for (std::size_t offset = 0; offset < 8; ++offset) {
      const std::unique_ptr<unsigned char[]> memory(new unsigned char[offset + vector.length]);
      unsigned char* const input = memory.get() + offset;
      for (std::size_t i = 0; i < vector.length; ++i) input[i] = static_cast<unsigned char>(i);
      CHECK(hexadecimal(weir::sip_hash<2, 4>(seed, input, vector.length)) == vector.rounds_2_4);
      CHECK(hexadecimal(weir::key_hash(seed, input, vector.length)) == vector.rounds_1_3);
    }
  }
}

void every_bit_counts() {
  unsigned char input[24] = {};
  weir::HashSeed seed{0, 0};
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
  const auto add = [&] {
    const weir::Hash128 hash = weir::key_hash(seed, input, sizeof input);
    CHECK(seen.insert({hash.low, hash.high}).second);
  };
  add();
  for (unsigned bit = 0; bit < 8 * sizeof input; ++bit) {
    input[bit / 8] = static_cast<unsigned char>(1U << bit % 8);
    add();
    input[bit / 8] = 0;
  }
  for (unsigned bit = 0; bit < 64; ++bit) {
    seed = {std::uint64_t{1} << bit, 0};
    add();
    seed = {0, std::uint64_t{1} << bit};
    add();
  }
}

// Zeros of different lengths differ in nothing but the length.
void length_counts() {
  const unsigned char zeros[256] = {};
  std::set<std::uint64_t> seen;
  for (std::size_t length = 0; length < sizeof zeros; ++length) {
    CHECK(seen.insert(weir::key_hash({1, 2}, zeros, length).low).second);
  }
}

}  // namespace

int main() {
  published_vectors_at_every_alignment();
  every_bit_counts();
  length_counts();
  return weir::test::finish();
}
