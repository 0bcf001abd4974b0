/**
 * A request of the API: the parts that handlers need, copied in the synchronous part of the library's handler, because
 * neither the library's own request object nor what the front hands over outlives it. Made by `incoming.ts`.
 */
import { randomFillSync } from "node:crypto";
import { AuditNotes } from "../audit/notes.ts";
import { FleetNotes } from "../fleet/fleet-notes.ts";
import type { Identity } from "./identity.ts";

const ID_BYTES = 12;

/** Drawn for many requests at a time, since drawing costs more than the bytes. */
const drawn = Buffer.alloc(128 * ID_BYTES);
let at = drawn.length;

function randomId(): string {
	if (at === drawn.length) {
		randomFillSync(drawn);
		at = 0;
	}
	at += ID_BYTES;
	return drawn.toString("hex", at - ID_BYTES, at);
}

export class ApiRequest {
	/** as sent; methods are case-sensitive */
	readonly method: string;
	/** raw, without query */
	readonly path: string;
	/** raw, without `?`; empty if there is none */
	readonly query: string;
	/** name, value, …; names in lower case */
	readonly fields: readonly string[];
	/** who sent it; known as soon as its key is, so undefined where none was valid or needed */
	identity: Identity | undefined;
	/** the random part of `request-id` and of `operation_id` */
	readonly id: string;
	/** filled while the request is worked on */
	readonly notes = new AuditNotes();
	readonly fleet = new FleetNotes();

	constructor(method: string, path: string, query: string, fields: readonly string[]) {
		this.method = method;
		this.path = path;
		this.query = query;
		this.fields = fields;
		this.id = randomId();
	}

	/** Values of every line of this field. */
	headers(name: string): readonly string[] {
		const values: string[] = [];
		for (let index = 0; index < this.fields.length; index += 2) {
			if (this.fields[index] === name) values.push(this.fields[index + 1] ?? "");
		}
		return values;
	}
}
