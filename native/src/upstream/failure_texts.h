// How logs describe the failures that both ways to a backend know. Used by the files of this
// folder, and by undici's calls through binding/upstream_rules.cc.
#pragma once

namespace weir::upstream::failure_text {

inline constexpr const char* kNoAddressLeft = "no address of the backend is left to try";
inline constexpr const char* kQueueFull = "too many requests wait for the backend";
inline constexpr const char* kNoConnection = "no connection to the backend became free in time";
inline constexpr const char* kConnectSlow = "connecting took too long";
inline constexpr const char* kNoAnswer = "the backend did not answer in time";
inline constexpr const char* kStopped = "the backend stopped in the middle of the exchange";
inline constexpr const char* kUpgraded = "the response is 101, for which nobody had asked";

}  // namespace weir::upstream::failure_text
