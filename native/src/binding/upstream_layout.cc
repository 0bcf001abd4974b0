// Tells JS how the memory and the numbers that it shares with the upstream client are laid out, so
// that src/upstream/native/ has none of these numbers a second time. Read once, at start.
#include <cstddef>

#include "binding/parts.h"
#include "binding/upstream_flags.h"
#include "upstream/record.h"

namespace weir::binding {

namespace {

using upstream::Failure;
using upstream::Record;
using upstream::RecordKind;

constexpr std::size_t kWordBytes = sizeof(std::int32_t);

template <typename Number>
void set(Napi::Object& object, const char* name, Number number) {
  object.Set(name, static_cast<double>(number));
}

// Which 32-bit word of a record is what; `length` counts in doubles.
Napi::Object words_of_record(Napi::Env env) {
  Napi::Object words = Napi::Object::New(env);
  set(words, "kind", offsetof(Record, kind) / kWordBytes);
  set(words, "call", offsetof(Record, call) / kWordBytes);
  set(words, "code", offsetof(Record, code) / kWordBytes);
  set(words, "flags", offsetof(Record, flags) / kWordBytes);
  set(words, "passedOffset", offsetof(Record, passed_offset) / kWordBytes);
  set(words, "passedLength", offsetof(Record, passed_length) / kWordBytes);
  set(words, "textOffset", offsetof(Record, text_offset) / kWordBytes);
  set(words, "textLength", offsetof(Record, text_length) / kWordBytes);
  set(words, "bodyOffset", offsetof(Record, body_offset) / kWordBytes);
  set(words, "bodyLength", offsetof(Record, body_length) / kWordBytes);
  set(words, "address", offsetof(Record, address) / kWordBytes);
  set(words, "attempts", offsetof(Record, attempts) / kWordBytes);
  set(words, "connectMicroseconds", offsetof(Record, connect_us) / kWordBytes);
  set(words, "backend", offsetof(Record, backend) / kWordBytes);
  return words;
}

Napi::Object kinds(Napi::Env env) {
  Napi::Object kind = Napi::Object::New(env);
  set(kind, "whole", RecordKind::kWhole);
  set(kind, "response", RecordKind::kResponse);
  set(kind, "data", RecordKind::kData);
  set(kind, "end", RecordKind::kEnd);
  set(kind, "failed", RecordKind::kFailed);
  set(kind, "bodyWanted", RecordKind::kBodyWanted);
  set(kind, "drained", RecordKind::kDrained);
  set(kind, "attemptFailed", RecordKind::kAttemptFailed);
  set(kind, "retry", RecordKind::kRetry);
  set(kind, "backendClosed", RecordKind::kBackendClosed);
  set(kind, "upgraded", RecordKind::kUpgraded);
  set(kind, "continue", RecordKind::kContinue);
  return kind;
}

// By the names that src/upstream/upstream.ts has for them.
Napi::Object failures(Napi::Env env) {
  Napi::Object failure = Napi::Object::New(env);
  set(failure, "connect", Failure::kConnect);
  set(failure, "broken", Failure::kBroken);
  set(failure, "timeout", Failure::kTimeout);
  set(failure, "queue_full", Failure::kQueueFull);
  return failure;
}

Napi::Object request_flags(Napi::Env env) {
  Napi::Object flags = Napi::Object::New(env);
  set(flags, "head", kHeadMethod);
  set(flags, "idempotent", kIdempotent);
  set(flags, "saysEmpty", kSaysEmpty);
  set(flags, "upgrade", kUpgrade);
  set(flags, "expects", kExpects);
  return flags;
}

}  // namespace

void export_upstream_layout(Napi::Env env, Napi::Object exports) {
  Napi::Object layout = Napi::Object::New(env);
  set(layout, "recordBytes", sizeof(Record));
  layout.Set("word", words_of_record(env));
  set(layout, "lengthDouble", offsetof(Record, length) / sizeof(double));
  set(layout, "asciiFlag", upstream::kAscii);
  layout.Set("kind", kinds(env));
  layout.Set("failure", failures(env));
  layout.Set("requestFlag", request_flags(env));
  set(layout, "bodyWanted", kBodyWanted);
  exports.Set("upstreamLayout", layout);
}

}  // namespace weir::binding
