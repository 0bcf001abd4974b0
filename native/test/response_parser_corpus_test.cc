// The corpus of the response parser.
#include "../fuzz/response_parser_target.h"
#include "play_corpus.h"

int main() { return weir::test::play_corpus(weir::test::complaint); }
