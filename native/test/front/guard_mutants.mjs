// The mutants that scripts/native-mutants.mjs applies to guards of standing refusals, one at a time: the file in native/src,
// the text (which is there exactly once), what is put in its place, and which guard_*_test is to kill it. Each lets a
// program be run that leads astray, or has the front decide what is not its to decide.
const PROGRAM = "front/guard_program.cc";
const TABLE = "front/address_table.cc";

/** @param {string} file @param {string} what @param {string} text @param {string} replacement */
const mutant = (file, what, text, replacement) => ({
	file,
	what,
	text,
	replacement,
	tests: ["program"],
});

/** @type {readonly {file: string, what: string, text: string, replacement: string, tests: string[]}[]} */
export const MUTANTS = [
	mutant(PROGRAM, "a step back", "return to > at && to < size;", "return to < size;"),
	mutant(PROGRAM, "a step behind the end", "return to > at && to < size;", "return to > at;"),
	mutant(
		PROGRAM,
		"a refusal that is not there",
		"instruction.first >= refusals",
		"instruction.first > refusals",
	),
	mutant(PROGRAM, "no code at all", "return size > 0;", "return true;"),
	mutant(PROGRAM, "a field that is there twice", "field.times > 1 ||", "field.times > 2 ||"),
	mutant(
		PROGRAM,
		"a field whose absence is for JS to judge",
		"instruction.absent == Absent::kUnknown",
		"false",
	),
	mutant(PROGRAM, "an address that is not known", "request.address.empty()", "false"),
	mutant(PROGRAM, "case that does not count", "if (instruction.folds) {", "if (false) {"),
	mutant(
		TABLE,
		"a mapped address",
		"is_mapped ? holds_v4(words[3]) : holds_v6(words)",
		"holds_v6(words)",
	),
	mutant(TABLE, "the end of what the index leaves", "index_[at + 1]", "index_[at]"),
	mutant(TABLE, "a gap of IPv4", "v4_lengths[i] != kUncovered", "true"),
	mutant(TABLE, "a gap of IPv6", "v6_lengths[i] != kUncovered", "true"),
];
