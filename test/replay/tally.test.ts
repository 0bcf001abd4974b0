/** Tables of differences, within their bounds. */
import { expect, it } from "vitest";
import { LIMITS } from "../../src/limits/limits.ts";
import { jsonEntry } from "../../src/replay/json-entry.ts";
import type { Came } from "../../src/replay/outcome.ts";
import { type Compared, Tally } from "../../src/replay/tally.ts";
import { jsonLine } from "./lines.ts";

const CAME: Came = {
	...{ kind: "passed", status: 200, phase: undefined, rule: undefined, ruleName: "" },
	...{ limit: undefined, isWhole: true, request: undefined, answer: undefined },
};
function compared(verdict: Compared["verdict"], fields: object = {}): Compared {
	const read = jsonEntry(jsonLine(1, fields));
	if (read.kind !== "request") throw new Error("no request");
	const { entry } = read;
	return { entry, before: CAME, after: CAME, verdict, isUncertain: false, file: "f", line: 1 };
}

it("has the most frequent first, and so many samples of each kind", () => {
	const tally = new Tally(1);
	tally.add(compared("same"));
	for (const path of ["/a", "/b", "/b"]) tally.add(compared("now_blocked", { path }));
	tally.add({ ...compared("changed", { path: "/c" }), isUncertain: true });
	const { requests, paths, samples, rules } = tally.report(2);
	expect(requests).toMatchObject({ same: 1, now_blocked: 3, changed: 1, uncertain: 1 });
	expect(paths.map(({ path }) => path)).toEqual(["/b", "/a"]);
	expect(samples.map(({ difference }) => difference)).toEqual(["now_blocked", "changed"]);
	expect(rules).toEqual([]);
});

it("counts what is beyond its bound as one", () => {
	const tally = new Tally(0);
	const one = compared("now_passed");
	for (let at = 0; at < LIMITS.replayTallied + 7; at++)
		tally.add({ ...one, entry: { ...one.entry, clientIp: `c${at}` } });
	const { clients } = tally.report(1);
	expect(clients.at(-1)).toMatchObject({ client_ip: "(others)", now_passed: 7 });
});
