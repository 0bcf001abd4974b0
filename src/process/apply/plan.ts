/**
 * What has to be done so that a server holds what files declare, and in which order (contract 1, "Files of resources").
 * Pure. Called by the commands `weir apply` and `weir diff`.
 *
 * No step may leave a gap in protection: address lists stand before the policies that name them, policies before the
 * routes that they are for, and what is deleted goes last. Where a host or a path passes from one edge or route to
 * another, a moment without either could let requests fall to a route with a weaker policy, so those steps are one batch,
 * which is done as a transaction.
 */
import { canonical } from "../../documents/yaml-text.ts";
import type { PolicyDocument } from "../../policy/document/schema.ts";
import { sealedDocument } from "../../policy/document/seal.ts";
import { claimOrder } from "./claims.ts";
import { inOrder, keyOf, type Resource, type Resources, type StoredResource } from "./resources.ts";
import { type Step, stepOf } from "./step.ts";

type Document = Resource["document"];

export interface Plan {
	/** steps of one batch are done together or not at all */
	readonly batches: readonly (readonly Step[])[];
	readonly unchanged: number;
	/** why it can't be done, in sentences */
	readonly obstacles: readonly string[];
}

export const stepsOf = ({ batches }: Pick<Plan, "batches">): readonly Step[] => batches.flat();

/** @param prune whether what the files don't declare is deleted; `stored` then is all that there is */
export function planOf(wanted: Resources, stored: Resources<StoredResource>, prune: boolean): Plan {
	const puts: Step[] = [];
	let unchanged = 0;
	for (const resource of inOrder(wanted.values())) {
		const current = stored.get(keyOf(resource));
		const after = comparable(resource, current);
		if (current === undefined) puts.push(stepOf("create", resource, undefined, after));
		else if (canonical(after) === canonical(current.document)) unchanged += 1;
		else puts.push(stepOf("change", resource, current, after));
	}
	const deletions = prune ? deletionsOf(wanted, stored) : [];
	const claims = claimOrder(
		puts.filter(({ kind }) => kind === "edge" || kind === "route"),
		deletions.filter(({ kind }) => kind === "edge" || kind === "route"),
		stored,
	);
	const of = (steps: readonly Step[], kind: Step["kind"]) =>
		steps.filter((step) => step.kind === kind);
	const ordered = new Set(claims.steps);
	const last = deletions.filter((step) => !ordered.has(step));
	const first = [...of(puts, "ip_list"), ...of(puts, "policy")];
	return {
		batches: [
			...first.map((step) => [step]),
			...(claims.passes ? [claims.steps] : claims.steps.map((step) => [step])),
			...(["policy", "route", "edge", "ip_list"] as const)
				.flatMap((kind) => of(last, kind))
				.map((step) => [step]),
		],
		unchanged,
		obstacles: claims.obstacles,
	};
}

/** Secrets are stored as hashes: the same secret has the hash that it had. */
export function comparable({ kind, document }: Resource, current: Resource | undefined): Document {
	if (kind !== "policy") return document;
	return sealedDocument(
		document as unknown as PolicyDocument,
		current?.document as unknown as PolicyDocument | undefined,
	);
}

/** A policy or route that goes with its route or edge has no step of its own. */
function deletionsOf(wanted: Resources, stored: Resources<StoredResource>): readonly Step[] {
	const isGone = (kind: Resource["kind"], name: string): boolean =>
		stored.has(keyOf({ kind, name })) && !wanted.has(keyOf({ kind, name }));
	const steps: Step[] = [];
	for (const resource of inOrder(stored.values())) {
		const { kind, name } = resource;
		if (wanted.has(keyOf(resource))) continue;
		const [edge = ""] = name.split("/");
		if (kind !== "edge" && kind !== "ip_list" && isGone("edge", edge)) continue;
		if (kind === "policy" && isGone("route", name)) continue;
		const along = [...stored.values()]
			.filter((other) => goesWith(resource, other))
			.map((other) => keyOf(other));
		steps.push(stepOf("delete", resource, resource, undefined, along));
	}
	return steps;
}

const goesWith = (owner: Resource, other: Resource): boolean =>
	(owner.kind === "edge" &&
		(other.kind === "route" || other.kind === "policy") &&
		other.name.startsWith(`${owner.name}/`)) ||
	(owner.kind === "route" && other.kind === "policy" && other.name === owner.name);

/** How many resources a plan deletes, with what goes along. */
export const deletedBy = (plan: Pick<Plan, "batches">): number =>
	stepsOf(plan)
		.filter(({ action }) => action === "delete")
		.reduce((sum, { takesAlong }) => sum + 1 + takesAlong.length, 0);
