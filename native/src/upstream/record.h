// What the upstream client tells its owner: one record an event, gathered in memory that JS shares
// and handed over in batches, once per turn of the event loop. src/upstream/native/records.ts reads
// it by the numbers that binding/upstream_layout.cc exports: 32-bit words, and `length` as a
// double.
#pragma once

#include <cstdint>

namespace weir::upstream {

enum class RecordKind : std::int32_t {
  // A response complete in one piece: head, body (maybe empty) and end.
  kWhole = 1,
  kResponse = 2,
  kData = 3,
  kEnd = 4,
  // The call is over: `code` is a Failure, `text` says why.
  kFailed = 5,
  // The request's head is on its way over a connection: the body may begin.
  kBodyWanted = 6,
  // After write() had returned false: there is room again.
  kDrained = 7,
  // One attempt came to nothing: `code` is a Failure, `address` whose, `text` why.
  kAttemptFailed = 8,
  kRetry = 9,
  // Nothing of a backend that was closed is open any more: `call` is the backend.
  kBackendClosed = 10,
  // The answer is 101, to a call that asked for it, and what it says follows. The call goes on:
  // until its connection is taken (Client::take_upgraded) or it is aborted.
  kUpgraded = 11,
  // The backend asks for the body (100), of which it has nothing yet. Told once a call.
  kContinue = 12,
};

enum class Failure : std::int32_t { kConnect = 1, kBroken = 2, kTimeout = 3, kQueueFull = 4 };

inline constexpr std::int32_t kAscii = 1;  // flag: the passed lines hold no byte above 127

// Offsets are bytes into the shared arena, valid until the batch has been delivered.
struct Record {
  std::int32_t kind = 0;
  std::int32_t call = 0;
  // status of a response, Failure of a failure
  std::int32_t code = 0;
  std::int32_t flags = 0;
  // lines that pass to the client (response_parser.h, write_passed)
  std::int32_t passed_offset = 0;
  std::int32_t passed_length = 0;
  // all lines as they came; or a failure's text
  std::int32_t text_offset = 0;
  std::int32_t text_length = 0;
  std::int32_t body_offset = 0;
  std::int32_t body_length = 0;
  // the owner's number of an address, or -1; with kAttemptFailed and kRetry, and whose answer a
  // head is; of kFailed the last that was tried
  std::int32_t address = -1;
  // of kAttemptFailed, kRetry: whose call; of kUpgraded: `Call::upgrade_serial`
  std::int32_t backend = 0;
  // content-length of a response as its head says, or -1
  double length = -1;
  // of kWhole, kResponse, kUpgraded and kFailed: how often the request was given to a connection,
  // and how long the last one took to be made for it; 0: it was there
  std::int32_t attempts = 0;
  std::int32_t connect_us = 0;
};
static_assert(sizeof(Record) == 64);

}  // namespace weir::upstream
