// Datagrams with descriptors as functions of the addon. Called by src/process/service/notify.ts,
// src/process/service/activation.ts and src/process/handover/descriptors.ts.
#include "datagrams.h"

#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "binding/functions.h"
#include "binding/parts.h"

namespace weir::binding {

namespace {

class DatagramFunctions {
 public:
  // sendDatagram(address, text, descriptors: the bytes of 32-bit numbers): 0 or an errno
  std::int32_t send(const Arguments& arguments) {
    const auto bytes = arguments.bytes(2);
    if (bytes.size() % sizeof(std::int32_t) != 0) arguments.refuse(2, "holds no whole numbers");
    std::vector<int> descriptors(bytes.size() / sizeof(std::int32_t));
    if (!bytes.empty()) std::memcpy(descriptors.data(), bytes.data(), bytes.size());
    return send_datagram(arguments.text(0), arguments.text(1), descriptors);
  }

  // openInbox(path): a descriptor, or a negative errno
  std::int32_t open(const Arguments& arguments) { return open_inbox(arguments.text(0)); }

  // receiveDescriptors(inbox): of all datagrams that have come, as text with spaces between them;
  // an errno with a minus sign where some could not be had, what came before it is closed
  std::string receive(const Arguments& arguments) {
    const auto inbox = static_cast<int>(arguments.number(0, INT_MAX));
    std::vector<int> descriptors;
    int error = 0;
    while ((error = receive_descriptors(inbox, descriptors)) == 0) continue;
    if (error != EAGAIN && error != EWOULDBLOCK) {
      for (const int descriptor : descriptors) close(descriptor);
      return std::to_string(-error);
    }
    std::string text;
    for (const int descriptor : descriptors) {
      if (!text.empty()) text += ' ';
      text += std::to_string(descriptor);
    }
    return text;
  }

  // streamSocketAddress(descriptor): text, see the function
  std::string address(const Arguments& arguments) {
    return stream_socket_address(static_cast<int>(arguments.number(0, INT_MAX)));
  }
};

}  // namespace

void export_datagrams(Napi::Env env, Napi::Object exports) {
  using Own = DatagramFunctions;
  Functions<Own>(exports, keep(env, std::make_unique<Own>()))
      .add<&Own::send>("sendDatagram")
      .add<&Own::open>("openInbox")
      .add<&Own::receive>("receiveDescriptors")
      .add<&Own::address>("streamSocketAddress");
}

}  // namespace weir::binding
