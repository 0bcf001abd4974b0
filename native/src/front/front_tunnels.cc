// What the front does with connections that are tunnels: their bytes go to a passage, and what
// comes back is written. Called by tunnel/.
#include <sys/socket.h>

#include <utility>

#include "front/front.h"
#include "request/socket_state.h"

namespace weir::front {

void Front::enter_tunnel(Connection& connection, Passage& passage, std::uint32_t idle_ms) {
  const Hold hold(connection);
  turns_[connection.slot] = 0;
  connection.awaited = false;
  connection.last = false;
  connection.in_body = false;
  connection.passage = &passage;
  connection.tunnel_idle_ms = idle_ms;
  connection.reader.release();
  enter(connection, Phase::kTunnel);
  const std::vector<char> waiting = std::exchange(connection.waiting, {});
  const std::size_t from = std::exchange(connection.waiting_from, 0);
  if (from < waiting.size()) {
    passage.client_sent({waiting.data() + from, waiting.size() - from});
  }
  look_at_reading(connection);
}

void Front::leave_tunnel(Connection& connection, bool broken) {
  connection.passage = nullptr;
  if (connection.closed) return;
  if (broken && connection.listener->ssl == 0) reset_on_close(connection);
  close(connection);
}

bool Front::pass(Connection& connection, std::string_view bytes) {
  const std::size_t taken = connection.backlog.empty() ? push(connection, bytes, false) : 0;
  if (taken < bytes.size()) connection.backlog.append(bytes.substr(taken));
  return connection.backlog.empty();
}

void Front::shut(Connection& connection) {
  if (connection.listener->ssl != 0) {
    finish(connection);
  } else {
    api_.shutdown(0, connection.socket);
  }
}

void Front::bound_reads(const Connection& connection, std::size_t bytes) {
  request::bound_reads(descriptor_of(connection), static_cast<int>(bytes));
}

Socket* Front::ended(Socket* socket) {
  Connection* const connection = sockets_.find(socket);
  if (connection == nullptr || connection->passage == nullptr) {
    const Listener* const listener =
        connection == nullptr ? listener_of(socket) : connection->listener;
    return listener == nullptr ? socket : listener->on_end(socket);
  }
  connection->ended = true;
  connection->passage->client_ended();
  return socket;
}

}  // namespace weir::front
