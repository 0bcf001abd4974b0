/** The line in the log; `tunnels.test.ts` beside it has the rest. */
import { expect, it } from "vitest";
import { OpenTunnel } from "../../../src/edge/tunnels/open-tunnel.ts";

it("tells how long it was open and what went through it, and keeps letters as they are", () => {
	const request = {
		...{ edgeId: "e", routeId: "r", host: "h.example", loggedIp: "::1" },
		head: { rawPath: "/été" },
	};
	const entry = new OpenTunnel(request, "foo/1", true, 1000);
	expect(entry.line({ by: "drain", bytesIn: 3, bytesOut: 4 }, 3500)).toEqual({
		...{ edge: "e", route: "r", protocol: "foo/1", host: "h.example", path: "/été" },
		...{ client_ip: "::1", ended_by: "drain", duration_ms: 2500, bytes_in: 3, bytes_out: 4 },
	});
});
