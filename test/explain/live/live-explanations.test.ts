/** Requests that workers tell of: explained once each, kept by their ids in bounds, and told to the log. */
import { expect, it } from "vitest";
import { ExplainerBusyError } from "../../../src/explain/explainer.ts";
import { LiveExplanations } from "../../../src/explain/live/live-explanations.ts";
import type { Explanation } from "../../../src/explain/shapes.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { seen, told } from "./seen.ts";

function explanations(explain: () => Promise<Explanation> = async () => told(), revision = 1) {
	const lines: object[] = [];
	const errors: object[] = [];
	const kept = new LiveExplanations({
		explainer: { explainSeen: explain, revision },
		tokens: { use: (hash) => hash === "t" },
		log: { info: (fields) => lines.push(fields), error: (fields) => errors.push(fields) },
	});
	return { kept, lines, errors };
}
const of = (requestId: string) => ({ ...seen, requestId });

it("explains what came with a token that is known, and tells the log", async () => {
	const { kept, lines } = explanations();
	kept.take({ ...seen, token: "other" }, 0);
	expect(kept.find("id-1")).toBeUndefined();
	const soon = kept.arrives("id-1");
	kept.take(of("else"), 0);
	kept.take(seen, 1);
	expect(await soon).toMatchObject({ worker: 1, agrees: true, seen: { requestId: "id-1" } });
	expect(await kept.find("id-1")).toMatchObject({ explanation: { answer: { status: 403 } } });
	expect(lines).toMatchObject([{ request_id: "else" }, { request_id: "id-1", agrees: true }]);
});

it("says why there is none", async () => {
	const busy = explanations(() => Promise.reject(new ExplainerBusyError("too many wait")));
	busy.kept.take(seen, 0);
	expect((await busy.kept.find("id-1"))?.problem).toBe("It was not explained: too many wait.");
	const broken = explanations(() => Promise.reject(new Error("a bug")));
	broken.kept.take(seen, 0);
	expect((await broken.kept.find("id-1"))?.problem).toContain("the log says why");
	expect(broken.errors).toHaveLength(1);
	const { kept } = explanations();
	kept.take({ ...seen, isCut: true }, 0);
	expect((await kept.find("id-1"))?.problem).toContain("more header");
});

it("notes that something was stored meanwhile where it does not agree", async () => {
	const other = told({ answer: null });
	const changed = explanations(async () => other, 2);
	changed.kept.take(seen, 0);
	const explained = await changed.kept.find("id-1");
	expect(explained?.agrees).toBe(false);
	expect(explained?.explanation?.notes).toEqual([expect.stringContaining("stored since")]);
});

it("keeps the last so many, and so many bytes", async () => {
	const { kept } = explanations();
	for (let at = 0; at <= LIMITS.explanationsKept; at++) kept.take(of(`${at}`), 0);
	expect(kept.find("0")).toBeUndefined();
	expect(await kept.find("1")).toBeDefined();
	const large = told({ notes: ["x".repeat(LIMITS.explanationsKeptBytes / 2)] });
	const big = explanations(async () => large);
	for (const id of ["a", "b", "c"]) {
		big.kept.take(of(id), 0);
		await big.kept.find(id);
	}
	expect(["a", "b", "c"].map((id) => big.kept.find(id) !== undefined)).toEqual([
		false,
		false,
		true,
	]);
});
