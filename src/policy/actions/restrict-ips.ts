/** restrict-ips (contract 5): lets requests pass by the client's address. */
import { z } from "zod";
import type { Template } from "../../cel/expression.ts";
import { fail, ok } from "../../errors.ts";
import { type AddressRange, addressRangeOf, rangeText } from "../../http/address-range.ts";
import { AddressSet } from "../../http/address-set.ts";
import { LIMITS } from "../../limits/limits.ts";
import { INTERPOLATED, text } from "../document/fields.ts";
import { isText, member } from "../document/members.ts";
import type { FieldProblem } from "../programs/problem.ts";
import type { Action, ActionLint, Prepare } from "./action.ts";
import { type Entries, RestrictIps } from "./restrict-ips/run.ts";

/** An id of the management API, maybe with a `!`. */
const LIST = new RegExp(`^!?[A-Za-z0-9_.-]{1,${LIMITS.idCharacters}}$`);

const addresses = z
	.array(text(LIMITS.expressionBytes))
	.meta({ maxItems: LIMITS.addressesPerAction })
	.optional();

const config = z
	.strictObject({
		allow: addresses.describe(
			`Addresses and ranges (CIDR); one has to hold the client's address, where any is given. ${INTERPOLATED}`,
		),
		deny: addresses.describe(
			`Addresses and ranges that must not hold it, also where one of \`allow\` does. ${INTERPOLATED}`,
		),
		lists: z
			.array(z.string().regex(LIST, 'is no name of an address list: write "office", or "!blocked"'))
			.meta({ maxItems: LIMITS.listsPerAction })
			.optional()
			.describe(
				"Names of stored address lists (`/ip-lists/{id}`), which count as entries of `allow`; with `!` in front as entries of `deny`.",
			),
		enforce: z.boolean().optional().describe("Default true; false only reports."),
	})
	.meta({ minProperties: 1 });

const NOT = "!";

/** What the submitted names mean; what is no name is left out, as the schema reports it. */
function listsIn(submitted: Readonly<Record<string, unknown>>): ListNames {
	const given = member(submitted, "lists");
	const names = (Array.isArray(given) ? given : []).filter(
		(name): name is string => typeof name === "string" && LIST.test(name),
	);
	return {
		allow: names.filter((name) => !name.startsWith(NOT)),
		deny: names.filter((name) => name.startsWith(NOT)).map((name) => name.slice(NOT.length)),
	};
}

interface ListNames {
	readonly allow: readonly string[];
	readonly deny: readonly string[];
}

const prepare: Prepare = (submitted, phase, compiler) => {
	const problems: FieldProblem[] = [];
	const lists = listsIn(submitted);
	const entriesOf = (field: "allow" | "deny"): Entries => {
		const ranges: AddressRange[] = [];
		const texts = new Map<string, string>();
		const templates: Template[] = [];
		const given = member(submitted, field);
		for (const [index, entry] of (Array.isArray(given) ? given : []).entries()) {
			if (!isText(entry, LIMITS.expressionBytes)) continue;
			const path = [field, index];
			const compiled = compiler.field(entry, phase, path);
			if (!compiled.ok) problems.push(...compiled.error);
			if (!compiled.ok) continue;
			const { literal } = compiled.value;
			if (literal === undefined) {
				templates.push(compiled.value);
				continue;
			}
			const range = addressRangeOf(literal);
			if (!range.ok) problems.push({ path, code: "invalid_address", message: range.error });
			if (!range.ok) continue;
			ranges.push(range.value);
			texts.set(rangeText(range.value), literal);
		}
		return { set: AddressSet.of(ranges), texts, templates, lists: lists[field] };
	};
	const [allow, deny] = [entriesOf("allow"), entriesOf("deny")];
	if (FIELDS.every((field) => isEmpty(member(submitted, field)))) {
		const message =
			'needs an entry in "allow", "deny" or "lists"; without any it would let everybody pass';
		problems.push({ path: [], code: "required", message });
	}
	if (problems.length > 0) return fail(problems);
	const enforce = member(submitted, "enforce") !== false;
	return ok((context) => new RestrictIps(allow, deny, enforce, context));
};

const FIELDS = ["allow", "deny", "lists"] as const;

const isEmpty = (list: unknown): boolean =>
	list === undefined || (Array.isArray(list) && list.length === 0);

const onlyDeny: ActionLint<z.infer<typeof config>> = {
	code: "deny_only",
	finds:
		"A restrict-ips has `deny` and no `allow`: here everybody else passes, where the published product refuses everybody.",
	remedy: "Nothing, if that is meant. Else list in `allow` who may pass.",
	inspect: ({ allow = [], deny = [], lists = [] }) =>
		allow.length > 0 || lists.some((name) => !name.startsWith(NOT))
			? []
			: [
					{
						path: [deny.length > 0 ? "deny" : "lists"],
						message:
							'whoever is not listed passes; other products refuse everybody where there is no "allow": list there who may pass, if that is meant',
					},
				],
};

export const restrictIps: Action<typeof config> = {
	config,
	defaults: { allow: [], deny: [], lists: [], enforce: true },
	phases: ["inbound"],
	ends: { when: "sometimes", with: "refusal" },
	changes: [],
	texts: { allow: "template", deny: "template" },
	results: {
		action: {
			type: "string",
			doc: "`allow` or `deny`: what became of the request, or would have.",
		},
		matched_cidr: {
			type: "string",
			doc: "The entry that decided, as it is written in the policy, or the range of the list that did; empty if none did.",
		},
	},
	lints: [onlyDeny],
	addressLists: ({ lists }) =>
		(Array.isArray(lists) ? lists : []).flatMap((name: unknown, index) =>
			typeof name === "string" ? [{ path: ["lists", index], name: name.replace(NOT, "") }] : [],
		),
	prepare,
	documentation: {
		purpose:
			"Lets requests pass whose address (`conn.client_ip`) is in one of `allow`, or any where none is given, and in none of " +
			"`deny`. The narrowest entry that holds the address is the one that is told. IPv4 addresses in IPv6 form count as " +
			"IPv4. The number of entries hardly matters: they are made ready once. What several policies share, or what changes " +
			"often, stands in address lists of their own (`PUT /ip-lists/{id}`), which `lists` names: a change of a list is in " +
			"force at once, and no policy is compiled for it.",
		effect:
			"Anybody else gets 403 with a small JSON body (`ERR_ADDRESS_REFUSED`); outbound rules don't run. An entry with an " +
			"expression that comes out as no address fails the request with 500.",
		example: {
			document: {
				inbound: [
					{
						name: "The admin pages are for the office, but not for its guests",
						expressions: ["req.url.path.startsWith('/admin')"],
						actions: [
							{
								type: "restrict-ips",
								config: { allow: ["10.0.0.0/8", "2001:db8::/32"], deny: ["10.9.0.0/16"] },
							},
						],
					},
				],
			},
			requests: [
				{ url: "http://shop.example/admin", clientIp: "10.1.2.3", becomes: "passes" },
				{ url: "http://shop.example/admin", clientIp: "10.9.2.3", becomes: "403" },
				{ url: "http://shop.example/admin", clientIp: "192.0.2.7", becomes: "403" },
				{ url: "http://shop.example/cart", clientIp: "192.0.2.7", becomes: "passes" },
			],
		},
	},
};
