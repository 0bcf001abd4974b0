/** Refusals by the ids of their requests: the last ones, and no more than may be. */
import { describe, expect, it } from "vitest";
import { Decisions } from "../../../src/management/live/decisions.ts";
import type { Refusal } from "../../../src/management/live/shapes.ts";

const refusal = (request_id: string | null, status = 403): Refusal => ({
	...{ id: "1", ts: 1, request_id, client_ip: "::1", edge_id: "e", route_id: "r", method: "GET" },
	...{ host: "a", path: "/", status, reason: "deny", rule: null, limit: null, worker: 0 },
});

describe("decisions", () => {
	it("are found by the request's id, the last of them", () => {
		const decisions = new Decisions();
		decisions.add([refusal("a"), refusal(null), refusal("a", 404)]);
		expect(decisions.find("a")?.status).toBe(404);
		expect(decisions.find("b")).toBeUndefined();
	});

	it("are forgotten, the oldest first, where there are more than may be", () => {
		let most = 2;
		const decisions = new Decisions(() => most);
		decisions.add([refusal("a"), refusal("b"), refusal("a"), refusal("c")]);
		expect(["a", "b", "c"].map((id) => decisions.find(id) !== undefined)).toEqual([
			true,
			false,
			true,
		]);
		most = 0;
		decisions.add([]);
		expect(decisions.find("c")).toBeUndefined();
	});

	it("are waited for, until workers have told of them or had the time to", async () => {
		const decisions = new Decisions();
		const soon = decisions.arrives("a");
		decisions.add([refusal("a")]);
		expect((await soon)?.request_id).toBe("a");
		const never = decisions.arrives("b");
		decisions.add([]);
		expect(await never).toBeUndefined();
	});
});
