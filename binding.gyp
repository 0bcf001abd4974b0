# The same addon as native/CMakeLists.txt, for machines without CMake; scripts/build-addon.mjs runs it.
{
  "variables": {
    "warnings": ["-Wall", "-Wextra", "-Wconversion"],
  },
  "targets": [
    {
      "target_name": "weir",
      "sources": [
        "<!@(node -p \"require('node:fs').readFileSync('native/sources.txt', 'utf8').trim().split(/\\s+/).map((file) => 'native/' + file).join(' ')\")",
      ],
      "include_dirs": ["native/src", "<!(node -p \"require('node-addon-api').include_dir\")"],
      "defines": [
        "NAPI_VERSION=8",
        "NODE_ADDON_API_CPP_EXCEPTIONS",
        "NODE_ADDON_API_DISABLE_DEPRECATED",
      ],
      "cflags!": ["-fno-exceptions"],
      "cflags_cc!": ["-fno-exceptions", "-std=gnu++14", "-std=gnu++17", "-std=gnu++20"],
      "cflags_cc": ["-std=c++20", "-fvisibility=hidden", "<@(warnings)"],
      "xcode_settings": {
        "CLANG_CXX_LANGUAGE_STANDARD": "c++20",
        "GCC_ENABLE_CPP_EXCEPTIONS": "YES",
        "GCC_SYMBOLS_PRIVATE_EXTERN": "YES",
        "OTHER_CPLUSPLUSFLAGS": ["<@(warnings)"],
      },
    }
  ],
}
