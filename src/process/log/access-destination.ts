/**
 * The destination that access lines have of their own (`log.access_destination`), in a worker: opened, replaced and opened
 * again with the worker's other log. Where they have none, or there are no access lines, they go where the others go.
 * Made by `worker/worker-logs.ts`.
 */
import type { Config } from "../../config.ts";
import type { AccessOutput } from "../../edge/access/access-log.ts";
import type { JsonLine } from "../../telemetry/json-bytes.ts";
import type { LineLog, Log } from "../../telemetry/log.ts";

type Settings = Pick<Config["log"], "access" | "accessDestination">;

/** @returns undefined: access lines go where the others go */
const destinationOf = ({ access, accessDestination }: Settings): string | undefined =>
	access && accessDestination !== null ? accessDestination : undefined;

export class AccessDestination implements AccessOutput {
	readonly #others: Pick<Log, "encoded">;
	readonly #open: (destination: string) => Log & LineLog;
	#destination: string | undefined;
	#log: (Log & LineLog) | undefined;

	/** @param open never fails: lines may go to stderr until the file is there */
	constructor(
		settings: Settings,
		others: Pick<Log, "encoded">,
		open: (destination: string) => Log & LineLog,
	) {
		this.#others = others;
		this.#open = open;
		this.settle(settings);
	}

	/** At a reload. */
	settle(settings: Settings): void {
		const destination = destinationOf(settings);
		if (destination === this.#destination) return;
		void this.#log?.close();
		this.#destination = destination;
		this.#log = destination === undefined ? undefined : this.#open(destination);
	}

	encoded(line: JsonLine): void {
		(this.#log ?? this.#others).encoded(line);
	}

	/** A line that is no JSON never stands among the others. */
	line(text: string): void {
		this.#log?.line(text);
	}

	/** @throws Error it can't be; the old one stays */
	reopen(): void {
		this.#log?.reopen();
	}

	/** As `Log.close`, where they have one. */
	close(): Promise<void> {
		return this.#log?.close() ?? Promise.resolve();
	}
}
