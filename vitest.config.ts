import { defineConfig } from "vitest/config";

/**
 * Rooms whose tests touch nothing but memory share a process for each worker. Elsewhere every file has a process of its
 * own, which costs half a second of processor time: starting, and importing what all the others import too.
 */
const SHARED = ["cel", "documents", "policy", "structure"].map(
	(room) => `test/${room}/**/*.test.ts`,
);

export default defineConfig({
	test: {
		pool: "forks",
		// One more than cores: a third of the time is waiting for the server library's timeouts.
		maxWorkers: 3,
		testTimeout: 30_000,
		hookTimeout: 60_000,
		projects: [
			{ extends: true, test: { name: "shared", include: SHARED, isolate: false } },
			{
				extends: true,
				test: {
					name: "apart",
					include: ["test/**/*.test.ts"],
					exclude: [...SHARED, "**/node_modules/**"],
				},
			},
		],
	},
});
