import { defineConfig } from "vitest/config";

/**
 * Rooms whose tests leave nothing behind in their process share one for each worker. Elsewhere every file has a process
 * of its own, which costs a third of a second of processor time and more: starting, and importing what all the others
 * import too.
 */
const SHARED = [
	"cel",
	"documents",
	"edge/phases",
	"edge/policies",
	"edge/proxying",
	"edge/request",
	"edge/response",
	"edge/routing",
	"management",
	"policy",
	"structure",
].map((room) => `test/${room}/**/*.test.ts`);

export default defineConfig({
	test: {
		pool: "forks",
		// One more than cores: a third of the time is waiting for the server library's timeouts.
		maxWorkers: 3,
		testTimeout: 30_000,
		hookTimeout: 60_000,
		projects: [
			{
				extends: true,
				test: {
					name: "shared",
					include: SHARED,
					isolate: false,
					setupFiles: ["test/shared-process.ts"],
				},
			},
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
