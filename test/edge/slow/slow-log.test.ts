import { expect, it } from "vitest";
import { SlowLog } from "../../../src/edge/slow/slow-log.ts";
import type { Log } from "../../../src/telemetry/log.ts";

it("logs one line a second for each reason, and how many went without one", () => {
	const lines: unknown[] = [];
	const warn = (fields: object) => lines.push({ ...fields });
	const log = new SlowLog({ warn } as unknown as Log);
	const request = { edgeId: "e", routeId: "r", loggedIp: "192.0.2.1" };
	for (let each = 0; each < 100; each++) log.ended(request, "upload", "rate", each);
	log.ended(request, "upload", "place", 100);
	log.ended(request, "upload", "rate", 1000);
	const line = { edge: "e", route: "r", client_ip: "192.0.2.1", direction: "upload" };
	expect(lines).toEqual([
		{ ...line, reason: "rate" },
		{ ...line, reason: "place" },
		{ ...line, reason: "rate", and_before: 99 },
	]);
});
