/** A request with a token as workers see it, for tests. */

import { FlatHeaders } from "../../../src/edge/request/header-lines.ts";
import type { BeginningRequest, EndedRequest } from "../../../src/edge/seen/request-notes.ts";

export const beginning = (...lines: readonly string[]): BeginningRequest => ({
	...{ requestId: "id-1", nowMs: 1000, peer: "192.0.2.1", clientIp: "192.0.2.7" },
	head: {
		...{ method: "GET", rawPath: "/x", rawQuery: "q=1", host: "a.example" },
		lines: new FlatHeaders(lines),
	},
	listenerContext: { listener: { host: "0.0.0.0" }, port: 80, scheme: "http", sni: "" },
	client: { port: 4711, startMs: 900, bytesIn: 10, bytesOut: 0, isHttp10: false },
	...{ tlsVersion: "", tlsSni: "", tlsJa4: "" },
});

export const ended: EndedRequest = {
	...{ nowMs: 2000, edgeId: "e", routeId: "r", answeredBy: "deny" },
	...{ errorCode: undefined, failure: undefined, limit: undefined },
	endedBy: { phase: "inbound", ruleIndex: 2, ruleName: "no", expressionIndex: -1, actionIndex: 0 },
};
