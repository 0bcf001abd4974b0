/** The pool for real, as compiled: its threads can't run TypeScript. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { LIMITS } from "../../src/limits/limits.ts";
import type { CheckerBusyError, PolicyChecker } from "../../src/threads/policy-checker.ts";

interface Compiled {
	readonly PolicyChecker: typeof PolicyChecker;
	readonly CheckerBusyError: typeof CheckerBusyError;
}
/** Stack of each read of the limits: by what checks in this thread, or by what copies them to another. */
const readers: string[] = [];
const limits = {
	get rulesPerPhase(): number {
		readers.push(new Error().stack ?? "");
		return 500;
	},
};
let compiled: Compiled;
let checker: PolicyChecker;
beforeAll(async () => {
	const path = "../../dist/threads/policy-checker.js";
	compiled = await import(/* @vite-ignore */ path);
	checker = new compiled.PolicyChecker(() => limits);
});
afterAll(() => checker.close());

/** A valid document of many distinct expressions, of more bytes than are checked at once. */
const large = (marker: string): Buffer => {
	const expressions = Array.from({ length: 32 }, (_, n) => `req.method != '${marker}${n}'`);
	const rule = { expressions, actions: [{ type: "deny" }] };
	const bytes = Buffer.from(JSON.stringify({ inbound: Array(25).fill(rule) }));
	expect(bytes.length).toBeGreaterThan(LIMITS.policyCheckAtOnceBytes);
	return bytes;
};

it("gives the same answers for documents that go to a thread", async () => {
	const valid = await checker.check(large("a"));
	expect(valid).toMatchObject({ outcome: "valid" });
	expect(valid.outcome === "valid" && valid.document.inbound).toHaveLength(25);
	const text = large("a").toString();
	expect(
		await checker.check(Buffer.from(text.replaceAll("req.method", "req.mehtod"))),
	).toMatchObject({ outcome: "invalid", problems: { length: 100 } });
	expect(await checker.check(Buffer.from(text.slice(0, -1)))).toMatchObject({
		outcome: "not_json",
	});
});

it("does not run tests for who only explains", async () => {
	const tests = [{ name: "t", request: {}, expect: { status: 403 } }];
	const bytes = Buffer.from(JSON.stringify({ inbound: [], tests }));
	expect(await checker.check(bytes)).toMatchObject({ outcome: "tests_failed" });
	expect(await checker.check(bytes, "json", false, "leave")).toMatchObject({ outcome: "valid" });
});

it("checks what is to be stored before what is only looked at", async () => {
	const ended: string[] = [];
	const looks = ["r", "s", "t"].map((marker) =>
		checker.check(large(marker), "json", true).then(() => ended.push("look")),
	);
	await Promise.all([...looks, checker.check(large("u")).then(() => ended.push("store"))]);
	expect(ended.indexOf("store")).toBeLessThan(2);
});

it("leaves this thread to others: only a small document is checked in it", async () => {
	Error.stackTraceLimit = 100;
	const checkedHere = async (bytes: Buffer): Promise<boolean> => {
		readers.length = 0;
		expect(await checker.check(bytes)).toMatchObject({ outcome: "valid" });
		expect(readers).not.toEqual([]);
		return readers.some((stack) => stack.includes("checkPolicy"));
	};
	expect(await checkedHere(Buffer.from('{"inbound":[]}'))).toBe(true);
	expect(await checkedHere(large("b"))).toBe(false);
	// tests never run in this thread
	const tests = [{ name: "t", request: {}, expect: { status: 403 }, repeat: 10_000 }];
	const small = Buffer.from(JSON.stringify({ tests, inbound: [{ actions: [{ type: "deny" }] }] }));
	readers.length = 0;
	expect(await checker.check(small)).toMatchObject({ outcome: "valid" });
	// the copy to the thread reads the limits too
	expect(readers.some((stack) => !stack.includes("checkPolicy"))).toBe(true);
});

it("refuses what finds no room in the queue, and serves the rest", async () => {
	const asked = Array.from({ length: LIMITS.policyCheckQueue + 10 }, (_, n) =>
		checker.check(large(`c${n}`)),
	);
	const results = await Promise.allSettled(asked);
	const refused = results.filter((result) => result.status === "rejected");
	expect(refused.length).toBeGreaterThan(0);
	for (const { reason } of refused) expect(reason).toBeInstanceOf(compiled.CheckerBusyError);
	for (const result of results)
		if (result.status === "fulfilled") expect(result.value.outcome).toBe("valid");
});
