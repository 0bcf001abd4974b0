/**
 * The policies of a replay: one policy for all routes, or those that files of resources hold for their routes, with their address
 * lists. Called by `run-replay.ts`.
 */
import { statSync } from "node:fs";
import { readDocument } from "../../documents/read-document.ts";
import { fail, ok, type Result } from "../../errors.ts";
import { addressRangeOf } from "../../http/address-range.ts";
import { AddressSet } from "../../http/address-set.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { AddressList, AddressLists } from "../../policy/address-lists.ts";
import type { PolicyDocument } from "../../policy/document/schema.ts";
import { type ValidationOptions, validatePolicy } from "../../policy/document/validate.ts";
import { type PreparedPolicy, preparePolicy } from "../../policy/rules/compile.ts";
import type { PolicySource } from "../../replay/simulation.ts";
import { readResources } from "../apply/resource-files.ts";
import type { Resources } from "../apply/resources.ts";
import { finding } from "../check/checked-file.ts";
import { kindOf } from "../check/kind.ts";
import { line } from "../check/report.ts";
import { readBounded } from "../config/bounded-file.ts";

/** What a file or folder holds, before lists of the other side are added to its own. */
export interface ReadPolicies {
	readonly lists: ReadonlyMap<string, AddressList>;
	/** @param others lists that the other side brings along */
	source(others: ReadonlyMap<string, AddressList>): PolicySource;
}

/** @returns the error is lines for people, with file, line and column */
export function readPolicies(
	path: string,
	options: ValidationOptions,
): Result<ReadPolicies, readonly string[]> {
	const broken = (message: string): Result<never, readonly string[]> =>
		fail([line(path, finding("error", message))]);
	if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
		return resources(path, options);
	const bytes = readBounded(path, LIMITS.policyBytesMax);
	if (!bytes.ok) return broken(bytes.error);
	const document = readDocument(path, bytes.value);
	if (!document.ok) {
		const { message, ...position } = document.error;
		return fail([line(path, finding("error", message, { position }))]);
	}
	const { value, positionOf } = document.value;
	const kind = kindOf(value);
	if (kind.ok && kind.value === "resources") return resources(path, options);
	if (kind.ok && kind.value === "config")
		return broken("it is a config file, and a policy or a file of resources is needed");
	const checked = validatePolicy(value, options);
	if (checked.ok) return ok(single(checked.value.document));
	return fail(
		checked.error.map(({ pointer, message }) =>
			line(path, finding("error", message, { pointer, position: positionOf(pointer) })),
		),
	);
}

/** In one go. */
function prepare(document: PolicyDocument): PreparedPolicy {
	const steps = preparePolicy(document);
	for (;;) {
		const step = steps.next();
		if (step.done === true) return step.value;
	}
}

/** One that is switched off is replayed for the day on which it is switched on. */
function single(document: PolicyDocument): ReadPolicies {
	const prepared = prepare({ ...document, enabled: true });
	const source = (others: ReadonlyMap<string, AddressList>): PolicySource => ({
		policyOf: () => prepared,
		covers: () => true,
		isByRoute: false,
		...listsIn(others),
	});
	return { lists: new Map(), source };
}

function resources(
	path: string,
	options: ValidationOptions,
): Result<ReadPolicies, readonly string[]> {
	const read = readResources([path], options);
	if (!read.ok) return read;
	const documents = new Map<string, PolicyDocument>();
	const routes = new Set<string>();
	for (const { kind, name, document } of read.value.resources.values()) {
		if (kind === "policy") documents.set(name, document as unknown as PolicyDocument);
		if (kind === "policy" || kind === "route") routes.add(name);
	}
	if (documents.size === 0)
		return fail([line(path, finding("error", "it holds no policy that could be replayed"))]);
	const own = listsOf(read.value.resources);
	const source = (others: ReadonlyMap<string, AddressList>): PolicySource => ({
		policyOf: policiesOf(documents),
		covers: (edge, route) => routes.has(`${edge}/${route}`),
		isByRoute: true,
		...listsIn(new Map([...others, ...own])),
	});
	return ok({ lists: own, source });
}

/** Prepared when the first line asks for them: files may hold many, logs speak of few. */
function policiesOf(documents: ReadonlyMap<string, PolicyDocument>): PolicySource["policyOf"] {
	const prepared = new Map<string, PreparedPolicy>();
	return (edge, route) => {
		const name = `${edge}/${route}`;
		const document = documents.get(name);
		if (document === undefined) return undefined;
		const known = prepared.get(name) ?? prepare(document);
		prepared.set(name, known);
		return known;
	};
}

function listsOf(all: Resources): ReadonlyMap<string, AddressList> {
	const lists = new Map<string, AddressList>();
	for (const { kind, name, document } of all.values()) {
		if (kind !== "ip_list") continue;
		const ranges = (document.entries as readonly string[]).flatMap((text) => {
			const range = addressRangeOf(text);
			return range.ok ? [range.value] : [];
		});
		lists.set(name, { set: AddressSet.of(ranges) });
	}
	return lists;
}

const NOBODY: AddressList = { set: AddressSet.of([]) };

/** Those that nobody knows are empty. */
function listsIn(
	lists: ReadonlyMap<string, AddressList>,
): Pick<PolicySource, "addressLists" | "missingLists"> {
	const missingLists = new Set<string>();
	const addressLists: AddressLists = {
		find(name) {
			const list = lists.get(name);
			if (list === undefined) missingLists.add(name);
			return list ?? NOBODY;
		},
	};
	return { addressLists, missingLists };
}
