/** Every log's promises, in one real server of each version that is here. */
import { describe } from "vitest";
import { PROGRAMS, startEngine } from "../engine.ts";
import { describeLog } from "../log/suite.ts";
import { natsBench, Users } from "./nats-bench.ts";

describe.skipIf(PROGRAMS.length === 0)("one server", () => {
	for (const program of PROGRAMS)
		describeLog(`a log in nats-server ${program.version}`, async () => {
			const users = new Users();
			return natsBench(await startEngine(program, { config: users.config }), users);
		});
});
