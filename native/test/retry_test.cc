// Every case of decide_retry against the words of retry.h, written once more as a list of reasons.
#include "upstream/retry.h"

#include "check.h"

namespace {

using weir::upstream::decide_retry;
using weir::upstream::FailedAttempt;
using weir::upstream::Retry;

void all_cases() {
  for (unsigned bits = 0; bits < 64; ++bits) {
    for (std::size_t addresses = 0; addresses < 4; ++addresses) {
      for (std::size_t attempts = 1; attempts < 6; ++attempts) {
        const FailedAttempt failed{.idempotent = (bits & 1) != 0,
                                   .sent = (bits & 2) != 0,
                                   .reused = (bits & 4) != 0,
                                   .response_byte = (bits & 8) != 0,
                                   .body_touched = (bits & 16) != 0,
                                   .timed_out = (bits & 32) != 0,
                                   .attempts = attempts,
                                   .addresses = addresses};
        const Retry retry = decide_retry(failed);
        // Nobody may have acted on it, twice or on half of it.
        if (failed.response_byte || failed.body_touched) CHECK(retry == Retry::kNo);
        if (failed.sent && !failed.idempotent) CHECK(retry == Retry::kNo);
        if (failed.sent && failed.timed_out) CHECK(retry == Retry::kNo);
        // One more than there are addresses, for the connection that was used before.
        if (attempts > addresses) CHECK(retry == Retry::kNo);
        // The same address again only where the connection was the likely cause.
        if (retry == Retry::kFreshConnection) CHECK(failed.sent && failed.reused);
        if (retry == Retry::kOtherAddress) CHECK(!failed.sent || !failed.reused);
        // And where nothing speaks against it, it is tried.
        const bool harmless = !failed.response_byte && !failed.body_touched &&
                              (!failed.sent || (failed.idempotent && !failed.timed_out));
        CHECK((retry != Retry::kNo) == (harmless && attempts <= addresses));
      }
    }
  }
}

}  // namespace

int main() {
  all_cases();
  return weir::test::finish();
}
