// The session ticket keys of the server library's TLS listeners (tls/ticket_keys.h). Called by
// src/edge/tickets/ alone.
//
// The way to a listener's SSL_CTX goes through the library's public C API (server_library.h).
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "binding/functions.h"
#include "binding/parts.h"
#include "binding/server_library.h"
#include "tls/readable_memory.h"
#include "tls/ticket_keys.h"

namespace weir::binding {

namespace {

// of libusockets.h; the first argument is 1 for TLS
using SocketContext = void* (*)(int ssl, void* socket);
using NativeHandle = void* (*)(int ssl, void* socket_context);

void* context_of(const std::string& file, Napi::Value token) {
  const ServerLibrary library(file);
  SocketContext socket_context = nullptr;
  NativeHandle native_handle = nullptr;
  if (!library.find("us_socket_context", socket_context) ||
      !library.find("us_socket_context_get_native_handle", native_handle)) {
    return nullptr;
  }
  void* const socket = listening_socket(token);
  return socket == nullptr ? nullptr : native_handle(1, socket_context(1, socket));
}

class TicketFunctions {
 public:
  // openTicketContext(file, token): a number, or -1 if this library has no way to it
  std::int32_t open_context(const Arguments& arguments) {
    void* const context = context_of(arguments.text(0), arguments[1]);
    if (context == nullptr) return -1;
    contexts_.emplace_back(context);
    return static_cast<std::int32_t>(contexts_.size()) - 1;
  }

  // findTicketKey(context, from, name, copy): a word, or -1
  std::int32_t find_key(const Arguments& arguments) {
    tls::TicketContext& context = context_at(arguments, 0);
    const std::uint32_t from = arguments.index(1, tls::kContextWords + 1);
    const tls::KeyName name = arguments.bytes<tls::kNameBytes>(2);
    const auto word = context.find(memory_, from, name, arguments.bytes<tls::kKeyBytes>(3));
    return word.has_value() ? static_cast<std::int32_t>(*word) : -1;
  }

  // writeTicketKey(context, word, key): false where no key was found or taken
  bool write_key(const Arguments& arguments) {
    tls::TicketContext& context = context_at(arguments, 0);
    const std::uint32_t word = arguments.index(1, tls::kContextWords);
    return context.write(word, arguments.bytes<tls::kKeyBytes>(2));
  }

  // takeTicketKey(context, from, word): false, and nothing was done, if there is none or no room
  bool take_key(const Arguments& arguments) {
    tls::TicketContext& context = context_at(arguments, 0);
    tls::TicketContext& from = context_at(arguments, 1);
    if (&context == &from) arguments.refuse(1, "is the same context");
    return context.take(from, arguments.index(2, tls::kContextWords), memory_);
  }

 private:
  tls::TicketContext& context_at(const Arguments& arguments, std::size_t at) {
    return contexts_[arguments.index(at, contexts_.size())];
  }

  tls::ReadableMemory memory_;
  std::vector<tls::TicketContext> contexts_;
};

}  // namespace

void export_tickets(Napi::Env env, Napi::Object exports) {
  using Own = TicketFunctions;
  Functions<Own>(exports, keep(env, std::make_unique<Own>()))
      .add<&Own::open_context>("openTicketContext")
      .add<&Own::find_key>("findTicketKey")
      .add<&Own::write_key>("writeTicketKey")
      .add<&Own::take_key>("takeTicketKey");
  Napi::Object layout = Napi::Object::New(env);
  layout.Set("nameBytes", static_cast<double>(tls::kNameBytes));
  layout.Set("keyBytes", static_cast<double>(tls::kKeyBytes));
  exports.Set("ticketKeyLayout", layout);
}

}  // namespace weir::binding
