/**
 * What a history may not show. Each edge is a register whose values are written once, and answers carry revisions, so that
 * no search is needed: by their revisions a value's appearances must be one stretch, which begins where it was acknowledged.
 */

/**
 * @typedef {import("./clients.mjs").Event} Event
 * @typedef {{what: string, events: readonly Event[]}} Violation
 * @typedef {{time: string, machine: string, revision: number, isFound?: boolean, why: string, record: {id: string, operations: unknown[]}}} Lost
 */

const LAST_MS = 20_000;

/** What the file's name says of when it was written. @param {string} name */
const wallOf = (name) => {
	const [, y, mo, d, h, mi, s, ms] =
		/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z/.exec(name) ?? [];
	return Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}.${ms}Z`);
};

/** Writes that a lost-file has, and does not say of that they came back, as document and value, and deletes by their revision. @param {readonly Lost[]} lost */
const reported = (lost) => {
	const found = new Set();
	for (const { revision, record } of lost.filter(({ isFound }) => isFound !== true))
		for (const op of record.operations) {
			const text = JSON.stringify(op);
			const [, document] = /"e\/(d\d+)"/.exec(text) ?? [];
			const [, value] = /(v\d+\.test)/.exec(text) ?? [];
			if (document !== undefined) found.add(`${document} ${value ?? `deleted at ${revision}`}`);
		}
	return found;
};

/** @param {Event} event */
const nameOf = ({ document, value, revision }) =>
	`${document} ${value?.split(",")[0] ?? `deleted at ${revision}`}`;

/**
 * @param {readonly Event[]} history @param {readonly Lost[]} lost
 * @returns {{violations: Violation[], lostWrites: number}}
 */
export const judge = (history, lost) => {
	/** @type {Violation[]} */
	const violations = [];
	const gone = reported(lost);
	// What shared a record with it, and was overwritten in it, went with it.
	const records = new Set(
		history
			.filter((event) => event.kind === "write" && gone.has(nameOf(event)))
			.map((event) => `${event.document} ${event.revision}`),
	);
	const isLost = (/** @type {Event} */ event) =>
		event.kind === "write" &&
		event.outcome === "ok" &&
		records.has(`${event.document} ${event.revision}`);
	// Reads of a history that was given up say nothing about the one that is.
	const ends = lost.map(({ time, revision }) => ({ until: wallOf(time), from: revision }));
	const isOfAnother = (/** @type {Event} */ event) =>
		event.kind === "read" &&
		ends.some(
			({ until, from }) =>
				event.wall < until + LAST_MS && event.wall > until - 120_000 && event.revision >= from,
		);
	// It may have been given back by another machine after all.
	const counted = history
		.filter((event) => !isOfAnother(event))
		.map((event) =>
			isLost(event) ? { ...event, outcome: /** @type {const} */ ("unknown") } : event,
		);
	const lostWrites = history.filter(isLost).length;
	const owners = new Map();
	for (const document of new Set(history.map((event) => event.document))) {
		const of = counted.filter((event) => event.document === document);
		violations.push(...judgeRegister(document, of, gone, owners));
	}
	violations.push(...judgeOwners(owners), ...judgeTime(counted, lost));
	return { violations, lostWrites };
};

/**
 * @param {string} document @param {readonly Event[]} events @param {ReadonlySet<string>} gone
 * @param {Map<string, {document: string, first: number, last: number, events: Event[]}>} owners of hostports, by value
 */
const judgeRegister = (document, events, gone, owners) => {
	/** @type {Violation[]} */
	const violations = [];
	const writes = new Map(
		events.filter(({ kind, value }) => kind === "write" && value).map((each) => [each.value, each]),
	);
	const uncertainDelete = events.some(
		({ kind, value, outcome }) => kind === "write" && value === null && outcome === "unknown",
	);
	/** @type {Map<number, Event[]>} */
	const byRevision = new Map();
	for (const event of events) {
		if (event.outcome !== "ok") continue;
		const same = byRevision.get(event.revision);
		if (same === undefined) byRevision.set(event.revision, [event]);
		else same.push(event);
	}
	/** values that were there and are not any more @type {Set<string | null>} */
	const over = new Set();
	/** more than one where nobody has looked since writes shared one record @type {Set<string | null>} */
	let possible = new Set([null]);
	/** @type {Event[]} */
	let before = [];
	for (const [revision, seen] of [...byRevision].sort(([a], [b]) => a - b)) {
		const tell = (/** @type {string} */ what, /** @type {Event | undefined} */ more = undefined) =>
			violations.push({
				what: `${document} at revision ${revision}: ${what}`,
				events: [...before.slice(-3), ...(more === undefined ? [] : [more]), ...seen.slice(0, 6)],
			});
		const acknowledged = seen.filter(({ kind }) => kind === "write");
		const written = new Set(acknowledged.map(({ value }) => value));
		const read = new Set(seen.filter(({ kind }) => kind === "read").map(({ value }) => value));
		const [was] = possible;
		for (const { value, expected } of acknowledged) {
			const isThere = expected === undefined || possible.has(expected) || written.has(expected);
			if (!isThere && !gone.has(`${document} ${expected?.split(",")[0]}`))
				tell(`${value} was written upon ${expected} by if-match, and ${was} was there`);
			if (over.has(value) && value !== null) tell(`${value} is written, and was there before`);
		}
		if (read.size > 1) tell(`reads give different values: ${[...read].join(" and ")}`);
		for (const value of read) {
			if (written.size > 0 ? written.has(value) : possible.has(value)) continue;
			const write = writes.get(value);
			const isUncertain = value === null ? uncertainDelete : write?.outcome === "unknown";
			if (isUncertain && !(value !== null && (over.has(value) || possible.has(value)))) continue;
			if (written.size > 0)
				tell(`${[...written][0]} was acknowledged, and ${value} is there`, write);
			else if (value === null) tell(`${was} is gone, and nobody deleted it`);
			else if (write === undefined) tell(`nobody wrote ${value}`);
			else if (over.has(value)) tell(`${value} came back`, write);
			else if (write.outcome === "refused") tell(`${value} was refused, and is there`, write);
			else tell(`${value} is there, which was acknowledged with another revision`, write);
		}
		const now = read.size > 0 ? read : written;
		for (const value of [...possible, ...written]) if (!now.has(value)) over.add(value);
		for (const value of now) {
			if (value === null) continue;
			const stretch = owners.get(value) ?? {
				document,
				first: revision,
				last: revision,
				events: [],
			};
			stretch.last = revision;
			stretch.events.push(...seen.slice(0, 2));
			// Of several that share a record one alone stays, and the others are nobody's owner.
			if (now.size === 1) owners.set(value, stretch);
		}
		possible = now;
		before = seen;
	}
	return violations;
};

/** A hostport belongs to one edge at a time. @param {Map<string, {document: string, first: number, last: number, events: Event[]}>} owners */
const judgeOwners = (owners) => {
	/** @type {Violation[]} */
	const violations = [];
	const shared = new Map();
	for (const [value, stretch] of owners) {
		const [, host] = value.split(",");
		if (host === undefined) continue;
		const all = shared.get(host) ?? [];
		for (const other of all)
			if (
				other.document !== stretch.document &&
				other.first <= stretch.last &&
				stretch.first <= other.last
			)
				violations.push({
					what: `${host} belongs to ${other.document} (revisions ${other.first} to ${other.last}) and ${stretch.document} (${stretch.first} to ${stretch.last})`,
					events: [...other.events.slice(-2), ...stretch.events.slice(0, 2)],
				});
		all.push(stretch);
		shared.set(host, all);
	}
	return violations;
};

/** Revisions go up with time. @param {readonly Event[]} events @param {readonly Lost[]} lost */
const judgeTime = (events, lost) => {
	/** @type {Violation[]} */
	const violations = [];
	const good = events.filter(({ outcome }) => outcome === "ok");
	for (const event of lost.length > 0 ? [] : good)
		if (event.asked !== undefined && event.revision < event.asked)
			violations.push({
				what: `an answer of revision ${event.revision} to a request for ${event.asked}`,
				events: [event],
			});
	if (lost.length > 0) return violations;
	/** @param {readonly Event[]} of @param {boolean} isStrict @param {string} what */
	const ascend = (of, isStrict, what) => {
		const byEnd = [...of].sort((a, b) => a.end - b.end);
		const byBegin = [...of].sort((a, b) => a.begin - b.begin);
		let index = 0;
		/** @type {Event | undefined} */
		let newest;
		for (const event of byBegin) {
			for (
				let done = byEnd[index];
				done !== undefined && done.end < event.begin;
				done = byEnd[++index]
			)
				if (newest === undefined || done.revision > newest.revision) newest = done;
			if (newest === undefined) continue;
			if (isStrict ? event.revision <= newest.revision : event.revision < newest.revision)
				violations.push({
					what: `${what}: revision ${event.revision} after ${newest.revision}`,
					events: [newest, event],
				});
		}
	};
	ascend(
		good.filter(({ kind }) => kind === "write"),
		true,
		"a later write has an earlier revision, or the same",
	);
	for (const machine of new Set(good.map((event) => event.machine)))
		ascend(
			good.filter((event) => event.machine === machine),
			false,
			`${machine} went back`,
		);
	return violations;
};
