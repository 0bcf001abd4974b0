/** The streams of a fleet as they must be, and how one that is there differs. Made and checked by `setup.ts`. */
import { LIMITS } from "../../../limits/limits.ts";
import type { Names } from "./settings.ts";

export type StreamConfig = Readonly<Record<string, unknown>> & { readonly name: string };

const NANOSECONDS = 1_000_000;
const DUPLICATES_NS = 100 * NANOSECONDS;
const INCARNATION = /^incarnation (\S+)$/;

export interface LogOptions {
	readonly incarnation: string;
	/** 1 or 3 */
	readonly replicas: number;
	readonly maxBytes: number;
}

export function logConfig(
	names: Names,
	{ incarnation, replicas, maxBytes }: LogOptions,
): StreamConfig {
	return {
		name: names.log,
		// In the description, for 2.9 has no metadata.
		description: `incarnation ${incarnation}`,
		subjects: [names.append],
		storage: "file",
		retention: "limits",
		discard: "new",
		max_bytes: maxBytes,
		max_age: 0,
		max_msgs: -1,
		max_msgs_per_subject: -1,
		num_replicas: replicas,
		deny_delete: true,
		deny_purge: false,
		allow_rollup_hdrs: false,
		allow_direct: true,
		// A record that is given back after a loss is the same message again.
		duplicate_window: DUPLICATES_NS,
		republish: { src: names.append, dest: names.live },
	};
}

export function seenConfig(names: Names, replicas: number): StreamConfig {
	return {
		name: names.seen,
		subjects: [names.status("*")],
		storage: "memory",
		retention: "limits",
		discard: "old",
		max_age: LIMITS.fleetLevelMs * NANOSECONDS,
		max_msgs_per_subject: 1,
		num_replicas: replicas,
		allow_direct: true,
		duplicate_window: DUPLICATES_NS,
	};
}

/** An object store, as `nats object` makes it. */
export function snapshotsConfig(names: Names, replicas: number): StreamConfig {
	return {
		name: names.snapshots,
		subjects: [`$O.${names.bucket}.C.>`, `$O.${names.bucket}.M.>`],
		storage: "file",
		retention: "limits",
		discard: "new",
		max_age: 0,
		num_replicas: replicas,
		allow_rollup_hdrs: true,
		allow_direct: true,
		duplicate_window: DUPLICATES_NS,
	};
}

/** "" of a stream that no fleet has made */
export const incarnationOf = (config: Readonly<Record<string, unknown>>): string =>
	INCARNATION.exec(String(config.description ?? ""))?.[1] ?? "";

/** Settings that are not as they were asked for: old servers drop unknown ones without a word. */
export function differences(
	wanted: StreamConfig,
	found: Readonly<Record<string, unknown>>,
): readonly string[] {
	return Object.entries(wanted).flatMap(([name, value]) => {
		const is = JSON.stringify(found[name] ?? defaultOf(value));
		const asked = JSON.stringify(value);
		return is === asked ? [] : [`${name} is ${is}, not ${asked}`];
	});
}

/** Servers leave out what is false or nothing. */
const defaultOf = (value: unknown): unknown => (value === false || value === 0 ? value : null);
