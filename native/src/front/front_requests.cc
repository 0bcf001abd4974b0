// What the front does with bytes that it reads: hands requests on, one after the other, and lets
// the rest wait.
#include <algorithm>
#include <utility>

#include "front/front.h"

namespace weir::front {

namespace {

// Bytes of answers that are made here and gathered before they are sent.
constexpr std::size_t kGatheredMost = 65'536;
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

}  // namespace

std::size_t Front::feed(Connection& connection, std::span<char> bytes) {
  std::size_t at = 0;
  while (!connection.closed && !connection.deaf && connection.passage == nullptr) {
    if (!connection.reader.mid_message()) {
      const bool waits = is_pending(connection) || connection.last || !connection.backlog.empty();
      if (at == bytes.size() || waits) break;
    }
    std::size_t used = 0;
    const Event event = connection.reader.read_in_place(bytes.subspan(at), used);
    if (event == Event::more) {
      at = bytes.size();
      break;
    }
    at += used;
    take(connection, event);
  }
  if (connection.closed || connection.deaf) return bytes.size();
  if (connection.passage != nullptr) return at;
  if (at < bytes.size()) {
    if (is_pending(connection)) turns_[connection.slot] |= kTell;
  } else if (!is_pending(connection) && connection.reader.mid_message()) {
    enter(connection, connection.in_body ? Phase::kRest : Phase::kHeader);
    if (connection.in_body) went_on(connection);
  }
  return at;
}

// Of a request that was answered before its end the rest is read and forgotten.
void Front::take(Connection& connection, Event event) {
  switch (event) {
    case Event::head:
      connection.in_body = true;
      // Where a client waits to be asked for its body and isn't, nobody knows whether it comes.
      connection.last = !connection.reader.keep_alive() || connection.reader.expects_continue();
      if (!refuse_at_once(connection)) announce(connection);
      break;
    case Event::data:
      if (is_pending(connection)) {
        owner_.received(connection, connection.reader.data(), connection.reader.at_end());
      }
      break;
    case Event::end:
      connection.in_body = false;
      if (connection.reader.body() == BodyKind::chunked && is_pending(connection)) {
        owner_.received(connection, {}, true);
      }
      break;
    case Event::refused:
      if (connection.in_body) {
        spoil_body(connection);
      } else {
        connection.refusal = connection.reader.refusal();
        hand_on_refusal(connection);
      }
      break;
    case Event::more:
      break;
  }
}

void Front::settle(Connection& connection) {
  if (connection.closed || is_pending(connection) || connection.passage != nullptr) return;
  if (phase_of(connection) == Phase::kLingering) return;
  const bool is_sent = connection.backlog.empty();
  if (connection.waiting_bytes() == 0 && !connection.last) {
    if (phase_of(connection) == Phase::kDraining && is_sent) enter(connection, Phase::kIdle);
    return;
  }
  const Gathering gathering(*this, connection);
  if (connection.last) flush(connection);
  if (!connection.backlog.empty()) {
    enter(connection, Phase::kDraining);
    look_at_reading(connection);
    return;
  }
  if (connection.last) {
    finish(connection);
    return;
  }
  std::vector<char> waiting = std::exchange(connection.waiting, {});
  const std::size_t from = std::exchange(connection.waiting_from, 0);
  const std::size_t used = feed(connection, std::span(waiting).subspan(from));
  if (connection.closed) return;
  if (from + used < waiting.size()) {
    // Back where it was, rather than copied: there may be thousands of requests in it.
    connection.waiting = std::move(waiting);
    connection.waiting_from = from + used;
  }
  look_at_reading(connection);
  // Answered at once, and it was the last one; or what was answered is more than the socket takes.
  if (!is_pending(connection) && (connection.last || connection.waiting_bytes() > 0)) {
    settle(connection);
  }
}

void Front::keep(Connection& connection, std::string_view bytes) {
  if (connection.closed) return;
  std::vector<char>& waiting = connection.waiting;
  if (connection.waiting_from > 0) {
    waiting.erase(waiting.begin(),
                  waiting.begin() + static_cast<std::ptrdiff_t>(connection.waiting_from));
    connection.waiting_from = 0;
  }
  waiting.insert(waiting.end(), bytes.begin(), bytes.end());
}

// Also after whatever may have written: where a socket takes only a part, the library has it read
// again, paused or not.
void Front::look_at_reading(Connection& connection) {
  if (connection.closed) return;
  const bool listens = !connection.deaf || phase_of(connection) == Phase::kLingering;
  const std::size_t waiting_bytes = connection.listener->bounds.waiting_bytes;
  const bool has_room = connection.waiting_bytes() < waiting_bytes;
  if (!has_room && !connection.bounded) {
    // The library reads on at once, whoever asks it not to, while each read fills its 512 KiB.
    connection.bounded = true;
    bound_reads(connection, waiting_bytes);
  }
  const bool reads = listens && !connection.paused && !connection.ended && has_room;
  const int events = api_.poll_events(connection.socket);
  const int wanted = reads ? events | kPollReadable : events & ~kPollReadable;
  if (wanted == events) return;
  const Listener& listener = *connection.listener;
  api_.poll_change(connection.socket, api_.loop(listener.ssl, listener.context), wanted);
}

void Front::pause(Connection& connection, bool paused) {
  connection.paused = paused;
  look_at_reading(connection);
}

bool Front::answered(Connection& connection, bool last) {
  turns_[connection.slot] = 0;
  connection.last |= last;
  look_at_reading(connection);
  // Whoever works with it goes on with it.
  if (connection.holds > 0) return false;
  ready_.push_back(connection.handle);
  return ready_.size() == 1;
}

bool Front::continues(Connection& connection) {
  gathered_.append(kContinue);
  if (!connection.deaf) connection.last = !connection.reader.keep_alive();
  return !connection.last;
}

void Front::run() {
  for (const std::uint64_t handle : std::exchange(ready_, {})) {
    Connection* const connection = find(handle);
    if (connection == nullptr) continue;
    const Hold hold(*connection);
    settle(*connection);
  }
}

void Front::announce(Connection& connection) {
  turns_[connection.slot] = connection.last ? kPending | kTell : kPending;
  connection.awaited = false;
  enter(connection, Phase::kBusy);
  owner_.requested(connection);
}

// As if JS had been told, and had answered within the call.
bool Front::refuse_at_once(Connection& connection) {
  if (standing_.none() || !standing_.answer(connection, gathered_)) return false;
  enter(connection, Phase::kBusy);
  if (gathered_.size() > kGatheredMost) flush(connection);
  return true;
}

void Front::hand_on_refusal(Connection& connection) {
  connection.refused = true;
  connection.last = true;
  connection.deaf = true;
  announce(connection);
}

void Front::spoil_body(Connection& connection) {
  connection.last = true;
  connection.deaf = true;
  if (!is_pending(connection)) return;
  turns_[connection.slot] |= kTell | kBadBody;
  owner_.received(connection, {}, false);
  look_at_reading(connection);
}

void Front::finish(Connection& connection) {
  if (connection.resets) set_reset(connection, false);
  connection.deaf = true;
  connection.waiting = {};
  connection.waiting_from = 0;
  connection.paused = false;
  connection.linger_bytes = connection.listener->bounds.linger_bytes;
  enter(connection, Phase::kLingering);
  const int ssl = connection.listener->ssl;
  api_.shutdown(ssl, connection.socket);
  // TLS says goodbye in its own way; that its connection ends is said below it.
  if (ssl != 0 && !connection.closed) api_.shutdown(0, connection.socket);
  look_at_reading(connection);
}

}  // namespace weir::front
