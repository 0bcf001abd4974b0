/** Whether the engine's servers write to disk before they acknowledge, which only their monitoring tells. */

const PATIENCE_MS = 5000;

interface JetStreamFacts {
	readonly config?: { readonly sync_always?: boolean };
}

/** @param monitors `http://nats-1:8222` @returns warnings; none: every server says that it does */
export async function syncWarning(monitors: readonly string[]): Promise<readonly string[]> {
	if (monitors.length === 0)
		return [
			"Whether the engine writes to disk before it acknowledges can't be seen from here: write `sync_interval: always` into `jetstream` of every nats-server.conf, and name a monitoring address with --monitor to have it looked at.",
		];
	const told = await Promise.all(monitors.map(warningOf));
	return told.filter((warning) => warning !== undefined);
}

async function warningOf(monitor: string): Promise<string | undefined> {
	try {
		const answer = await fetch(new URL("/jsz?config=1", monitor), {
			signal: AbortSignal.timeout(PATIENCE_MS),
		});
		const { config } = (await answer.json()) as JetStreamFacts;
		return config?.sync_always === true
			? undefined
			: `${monitor} does not write to disk before it acknowledges, so a power cut takes acknowledged writes with it: write \`sync_interval: always\` into \`jetstream\` of its nats-server.conf, and start it again.`;
	} catch (error) {
		const { message, cause } = error as Error;
		const why = cause instanceof Error ? cause.message : message;
		return `${monitor} does not tell whether it writes to disk before it acknowledges (${why}): give its nats-server.conf \`http: 127.0.0.1:8222\`, and name that address.`;
	}
}
