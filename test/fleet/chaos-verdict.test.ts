/** What `scripts/fleet-chaos.mjs` takes for a violation, and what not: a judge that finds nothing proves nothing. */
import { expect, it } from "vitest";

interface Event {
	readonly machine: string;
	readonly kind: "read" | "write";
	readonly document: string;
	readonly value: string | null;
	readonly expected?: string | null;
	readonly begin: number;
	readonly wall: number;
	readonly outcome: "ok" | "refused" | "unknown";
	readonly revision: number;
	readonly asked?: number;
}
type Judge = (
	history: readonly object[],
	lost: readonly object[],
) => { readonly violations: readonly { readonly what: string }[]; readonly lostWrites: number };

const script = "../../scripts/fleet-chaos/verdict.mjs";
const { judge }: { judge: Judge } = await import(/* @vite-ignore */ script);

let time = 0;
const event = (fields: Partial<Event>): object => {
	time += 2;
	const times = { begin: time, end: time + 1, wall: time };
	const common = { client: 0, machine: "a", document: "d1", outcome: "ok", status: "200" } as const;
	return { ...common, ...times, kind: "read", value: null, revision: 0, ...fields };
};
const put = (revision: number, value: string | null, more: Partial<Event> = {}) =>
	event({ kind: "write", revision, value, ...more });
const get = (revision: number, value: string | null, more: Partial<Event> = {}) =>
	event({ revision, value, ...more });
const foundIn = (...history: object[]) => judge(history, []).violations.map(({ what }) => what);

it("lets a sound history pass", () => {
	const history = [
		put(1, "v1.test"),
		get(3, "v1.test"),
		put(4, "v2.test", { expected: "v1.test" }),
		put(0, "v3.test", { outcome: "unknown" }),
		get(6, "v3.test"),
		put(0, "v4.test", { outcome: "refused" }),
		put(7, null),
		get(8, null),
	];
	expect(foundIn(...history)).toEqual([]);
});

it("of two writes in one record takes the one that is read", () => {
	const times = { begin: 1, end: 9 };
	const both = [put(2, "v1.test", times), put(2, "v2.test", times)];
	expect(foundIn(...both, get(3, "v1.test"))).toEqual([]);
	expect(foundIn(...both, get(3, "v1.test"), get(4, "v2.test"))).toEqual([
		expect.stringContaining("v2.test came back"),
	]);
});

it.each<[string, RegExp, () => object[]]>([
	[
		"a lost write",
		/v1\.test came back/,
		() => [put(1, "v1.test"), put(2, "v2.test"), get(3, "v1.test")],
	],
	[
		"a stale read",
		/was acknowledged, and v1\.test is there/,
		() => [put(1, "v1.test"), put(2, "v2.test"), get(2, "v1.test")],
	],
	[
		"one in force before its revision",
		/another revision/,
		() => [get(3, "v1.test"), put(5, "v1.test")],
	],
	[
		"a refused one that is there",
		/was refused, and is there/,
		() => [put(0, "v1.test", { outcome: "refused" }), get(4, "v1.test")],
	],
	["a value of nobody", /nobody wrote/, () => [get(4, "v1.test")]],
	[
		"a document that is gone",
		/is gone, and nobody deleted it/,
		() => [put(1, "v1.test"), get(2, null)],
	],
	[
		"two values at one revision",
		/different values/,
		() => [put(0, "v1.test", { outcome: "unknown" }), get(2, null), get(2, "v1.test")],
	],
	[
		"if-match that let through",
		/by if-match/,
		() => [put(1, "v1.test"), put(2, "v2.test"), put(3, "v3.test", { expected: "v1.test" })],
	],
	[
		"revisions against time",
		/earlier revision, or the same/,
		() => [put(5, "v1.test"), put(4, "v2.test", { document: "d2" })],
	],
	["a machine that goes back", /a went back/, () => [get(5, null), get(4, null)]],
	["an answer before its revision", /request for 9/, () => [get(5, null, { asked: 9 })]],
	[
		"a hostport of two",
		/belongs to/,
		() => [
			put(1, "v1.test,shared0.test"),
			get(5, "v1.test,shared0.test"),
			put(3, "v2.test,shared0.test", { document: "d2", begin: 0.1, machine: "b" }),
		],
	],
])("finds %s", (_, what, history) => {
	expect(foundIn(...history())).toContainEqual(expect.stringMatching(what));
});

it("excuses what a lost-file has, and counts it", () => {
	const record = { operations: [["put", "e/d1", 'x{"hostports":["v1.test"]}']] };
	const lost = [
		{
			time: "fleet-lost-20261123T050507215Z.jsonl",
			machine: "a",
			revision: 1,
			why: "lost",
			record,
		},
	];
	const history = [put(1, "v1.test"), get(1, null, { wall: Date.parse("2026-11-23T06:00:00Z") })];
	expect(judge(history, lost)).toEqual({ violations: [], lostWrites: 1 });
	expect(foundIn(...history)).toHaveLength(1);
});
