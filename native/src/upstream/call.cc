#include "upstream/call.h"

#include "upstream/core.h"
#include "upstream/failure_texts.h"

namespace weir::upstream {

namespace {
// Above these their memory is not kept for the next request.
constexpr std::size_t kHeadBytesKept = 4096;
constexpr std::size_t kBodyBytesKept = std::size_t{32} * 1024;
// Of the calls beyond so many, which a crowd has made: there may be ten thousand of them.
constexpr std::int32_t kCallsThatKeep = 1024;
constexpr std::size_t kCrowdBodyBytesKept = 4096;

std::size_t body_bytes_kept(std::int32_t call) {
  return call < kCallsThatKeep ? kBodyBytesKept : kCrowdBodyBytesKept;
}

// Assigning an empty string keeps the memory, as clear() does.
void release(std::string& text, std::size_t most) {
  text.clear();
  if (text.capacity() > most) std::string().swap(text);
}
}  // namespace

void Call::note_body() {
  const std::size_t memory = body.capacity();
  const std::size_t bytes = memory > body_bytes_kept(number) ? memory : body.size();
  backend->body_bytes += bytes - body_noted;
  body_noted = bytes;
}

void Call::empty_body() {
  body_written = 0;
  if (body.empty() && body_noted == 0) return;
  release(body, body_bytes_kept(number));
  note_body();
}

void Call::clear() {
  release(head, kHeadBytesKept);
  release(body, body_bytes_kept(number));
  body_length = 0;
  body_written = 0;
  body_received = 0;
  upgrade = expects = continued = false;
  body_wanted = body_finished = pushed_back = paused = slow_reader = false;
  attempts = 0;
  address = -1;
  connect_us = 0;
  tried.clear();
  wants_fresh = reused = queued = being_sent = false;
  backend = nullptr;
  connection = nullptr;
  state = CallState::kFree;
}

void Call::expire() {
  const std::uint64_t now_ms = core_.reactor.now_ms();
  bool backends_turn = true;
  switch (state) {
    case CallState::kWaiting:
      core_.fail_call(*this, Failure::kTimeout, failure_text::kNoConnection);
      backend->withdraw(*this);
      return;
    case CallState::kSent:
      connection->fail(*this, Failure::kTimeout, failure_text::kNoAnswer);
      return;
    case CallState::kSending:
    case CallState::kResponding:
      backends_turn = !paused && (!wants_body() || connection->write_broken());
      break;
    case CallState::kAssigned:
    case CallState::kForgotten:
      break;
    case CallState::kUpgraded:
    case CallState::kFree:
    case CallState::kOver:
      return;
  }
  if (!backends_turn) moved_ms = now_ms;
  if (now_ms - moved_ms >= backend->options.idle_timeout_ms) {
    connection->fail(*this, Failure::kTimeout, failure_text::kStopped);
    return;
  }
  core_.deadlines.arm(*this, backend->options.idle_timeout_ms);
}

}  // namespace weir::upstream
