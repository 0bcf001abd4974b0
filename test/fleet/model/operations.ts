/** What clients of the model write: the store's own operations on a few edges, routes and policies, many of which conflict. */
import type { Writes } from "../../../src/store/lmdb/database.ts";
import type { Precondition } from "../../../src/store/store.ts";
import * as writes from "../../../src/store/writes.ts";
import { edgeOf, policyOf, routeOf } from "../../store/documents.ts";
import type { Contents } from "./contents.ts";
import type { Simulation } from "./simulation.ts";

export type Operation = (transaction: Writes) => unknown;

const EDGES = ["a", "b", "c"];
const ROUTES = ["1", "2", "3"];
const HOSTS = ["w.example", "x.example", "y.example", "z.example"];
const MATCHES = ["/m", "/n", "/o"];

/** @param known what the client has read, somewhere, of late @param number tells documents apart */
export function randomOperation(
	simulation: Simulation,
	known: Contents,
	number: number,
	withLevels: boolean,
): Operation {
	const edge = simulation.pick(EDGES);
	const route = simulation.pick(ROUTES);
	const kind = simulation.random();
	const isDelete = simulation.chance(0.25);
	const key = kind < 0.35 ? `e/${edge}` : `${kind < 0.75 ? "r" : "p"}/${edge}/${route}`;
	const precondition = preconditionOf(simulation, known.get(key));
	if (key.startsWith("e/")) {
		if (isDelete) return (on) => writes.deleteEdge(on, edge, precondition);
		const hosts = new Set([simulation.pick(HOSTS), simulation.pick(HOSTS)]);
		const document = edgeOf(...hosts);
		return (on) => writes.putEdge(on, edge, document, precondition);
	}
	if (key.startsWith("r/")) {
		if (isDelete) return (on) => writes.deleteRoute(on, edge, route, precondition);
		const document = routeOf(simulation.pick(MATCHES));
		return (on) => writes.putRoute(on, edge, route, document, precondition);
	}
	if (isDelete) return (on) => writes.deletePolicy(on, edge, route, precondition);
	const name = simulation.chance(0.3) ? "same" : `policy-${number}`;
	const document = policyOf(withLevels && simulation.chance(0.05) ? `newer-${number}` : name);
	const keeping = { origin: { at: `${number}` }, kept: 2 };
	return (on) => writes.putPolicy(on, edge, route, document, precondition, keeping);
}

function preconditionOf(simulation: Simulation, value: string | undefined): Precondition {
	if (!simulation.chance(0.25)) return {};
	if (value === undefined) return { ifNoneMatch: "*" };
	return { ifMatch: [`"${value.slice(0, 22)}"`] };
}

/** The part of a result that a client hears: done, or refused and why. */
export function heard(value: unknown): string {
	if (typeof value !== "object" || value === null) return String(value);
	return "refused" in value ? `refused: ${String(value.refused)}` : "done";
}
