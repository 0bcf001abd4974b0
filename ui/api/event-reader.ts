/**
 * From the bytes of a `text/event-stream` to its events (HTML standard, 9.2.6), piece by piece. `EventSource` can't send
 * the `authorization` field. Fed by live-connection.ts.
 */

export interface ServerEvent {
	readonly event: string;
	readonly data: string;
}

export class EventReader {
	#rest = "";
	#event = "";
	#data: string[] = [];

	/** @returns the events that this piece has completed */
	push(piece: string): ServerEvent[] {
		const events: ServerEvent[] = [];
		const lines = (this.#rest + piece).split("\n");
		this.#rest = lines.pop() ?? "";
		for (const each of lines) {
			const line = each.endsWith("\r") ? each.slice(0, -1) : each;
			if (line !== "") this.#field(line);
			else if (this.#data.length > 0) events.push(this.#taken());
			else this.#event = "";
		}
		return events;
	}

	#field(line: string): void {
		const colon = line.indexOf(":");
		if (colon === 0) return; // a comment
		const name = colon < 0 ? line : line.slice(0, colon);
		const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
		if (name === "event") this.#event = value;
		if (name === "data") this.#data.push(value);
	}

	#taken(): ServerEvent {
		const event = {
			event: this.#event === "" ? "message" : this.#event,
			data: this.#data.join("\n"),
		};
		this.#event = "";
		this.#data = [];
		return event;
	}
}
