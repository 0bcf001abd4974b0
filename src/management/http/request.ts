/**
 * A request of the API: the parts that handlers need, copied in the synchronous part of the library's handler, because
 * the library's own request object does not outlive it. Made by `server.ts`.
 */
import { randomBytes } from "node:crypto";
import type { HttpRequest } from "../../http/uws.ts";
import { AuditNotes } from "../audit/notes.ts";
import type { Identity } from "./identity.ts";

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

	constructor(request: HttpRequest) {
		this.method = request.getCaseSensitiveMethod();
		this.path = request.getUrl();
		this.query = request.getQuery() ?? "";
		const fields: string[] = [];
		request.forEach((name, value) => {
			fields.push(name, value);
		});
		this.fields = fields;
		this.id = randomBytes(12).toString("hex");
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
