/** Which NATS servers a fleet may stand on, told from what a server says when it is connected to. */

export interface ServerFacts {
	readonly version: string;
	/** bytes */
	readonly max_payload: number;
	/** name of its cluster; none: it is alone */
	readonly cluster?: string;
	readonly jetstream?: boolean;
}

const NEEDED = "nats-server 2.12 or newer";
const OLDEST = [2, 9];
const OLDEST_IN_CLUSTERS = [2, 10];
const GOOD = [2, 12];

export function isAtLeast(version: string, [major = 0, minor = 0]: readonly number[]): boolean {
	const [found, foundMinor] = version.split(".").map(Number);
	return (found ?? 0) > major || (found === major && (foundMinor ?? 0) >= minor);
}

/** @returns why it can't carry a fleet, a sentence with the remedy; undefined: it can */
export function serverProblem(
	place: string,
	{ version, cluster, max_payload: payload }: ServerFacts,
	minPayloadBytes: number,
): string | undefined {
	if (!isAtLeast(version, OLDEST))
		return `${place} is nats-server ${version}, which is too old for a fleet: ${NEEDED} is needed.`;
	if (cluster !== undefined && !isAtLeast(version, OLDEST_IN_CLUSTERS))
		return `${place} is nats-server ${version} in the cluster ${cluster}; clusters of 2.9 lose acknowledged writes: ${NEEDED} is needed, or one server alone.`;
	if (payload < minPayloadBytes)
		return `${place} takes messages of ${payload} bytes, and a policy can need ${minPayloadBytes}: write \`max_payload: ${megabytes(minPayloadBytes)}MB\` into its nats-server.conf and reload it (\`nats-server --signal reload\`).`;
	return undefined;
}

/** 8 MB is what the examples have; a number that fits all is easier to compare than one that just fits. */
const megabytes = (bytes: number): number => Math.max(8, Math.ceil(bytes / 1_048_576));

/** @returns what works and should be better, as a sentence */
export function serverWarning(place: string, { version }: ServerFacts): string | undefined {
	if (isAtLeast(version, GOOD)) return undefined;
	const why = isAtLeast(version, OLDEST_IN_CLUSTERS)
		? "before 2.12 its compare-and-set is not quite safe while a cluster changes its leader"
		: "it has no `sync_interval: always`, so a power cut can take acknowledged writes with it";
	return `${place} is nats-server ${version}: ${why}. ${NEEDED} is recommended.`;
}
