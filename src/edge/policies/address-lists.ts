/**
 * The stored address lists as a worker holds them: one object for each, which policies keep and ask for each request, and
 * whose set is swapped when the list changes, so that no policy is compiled or opened again. Made by `edge.ts`.
 *
 * Lists are read when the worker starts. What a change has announced is made ready in slices between requests before it is
 * applied: 100,000 entries take some 50 to 150 ms. A list that a policy names and that is not known yet, since both were
 * put at the same time, is read at once.
 */
import { addressRangeOf } from "../../http/address-range.ts";
import { type AddressSet, AddressSetBuilder } from "../../http/address-set.ts";
import type { AddressList, AddressLists } from "../../policy/address-lists.ts";
import type { Change, StoreReader } from "../../store/store.ts";
import { Slices } from "./compilation.ts";

type Reader = Pick<StoreReader, "ipListEntries" | "ipListIds" | "refresh">;

class HeldList implements AddressList {
	set: AddressSet;

	constructor(set: AddressSet) {
		this.set = set;
	}
}

/** entries between looks at the clock */
const ENTRIES_PER_LOOK = 64;

export class WorkerAddressLists implements AddressLists {
	readonly #reader: Reader;
	readonly #lists = new Map<string, HeldList>();
	/** sets of announced changes, by list; undefined: it was deleted */
	readonly #ahead = new Map<string, AddressSet | undefined>();

	constructor(reader: Reader) {
		this.#reader = reader;
	}

	/** @throws StoreError */
	find(name: string): AddressList | undefined {
		const known = this.#lists.get(name);
		if (known !== undefined) return known;
		const entries = this.#reader.ipListEntries(name);
		if (entries === undefined) return undefined;
		const list = new HeldList(setAtOnce(entries));
		this.#lists.set(name, list);
		return list;
	}

	/** Reads all there are. @throws StoreError */
	load(): void {
		this.#reader.refresh();
		for (const name of Array.from(this.#reader.ipListIds())) this.find(name);
	}

	/** Makes ready what `apply` will swap in. @param onSlice called after each slice @throws StoreError */
	async prepare(changes: readonly Change[], onSlice: () => void): Promise<void> {
		const names = new Set(
			changes.flatMap((change) => (change.kind === "ip_list" ? [change.listId] : [])),
		);
		if (names.size === 0) return;
		this.#reader.refresh();
		const slices = new Slices(onSlice);
		for (const name of names) {
			const entries = this.#reader.ipListEntries(name);
			const set = entries === undefined ? undefined : await setInSlices(entries, slices);
			this.#ahead.set(name, set);
		}
	}

	/** Would `apply` swap any? Also those that another change has announced, which is prepared beside this one. */
	get areAhead(): boolean {
		return this.#ahead.size > 0;
	}

	/** Requests that ask from now on see what `prepare` made ready. */
	apply(): void {
		for (const [name, set] of this.#ahead) {
			const list = this.#lists.get(name);
			if (set === undefined) this.#lists.delete(name);
			else if (list === undefined) this.#lists.set(name, new HeldList(set));
			else list.set = set;
		}
		this.#ahead.clear();
	}
}

function setAtOnce(text: string): AddressSet {
	const steps = setSteps(text);
	for (;;) {
		const step = steps.next();
		if (step.done === true) return step.value;
	}
}

async function setInSlices(text: string, slices: Slices): Promise<AddressSet> {
	const steps = setSteps(text);
	for (;;) {
		if (performance.now() >= slices.endMs) await slices.next();
		const step = steps.next();
		if (step.done === true) return step.value;
	}
}

/** @param text entries as they are stored */
function* setSteps(text: string): Generator<undefined, AddressSet> {
	const builder = new AddressSetBuilder();
	let entries = 0;
	for (let at = 0; at < text.length; ) {
		const space = text.indexOf(" ", at);
		const end = space < 0 ? text.length : space;
		const range = addressRangeOf(text.slice(at, end));
		if (!range.ok) throw new Error(`a stored address list holds what is none: ${range.error}`);
		builder.add(range.value);
		at = end + 1;
		if (++entries % ENTRIES_PER_LOOK === 0) yield;
	}
	return builder.finish();
}
