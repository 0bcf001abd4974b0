/** `DELETE /fleet/members/{member_id}`: a machine is forgotten, with an audit line, and only one that there is. */
import { expect, it } from "vitest";
import { expectError, startApi } from "../api.ts";
import { FakeFleet } from "./fake-fleet.ts";

it("forgets a machine, once", async () => {
	const fleet = new FakeFleet();
	const api = await startApi({ fleet });
	const answer = await api.send("DELETE", "/fleet/members/m_ams-1");
	expect([answer.status, answer.text]).toEqual([204, ""]);
	expect(fleet.asked).toEqual([["forget", "m_ams-1"]]);
	expect(api.audited.at(-1)).toMatchObject({
		...{ operation: "forgetMember", member: "m_ams-1", result: "deleted", status: 204 },
	});
	const unknown = await api.send("DELETE", "/fleet/members/m_no");
	expect(expectError(unknown, 404, "ERR_FLEET_MEMBER_NOT_FOUND").json.msg).toContain('"m_no"');
});

it("says that the engine can't be asked, or that there is no fleet", async () => {
	const fleet = new FakeFleet();
	fleet.isDown = true;
	const api = await startApi({ fleet });
	const answer = await api.send("DELETE", "/fleet/members/m_ams-1");
	expectError(answer, 503, "ERR_FLEET_UNAVAILABLE");
	expect(answer.headers.get("retry-after")).toBe("5");
	const alone = await startApi();
	expectError(await alone.send("DELETE", "/fleet/members/m_ams-1"), 404, "ERR_NO_FLEET");
});
