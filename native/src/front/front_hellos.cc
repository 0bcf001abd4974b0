// ClientHellos on TLS listeners, read below TLS while they pass by. Nothing is changed or held back
// here: the TLS library reads the very same bytes.
#include "front/front.h"
#include "front/tls_client.h"

namespace weir::front {

// Once no connection is at its ClientHello, all that this costs is finding the listener.
Socket* Front::received_below(Socket* socket, char* data, int length) {
  const Listener* const listener = listener_of(socket);
  if (listener == nullptr) return socket;
  // The library also calls with nothing, when a socket can be written to.
  if (hellos_ > 0 && length > 0) {
    Connection* const connection = sockets_.find(socket);
    if (connection != nullptr && connection->hello != nullptr) {
      if (!count_named(*connection)) return socket;
      read_hello(*connection, {data, static_cast<std::size_t>(length)});
    }
  }
  return listener->on_data_below(socket, data, length);
}

void Front::read_hello(Connection& connection, std::string_view bytes) {
  const HelloState state = connection.hello->read(bytes);
  if (state == HelloState::kMore) return;
  if (state == HelloState::kDone) connection.tls_client = tls_client_text(*connection.hello);
  forget_hello(connection);
}

void Front::forget_hello(Connection& connection) {
  if (connection.hello == nullptr) return;
  connection.hello.reset();
  --hellos_;
}

}  // namespace weir::front
