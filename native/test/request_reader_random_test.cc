// Proves that requests come out one after another as they were put in, whatever the pieces; and
// that an oracle which shares nothing with the reader reads the same: random requests, and random
// changes of them.
#include <cinttypes>
#include <cstdio>
#include <string>
#include <vector>

#include "check.h"
#include "counters/effort.h"
#include "counters/random.h"
#include "front/request_checks.h"
#include "front/request_generator.h"

namespace {

using weir::front::ReaderBounds;
using weir::test::Conversation;
using weir::test::GeneratedRequest;
using weir::test::kTightReader;
using weir::test::kUsualReader;
using weir::test::oracle_complaint;
using weir::test::piece_complaint;
using weir::test::Random;
using weir::test::report_bytes;
using weir::test::RequestGenerator;
using weir::test::SeenRequest;
using weir::test::Transcript;

std::string complaint(std::string_view text, const std::vector<std::size_t>& cuts, bool keeps,
                      const ReaderBounds& bounds) {
  const Conversation whole(text, {}, bounds, false);
  const std::string found = oracle_complaint(whole, text, bounds);
  return found.empty() ? piece_complaint(whole.transcript(), text, cuts, bounds, keeps) : found;
}

bool same(const SeenRequest& seen, const GeneratedRequest& made) {
  return seen.ended && seen.method == made.method && seen.target == made.target &&
         seen.authority == made.authority && seen.body == made.body &&
         seen.keep_alive == made.keep_alive &&
         (seen.kind == weir::front::BodyKind::chunked) == made.chunked;
}

void random_requests() {
  for (std::uint64_t seed = 1; seed <= weir::test::effort(8'000); ++seed) {
    Random random(seed);
    RequestGenerator generator(random);
    std::vector<GeneratedRequest> made;
    std::string text;
    for (std::uint64_t left = random.between(1, 5); left > 0; --left) {
      made.push_back(generator.request());
      text += made.back().text;
    }
    std::string found =
        complaint(text, generator.cuts(text.size()), random.one_in(2), kUsualReader);
    const Transcript seen = Conversation(text, {}, kUsualReader, false).transcript();
    bool holds = seen.status == 0 && !seen.mid_message && seen.requests.size() == made.size();
    for (std::size_t i = 0; holds && i < made.size(); ++i) holds = same(seen.requests[i], made[i]);
    // A beginning is not refused.
    const std::size_t cut = random.below(text.size());
    const std::string_view begun = std::string_view(text).substr(0, cut);
    holds = holds && Conversation(begun, {}, kUsualReader, false).transcript().status == 0;
    CHECK(holds && found.empty());
    if (!holds || !found.empty()) {
      std::fprintf(stderr, "seed %" PRIu64 " (%s)\n", seed, seen.sentence.c_str());
      report_bytes(text, found);
      return;
    }
  }
}

void random_changes() {
  std::size_t refused = 0;
  std::size_t begun = 0;
  std::size_t complete = 0;
  for (std::uint64_t seed = 1; seed <= weir::test::effort(40'000); ++seed) {
    Random random(seed);
    RequestGenerator generator(random);
    std::string text = generator.request().text;
    if (random.one_in(2)) text += generator.request().text;
    text = generator.changed(text);
    const ReaderBounds& bounds = random.one_in(3) ? kTightReader : kUsualReader;
    const std::string found =
        complaint(text, generator.cuts(text.size()), random.one_in(2), bounds);
    CHECK(found.empty());
    if (!found.empty()) {
      std::fprintf(stderr, "seed %" PRIu64 "\n", seed);
      report_bytes(text, found);
      return;
    }
    const Transcript seen = Conversation(text, {}, bounds, false).transcript();
    ++(seen.status != 0 ? refused : seen.mid_message ? begun : complete);
  }
  std::printf("changed: %zu refused, %zu begun, %zu complete\n", refused, begun, complete);
  // The changes are of all kinds.
  CHECK(refused > weir::test::effort(2'000) && begun > weir::test::effort(1'000) &&
        complete > weir::test::effort(2'000));
}

}  // namespace

int main() {
  random_requests();
  random_changes();
  return weir::test::finish();
}
