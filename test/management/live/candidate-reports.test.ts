/** Pieces of workers are added up for each candidate, begin anew with another one, and are bounded. */
import { expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { CandidateReports } from "../../../src/management/live/candidate-reports.ts";
import type { CandidatePiece } from "../../../src/telemetry/candidate-report.ts";

const stored = { outcome: "continue", status: 200, rule: null };
const candidate = { outcome: "deny", status: 403, rule: null };
const sample = {
	...{ result: "would_block" as const, differs: [], stored, candidate, requestId: "i" },
	...{ clientIp: "192.0.2.1", method: "GET", host: "a", path: "/", ms: 1 },
};
const pieceOf = (etag: string, samples = 1, beside: string | null = '"p"'): CandidatePiece => ({
	...{ edge: "e", route: "r", etag, beside, cpuUs: 30, ran: 3, pairsLeftOut: 0 },
	results: { same: 2, would_block: 1, would_pass: 0, different: 0 },
	notCompared: { budget: 1, waits: 0, compiling: 0, failed: 0, client_gone: 0 },
	pairs: [{ result: "would_block", stored, candidate, count: 1 }],
	samples: Array.from({ length: samples }, (_, ms) => ({ ...sample, ms })),
});

it("adds up what workers tell", () => {
	const reports = new CandidateReports(5);
	reports.add(pieceOf('"a"'));
	reports.add(pieceOf('"a"', LIMITS.candidateSamples + 3));
	const report = reports.of("e", "r", '"a"', null);
	expect(report).toMatchObject({ since: 5, requests: 8, compared: 6, sampled: 0.75 });
	expect(report).toMatchObject({ same: 4, would_block: 2, cpu_us_per_request: 10 });
	expect(report.by_rule).toEqual([{ result: "would_block", stored, candidate, count: 2 }]);
	expect(report.samples).toHaveLength(LIMITS.candidateSamples);
	expect(report.samples[0]?.ts).toBe(LIMITS.candidateSamples + 2);
});

it("begins anew with another candidate, and where the policy beside it is another", () => {
	const reports = new CandidateReports(5);
	reports.add(pieceOf('"a"'));
	reports.settle("e", "r", { etag: '"a"', beside: '"p"' }, 7);
	expect(reports.of("e", "r", '"a"', null).requests).toBe(4);
	reports.restart("e", "r", { etag: '"a"', beside: '"p"' }, 8);
	expect(reports.of("e", "r", '"a"', null)).toMatchObject({ requests: 0, since: 8 });
	reports.settle("e", "r", { etag: '"b"', beside: '"p"' }, 9);
	reports.add(pieceOf('"a"'));
	expect(reports.of("e", "r", '"b"', null)).toMatchObject({ requests: 0, since: 9 });
	reports.forget("e");
	expect(reports.of("e", "r", '"b"', null).since).toBe(5);
});

it("goes by the policy in force: by a change's, else by what was told last", () => {
	const reports = new CandidateReports(5);
	const requests = () => reports.of("e", "r", '"a"', null).requests;
	reports.add(pieceOf('"a"', 1, '"former"'));
	reports.add(pieceOf('"a"', 1, '"p"'));
	expect(requests()).toBe(4);
	reports.add(pieceOf('"a"', 1, '"p"'));
	expect(requests()).toBe(8);
	reports.restart("e", "r", { etag: '"a"', beside: null }, 7);
	reports.add(pieceOf('"a"', 1, '"p"'));
	expect(requests()).toBe(0);
	reports.add(pieceOf('"a"', 1, null));
	expect(requests()).toBe(4);
	reports.forget("e");
	reports.add(pieceOf('"a"', 1, '"p"'));
	reports.add(pieceOf('"a"', 1, '"new"'));
	expect(requests()).toBe(4);
});
