/** What the live page is told besides events, about routes and rate-limits (docs/management-api.md, "Live"). A part of `shapes.ts`. */

/** `unreadable`: the stored document can't be read. */
export type PolicyState = "none" | "enabled" | "disabled" | "unreadable";

export interface LiveRoute {
	readonly edge_id: string;
	readonly id: string;
	readonly uri: string;
	readonly match_type: "exact_path" | "path_prefix";
	readonly match: string;
	/** of its edge, the first ten */
	readonly hostports: readonly string[];
	readonly backends: readonly string[];
	readonly requests_per_second: number;
	readonly errors_per_second: number;
	readonly refusals_per_second: number;
	readonly requests: number;
	readonly errors: number;
	readonly refusals: number;
	readonly policy: {
		readonly state: PolicyState;
		/** rules of both phases */
		readonly rules: number;
		/** rate-limits that it has */
		readonly rate_limits: number;
	};
}

/** `name`: edge and id. */
export type RouteSort =
	| "name"
	| "requests_per_second"
	| "errors_per_second"
	| "refusals_per_second"
	| "requests"
	| "errors"
	| "refusals";
export type SortOrder = "asc" | "desc";

/** `GET /live/routes?q=&sort=&order=&page=&per_page=`; pages count from 1. */
export interface LiveRoutes {
	readonly routes: readonly LiveRoute[];
	readonly page: number;
	readonly per_page: number;
	/** routes that `q` finds */
	readonly found: number;
	readonly total: number;
}

export interface LiveLimit {
	readonly edge_id: string;
	readonly route_id: string;
	/** index of the rule, from 0 */
	readonly rule: number;
	readonly rule_name: string;
	readonly action: number;
	readonly name: string;
	/** admissions of one key in a window */
	readonly capacity: number;
	/** the window, e.g. `60s` */
	readonly rate: string;
	readonly bucket_key: readonly string[];
	readonly enforce: boolean;
	readonly admitted: number;
	readonly rejected: number;
	readonly admitted_per_second: number;
	readonly rejected_per_second: number;
	/** keys that are counted now */
	readonly live_keys: number;
	/** what is left of the one bucket of a limit without keys; null: each key has its own */
	readonly remaining: number | null;
}

/** `GET /live/limits`: the hottest first, at most 100. */
export interface LiveLimits {
	readonly limits: readonly LiveLimit[];
	readonly left_out: number;
}
