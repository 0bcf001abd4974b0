/**
 * What a file of resources declares (contract 1, "Files of resources"): every document in normal form, or everything that
 * is wrong with it, tests of policies included. Called by `resource-files.ts`, process/check/check-policy.ts and
 * process/check/policy-tests.ts. Pure.
 */
import type { z } from "zod";
import { pointerTo } from "../../documents/json-position.ts";
import { quoted, suggestion } from "../../documents/nearest.ts";
import { withoutNulls } from "../../documents/nulls.ts";
import { described } from "../../documents/problem-sentences.ts";
import { asProblems, type Finding, findings } from "../../documents/problems.ts";
import type { Problem, Result } from "../../errors.ts";
import type { ValidationOptions } from "../../policy/document/validate.ts";
import { validatePolicy } from "../../policy/document/validate.ts";
import { ipListOf, ipListSchema } from "../../store/ip-lists.ts";
import { edgeSchema, routeSchema } from "../../store/resources.ts";
import { failedTests } from "../../threads/policy-check.ts";
import { isName, type Resource, type ResourceKind } from "./resources.ts";

export interface Declared extends Resource {
	/** where it stands in its file */
	readonly pointer: string;
}

export interface Declarations {
	readonly declared: readonly Declared[];
	readonly problems: readonly Problem[];
	readonly warnings: readonly Problem[];
}

export const SECTIONS = ["ip_lists", "edges", "routes", "policies"] as const;

type Members = Readonly<Record<string, unknown>>;
type Path = readonly PropertyKey[];

const isMembers = (value: unknown): value is Members =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/** @param tests whether tests of policies are run */
export function declarationsIn(
	value: unknown,
	options: ValidationOptions,
	tests: "run" | "leave" = "run",
): Declarations {
	const reading = new Reading(options, tests);
	reading.file(value);
	return reading;
}

class Reading implements Declarations {
	readonly declared: Declared[] = [];
	readonly problems: Problem[] = [];
	readonly warnings: Problem[] = [];
	readonly #options: ValidationOptions;
	readonly #tests: "run" | "leave";

	constructor(options: ValidationOptions, tests: "run" | "leave") {
		this.#options = options;
		this.#tests = tests;
	}

	file(value: unknown): void {
		// an empty file declares nothing
		if (value === null) return;
		if (!isMembers(value)) {
			this.#problem([], "wrong_type", `expected an object, got ${described(value)}`);
			return;
		}
		for (const name of Object.keys(value)) {
			if ((SECTIONS as readonly string[]).includes(name)) continue;
			const meant = suggestion(name, SECTIONS) || `; valid here: ${SECTIONS.join(", ")}`;
			this.#problem([name], "unknown_field", `unknown field ${quoted(name)}${meant}`);
		}
		this.#each(value.ip_lists, ["ip_lists"], "ip_list", (name, document, at) =>
			this.#keep("ip_list", name, at, document, (given) =>
				ipListOf(isMembers(given) ? withoutNulls(given, ipListSchema) : given),
			),
		);
		this.#each(value.edges, ["edges"], "edge", (name, document, at) =>
			this.#edge(name, document, at),
		);
		this.#each(value.routes, ["routes"], "route", (name, document, at) =>
			this.#route(name, document, at),
		);
		this.#each(value.policies, ["policies"], "policy", (name, document, at) =>
			this.#policy(name, document, at),
		);
	}

	#problem(path: Path, code: string, message: string): void {
		this.problems.push({ pointer: pointerTo(path), code, message });
	}

	/** Members of a section, each under the name that it has. @param outer of routes within an edge: the edge's name */
	#each(
		section: unknown,
		path: Path,
		kind: ResourceKind,
		take: (name: string, document: unknown, at: Path) => void,
		outer = "",
	): void {
		if (section === undefined || section === null) return;
		if (!isMembers(section)) {
			const message = `expected an object of names with their documents, got ${described(section)}`;
			this.#problem(path, "wrong_type", message);
			return;
		}
		for (const [id, document] of Object.entries(section)) {
			const name = outer + id;
			const at = [...path, id];
			if (isName(kind, name)) take(name, document, at);
			else this.#problem(at, "invalid_id", `${quoted(id)} is no name: ${shapeOf(kind, outer)}`);
		}
	}

	#edge(name: string, value: unknown, at: Path): void {
		const { routes, ...document } = isMembers(value) ? value : { routes: undefined };
		this.#keep("edge", name, at, isMembers(value) ? document : value, checkOf(edgeSchema));
		const take = (route: string, given: unknown, place: Path): void =>
			this.#route(route, given, place);
		this.#each(routes, [...at, "routes"], "route", take, `${name}/`);
	}

	#route(name: string, value: unknown, at: Path): void {
		const { policy, ...document } = isMembers(value) ? value : { policy: undefined };
		this.#keep("route", name, at, isMembers(value) ? document : value, checkOf(routeSchema));
		if (policy !== undefined && policy !== null) this.#policy(name, policy, [...at, "policy"]);
	}

	#policy(name: string, value: unknown, at: Path): void {
		const checked = validatePolicy(value, this.#options);
		if (!checked.ok) {
			this.#place(checked.error, at);
			return;
		}
		const { document, place: within, warnings } = checked.value;
		if (this.#tests === "run") this.#place(failedTests(document, this.#options, within), at);
		const place = pointerTo(at);
		this.warnings.push(...warnings.map((each) => ({ ...each, pointer: place + each.pointer })));
		const pointer = pointerTo([...at, ...within]);
		this.declared.push({ kind: "policy", name, document, pointer });
	}

	#keep<T extends Members>(
		kind: ResourceKind,
		name: string,
		at: Path,
		value: unknown,
		check: (value: unknown) => Result<T, readonly Finding[]>,
	): void {
		const checked = check(value);
		if (checked.ok)
			this.declared.push({ kind, name, document: checked.value, pointer: pointerTo(at) });
		else this.#place(asProblems(checked.error, value), at);
	}

	#place(problems: readonly Problem[], at: Path): void {
		const pointer = pointerTo(at);
		this.problems.push(...problems.map((each) => ({ ...each, pointer: pointer + each.pointer })));
	}
}

const shapeOf = (kind: ResourceKind, outer: string): string => {
	const id = "1 to 128 characters of A-Z, a-z, 0-9, _, - and .";
	const isPair = (kind === "route" || kind === "policy") && outer === "";
	return isPair ? `write EDGE/ROUTE, each ${id}` : id;
};

const checkOf =
	<T extends Members>(schema: z.ZodType<T>) =>
	(value: unknown): Result<T, readonly Finding[]> =>
		findings(schema, isMembers(value) ? withoutNulls(value, schema) : value);
