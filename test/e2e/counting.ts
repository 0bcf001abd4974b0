/** What the tests of shared counts have in common: policies that only count, and who answered. */
import { expect } from "vitest";
import type { Sent } from "./crowd.ts";
import { type Server, until } from "./harness.ts";

export interface Limit {
	readonly name?: string;
	readonly capacity?: number;
	readonly rate?: string;
	readonly bucket_key?: readonly string[];
	readonly enforce?: boolean;
	readonly count?: string;
}

/** A rate-limit action. Its window is so long that no test outlasts it, unless told otherwise. */
export const limit = (config: Limit) => ({
	type: "rate-limit",
	config: {
		name: "limit",
		algorithm: "sliding_window",
		capacity: 3,
		rate: "1h",
		bucket_key: [],
		...config,
	},
});

/** Answers 200 without an upstream. */
export const ANSWER = { type: "custom-response", config: { content: "in" } };

/** A policy with one limit and an answer for what passes. */
export const counting = (config: Limit) => ({
	inbound: [{ actions: [limit(config), ANSWER] }],
});

/** An edge and a route whose upstream is never asked. */
export const routed = (server: Server): Promise<void> => server.route(9);

/**
 * Resolves when the access log tells that each worker gave some of these answers, whose paths nobody else
 * asked for, and nobody but they did. It needs no line of each: a disk that is slow while lines are large costs some
 * (docs/operations.md).
 */
export async function everyWorkerAnswered(server: Server, sent: readonly Sent[]): Promise<void> {
	const paths = new Set(sent.filter(({ status }) => status !== 0).map(({ path }) => path));
	const workers = server.workerPids();
	expect(workers.length).toBeGreaterThan(0);
	const pids = await until(() => {
		const answered = [...server.answeredBy()].filter(([path]) => paths.has(path));
		const seen = new Set(answered.map(([, pid]) => pid));
		return workers.every((pid) => seen.has(pid)) ? seen : undefined;
	}, "answers of each worker in the access log");
	expect(pids).toEqual(new Set(workers));
}

/** Sends requests one after the other, each on a connection of its own. @returns how many passed */
export async function passing(
	server: Server,
	requests: number,
	path = "/",
	headers: Record<string, string> = {},
): Promise<number> {
	let passed = 0;
	for (let number = 0; number < requests; number++) {
		const { status } = await server.get(path, headers);
		expect([200, 429]).toContain(status);
		if (status === 200) passed += 1;
	}
	return passed;
}

/** Seconds that a request is told to wait; it must be over its limit. */
export async function retryAfter(
	server: Server,
	headers: Record<string, string> = {},
): Promise<number> {
	const answer = await server.get("/", headers);
	expect(answer.status).toBe(429);
	return Number(answer.headers["retry-after"]);
}
