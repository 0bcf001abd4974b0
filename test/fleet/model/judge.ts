/** Judges a schedule that has ended, by the log alone: what the state must be, which answers were true, what was lost. */
import { Contents } from "./contents.ts";
import { heard } from "./operations.ts";
import type { Request, World } from "./world.ts";

export interface Verdict {
	/** writes that were answered as done */
	readonly acknowledged: number;
	/** of those: not in the final history, and told of; and not told of */
	readonly reported: number;
	readonly silent: number;
	/** records that are in the final history, and that a machine still tells of as lost */
	readonly overstated: number;
	readonly voids: number;
}

/** @throws Error an invariant does not hold */
export function judge(world: World): Verdict {
	const { states, valid: folded, voids } = fold(world);
	const isFold = isFolded(world);
	const valid = isFold ? folded : led(world);
	if (isFold) assertIsFold(world, states);
	if (world.isHonest) for (const request of world.requests) assertTrue(world, request, states);
	if (world.isHonest) assertSameEffect(world, states);
	const missing = world.machines.flatMap(({ lost }) => [...lost.missing]);
	const reported = new Set(missing.map(([id]) => id));
	const twins = new Set(valid.values());
	let lost = 0;
	const silent: string[] = [];
	const done = world.requests.filter(({ answer }) => answer === "done");
	for (const { id = "" } of done) {
		if (valid.has(id)) continue;
		const record = world.engine.accepted.get(id);
		if (reported.has(id)) lost++;
		else if (record === undefined || !twins.has(`${record.before} ${record.after}`))
			silent.push(id);
	}
	const overstated = missing.filter(([id, why]) => why === "lost" && valid.has(id)).length;
	if (world.mode.quietly && lost > 0)
		throw new Error(`I3: ${lost} lost that could have been given back`);
	return { acknowledged: done.length, reported: lost, overstated, silent: silent.length, voids };
}

interface Fold {
	/** by revision */
	readonly states: readonly Contents[];
	/** what each valid record led from and to, by id */
	readonly valid: ReadonlyMap<string, string>;
	readonly voids: number;
}

/** What all the log's records, as they were appended, make of the empty state. */
function fold({ engine }: World): Fold {
	let state = new Contents();
	const states = [state];
	const valid = new Map<string, string>();
	let voids = 0;
	for (let revision = 1; revision <= engine.last; revision++) {
		const record = engine.archive.get(revision);
		if (record !== undefined && record.before === state.digest) {
			state = new Contents(state);
			state.apply(record.operations);
			if (state.digest !== record.after) throw new Error(`I1: ${revision} ends elsewhere`);
			valid.set(record.id, `${record.before} ${record.after}`);
		} else voids++;
		states.push(state);
	}
	return { states, valid, voids };
}

/** Where records are altered, or every other old base is accepted and the end is lost too, most members may be right. */
const isFolded = ({ mode: { flip, stale } }: World): boolean => flip === 0 && stale < 0.5;

/** What led to the state that all have: where records were altered, some count for nothing. */
function led({ engine, following }: World): ReadonlyMap<string, string> {
	let digest = following[0]?.disk.content.contents.digest;
	const valid = new Map<string, string>();
	for (let revision = engine.last; revision > 0; revision--) {
		const record = engine.archive.get(revision);
		if (record?.after !== digest || record === undefined) continue;
		valid.set(record.id, `${record.before} ${record.after}`);
		digest = record.before;
	}
	return valid;
}

function assertIsFold(world: World, states: readonly Contents[]): void {
	for (const { name, disk } of world.machines) {
		const { position, contents } = disk.content;
		const should = states[position?.applied ?? 0];
		if (should?.digest !== contents.digest)
			throw new Error(`I1: ${name} at ${position?.applied} is not what the log makes`);
		const derived = [...contents.entries].sort();
		if (JSON.stringify(derived) !== JSON.stringify([...should.entries].sort()))
			throw new Error(`I1: ${name} has other indexes than its documents`);
	}
}

/** Between question and answer there was a state for which the answer was right. */
function assertTrue(world: World, request: Request, states: readonly Contents[]): void {
	const { answer, revision, from, to, operation } = request;
	if (answer === undefined) return;
	if (revision !== undefined) {
		if (revision > from && revision <= to) return;
		throw new Error(`I6: answered with ${revision}, asked at ${from}, answered at ${to}`);
	}
	for (let at = from; at <= Math.min(to, world.engine.last); at++) {
		const state = states[at];
		if (state !== undefined && heard(operation(new Contents(state))) === answer) return;
	}
	throw new Error(`I6: "${answer}" was true at no time from ${from} to ${to}`);
}

/** The requests of a record, one after the other on the state before it, make exactly the state after it. */
function assertSameEffect(world: World, states: readonly Contents[]): void {
	const byRevision = new Map<number, Request[]>();
	for (const request of world.requests) {
		if (request.answer === undefined || request.revision === undefined) continue;
		const all = byRevision.get(request.revision) ?? [];
		byRevision.set(request.revision, [...all, request]);
	}
	for (const [revision, requests] of byRevision) {
		const state = new Contents(states[revision - 1]);
		for (const { operation, answer } of requests)
			if (heard(operation(state)) !== answer)
				throw new Error(`I6: "${answer}" at ${revision}, which is not so on the state before it`);
		if (state.digest !== states[revision]?.digest)
			throw new Error(`I3: what was answered at ${revision} is not what it made`);
	}
}
