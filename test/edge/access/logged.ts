/** A request that is over, as the access log and traces read it, with what a test says of it. */
import type { LoggedRequest } from "../../../src/edge/access/logged-request.ts";
import { FlatHeaders, NO_HEADERS } from "../../../src/edge/request/header-lines.ts";
import type { Place } from "../../../src/policy/exchange.ts";

/** Of an action of the inbound rules. */
export const placeOf = (ruleIndex: number, ruleName: string, actionIndex = 0): Place => ({
	phase: "inbound",
	ruleIndex,
	ruleName,
	expressionIndex: -1,
	actionIndex,
});

interface Said extends Partial<Omit<LoggedRequest, "head">> {
	readonly head?: Partial<LoggedRequest["head"]>;
	/** name, value, name, value, … */
	readonly fields?: readonly string[];
}

export const loggedRequest = ({ head, fields = [], ...said }: Said = {}): LoggedRequest => ({
	edgeId: "e",
	routeId: "r",
	requestId: "id-1",
	loggedIp: "192.0.2.1",
	geo: { countryCode: "" },
	host: "h",
	httpVersion: "HTTP/1.1",
	endpointProtocol: "http",
	endpointPort: 80,
	tlsVersion: "",
	tlsSni: "",
	tlsJa4: "",
	responseHeaders: NO_HEADERS,
	requestReceivedMs: Date.now(),
	bytesIn: 1,
	bytesOut: 2,
	logs: [],
	reports: [],
	answeredBy: "upstream",
	errorCode: undefined,
	failure: undefined,
	endedBy: undefined,
	limit: undefined,
	marks: undefined,
	trace: undefined,
	head: {
		method: "GET",
		rawPath: "/x",
		rawQuery: undefined,
		lines: new FlatHeaders(fields),
		...head,
	},
	...said,
});
