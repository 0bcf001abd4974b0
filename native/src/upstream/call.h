// One request and what becomes of it. Moves from the queue of its backend to a connection, maybe to
// another one, and ends with one record. Owned by core.h; connection.cc and backend.cc work with
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "upstream/deadlines.h"

namespace weir::upstream {

class Backend;
class Connection;
struct Core;

enum class CallState : std::uint8_t {
  kFree,
  // for a connection to be free, or for the next attempt
  kWaiting,
  // given to a connection that may still be connecting; nothing of it is sent
  kAssigned,
  // the request is being written
  kSending,
  // sent; no response header yet
  kSent,
  // the response header has come
  kResponding,
  // answered with 101; its connection waits for whoever takes it
  kUpgraded,
  // nobody hears of it any more, but its response must still be read over
  kForgotten,
  // its last record is told, or it was aborted: free after the next delivery
  kOver,
};

class Call : public Deadline {
 public:
  explicit Call(Core& core, std::int32_t number) : number(number), core_(core) {}

  const std::int32_t number;
  CallState state = CallState::kFree;
  Backend* backend = nullptr;
  Connection* connection = nullptr;

  // Request line, header lines, framing, empty line.
  std::string head;
  bool head_method = false;
  bool idempotent = false;
  // 101 is an answer to it
  bool upgrade = false;
  // the backend may wait with reading the body until it has said 100, which it has said
  bool expects = false;
  bool continued = false;
  // which 101 it was of all of the client, from 1 to 2^22 - 1 and again: whoever says what becomes
  // of its connection, at any later time, says this as well
  std::int32_t upgrade_serial = 0;
  // bytes; 0: none, -1: chunked
  std::int64_t body_length = 0;

  // Body bytes on their way, with their framing; those before `body_written` are written.
  std::string body;
  std::size_t body_written = 0;
  std::int64_t body_received = 0;
  // what the backend was told that `body` takes
  std::size_t body_noted = 0;
  bool body_wanted = false;
  bool body_finished = false;
  // write() has returned false: kDrained is owed
  bool pushed_back = false;

  // The owner takes no more of the response for now.
  bool paused = false;
  // It took no more for long the last time: little is read for it at a time, as all may have to be
  // kept.
  bool slow_reader = false;
  std::uint64_t paused_ms = 0;
  // when bytes moved last
  std::uint64_t moved_ms = 0;
  // when the request was sent whole
  std::uint64_t sent_ms = 0;

  std::uint32_t attempts = 0;
  // the address of the connection that it was given to last, and what making that took for it
  std::int32_t address = -1;
  std::int32_t connect_us = 0;
  // numbers of addresses that must not be tried again
  std::vector<std::int32_t> tried;
  // a connection that has carried requests will not do
  bool wants_fresh = false;
  // the connection had carried a request before this one
  bool reused = false;
  bool queued = false;
  // within Client::send, which itself says whether the body may begin
  bool being_sent = false;

  bool has_body() const { return body_length != 0; }
  bool body_touched() const { return body_received > 0 || (body_finished && has_body()); }
  bool pipelinable() const {
    return idempotent && !has_body() && !head_method && !upgrade && !wants_fresh;
  }
  bool in_flight() const {
    return state == CallState::kAssigned || state == CallState::kSending ||
           state == CallState::kSent || state == CallState::kResponding ||
           state == CallState::kForgotten;
  }
  // All there is of the body is given to the socket, and it is not all.
  bool wants_body() const { return has_body() && !body_finished && body_pending() == 0; }
  // Bytes that are there and not yet given to the socket, beyond the head.
  std::size_t body_pending() const { return body.size() - body_written; }

  // `body` has become larger or smaller.
  void note_body();
  // All of `body` is written, or nobody wants it; much memory is given back.
  void empty_body();
  void expire() override;
  // As new, for the next request. Keeps the memory of usual heads.
  void clear();

 private:
  Core& core_;
};

}  // namespace weir::upstream
