/**
 * What the API needs of a request, copied in the synchronous part of the library's handler, after which
 * its own request object is gone. Made by `server.ts`, read by everything else in this room.
 */
import { randomBytes } from "node:crypto";
import type { HttpRequest } from "../../http/uws.ts";

export class ApiRequest {
	/** as sent; methods are case-sensitive */
	readonly method: string;
	/** raw, without query */
	readonly path: string;
	/** raw, without `?`; empty if there is none */
	readonly query: string;
	/** name, value, …; names in lower case */
	readonly fields: readonly string[];
	/** the random part of `request-id` and of `operation_id` */
	readonly id: string;

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
