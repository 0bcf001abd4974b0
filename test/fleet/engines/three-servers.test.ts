/** Every log's promises, in a cluster of three real servers. */
import { describe } from "vitest";
import { NEW_PROGRAM, startThree } from "../engine.ts";
import { describeLog } from "../log/suite.ts";
import { natsBench, Users } from "./nats-bench.ts";

describe.skipIf(NEW_PROGRAM === undefined)("three servers", () => {
	describeLog(`a log in three of nats-server ${NEW_PROGRAM?.version}`, async () => {
		if (NEW_PROGRAM === undefined) throw new Error("no program");
		const users = new Users();
		return natsBench(await startThree(NEW_PROGRAM, { config: users.config }), users);
	});
});
