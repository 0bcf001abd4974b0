// What the front does with bytes: reads them, hands requests on, one after the other, and lets the
// rest wait.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <utility>

#include "front/front.h"
#include "front/hold.h"
#include "request/socket_state.h"

namespace weir::front {

namespace {

using std::string_view_literals::operator""sv;

// All that the library has to know of a request; it asks for a `host`.
constexpr std::string_view kHead = "GET / HTTP/1.1\r\nhost: x\r\n";
constexpr std::string_view kSized = "content-length: ";
constexpr std::string_view kChunked = "transfer-encoding: chunked\r\n";
constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kLastChunk = "0\r\n\r\n";
constexpr std::string_view kSpoiltChunk = "1\r\nx\r\n";

// Small texts of ours, where the library's parser may write behind them.
struct Scratch {
  std::array<char, 128 + kReadPadding> bytes;
  std::size_t size = 0;

  void add(std::string_view text) { size += text.copy(bytes.data() + size, text.size()); }
  void add(std::uint64_t number, int base) {
    const auto result =
        std::to_chars(bytes.data() + size, bytes.data() + bytes.size(), number, base);
    size = static_cast<std::size_t>(result.ptr - bytes.data());
  }
};

// Bytes of a read that are something else for a moment.
class Overwritten {
 public:
  Overwritten(char* at, std::size_t size) : at_(at), size_(size) {
    std::memcpy(saved_.data(), at_, size_);
  }
  ~Overwritten() { std::memcpy(at_, saved_.data(), size_); }
  Overwritten(const Overwritten&) = delete;
  Overwritten& operator=(const Overwritten&) = delete;

 private:
  char* at_;
  std::size_t size_;
  std::array<char, kReadPadding> saved_;
};

}  // namespace

bool Front::is_pending(const Connection& connection) const {
  return (turns_[connection.slot] & kPending) != 0;
}

bool Front::is_full(const Connection& connection) const {
  return (api_.poll_events(connection.socket) & kPollWritable) != 0;
}

std::size_t Front::feed(Connection& connection, char* bytes, std::size_t size) {
  std::size_t at = 0;
  while (!connection.closed && !connection.deaf) {
    if (!connection.reader.mid_message()) {
      if (at == size || is_pending(connection) || connection.last || is_full(connection)) break;
    }
    std::size_t used = 0;
    const Event event = connection.reader.read({bytes + at, size - at}, used);
    if (event == Event::more) {
      at = size;
      break;
    }
    at += used;
    take(connection, event);
  }
  if (connection.closed || connection.deaf) return size;
  if (at < size) {
    if (is_pending(connection)) turns_[connection.slot] |= kTell;
  } else if (!is_pending(connection) && connection.reader.mid_message()) {
    enter(connection, connection.in_body ? Phase::kRest : Phase::kHeader);
    if (connection.in_body) went_on(connection);
  }
  return at;
}

void Front::take(Connection& connection, Event event) {
  switch (event) {
    case Event::head:
      connection.in_body = true;
      connection.last = !connection.reader.keep_alive();
      connection.body = connection.reader.body();
      hand_on_head(connection);
      break;
    case Event::data:
      hand_on_data(connection);
      break;
    case Event::end:
      connection.in_body = false;
      if (connection.body == BodyKind::chunked) hand_on_end(connection);
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
  if (connection.closed || is_pending(connection)) return;
  if (phase_of(connection) == Phase::kLingering) return;
  if (connection.waiting_bytes == 0 && !connection.last) {
    if (phase_of(connection) == Phase::kDraining && !is_full(connection)) {
      enter(connection, Phase::kIdle);
    }
    return;
  }
  if (is_full(connection)) {
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
  const std::size_t size = std::exchange(connection.waiting_bytes, 0);
  const std::size_t used = feed(connection, waiting.data() + kReadPadding + from, size);
  if (connection.closed) return;
  if (used < size) {
    // Back where it was, rather than copied: there may be thousands of requests in it.
    connection.waiting = std::move(waiting);
    connection.waiting_from = from + used;
    connection.waiting_bytes = size - used;
  }
  look_at_reading(connection);
  // Answered at once, and it was the last one.
  if (connection.last && !is_pending(connection)) settle(connection);
}

void Front::keep(Connection& connection, const char* bytes, std::size_t size) {
  std::vector<char>& waiting = connection.waiting;
  if (connection.waiting_from > 0) {
    char* const first = waiting.data() + kReadPadding;
    std::memmove(first, first + connection.waiting_from, connection.waiting_bytes);
    connection.waiting_from = 0;
  }
  const std::size_t begin = kReadPadding + connection.waiting_bytes;
  waiting.resize(begin + size + kReadPadding);
  std::memcpy(waiting.data() + begin, bytes, size);
  connection.waiting_bytes += size;
}

// Also after whatever may have written: where a socket takes only a part, the library has it read
// again, paused or not.
void Front::look_at_reading(Connection& connection) {
  if (connection.closed) return;
  const bool listens = !connection.deaf || phase_of(connection) == Phase::kLingering;
  const std::size_t waiting_bytes = connection.listener->bounds.waiting_bytes;
  const bool has_room = connection.waiting_bytes < waiting_bytes;
  if (!has_room && !connection.bounded) {
    // The library reads on at once, whoever asks it not to, while each read fills its 512 KiB.
    connection.bounded = true;
    const auto handle = reinterpret_cast<std::intptr_t>(api_.native_handle(0, connection.socket));
    request::bound_reads(static_cast<int>(handle), static_cast<int>(waiting_bytes));
  }
  const bool reads = listens && !connection.paused && has_room;
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

void Front::run() {
  for (const std::uint64_t handle : std::exchange(ready_, {})) {
    Connection* const connection = find(handle);
    if (connection == nullptr) continue;
    const Hold hold(*connection);
    settle(*connection);
  }
}

int Front::write(Connection& connection, std::string_view bytes) {
  const int written = api_.write(connection.listener->ssl, connection.socket, bytes.data(),
                                 static_cast<int>(bytes.size()), 0);
  look_at_reading(connection);
  return written;
}

void Front::write_whole(Connection& connection, std::string_view text) {
  if (write(connection, text) < static_cast<int>(text.size())) close(connection);
}

void Front::announce(Connection& connection, std::string_view framing) {
  Scratch scratch;
  scratch.add(kHead);
  scratch.add(framing);
  scratch.add(kLineEnd);
  turns_[connection.slot] = connection.last ? kPending | kTell : kPending;
  enter(connection, Phase::kBusy);
  Connection* const outer = std::exchange(current_, &connection);
  connection.listener->on_data(connection.socket, scratch.bytes.data(),
                               static_cast<int>(scratch.size));
  current_ = outer;
}

void Front::hand_on_head(Connection& connection) {
  if (connection.body == BodyKind::chunked) {
    announce(connection, kChunked);
  } else if (connection.body == BodyKind::none || connection.reader.body_bytes() == 0) {
    announce(connection, {});
  } else {
    Scratch framing;
    framing.add(kSized);
    framing.add(connection.reader.body_bytes(), 10);
    framing.add(kLineEnd);
    announce(connection, {framing.bytes.data(), framing.size});
  }
}

// What is read lies in the library's own memory or in `waiting`: both have room before and behind
// it. What the bytes there say is needed again.
void Front::hand_on_data(Connection& connection) {
  const std::string_view data = connection.reader.data();
  char* begin = const_cast<char*>(data.data());
  char* const end = begin + data.size();
  const Overwritten behind(end, kLineEnd.size() + 2);
  if (connection.body != BodyKind::chunked) {
    connection.listener->on_data(connection.socket, begin, static_cast<int>(data.size()));
    return;
  }
  Scratch size;
  size.add(data.size(), 16);
  size.add(kLineEnd);
  begin -= size.size;
  const Overwritten before(begin, size.size);
  std::memcpy(begin, size.bytes.data(), size.size);
  std::memcpy(end, kLineEnd.data(), kLineEnd.size());
  connection.listener->on_data(connection.socket, begin,
                               static_cast<int>(end + kLineEnd.size() - begin));
}

void Front::hand_on_end(Connection& connection) {
  Scratch last;
  last.add(kLastChunk);
  connection.listener->on_data(connection.socket, last.bytes.data(), static_cast<int>(last.size));
}

void Front::hand_on_refusal(Connection& connection) {
  connection.refused = true;
  connection.last = true;
  connection.deaf = true;
  announce(connection, {});
}

void Front::spoil_body(Connection& connection) {
  connection.last = true;
  connection.deaf = true;
  if (!is_pending(connection)) return;
  turns_[connection.slot] |= kTell | kBadBody;
  Scratch spoilt;
  spoilt.add(kSpoiltChunk);
  connection.listener->on_data(connection.socket, spoilt.bytes.data(),
                               static_cast<int>(spoilt.size));
  look_at_reading(connection);
}

void Front::finish(Connection& connection) {
  connection.deaf = true;
  connection.waiting = {};
  connection.waiting_from = 0;
  connection.waiting_bytes = 0;
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
