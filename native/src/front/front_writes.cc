// What the front writes: gathered while a read or a call of JS lasts, sent as one, and kept as far
// as a socket does not take it.
#include <poll.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "front/front.h"
#include "request/socket_state.h"

namespace weir::front {

namespace {

// Bytes that are copied rather than written by themselves; also the most that one record of TLS
// has.
constexpr std::size_t kPieceBytes = 16'384;
// Bytes that are gathered at most before they are sent.
constexpr std::size_t kGatheredBytes = 65'536;

}  // namespace

Front::Gathering::Gathering(Front& front, Connection& connection)
    : hold_(connection),
      front_(front),
      connection_(connection),
      is_inner_(front.gathering_ == &connection) {
  if (is_inner_) return;
  outer_ = std::exchange(front.gathering_, &connection);
  if (outer_ != nullptr) outer_bytes_.swap(front.gathered_);
}

Front::Gathering::~Gathering() {
  if (is_inner_) {
    if (front_.gathered_.size() > kGatheredBytes) front_.flush(connection_);
    return;
  }
  front_.flush(connection_);
  front_.gathering_ = outer_;
  if (outer_ != nullptr) outer_bytes_.swap(front_.gathered_);
}

void Front::put(Connection& connection, std::string_view bytes) {
  if (bytes.size() <= kPieceBytes) {
    gathered_.append(bytes);
    return;
  }
  flush(connection, true);
  if (connection.closed) return;
  const std::size_t taken = connection.backlog.empty() ? push(connection, bytes, false) : 0;
  keep_unsent(connection, bytes.substr(taken));
}

std::size_t Front::offer(Connection& connection, std::string_view bytes) {
  const bool is_large = bytes.size() > kPieceBytes;
  if (is_large || gathered_.size() + bytes.size() > kGatheredBytes) flush(connection, is_large);
  if (connection.closed) return 0;
  if (!connection.backlog.empty()) {
    connection.awaited = true;
    return 0;
  }
  if (!is_large) {
    gathered_.append(bytes);
    return bytes.size();
  }
  std::size_t taken = push(connection, bytes, false);
  if (taken == bytes.size()) return taken;
  connection.awaited = true;
  if (connection.listener->ssl != 0) {
    // The library has made a record of these, which has to be sent before anything else is.
    const std::string_view record = bytes.substr(taken, kPieceBytes);
    keep_unsent(connection, record);
    taken += record.size();
  }
  return taken;
}

void Front::flush(Connection& connection, bool more) {
  if (gathered_.empty()) return;
  if (!connection.closed) {
    const std::size_t taken = connection.backlog.empty() ? push(connection, gathered_, more) : 0;
    keep_unsent(connection, std::string_view(gathered_).substr(taken));
  }
  gathered_.clear();
  if (gathered_.capacity() > 4 * kGatheredBytes) std::string().swap(gathered_);
}

// A record of TLS at a time, as the library says of no more that they are written; of those that it
// could not write, the same bytes are given to it again.
std::size_t Front::push(Connection& connection, std::string_view bytes, bool more) {
  constexpr std::size_t kMost = std::numeric_limits<int>::max();
  const int ssl = connection.listener->ssl;
  const std::size_t most = ssl == 0 ? kMost : kPieceBytes;
  std::size_t taken = 0;
  while (taken < bytes.size()) {
    const std::string_view piece = bytes.substr(taken, most);
    const int written =
        api_.write(ssl, connection.socket, piece.data(), static_cast<int>(piece.size()), more);
    if (written <= 0) break;
    taken += static_cast<std::size_t>(written);
    if (ssl == 0 && taken < bytes.size()) break;
  }
  connection.bytes_out += taken;
  if (taken < bytes.size()) look_at_reading(connection);
  return taken;
}

void Front::keep_unsent(Connection& connection, std::string_view bytes) {
  if (bytes.empty()) return;
  connection.backlog.append(bytes);
  connection.awaited = is_pending(connection);
}

void Front::send_backlog(Connection& connection) {
  if (connection.backlog.empty()) return;
  const std::size_t taken = push(connection, connection.backlog, false);
  if (taken > 0) went_on(connection);
  if (taken == connection.backlog.size()) {
    // With its memory, which assigning would keep.
    std::string().swap(connection.backlog);
  } else {
    connection.backlog.erase(0, taken);
  }
}

Socket* Front::writable(Socket* socket) {
  Connection* const connection = sockets_.find(socket);
  if (connection == nullptr) return socket;
  const Hold hold(*connection);
  const bool had_backlog = !connection->backlog.empty();
  send_backlog(*connection);
  if (connection->passage != nullptr) {
    if (had_backlog && connection->backlog.empty()) connection->passage->client_has_room();
  } else if (connection->backlog.empty()) {
    if (is_pending(*connection) && std::exchange(connection->awaited, false)) {
      owner_.writable(*connection);
    }
    settle(*connection);
  }
  look_behind_write(*connection);
  return socket;
}

// To the library a socket that takes nothing is full, also if its client has gone: it would be
// found writable, and written to in vain, again and again. Reading tells, where it is read.
void Front::look_behind_write(Connection& connection) {
  look_at_reading(connection);
  if (connection.closed || api_.poll_events(connection.socket) != kPollWritable) return;
  look_for_break(connection);
}

void Front::look_behind_waiting(Connection& connection) {
  if (connection.paused || connection.waiting_bytes() < connection.listener->bounds.waiting_bytes) {
    return;
  }
  if (request::bytes_before_end(descriptor_of(connection)) >= 0) {
    close(connection);
  } else {
    look_for_break(connection);
  }
}

void Front::look_for_break(Connection& connection) {
  pollfd looked{.fd = descriptor_of(connection), .events = 0, .revents = 0};
  if (poll(&looked, 1, 0) == 1 && (looked.revents & (POLLHUP | POLLERR)) != 0) close(connection);
}

}  // namespace weir::front
