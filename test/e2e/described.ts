/** The description that a server publishes of itself, `/openapi.json`, and the judge of answers by it. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { ERROR_CODES } from "../../src/error-codes.ts";
import type { Answer } from "./harness.ts";

interface Response {
	readonly $ref?: string;
	readonly headers?: Readonly<
		Record<string, { readonly required?: boolean; readonly schema: object }>
	>;
	readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

export interface Operation {
	/** `GET /edges/https/{edge_id}` */
	readonly name: string;
	readonly method: string;
	readonly pattern: string;
	readonly parameters: readonly { readonly in: string; readonly name: string }[];
	readonly takesBody: boolean;
	readonly takesYaml: boolean;
	/** its answer goes on until the client leaves */
	readonly streams: boolean;
	/** the least role that a key needs; undefined: none needed */
	readonly role: string | undefined;
	/** every code that its refusals may carry */
	readonly codes: readonly string[];
	/** statuses other than refusals */
	readonly successes: readonly string[];
	readonly responses: Readonly<Record<string, Response>>;
}

// biome-ignore lint/suspicious/noExplicitAny: a JSON document is looked into
type Document = any;

const escaped = (segment: string): string => segment.replaceAll("~", "~0").replaceAll("/", "~1");

export class Described {
	readonly operations: readonly Operation[];
	readonly #document: Document;
	readonly #ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
	readonly #compiled = new Map<string, ValidateFunction>();

	constructor(document: Document) {
		this.#document = document;
		this.#ajv.addSchema(document, "weir");
		this.operations = Object.entries<Document>(document.paths).flatMap(([pattern, path]) =>
			Object.entries<Document>(path)
				.filter(([method]) => method !== "parameters")
				.map(([method, operation]) => this.#operation(pattern, method, path, operation)),
		);
	}

	#operation(pattern: string, method: string, path: Document, operation: Document): Operation {
		const names = Object.keys(operation.responses);
		const references = Object.values<Response>(operation.responses).map(({ $ref = "" }) => $ref);
		return {
			name: `${method.toUpperCase()} ${pattern}`,
			method: method.toUpperCase(),
			pattern,
			parameters: [...(path.parameters ?? []), ...(operation.parameters ?? [])],
			takesBody: operation.requestBody !== undefined,
			takesYaml: operation.requestBody?.content["application/yaml"] !== undefined,
			streams: operation.responses[200]?.content?.["text/event-stream"] !== undefined,
			role: operation.security[0]?.bearer[0],
			codes: references.flatMap((name) => name.match(/ERR_[A-Z_]+/g) ?? []),
			successes: names.filter((status) => operation.responses[status].$ref === undefined),
			responses: operation.responses,
		};
	}

	/** Everything about an answer that is not as it is described; empty if nothing. */
	complaints({ name, method, pattern, responses }: Operation, answer: Answer): string[] {
		const status = String(answer.status);
		const listed = responses[status];
		const at = `${name} answered ${status}`;
		if (listed === undefined) {
			return [`${at}, which /openapi.json does not list for it: ${answer.body.slice(0, 300)}`];
		}
		const place =
			listed.$ref?.slice(2) ??
			`paths/${escaped(pattern)}/${method.toLowerCase()}/responses/${status}`;
		const response: Response =
			listed.$ref === undefined
				? listed
				: this.#document.components.responses[listed.$ref.split("/").at(-1) ?? ""];
		return [
			...this.#headerComplaints(at, response, answer),
			...this.#bodyComplaints(at, place, response, answer),
		];
	}

	#headerComplaints(at: string, { headers = {} }: Response, answer: Answer): string[] {
		return Object.entries(headers).flatMap(([field, { required = false, schema }]) => {
			const value = answer.headers[field];
			if (value === undefined) return required ? [`${at} without the field ${field}`] : [];
			const isNumber = (schema as { type?: string }).type === "integer";
			const valid = this.#ajv.validate(schema, isNumber ? Number(value) : value);
			return valid ? [] : [`${at} with ${field}: ${value}, ${this.#ajv.errorsText()}`];
		});
	}

	#bodyComplaints(at: string, place: string, { content }: Response, answer: Answer): string[] {
		const given = answer.headers["content-type"];
		if (content === undefined) {
			return answer.body === "" && given === undefined ? [] : [`${at} with a body, but has none`];
		}
		const type = Object.keys(content).find(
			(each) => given?.split(";")[0] === each || each === "*/*",
		);
		if (type === undefined) return [`${at} with the content-type ${given}`];
		if (type !== "application/json") return [];
		const schema = `weir#/${place}/content/${escaped(type)}/schema`;
		const validate = this.#compiled.get(schema) ?? this.#ajv.compile({ $ref: encodeURI(schema) });
		this.#compiled.set(schema, validate);
		if (validate(JSON.parse(answer.body))) return [];
		const words = this.#ajv.errorsText(validate.errors, { separator: "; " });
		return [`${at} with a body that is not as described: ${words}\n${answer.body.slice(0, 500)}`];
	}
}

export const statusOf = (code: string): number =>
	ERROR_CODES[code as keyof typeof ERROR_CODES].status;
