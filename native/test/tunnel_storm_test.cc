// Proves that tunnels survive disorder: clients and backends that say, take, stop, end, break and
// drain at any moment, by seeds. What arrives is what was said, in order and from its beginning;
// each tunnel ends once; and nothing is used that has gone, which the sanitizers see.
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tunnel/tunnel_scene.h"

namespace {

using namespace weir::test;
using weir::tunnel::Ending;

constexpr std::size_t kTunnels = 6;

// What one side says, by its place in the stream, so that a byte that is lost or moved shows.
std::string said(std::size_t from, std::size_t size, unsigned salt) {
  std::string text;
  for (std::size_t at = from; at < from + size; ++at) {
    text += static_cast<char>((at * 131 + (at >> 8) * 7 + salt) & 0xff);
  }
  return text;
}

struct Pair {
  ClientSocket client;
  std::uint32_t number = 0;
  std::size_t peer = 0;
  std::size_t client_said = 0;
  std::size_t backend_said = 0;
  bool client_ended = false;
  bool backend_ended = false;
  bool drained = false;
};

void storm(unsigned seed, bool tls) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t most) { return static_cast<std::size_t>(random() % most); };
  Scene scene(tls);
  scene.one.harness.reactor.shuffle_by(&random);
  if (seed % 2 == 0) {
    scene.one.server.limit_receiving(4096);
    scene.one.harness.reactor.send_buffer_bytes = 4096;
  }
  std::vector<std::unique_ptr<Pair>> pairs;
  for (std::size_t i = 0; i < kTunnels; ++i) {
    auto pair = std::make_unique<Pair>();
    const std::string early = said(0, below(50), 1);
    const std::string early_out = said(0, below(50), 2);
    pair->peer = scene.one.server.peers.size();
    pair->number = scene.open(pair->client, {.idle_ms = 60'000}, early, early_out);
    pair->client_said = early.size();
    pair->backend_said = early_out.size();
    pair->client.takes = 1000;
    Peer& peer = scene.peer(pair->peer);
    peer.received.erase(0, peer.received.find("\r\n\r\n") + 4);
    pairs.push_back(std::move(pair));
  }
  for (int turn = 0; turn < 300; ++turn) {
    Pair& pair = *pairs[below(kTunnels)];
    Peer& peer = scene.peer(pair.peer);
    const bool over = scene.told[pair.number].times > 0;
    switch (below(24)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
        if (const std::string text = said(pair.client_said, 1 + below(20'000), 1);
            !pair.client_ended && scene.send(pair.client, text)) {
          pair.client_said += text.size();
        }
        break;
      case 5:
      case 6:
      case 7:
      case 8:
        if (pair.backend_ended || !peer.open()) break;
        if (const std::string text = said(pair.backend_said, 1 + below(40'000), 2);
            peer.unsaid() == 0) {
          peer.say(text);
          pair.backend_said += text.size();
        }
        break;
      case 9:
      case 10:
      case 11:
      case 12:
        scene.take(pair.client, below(30'000));
        break;
      case 13:
        peer.reads = !peer.reads;
        break;
      case 14:
        if (pair.client_ended || tls || below(3) > 0) break;
        if ((pair.client.events & weir::front::kPollReadable) == 0 && !pair.client.closed) break;
        pair.client_ended = true;
        scene.end(pair.client);
        break;
      case 15:
        if (pair.backend_ended || !peer.open() || peer.unsaid() > 0 || below(3) > 0) break;
        pair.backend_ended = true;
        peer.half_close();
        break;
      case 16:
        if (below(8) == 0) peer.reset();
        break;
      case 17:
        if (below(8) == 0) peer.close();
        break;
      case 18:
        if (below(8) == 0) scene.reset(pair.client);
        break;
      case 19:
        if (over || below(6) > 0) break;
        pair.drained = true;
        scene.tunnel(pair.number).drain();
        break;
      case 20:
        if (!over && below(8) == 0) scene.tunnel(pair.number).close(Ending::kError);
        break;
      case 21:
        scene.wait(100);
        break;
      default:
        scene.one.harness.step();
        break;
    }
    const Scene::Told& told = scene.told[pair.number];
    CHECK(told.times <= 1);
    CHECK(peer.received == said(0, peer.received.size(), 1));
    CHECK(pair.client.written == said(0, pair.client.written.size(), 2));
  }
  // Everybody takes everything from here on. What was not broken off arrives whole.
  scene.settle();
  for (const auto& each : pairs) {
    Pair& pair = *each;
    scene.peer(pair.peer).reads = true;
    for (int times = 0; times < 300; ++times) {
      scene.take(pair.client, SIZE_MAX);
      scene.settle();
    }
    if (scene.told[pair.number].times == 0 && !pair.drained && scene.peer(pair.peer).open()) {
      CHECK(scene.peer(pair.peer).received.size() == pair.client_said);
      if (!tls || !pair.backend_ended) CHECK(pair.client.written.size() == pair.backend_said);
    }
    scene.peer(pair.peer).close();
    scene.settle();
    scene.end(pair.client);
    scene.reset(pair.client);
    scene.settle();
    scene.wait(1000);
    CHECK(scene.told[pair.number].times == 1 && pair.client.closed);
  }
  CHECK(scene.tunnels->open_count() == 0 && scene.one.harness.reactor.watched() == 0);
}

}  // namespace

int main() {
  for (unsigned seed = 1; seed <= 60; ++seed) storm(seed, seed % 5 == 0);
  return weir::test::finish();
}
