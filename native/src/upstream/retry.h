// Whether a failed attempt may be made again on another connection (contract 6). Three ways to fail
// count:
//
// - No connection was made, or nothing was sent over it. Every request may go elsewhere.
// - A connection that had carried requests before broke before the first byte of this answer: most
//   likely the server closed it while the request was on its way. Idempotent requests go once more,
//   on a fresh connection.
// - A fresh connection broke before the first byte. The address may be dying: idempotent requests
//   go to another one, but never to the same again, which would hand a request that kills its
//   server around.
//
// Anything else is final, a timeout of the answer included: a slow backend gets no second copy of
// the work. As in nginx (`proxy_next_upstream` without `non_idempotent`), a POST that was sent is
// never sent again; to make that case rare such requests only take a connection that was busy a
// moment ago. Called by connection_giving_up.cc, and by undici's pool through
// binding/upstream_rules.cc.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weir::upstream {

struct FailedAttempt {
  bool idempotent = false;
  // the request began to be written
  bool sent = false;
  // over a connection that had served a request before
  bool reused = false;
  // any byte of an answer came, interim answers included
  bool response_byte = false;
  // a byte of the request body was taken from the client
  bool body_touched = false;
  // the answer took too long
  bool timed_out = false;
  // attempts made, this one included
  std::size_t attempts = 0;
  // addresses of the backend
  std::size_t addresses = 0;
};

enum class Retry : std::uint8_t { kNo, kOtherAddress, kFreshConnection };

inline Retry decide_retry(const FailedAttempt& failed) {
  if (failed.body_touched || failed.response_byte) return Retry::kNo;
  if (failed.attempts > failed.addresses) return Retry::kNo;
  if (!failed.sent) return Retry::kOtherAddress;
  if (!failed.idempotent || failed.timed_out) return Retry::kNo;
  return failed.reused ? Retry::kFreshConnection : Retry::kOtherAddress;
}

}  // namespace weir::upstream
