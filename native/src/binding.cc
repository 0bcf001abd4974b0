// The only file that knows Node-API: it turns values of JS into numbers and bytes and back. Its one
// caller is src/limiter/binding.ts, which has checked every argument; what is checked here again
// are the things that would read or write outside a buffer. No state outside the call, so any
// number of environments (worker threads) may load it.
#include <napi.h>

#include <array>
#include <memory>
#include <new>

#include "boot_clock.h"
#include "sip_hash.h"

namespace {

constexpr std::size_t kSeedBytes = 16;
constexpr std::size_t kHashBytes = 16;
// UTF-16 units of a key that is copied to the stack; longer ones, which only an attacker or a very
// long header sends, pay for an allocation.
constexpr std::size_t kStackUnits = 1024;

Napi::Value refuse(Napi::Env env, const char* what) {
  Napi::TypeError::New(env, what).ThrowAsJavaScriptException();
  return env.Undefined();
}

// bootClockMs(): number
Napi::Value boot_clock_ms(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(weir::boot_clock_ms()));
}

void hash_units(unsigned char* exchange, const char16_t* units, std::size_t count) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(units);
  const weir::Hash128 hash =
      weir::key_hash(weir::load_seed(exchange), bytes, count * sizeof(char16_t));
  weir::store_little_endian(hash.low, exchange + kSeedBytes);
  weir::store_little_endian(hash.high, exchange + kSeedBytes + 8);
}

// keyHash(exchange: Uint8Array(32), key: string): undefined
// exchange[0..16) is the seed, exchange[16..32) receives the hash. The key is hashed as UTF-16
// units, because UTF-8 would turn every lone surrogate into the same replacement character.
Napi::Value key_hash(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (info.Length() != 2 || !info[0].IsTypedArray()) return refuse(env, "keyHash(exchange, key)");
  napi_typedarray_type type{};
  std::size_t length = 0;
  void* data = nullptr;
  if (napi_get_typedarray_info(env, info[0], &type, &length, &data, nullptr, nullptr) != napi_ok ||
      type != napi_uint8_array || length != kSeedBytes + kHashBytes) {
    return refuse(env, "exchange must be a Uint8Array of 32 bytes");
  }
  auto* const exchange = static_cast<unsigned char*>(data);

  std::array<char16_t, kStackUnits> stack;
  std::size_t count = 0;
  if (napi_get_value_string_utf16(env, info[1], stack.data(), stack.size(), &count) != napi_ok) {
    return refuse(env, "key must be a string");
  }
  // A full buffer (one unit is the terminator) may mean that there is more.
  if (count + 1 < stack.size()) {
    hash_units(exchange, stack.data(), count);
    return env.Undefined();
  }
  if (napi_get_value_string_utf16(env, info[1], nullptr, 0, &count) != napi_ok) {
    return refuse(env, "key must be a string");
  }
  const std::unique_ptr<char16_t[]> heap(new (std::nothrow) char16_t[count + 1]);
  if (heap == nullptr) return refuse(env, "no memory for the key");
  if (napi_get_value_string_utf16(env, info[1], heap.get(), count + 1, &count) != napi_ok) {
    return refuse(env, "key must be a string");
  }
  hash_units(exchange, heap.get(), count);
  return env.Undefined();
}

Napi::Object initialize(Napi::Env env, Napi::Object exports) {
  exports.Set("bootClockMs", Napi::Function::New<boot_clock_ms>(env, "bootClockMs"));
  exports.Set("keyHash", Napi::Function::New<key_hash>(env, "keyHash"));
  return exports;
}

}  // namespace

NODE_API_MODULE(weir, initialize)
