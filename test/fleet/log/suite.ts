/**
 * What every log of a fleet promises (src/fleet/log/log.ts), whichever engine is behind it. `memory-log.test.ts` runs it
 * in memory; `engines/one-server.test.ts` and `engines/three-servers.test.ts` with real servers, in `npm run test:fleet`.
 */
import { afterAll, beforeAll, beforeEach, describe } from "vitest";
import { Given, type LogBench } from "./given.ts";
import { memberPromises } from "./suite-members.ts";
import { recordPromises } from "./suite-records.ts";

export function describeLog(name: string, make: () => Promise<LogBench>): void {
	describe(name, () => {
		let bench: LogBench | undefined;
		const given = new Given({
			begin: async (maxBytes) => bench?.begin(maxBytes),
			open: async (role) => {
				if (bench === undefined) throw new Error("there is no engine");
				return bench.open(role);
			},
			close: async () => bench?.close(),
		});
		beforeAll(async () => {
			bench = await make();
		});
		afterAll(async () => {
			await given.close();
			await bench?.close();
		});
		beforeEach(() => given.begin());
		recordPromises(given);
		memberPromises(given);
	});
}
