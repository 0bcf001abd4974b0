/** Which requests are taken down: those with a token that lives, from whom it is bound to, and so many in a second. */
import { hash } from "node:crypto";
import { expect, it } from "vitest";
import { ExplainTokens } from "../../../src/edge/seen/explain-tokens.ts";
import type { LiveToken, SeenRequest } from "../../../src/edge/seen/seen-request.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { beginning, ended } from "./seen.ts";

const hashOf = (text: string): string => hash("sha256", text);

function worker(...tokens: readonly Omit<LiveToken, "untilMs">[]) {
	const clock = { nowMs: 1000 };
	const told: SeenRequest[] = [];
	const named: string[] = [];
	const explained = new ExplainTokens({
		carrier: { sendsId: false, answerWithId: ({ requestId }) => named.push(requestId) },
		revision: () => 3,
		tell: (seen) => told.push(seen),
		now: () => clock.nowMs,
	});
	explained.set(tokens.map((token) => ({ ...token, untilMs: 60_000 })));
	const comes = (...lines: readonly string[]): boolean => {
		const request = { ...beginning(...lines), ...NOTHING, setOnEveryResponse() {} };
		explained.begin(request);
		if (request.notes !== undefined) explained.ended(request.notes, ended, 200, false);
		return request.notes !== undefined && request.limitTap === request.notes.limits;
	};
	return { explained, clock, told, named, comes };
}
const NOTHING: Pick<Parameters<ExplainTokens["begin"]>[0], "notes" | "limitTap"> = {
	notes: undefined,
	limitTap: undefined,
};
const bring = (token: string): [string, string] => ["x-weir-explain", token];

it("takes down requests with a token, tells of them when they are over, and their answers say the id", () => {
	const { explained, comes, told, named } = worker({ hash: hashOf("t"), clientIp: "192.0.2.0/24" });
	expect(explained.anyLives).toBe(true);
	expect(comes("x-a", "1")).toBe(false);
	expect(comes(...bring("wrong"))).toBe(false);
	expect(comes(...bring("t"), ...bring("t"))).toBe(false);
	expect(comes(...bring("t".repeat(1000)))).toBe(false);
	expect([told, named]).toEqual([[], []]);
	expect(comes(...bring("t"))).toBe(true);
	expect(told).toMatchObject([{ token: hashOf("t"), revision: 3, end: { status: 200 } }]);
	expect(named).toEqual(["id-1"]);
	explained.set([]);
	expect(explained.anyLives).toBe(false);
});

it("asks who sends them", () => {
	const header = { name: "x-key", hash: hashOf("k") };
	const { comes } = worker(
		{ hash: hashOf("elsewhere"), clientIp: "198.51.100.1" },
		{ hash: hashOf("keyed"), header },
		{ hash: hashOf("both"), header, clientIp: "192.0.2.7" },
	);
	expect(comes(...bring("elsewhere"))).toBe(false);
	expect(comes(...bring("keyed"))).toBe(false);
	expect(comes(...bring("keyed"), "x-key", "other")).toBe(false);
	expect(comes(...bring("keyed"), "x-key", "k", "x-key", "k")).toBe(false);
	expect(comes(...bring("keyed"), "x-key", "k")).toBe(true);
	expect(comes(...bring("both"), "x-key", "k")).toBe(true);
});

it("forgets a token that has expired, and takes down so many in a second", () => {
	const { comes, clock } = worker({ hash: hashOf("t") });
	const all = Array.from({ length: LIMITS.explainedPerSecond + 1 }, () => comes(...bring("t")));
	expect(all.indexOf(false)).toBe(LIMITS.explainedPerSecond);
	clock.nowMs += 1000;
	expect(comes(...bring("t"))).toBe(true);
	clock.nowMs = 60_000;
	expect(comes(...bring("t"))).toBe(false);
});
