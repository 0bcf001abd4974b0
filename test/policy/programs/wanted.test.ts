/** Long texts are found wherever expressions may stand, and a policy made of programs is the same policy. */
import { expect, test } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import {
	type MadeProgram,
	makeProgram,
	type WantedProgram,
} from "../../../src/policy/programs/program.ts";
import { hasLongTexts, wantedPrograms } from "../../../src/policy/programs/wanted.ts";
import { preparePolicy } from "../../../src/policy/rules/compile.ts";
import { CountingLimiters, documentOf, exchangeOf } from "../support.ts";

const padding = " ".repeat(LIMITS.compileHereCharacters);
const long = (expression: string): string => `${expression}${padding}`;
const text = (name: string): string => `\${${long(`req.method + '${name}'`)}}`;
const log = (name: string) => ({ type: "log", config: { metadata: { name: text(name) } } });
const document = documentOf({
	inbound: [
		{
			expressions: ["req.method == 'GET'", long("req.method == 'GET'"), long("req.method != ''")],
			actions: [
				log("log"),
				log("log"),
				{
					type: "url-rewrite",
					config: { from: "/(a)$", to: `/$1${text("rewrite")}`, format: "cel" },
				},
				{ type: "rate-limit", config: { capacity: 5, rate: "60s" } },
				{
					type: "custom-response",
					config: { content: text("content"), headers: { x: text("x") } },
				},
			],
		},
	],
	outbound: [
		{
			expressions: [long("req.method == 'GET'")],
			actions: [log("log"), { type: "log", config: { metadata: { plain: padding, n: 5 } } }],
		},
	],
});

const wantedOf = (of = document): readonly WantedProgram[] => {
	const steps = wantedPrograms(of);
	for (;;) {
		const step = steps.next();
		if (step.done === true) return step.value;
	}
};

const wantsPrograms = (of: typeof document): boolean => hasLongTexts(of) && wantedOf(of).length > 0;

test("a document is known to have any or none", () => {
	expect(wantsPrograms(document)).toBe(true);
	const short = { expressions: ["req.method == 'GET'"], actions: [{ type: "deny", config: {} }] };
	expect(wantsPrograms(documentOf({ inbound: [short], outbound: [] }))).toBe(false);
	// those of actions, too
	const wanting = (phase: "inbound" | "outbound", action: object): boolean => {
		const rules = { inbound: [], outbound: [], [phase]: [{ ...short, actions: [action] }] };
		return wantsPrograms(documentOf(rules));
	};
	const pattern = "/a".repeat(LIMITS.patternHereCharacters);
	expect([
		wanting("inbound", log("log")),
		wanting("outbound", log("log")),
		wanting("inbound", { type: "url-rewrite", config: { from: pattern, to: "" } }),
		wanting("inbound", { type: "url-rewrite", config: { from: "/a", to: "" } }),
	]).toEqual([true, true, true, false]);
	// a pattern takes longer to compile than other texts of its length
	const [plain, matching] = ["req.host == 'a'", "req.host.matches('a')"].map((expression) =>
		wantsPrograms(
			documentOf({
				inbound: [{ ...short, expressions: [expression.padEnd(LIMITS.patternHereCharacters + 1)] }],
				outbound: [],
			}),
		),
	);
	expect([plain, matching]).toEqual([false, true]);
});

test("each long text is wanted once for each phase, short and plain ones are not", () => {
	const wanted = wantedOf().map(({ kind, source, phase }) => {
		expect(source.length).toBeGreaterThan(LIMITS.compileHereCharacters);
		return `${phase} ${kind} ${source.replaceAll(padding, "")}`;
	});
	expect(wanted.sort()).toEqual(
		[
			"inbound predicate req.method == 'GET'",
			"inbound predicate req.method != ''",
			"inbound template ${req.method + 'log'}",
			"inbound template ${req.method + 'rewrite'}",
			"inbound template ${req.method + 'content'}",
			"inbound template ${req.method + 'x'}",
			"outbound predicate req.method == 'GET'",
			"outbound template ${req.method + 'log'}",
		].sort(),
	);
});

/** What a request comes to where these programs were made elsewhere. */
function outcomeWith(
	made: (wanted: readonly WantedProgram[]) => readonly MadeProgram[] | undefined,
) {
	const steps = preparePolicy(document);
	let step = steps.next();
	while (step.done !== true) step = steps.next(step.value && made(step.value));
	const policy = step.value.open({
		edgeId: "e",
		routeId: "r",
		limiters: new CountingLimiters(),
		expressionErrors: "reject",
	});
	const exchange = exchangeOf({ url: "http://h/a" });
	return [policy.inbound(exchange), policy.outbound(exchange), exchange.logs, exchange.url.full];
}

test("a policy of programs made elsewhere, of some or of none decides the same", () => {
	const alone = outcomeWith(() => undefined);
	expect(alone[3]).toBe("http://h/aGETrewrite");
	const across = (wanted: readonly WantedProgram[]): MadeProgram[] =>
		structuredClone(wanted.flatMap((each) => makeProgram(each) ?? []));
	expect(outcomeWith(across)).toEqual(alone);
	expect(outcomeWith((wanted) => across(wanted.slice(0, 3)))).toEqual(alone);
});
