/** basic-auth (contract 5): lets requests pass that bring a user name and password of its list. */
import { z } from "zod";
import {
	EvaluationFailure,
	isSuspension,
	type Settled,
	type Suspension,
	type Template,
} from "../../cel/expression.ts";
import { mapFromStrings } from "../../cel/values/entry-map.ts";
import type { Value } from "../../cel/values/value.ts";
import { fail, ok } from "../../errors.ts";
import {
	Credentials,
	credentialOf,
	filledCredential,
	type HashedCredential,
	hashedWith,
	newSalt,
	type PlainCredential,
	presentedIn,
} from "../../http/credentials.ts";
import { LIMITS } from "../../limits/limits.ts";
import { INTERPOLATED, text } from "../document/fields.ts";
import { isText, member } from "../document/members.ts";
import type { Outcome, Place, PolicyExchange } from "../exchange.ts";
import { CONTINUE, FAILED, failedBy } from "../outcomes.ts";
import type { FieldProblem } from "../programs/problem.ts";
import type { Action, ActionContext, Prepare, RunnableAction } from "./action.ts";
import { sealedCredentials } from "./basic-auth/seal.ts";
import { isRead, leave } from "./results.ts";

const DEFAULT_REALM = "Restricted";

const config = z.strictObject({
	credentials: z
		.array(text(LIMITS.expressionBytes))
		.min(1)
		.meta({ minItems: 1, maxItems: LIMITS.credentialsPerAction })
		.describe(
			"`user:password`, which is stored and answered as `user:{sha256}SALT$HASH`, or that form. The hash is SHA-256 of salt " +
				`and password, one behind the other, in hexadecimal; a password has 8 to 128 characters. ${INTERPOLATED}`,
		),
	realm: z
		.string()
		.max(LIMITS.realmCharacters)
		.regex(/^[\u0020-\u007e]*$/, "must be printable ASCII")
		.optional()
		.describe(`Told to the client. Default \`${DEFAULT_REALM}\`.`),
	enforce: z.boolean().optional().describe("Default true; false only reports."),
	forward: z
		.boolean()
		.optional()
		.describe("Default true: the backend gets the `authorization` header; false takes it away."),
});

interface Settings {
	readonly known: readonly (HashedCredential | PlainCredential)[];
	/** credentials that are known with the request only */
	readonly templates: readonly Template[];
	readonly refusal: Outcome;
	readonly enforce: boolean;
	readonly forward: boolean;
}

const prepare: Prepare = (submitted, phase, compiler) => {
	const problems: FieldProblem[] = [];
	const known: (HashedCredential | PlainCredential)[] = [];
	const templates: Template[] = [];
	const given = member(submitted, "credentials");
	for (const [index, entry] of (Array.isArray(given) ? given : []).entries()) {
		if (!isText(entry, LIMITS.expressionBytes)) continue;
		const path = ["credentials", index];
		// not as a field: neither problems nor lints may repeat what may be a password
		const compiled = compiler.template(entry, phase);
		if (!compiled.ok) {
			for (const { code, line, column } of compiled.error) {
				const at = `line ${line}, column ${column}`;
				const message = `has an expression that does not compile (${at}); it is not repeated here, as it may hold a password`;
				problems.push({ path, code, message });
			}
			continue;
		}
		const { literal } = compiled.value;
		const credential = literal === undefined ? undefined : credentialOf(literal);
		if (credential === undefined) templates.push(compiled.value);
		else if (credential.ok) known.push(credential.value);
		else problems.push({ path, code: "invalid_credential", message: credential.error });
	}
	if (problems.length > 0) return fail(problems);
	const realm = member(submitted, "realm");
	const quoted = (typeof realm === "string" ? realm : DEFAULT_REALM).replace(/["\\]/g, "\\$&");
	const challenge: readonly [string, string] = [
		"www-authenticate",
		`Basic realm="${quoted}", charset="UTF-8"`,
	];
	const settings: Settings = {
		known,
		templates,
		refusal: Object.freeze({
			kind: "refused",
			reason: "credentials",
			headers: [challenge],
		}),
		enforce: member(submitted, "enforce") !== false,
		forward: member(submitted, "forward") !== false,
	};
	return ok((context) => new BasicAuth(settings, context));
};

export const basicAuth: Action<typeof config> = {
	config,
	defaults: { realm: DEFAULT_REALM, enforce: true, forward: true },
	phases: ["inbound"],
	ends: { when: "sometimes", with: "refusal" },
	changes: ["headers"],
	texts: { credentials: "template" },
	results: {
		credentials: {
			type: "map<string, dyn>",
			doc: "`presented` (bool): did the request bring any? `username` (string), and `authorized` (bool): are they known?",
		},
	},
	lints: [],
	seal: sealedCredentials,
	prepare,
	documentation: {
		purpose:
			"Lets requests pass that bring a user name and password of its list (RFC 7617). Passwords are stored as salted hashes, " +
			"and no answer, log line or message has them; putting the same password again changes nothing. All entries are " +
			"compared in the same time, whether one fits or not. SHA-256 is quick to compute, so a long random password is " +
			"worth more than a clever one.",
		effect:
			"Anybody else gets 401 with a small JSON body (`ERR_CREDENTIALS_REQUIRED`) and a challenge (`www-authenticate`), at which browsers ask " +
			"for a password; outbound rules don't run.",
		example: {
			document: {
				inbound: [
					{
						name: "The stage is for us",
						expressions: ["req.host.startsWith('stage.')"],
						actions: [
							{
								type: "basic-auth",
								config: { credentials: ["ada:correct horse battery"], realm: "Stage" },
							},
						],
					},
				],
			},
			requests: [
				{
					url: "http://stage.shop.example/",
					headers: [["authorization", "Basic YWRhOmNvcnJlY3QgaG9yc2UgYmF0dGVyeQ=="]],
					becomes: "passes",
				},
				{ url: "http://stage.shop.example/", becomes: "401" },
				{ url: "http://shop.example/", becomes: "passes" },
			],
		},
	},
};

class BasicAuth implements RunnableAction {
	readonly #known: Credentials;
	readonly #settings: Settings;
	readonly #place: Place;
	readonly #isRead: boolean;

	constructor(settings: Settings, context: ActionContext) {
		const salt = newSalt();
		this.#known = new Credentials(
			settings.known.map((each) => ("hash" in each ? each : hashedWith(salt, each))),
		);
		this.#settings = settings;
		this.#place = context.place;
		this.#isRead = isRead("basic-auth", context);
	}

	run(exchange: PolicyExchange, settled?: Settled): Outcome | Suspension {
		const lines = exchange.requestHeaders.lines("authorization");
		const presented = lines.length === 1 ? presentedIn(lines[0] ?? "") : undefined;
		const authorized = presented === undefined ? false : this.#knows(presented, exchange, settled);
		if (typeof authorized !== "boolean") return authorized;
		if (this.#isRead) {
			const fields = new Map<string, Value>([
				["presented", presented !== undefined],
				["username", presented?.user ?? ""],
				["authorized", authorized],
			]);
			leave(exchange, "basic-auth", { credentials: mapFromStrings(fields) });
		}
		const { enforce, forward, refusal } = this.#settings;
		if (!authorized && enforce) return refusal;
		if (!authorized) exchange.wouldHave(this.#place, "basic-auth");
		else if (!forward && enforce) exchange.removeHeaders("inbound", ["authorization"]);
		return CONTINUE;
	}

	#knows(
		presented: PlainCredential,
		exchange: PolicyExchange,
		settled: Settled | undefined,
	): boolean | Outcome | Suspension {
		const dynamic: HashedCredential[] = [];
		for (const template of this.#settings.templates) {
			const filled = template.render(exchange, settled);
			if (isSuspension(filled)) return filled;
			const credential = filled instanceof EvaluationFailure ? undefined : filledCredential(filled);
			if (credential?.ok !== true) {
				// no more is said, since that may hold a password
				exchange.expressionFailed(
					this.#place,
					"an expression in a credential failed, or gave none",
				);
				return filled instanceof EvaluationFailure ? failedBy(filled) : FAILED;
			}
			const { value } = credential;
			dynamic.push("hash" in value ? value : hashedWith(REQUEST_SALT, value));
		}
		const isKnown = this.#known.knows(presented);
		return dynamic.length === 0 ? isKnown : new Credentials(dynamic).knows(presented) || isKnown;
	}
}

/** of passwords that are hashed for the length of one comparison */
const REQUEST_SALT = "of one request";
