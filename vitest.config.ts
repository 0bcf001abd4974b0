import { defineConfig } from "vitest/config";

/**
 * Files that need a process of their own: they replace modules, hand the addon what it must refuse, read stores that are
 * broken on purpose (their faults are counted for a process), count descriptors or memory, or keep the event loop busy on
 * purpose. All others share one for each worker, because a process costs a file a third of a second of processor time:
 * starting, and importing what all the others import too.
 */
const APART = [
	"edge/chaos",
	"edge/connection-limits",
	"edge/slow/*",
	"limiter/binding",
	"limiter/flood",
	"native-addon",
	"store/lmdb/held-files",
	"store/lmdb/mapping-guard",
	"store/lmdb/store-check",
	"store/lmdb/store-file",
	"telemetry/process-metrics",
	"threads/work-watch",
	"ui/page",
	"upstream/native/addon",
].map((name) => `test/${name}.test.ts`);

/**
 * What takes long because it fills disks, takes stores away, kills, stops and replaces processes, or has clients that
 * are slow on purpose: `npm run test:faults`, so that `npm test` stays a matter of minutes. `vitest.faults.config.ts` has
 * these files.
 */
export const FAULTS = [
	"e2e/attacks",
	"e2e/backup",
	"e2e/connection-limits",
	"e2e/counters-crash",
	"e2e/counters-file",
	"e2e/counters-kept",
	"e2e/counters-storm",
	"e2e/draining",
	"e2e/durability",
	"e2e/failed-forks",
	"e2e/full-disk",
	"e2e/heavy",
	"e2e/log-destinations",
	"e2e/processes",
	"e2e/reloads",
	"e2e/signals",
	"e2e/slow-clients",
	"e2e/soak",
	"e2e/standing-still",
	"e2e/store-lost",
	"e2e/streaming",
	"e2e/sync-faults",
	"e2e/upgrades",
	"edge/slow/attacks",
	"edge/slow/idle-timeouts",
	"management/http/streams",
].map((name) => `test/${name}.test.ts`);

/**
 * What needs NATS servers, or several machines, or thousands of schedules of a model: `npm run test:fleet`.
 * `vitest.fleet.config.ts` has these files.
 */
export const FLEET = [
	"test/fleet/engine.test.ts",
	"test/fleet/engines/**/*.test.ts",
	"test/fleet/machines/**/*.test.ts",
	"test/fleet/model/mutants.test.ts",
	"test/fleet/model/store.test.ts",
];

export const COMMON = {
	pool: "forks",
	// One more than cores: a third of the time is waiting for the server library's timeouts.
	maxWorkers: 3,
	testTimeout: 30_000,
	hookTimeout: 60_000,
} as const;

export default defineConfig({
	test: {
		...COMMON,
		projects: [
			{
				extends: true,
				test: {
					name: "shared",
					include: ["test/**/*.test.ts"],
					exclude: [...APART, ...FAULTS, ...FLEET, "**/node_modules/**"],
					isolate: false,
					setupFiles: ["test/shared-process.ts"],
				},
			},
			{
				extends: true,
				test: {
					name: "apart",
					include: APART,
					exclude: FAULTS,
				},
			},
		],
	},
});
