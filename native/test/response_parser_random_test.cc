// Proves that the pieces in which a response comes make no difference to its parser, and that an
// oracle which shares nothing with it reads the same: random responses, and random changes of them.
#include <cinttypes>
#include <cstdio>
#include <string>

#include "check.h"
#include "counters/random.h"
#include "upstream/response_generator.h"
#include "upstream/response_oracle.h"
#include "upstream/response_parser.h"
#include "upstream/response_reading.h"
#include "upstream/usual_options.h"

namespace {

using weir::test::GeneratedResponse;
using weir::test::Random;
using weir::test::Reader;
using weir::test::Reading;
using weir::test::report;
using weir::test::ResponseGenerator;
using weir::test::ResponseOracle;
using weir::upstream::ParserLimits;
using End = weir::test::Reading::End;

constexpr ParserLimits kLimits = weir::test::kUsualLimits;
constexpr ParserLimits kTight = {.head_bytes = 150, .header_lines = 5, .interim_responses = 2};

bool same(std::string_view text, const std::vector<std::size_t>& cuts, bool head_request,
          const ParserLimits& limits, const char*& what) {
  const Reader whole(text, {}, head_request, limits);
  const Reader pieces(text, cuts, head_request, limits);
  what = "a broken promise";
  if (!whole.broken_promise().empty() || !pieces.broken_promise().empty()) return false;
  what = "pieces make a difference";
  if (!(whole.reading() == pieces.reading())) return false;
  what = "the oracle reads otherwise";
  Reading plain = whole.reading();
  plain.reason.clear();
  return plain == ResponseOracle(text, head_request, limits).reading();
}

void random_responses() {
  for (std::uint64_t seed = 1; seed <= 8'000; ++seed) {
    Random random(seed);
    ResponseGenerator generator(random);
    const GeneratedResponse made = generator.response();
    const std::string after = random.one_in(2) || made.until_close ? "" : "HTTP/1.1 200";
    const std::string text = made.text + after;
    const char* what = "";
    bool holds = same(text, generator.cuts(text.size()), made.head_request, kLimits, what);
    const Reading reading = Reader(text, {}, made.head_request, kLimits).reading();
    holds = holds && reading.end == (made.until_close ? End::kClosable : End::kComplete) &&
            reading.status == made.status && reading.body == made.body &&
            reading.interims == made.interims &&
            (made.until_close || reading.consumed == made.text.size());
    // A beginning is neither refused nor whole.
    const std::size_t cut = random.below(made.text.size());
    const Reading begun = Reader(text.substr(0, cut), {}, made.head_request, kLimits).reading();
    holds = holds && (begun.end == End::kMore || (made.until_close && begun.end == End::kClosable));
    CHECK(holds);
    if (!holds) {
      std::fprintf(stderr, "seed %" PRIu64 " (%s)\n", seed, reading.reason.c_str());
      report(text, what);
      return;
    }
  }
}

void random_changes() {
  std::size_t ends[4] = {};
  for (std::uint64_t seed = 1; seed <= 25'000; ++seed) {
    Random random(seed);
    ResponseGenerator generator(random);
    const GeneratedResponse made = generator.response();
    const std::string text = generator.changed(made.text);
    const ParserLimits& limits = random.one_in(3) ? kTight : kLimits;
    const char* what = "";
    const bool holds = same(text, generator.cuts(text.size()), made.head_request, limits, what);
    CHECK(holds);
    if (!holds) {
      std::fprintf(stderr, "seed %" PRIu64 "\n", seed);
      report(text, what);
      return;
    }
    ++ends[static_cast<int>(Reader(text, {}, made.head_request, limits).reading().end)];
  }
  // The changes are of all kinds.
  for (const std::size_t count : ends) CHECK(count > 500);
}

}  // namespace

int main() {
  random_responses();
  random_changes();
  return weir::test::finish();
}
