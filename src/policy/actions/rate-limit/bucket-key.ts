/**
 * The key of a rate-limit's bucket (contract 5): the four forms that an element of `bucket_key` may have beside other
 * expressions, and the key that a request gets. `elements.ts` parses elements, `run.ts` and `weighed-run.ts` read keys.
 */
import { asciiLowerCase } from "../../../ascii.ts";
import type { Attributes } from "../../../cel/attributes.ts";
import type { ValueTemplate } from "../../../cel/expression.ts";
import { nearest, quoted } from "../../../documents/nearest.ts";
import { fail, ok, type Result } from "../../../errors.ts";
import { isFieldName } from "../../../http/fields.ts";
import type { KeyPart } from "../../admission.ts";
import { countedAddress } from "./counted-address.ts";

/** What can be read off a request without evaluating anything. */
export type KeyForm =
	| { readonly kind: "host" }
	| { readonly kind: "client_ip" }
	/** name in lower case */
	| { readonly kind: "header"; readonly name: string };

export type KeyElement =
	| KeyForm
	/** any other expression; its text, without blanks around it */
	| { readonly kind: "expression"; readonly source: string; readonly value: ValueTemplate };

const HOST_FORM = /^req\s*\.\s*host$/;
const CLIENT_IP_FORM = /^conn\s*\.\s*client_ip$/;
const HEADER_FORMS =
	/^(?:req\s*\.\s*headers\s*\[\s*(['"])([^'"]*)\1\s*\]|getReqHeader\s*\(\s*(['"])([^'"]*)\3\s*\))$/;

const FORMS =
	"req.host, conn.client_ip, req.headers['name'], getReqHeader('Name'), any other CEL expression";

/** Elements as older documents spell them, and their spelling today. */
const TODAYS_ELEMENTS: Readonly<Record<string, string>> = {
	"conn.clientip": "conn.client_ip",
	"conn.ip": "conn.client_ip",
	"req.clientip": "conn.client_ip",
	"req.client_ip": "conn.client_ip",
	client_ip: "conn.client_ip",
	host: "req.host",
};

/** @returns the form, or a sentence that names the four */
export function parseKeyForm(text: string): Result<KeyForm, string> {
	if (HOST_FORM.test(text)) return ok({ kind: "host" });
	if (CLIENT_IP_FORM.test(text)) return ok({ kind: "client_ip" });
	const match = HEADER_FORMS.exec(text);
	if (match === null) return fail(`unknown bucket_key element ${quoted(text)}${meantForm(text)}`);
	const name = match[2] ?? match[4] ?? "";
	if (!isFieldName(name)) return fail(`${quoted(name)} is no header name`);
	return ok({ kind: "header", name: asciiLowerCase(name) });
}

/** The form that is most likely meant by a text that is neither a form nor an expression. */
function meantForm(text: string): string {
	const lower = asciiLowerCase(text);
	const known = Object.hasOwn(TODAYS_ELEMENTS, lower) ? TODAYS_ELEMENTS[lower] : undefined;
	const old =
		/^req\.headers\[(['"])([^'"]*)\1\]$/i.exec(text) ??
		/^getreqheader\((['"])([^'"]*)\1\)$/i.exec(text);
	const meant =
		known ?? (old ? `req.headers['${old[2]}']` : nearest(text, ["req.host", "conn.client_ip"]));
	return meant === undefined ? `; valid: ${FORMS}` : `; did you mean "${meant}"? Valid: ${FORMS}`;
}

/** One spelling for each element: equal text means equal element. */
export function canonicalElement(element: KeyElement): string {
	switch (element.kind) {
		case "host":
			return "req.host";
		case "client_ip":
			return "conn.client_ip";
		case "header":
			return `req.headers['${element.name}']`;
		case "expression":
			return element.source;
	}
}

/** `host` may be written in several ways that lead to the same edge; all of them are one bucket. */
const isHostField = (element: KeyForm): boolean =>
	element.kind === "header" && element.name === "host";

/**
 * Reads the key of one request into `parts`, one part for each element that is a form. Hot: the caller gives the same
 * array every time. An absent header, an empty one and several lines of one are different keys.
 * @param ipv6Prefix how many bits of an IPv6 address count
 */
export function readKey(
	elements: readonly KeyElement[],
	attributes: Attributes,
	ipv6Prefix: number,
	parts: KeyPart[],
): void {
	for (let index = 0; index < elements.length; index++) {
		const element = elements[index];
		if (element === undefined || element.kind === "expression") continue;
		if (element.kind === "host" || isHostField(element)) parts[index] = attributes.host;
		else if (element.kind === "client_ip") {
			parts[index] = countedAddress(attributes.clientIp, ipv6Prefix);
		} else {
			const lines = attributes.requestHeaders.lines(element.name);
			parts[index] = lines.length > 1 ? lines : lines[0];
		}
	}
}
