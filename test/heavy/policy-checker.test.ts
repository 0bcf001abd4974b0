/** The pool for real, as compiled: its threads can't run TypeScript. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CheckerBusyError, PolicyChecker } from "../../src/heavy/policy-checker.ts";
import { LIMITS } from "../../src/limits.ts";

interface Compiled {
	readonly PolicyChecker: typeof PolicyChecker;
	readonly CheckerBusyError: typeof CheckerBusyError;
}
let compiled: Compiled;
let checker: PolicyChecker;
beforeAll(async () => {
	const path = "../../dist/heavy/policy-checker.js";
	compiled = await import(/* @vite-ignore */ path);
	checker = new compiled.PolicyChecker(() => ({ rulesPerPhase: 500 }));
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

it("leaves the event loop to others meanwhile", async () => {
	let turns = 0;
	let checking = true;
	const count = (): void => {
		turns += 1;
		if (checking) setImmediate(count);
	};
	setImmediate(count);
	await checker.check(large("b"));
	checking = false;
	expect(turns).toBeGreaterThan(1);
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
