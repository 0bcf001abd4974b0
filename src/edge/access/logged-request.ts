/** A request as the access log and traces read it when it is over. `exchange.ts` implements it, `services.ts` hands it on. */
import type { HeaderLines } from "../../cel/attributes.ts";
import type { JsonValue } from "../../policy/exchange.ts";
import type { Reported, WithExtras } from "../extras.ts";

/** How it ended. */
type Ending = "answeredBy" | "errorCode" | "failure" | "endedBy" | "limit" | "marks" | "trace";

export interface LoggedRequest extends Readonly<Pick<WithExtras, Ending>> {
	readonly edgeId: string;
	readonly routeId: string;
	readonly requestId: string;
	/** empty: it is not known */
	readonly loggedIp: string;
	readonly geo: { readonly countryCode: string };
	readonly head: {
		readonly method: string;
		readonly rawPath: string;
		readonly rawQuery: string | undefined;
		readonly lines: HeaderLines;
	};
	readonly host: string;
	readonly httpVersion: string;
	readonly endpointProtocol: string;
	readonly endpointPort: number;
	readonly tlsVersion: string;
	readonly tlsSni: string;
	readonly tlsJa4: string;
	/** of the answer that rules saw */
	readonly responseHeaders: HeaderLines;
	readonly requestReceivedMs: number;
	readonly bytesIn: number;
	readonly bytesOut: number;
	readonly logs: readonly JsonValue[];
	readonly reports: readonly Reported[];
}

/** Has the policy left something for the request's line? */
export const hasPolicyLog = ({ logs, reports }: Pick<LoggedRequest, "logs" | "reports">): boolean =>
	logs.length > 0 || reports.length > 0;

export const reportName = (type: string): string => `would_${type.replaceAll("-", "_")}`;
