/** What a policy leaves for a request's line, and the names of reports. */
import { expect, it } from "vitest";
import { hasPolicyLog, reportName } from "../../../src/edge/access/logged-request.ts";
import { loggedRequest, placeOf } from "./logged.ts";

it("is entries of log actions, and reports", () => {
	expect(hasPolicyLog(loggedRequest())).toBe(false);
	expect(hasPolicyLog(loggedRequest({ logs: [null] }))).toBe(true);
	const reports = [{ place: placeOf(0, ""), type: "deny" }];
	expect(hasPolicyLog(loggedRequest({ reports }))).toBe(true);
});

it("names reports after actions", () => {
	expect(reportName("close-connection")).toBe("would_close_connection");
});
