/** In whose name a request writes, and that its answer learns the revision. */
import { expect, it } from "vitest";
import { originOf } from "../../../src/management/fleet/write-origin.ts";
import { ApiRequest } from "../../../src/management/http/request.ts";

it("names time, key and request, and notes the revision", () => {
	const request = new ApiRequest("PUT", "/", "", []);
	request.identity = { id: "key_a", name: "ci", role: "admin" };
	const origin = originOf(request);
	expect(origin).toMatchObject({ key: "key_a", requestId: `req_${request.id}`, isAwaited: false });
	expect(Date.parse(origin.at)).toBeGreaterThan(0);
	origin.onRevision?.(7, "d");
	expect(request.fleet.revision).toBe(7);
	request.fleet.waitMs = 1;
	expect(originOf(request).isAwaited).toBe(true);
});
