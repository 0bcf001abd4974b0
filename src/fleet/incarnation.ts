/**
 * The id of a log: who was born in which fleet, and how often its log was begun again. `init` makes the first, `reseed`
 * the next; members go over to a later one of the same birth by themselves, and refuse every other: two fleets that
 * share a name and an engine never mix (docs/fleet.md, "Failures").
 */
import { randomBytes } from "node:crypto";

export const newIncarnation = (): string => `${randomBytes(12).toString("base64url")}.1`;

export function nextIncarnation(incarnation: string): string {
	const { birth, generation } = parts(incarnation);
	return `${birth}.${generation + 1}`;
}

/** @returns whether `later` is the same fleet's log, begun again after `earlier` */
export function followsOn(earlier: string, later: string): boolean {
	const [old, now] = [parts(earlier), parts(later)];
	return old.birth === now.birth && now.generation > old.generation;
}

function parts(incarnation: string): { readonly birth: string; readonly generation: number } {
	const dot = incarnation.lastIndexOf(".");
	if (dot < 0) return { birth: incarnation, generation: 0 };
	return { birth: incarnation.slice(0, dot), generation: Number(incarnation.slice(dot + 1)) };
}
