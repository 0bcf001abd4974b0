// Proves that the table of sockets finds what was put into it and nothing else, however sockets
// come and go: beside a map, in a random order, with addresses that are close to each other.
#include "front/socket_table.h"

#include <cstdint>
#include <map>

#include "check.h"
#include "counters/random.h"

namespace {

using weir::front::Connection;
using weir::front::SocketTable;

Connection* connection_of(std::uintptr_t number) {
  return reinterpret_cast<Connection*>(number * 64);
}
const void* socket_of(std::uintptr_t number) { return reinterpret_cast<const void*>(number * 16); }

void agrees_with_a_map(std::uint64_t sockets) {
  weir::test::Random random(sockets);
  SocketTable table;
  std::map<const void*, Connection*> map;
  for (int step = 0; step < 20'000; ++step) {
    const auto number = static_cast<std::uintptr_t>(1 + random.below(sockets));
    const void* const socket = socket_of(number);
    const auto known = map.find(socket);
    Connection* const before = known == map.end() ? nullptr : known->second;
    CHECK(table.find(socket) == before);
    // More come than go, and then the other way round.
    if (random.one_in(step % 8'000 < 4'000 ? 3 : 2)) {
      CHECK(table.take(socket) == before);
      map.erase(socket);
    } else if (step % 8'000 < 4'000) {
      Connection* const connection = connection_of(static_cast<std::uintptr_t>(step) + 1);
      CHECK(table.put(socket, connection) == before);
      map[socket] = connection;
    }
    CHECK(table.size() == map.size());
  }
  std::size_t seen = 0;
  table.each([&](const Connection*) { ++seen; });
  CHECK(seen == map.size());
  for (const auto& [socket, connection] : map) CHECK(table.find(socket) == connection);
}

}  // namespace

int main() {
  for (const std::uint64_t sockets : {1U, 30U, 500U, 5'000U}) agrees_with_a_map(sockets);
  return weir::test::finish();
}
