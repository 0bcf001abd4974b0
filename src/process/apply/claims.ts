/**
 * The order of steps by what belongs to one edge or route alone: hostports, and matches within an edge. Who gives
 * something up stands before who takes it. Pure. Called by `plan.ts`.
 */
import { canonicalHostport, parseHostport } from "../../store/hostport.ts";
import { keyOf, type Resource, type Resources, titleOf } from "./resources.ts";
import type { Step } from "./step.ts";

export interface ClaimOrder {
	/** puts, and those deletions that have to stand before one of them */
	readonly steps: readonly Step[];
	/** does anything pass from one step to another? */
	readonly passes: boolean;
	readonly obstacles: readonly string[];
}

/** What an edge or route has to itself. */
function claimsOf(kind: Resource["kind"], name: string, document: Resource["document"]): string[] {
	if (kind === "edge") {
		const { hostports } = document;
		return (Array.isArray(hostports) ? hostports : []).map((text: unknown) => {
			const hostport = parseHostport(String(text));
			return `the hostport ${hostport === undefined ? String(text) : canonicalHostport(hostport)}`;
		});
	}
	const [edge] = name.split("/");
	return kind === "route" ? [`the match "${String(document.match)}" of edge ${edge}`] : [];
}

export function claimOrder(
	puts: readonly Step[],
	deletions: readonly Step[],
	stored: Resources,
): ClaimOrder {
	const owners = new Map<string, string>();
	for (const { kind, name, document } of stored.values())
		for (const claim of claimsOf(kind, name, document)) owners.set(claim, keyOf({ kind, name }));
	const steps = new Map([...puts, ...deletions].map((step) => [keyOf(step), step]));
	const ordering = new Ordering(owners, steps);
	for (const step of puts) ordering.visit(step);
	return ordering;
}

class Ordering implements ClaimOrder {
	readonly steps: Step[] = [];
	passes = false;
	readonly obstacles: string[] = [];
	readonly #owners: ReadonlyMap<string, string>;
	readonly #planned: ReadonlyMap<string, Step>;
	readonly #done = new Set<Step>();
	readonly #open = new Set<Step>();

	constructor(owners: ReadonlyMap<string, string>, planned: ReadonlyMap<string, Step>) {
		this.#owners = owners;
		this.#planned = planned;
	}

	visit(step: Step): void {
		if (this.#done.has(step)) return;
		this.#open.add(step);
		// The edge of a new route.
		const [edge = ""] = step.name.split("/");
		const parent = this.#planned.get(keyOf({ kind: "edge", name: edge }));
		if (step.kind === "route" && step.action !== "delete" && parent !== undefined)
			this.visit(parent);
		const { after } = step;
		const claims = after === undefined ? [] : claimsOf(step.kind, step.name, after);
		for (const claim of claims) this.#make(step, claim);
		this.#open.delete(step);
		this.#done.add(step);
		this.steps.push(step);
	}

	/** Has whoever owns it give it up first. */
	#make(step: Step, claim: string): void {
		const owner = this.#owners.get(claim);
		if (owner === undefined || owner === keyOf(step)) return;
		const giver = this.#planned.get(owner);
		const title = titleOf(step);
		if (giver === undefined || !gives(giver, claim)) {
			// with a deleted edge its routes go
			if (this.#isTakenAlong(owner)) return;
			const [kind = "", name = ""] = owner.split(" ");
			this.obstacles.push(
				`the ${title} wants ${claim}, which belongs to the ${kind} ${name} on the server; change that one too, or delete it`,
			);
			return;
		}
		this.passes = true;
		if (this.#done.has(giver)) return;
		if (this.#open.has(giver)) {
			this.obstacles.push(
				`the ${title} and the ${titleOf(giver)} want what belongs to the other (${claim}); apply first a file in which one of them has given it up`,
			);
			return;
		}
		this.visit(giver);
	}

	#isTakenAlong(owner: string): boolean {
		const taker = [...this.#planned.values()].find(({ takesAlong }) => takesAlong.includes(owner));
		if (taker === undefined) return false;
		this.passes = true;
		if (!this.#done.has(taker) && !this.#open.has(taker)) this.visit(taker);
		return true;
	}
}

const gives = ({ kind, name, after }: Step, claim: string): boolean =>
	after === undefined || !claimsOf(kind, name, after).includes(claim);
