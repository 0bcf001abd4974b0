import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		include: ["test/**/*.test.ts"],
		pool: "forks",
		// One more than cores: a third of the time is waiting for the server library's timeouts.
		maxWorkers: 3,
		testTimeout: 30_000,
		hookTimeout: 60_000,
	},
});
