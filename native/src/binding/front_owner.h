// JS as the front's owner: the functions of JS that hear of requests, and the memory that both
// share. Used by front_connections.cc and front_answers.cc. An environment has at most one front,
// for all of its listeners.
#pragma once

#include <napi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "binding/arguments.h"
#include "binding/ticks.h"
#include "front/front.h"
#include "front/request_text.h"

namespace weir::binding {

// Numbers of the last request, in memory that JS reads.
enum FrontNumber : std::size_t {
  kKind,
  kHandle,
  kSlot,
  kListener,
  kFlags,
  kMethod,
  kLines,
  kForwarded,
  kHostAt,
  kHostBytes,
  kTargetBytes,
  kQueryAt,
  kBodyLength,
  // of its connection, if it is fresh
  kAddressBytes,
  kPort,
  kOpenedMs,
  kNumbers,
};

enum FrontFlag : unsigned {
  // the first of its connection
  kFresh = 1,
  kExpectsContinue = 2,
  kHttp10 = 4,
  // a PROXY protocol header named address and port
  kProxied = 8,
  // the connection ends with its answer
  kLast = 16,
  // over TLS; what its client said first is to be taken
  kSecure = 32,
};

inline constexpr std::size_t kAddressBytesMax = 16;

class FrontOwner final : public front::Owner {
 public:
  FrontOwner(Napi::Env env, Ticks& ticks) : env_(env), ticks_(ticks) {}
  FrontOwner(const FrontOwner&) = delete;
  FrontOwner& operator=(const FrontOwner&) = delete;

  // Throws a TypeError for what is no such memory or function, or where a front is open.
  // @param shared turns, numbers, address, body @param heard requested, received, writable, gone
  void open(const front::ConnectionApi& api, Napi::Value shared, Napi::Value heard);

  // Throws where there is none.
  front::Front& front() {
    if (front_ == nullptr) refuse(env_, "there is no front");
    return *front_;
  }
  // Hot. An answer, or a part of it, is about to be sent.
  void note_ticks() const { ticks_.note(); }
  // Hot. @returns nullptr for what is no number of a connection, or of one that is closed
  front::Connection* find(napi_value handle) const {
    double number = 0;
    if (front_ == nullptr || napi_get_value_double(env_, handle, &number) != napi_ok) {
      return nullptr;
    }
    const bool is_handle = number >= 0 && number <= static_cast<double>(kNumberMax);
    return is_handle ? front_->find(static_cast<std::uint64_t>(number)) : nullptr;
  }

  void requested(front::Connection& connection) override;
  void received(front::Connection& connection, std::string_view data, bool last) override;
  void writable(front::Connection& connection) override;
  void gone(front::Connection& connection) override;

 private:
  unsigned note_request(const front::Connection& connection);
  unsigned note_connection(front::Connection& connection);
  void set(FrontNumber number, std::size_t value) { numbers_[number] = static_cast<double>(value); }
  void call(const Napi::FunctionReference& function, std::span<const napi_value> values);

  const Napi::Env env_;
  Ticks& ticks_;
  front::RequestText text_;
  // memory that JS shares
  std::span<std::uint8_t> turns_;
  std::span<double> numbers_;
  std::span<std::uint8_t> address_;
  std::span<std::uint8_t> body_;
  Napi::ObjectReference shared_kept_;
  Napi::FunctionReference on_requested_;
  Napi::FunctionReference on_received_;
  Napi::FunctionReference on_writable_;
  Napi::FunctionReference on_gone_;
  std::unique_ptr<Napi::AsyncContext> context_;
  // The last, so that it goes first.
  std::unique_ptr<front::Front> front_;
};

}  // namespace weir::binding
