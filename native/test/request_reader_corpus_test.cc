// The corpus of the request reader.
#include "../fuzz/request_reader_target.h"
#include "play_corpus.h"

int main() { return weir::test::play_corpus(weir::test::complaint); }
