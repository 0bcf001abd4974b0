/**
 * The shape of an action. Each file of this folder defines one, `table.ts` lists them, and everything else derives from
 * that table: the schema of documents and the published JSON Schema, validation, the compiling of rules, lint and
 * docs/actions.md. A large action keeps its parts in a folder of its name beside its file.
 */
import type { z } from "zod";
import type { Phase, Settled, Suspension } from "../../cel/expression.ts";
import type { Result } from "../../errors.ts";
import type { AddressLists } from "../address-lists.ts";
import type { OpenedLimits, RateLimiters } from "../admission.ts";
import type { Outcome, Place, PolicyExchange, Standing } from "../exchange.ts";
import type { Compiler } from "../programs/compiler.ts";
import type { FieldProblem } from "../programs/problem.ts";

export interface Action<Config extends z.ZodObject = z.ZodObject> {
	/** The config's schema. Descriptions of its fields are published, and are what docs/actions.md says of them. */
	readonly config: Config;
	/** The values of fields that are left out. Stored documents stay as submitted. */
	readonly defaults: Partial<z.infer<Config>>;
	readonly phases: readonly Phase[];
	readonly ends: Ending;
	/** The parts of the exchange that later rules may see changed. */
	readonly changes: readonly ExchangePart[];
	/** Fields whose texts `prepare` has compiled. An action whose config has none of them costs nothing to compile. */
	readonly texts: Partial<Readonly<Record<keyof z.infer<Config> & string, TextKind>>>;
	readonly prepare: Prepare;
	readonly lints: readonly ActionLint<z.infer<Config>>[];
	readonly documentation: Documentation;
	/** Of an action whose config holds secrets. */
	readonly seal?: Seal;
	/** Of an action that asks stored address lists: those that its config names. They have to exist. */
	readonly addressLists?: NamedLists;
	/** What a run leaves for expressions, as `actions.<name>.<field>`, by field. Kept where one reads it (`results.ts`). */
	readonly results: Readonly<Record<string, ResultField>>;
}

/**
 * A config as it is stored, without secrets. @param stored configs of the same type in the document that is replaced
 */
export type Seal = (
	config: Readonly<Record<string, unknown>>,
	stored: readonly Readonly<Record<string, unknown>>[],
) => Readonly<Record<string, unknown>>;

/** @returns each name with its place in the config */
export type NamedLists = (config: Readonly<Record<string, unknown>>) => readonly {
	readonly path: readonly PropertyKey[];
	readonly name: string;
}[];

export interface ResultField {
	/** as signatures of expressions write it */
	readonly type: string;
	/** one sentence */
	readonly doc: string;
}

export const NO_RESULTS: Action["results"] = {};

/** Whether the action ends the phase, so that no later action or rule runs (contract 4). */
export type Ending =
	| { readonly when: "never" }
	| {
			/** `always`: whenever it runs, so that nothing may follow it in its rule; `sometimes`: for some requests */
			readonly when: "always" | "sometimes";
			/** outbound rules see a `response`; on a `refusal` they don't run */
			readonly with: "response" | "refusal";
	  };

/** Parts of an exchange that an action may change. Guards and lint take them for unchanged otherwise. */
export type ExchangePart = "url" | "host" | "headers";

export type TextKind = "template" | "pattern" | "replacement" | "expression";

/**
 * Makes a config runnable. `document/validate.ts` calls it to find problems, `rules/prepare.ts` to run the action, so
 * that nothing can be accepted that can't be compiled. The config is as submitted: a preparer skips fields that are
 * missing or have the wrong type, which the schema reports.
 */
export type Prepare = (
	config: Readonly<Record<string, unknown>>,
	phase: Phase,
	compiler: Compiler,
) => Result<PreparedAction, readonly FieldProblem[]>;

export type PreparedAction = (context: ActionContext) => RunnableAction;

/** The surroundings that a prepared action is opened in, while it is opened: they become the next one's. */
export interface ActionContext {
	readonly place: Place;
	readonly edgeId: string;
	readonly routeId: string;
	readonly limiters: RateLimiters;
	/** how many bits of an IPv6 address rate-limits count; left out: `LIMITS.ipv6Prefix` */
	readonly ipv6Prefix?: number | undefined;
	/** those of the store; without it there are none */
	readonly addressLists?: AddressLists | undefined;
	/** what the policy's expressions read of what actions leave: `actions.rate_limit`, `vars.tier`, `actions` for all */
	readonly resultsRead: ReadonlySet<string>;
	/** the policy's so far: of those that are configured alike each has a number (contract 5) */
	readonly limits: OpenedLimits;
}

/** An action ready to run; one object per action and policy, no state of a request survives `run`. */
export interface RunnableAction {
	/**
	 * Hot. `CONTINUE` for the next action, another outcome ends the rule. With a suspension nothing has been
	 * done yet: the action is run again when it is settled, so it fills in everything before it acts.
	 */
	run(exchange: PolicyExchange, settled?: Settled): Outcome | Suspension;
	close?(): void;
	/** What it does to all requests by the same rule, if the front may do it in its place; `later`: maybe once it has run. */
	standing?(): Standing | "later" | undefined;
}

/** A warning about a valid config that most likely does not do what its author meant (contract 3 "Lint"). */
export interface ActionLint<Config> {
	readonly code: string;
	/** for docs/actions.md: what is found, and what to do about it */
	readonly finds: string;
	readonly remedy: string;
	/** A method, so that lints of every config fit one list; `lint/lint.ts` gives each the config of its action. */
	inspect(config: Config, phase: Phase): readonly Remark[];
	/** Of each expression in the config whose value carries a field that clients write. @param path within the config */
	inspectCarried?(path: readonly PropertyKey[], header: string): readonly Remark[];
}

export interface Remark {
	/** within the config */
	readonly path: readonly PropertyKey[];
	readonly message: string;
}

/** For docs/actions.md, in Markdown; whole sentences. */
export interface Documentation {
	readonly purpose: string;
	/** what clients get where the action ends the phase, and what becomes of an exchange where it does not */
	readonly effect: string;
	readonly example: Example;
}

/** A valid document that nothing warns of, and requests that come to it in this order. A test runs them. */
export interface Example {
	readonly document: {
		readonly inbound?: readonly object[];
		readonly outbound?: readonly object[];
	};
	readonly requests: readonly ExampleRequest[];
}

export interface ExampleRequest {
	readonly method?: string;
	readonly url: string;
	readonly clientIp?: string;
	readonly headers?: readonly (readonly [name: string, value: string])[];
	/** status code of the backend's response, where outbound rules are shown */
	readonly responseStatus?: number;
	/** `404`, `200 {"a":1}`, `429 retry-after 60`, `passes`, `passes as http://…`, `passes, logs {…}` */
	readonly becomes: string;
	/** lines of header that show what has changed, `name: value`, or `no name` of one that is not there */
	readonly backendGets?: readonly string[];
	readonly clientGets?: readonly string[];
}
