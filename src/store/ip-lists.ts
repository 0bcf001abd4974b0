/**
 * Address lists as clients write them (contract 2): many addresses and ranges under a name, which restrict-ips asks. What
 * is stored is one spelling of each in one order, so that the same addresses are the same list however they were written,
 * and workers can take them as they are. Used by the management API and by `ip-list-writes.ts`.
 */
import { z } from "zod";
import { type Finding, findings } from "../documents/problems.ts";
import { fail, ok, type Result } from "../errors.ts";
import {
	type AddressRange,
	addressRangeOf,
	orderOfRanges,
	rangeText,
} from "../http/address-range.ts";
import { LIMITS } from "../limits/limits.ts";

const description = z
	.string()
	.refine((text) => Buffer.byteLength(text) <= LIMITS.descriptionBytes, {
		error: `must have at most ${LIMITS.descriptionBytes} bytes of UTF-8`,
		params: { code: "too_big" },
	})
	.meta({ maxLength: LIMITS.descriptionBytes })
	.default("")
	.describe(`For people; at most ${LIMITS.descriptionBytes} bytes.`);

const entries = z.array(z.string()).max(LIMITS.ipListEntries);

const ENTRIES = `Addresses and ranges in CIDR form, at most ${LIMITS.ipListEntries}.`;

export const ipListSchema = z.strictObject({
	entries: entries.describe(
		`${ENTRIES} Answered in one spelling and in order, IPv4 first, each once.`,
	),
	description,
});

export const ipListChangeSchema = z.strictObject({
	add: entries.describe(`${ENTRIES} Those that are there already stay.`).default([]),
	remove: entries
		.describe(`${ENTRIES} As they stand in the list; others are passed over.`)
		.default([]),
});

export type IpListDocument = z.infer<typeof ipListSchema>;
export type IpListChange = z.infer<typeof ipListChangeSchema>;

/** What lies in the store of a list, beside its entries. */
export interface IpListRecord {
	readonly description: string;
	readonly count: number;
	/** etag of the entries, so that the list's etag depends on them too */
	readonly entries: string;
}

/** Each once, in order. @returns the places of what is no address or range, below `path` */
function rangesIn(
	texts: readonly string[],
	path: string,
): Result<readonly AddressRange[], readonly Finding[]> {
	const problems: Finding[] = [];
	const ranges: AddressRange[] = [];
	for (const [index, text] of texts.entries()) {
		const range = addressRangeOf(text);
		if (range.ok) ranges.push(range.value);
		else problems.push({ path: [path, index], code: "invalid_address", message: range.error });
	}
	if (problems.length > 0) return fail(problems);
	ranges.sort(orderOfRanges);
	return ok(withoutRepetition(ranges));
}

const withoutRepetition = (sorted: readonly AddressRange[]): readonly AddressRange[] =>
	sorted.filter((range, at) => {
		const before = sorted[at - 1];
		return before === undefined || orderOfRanges(before, range) !== 0;
	});

/** As it is stored. @param value without the fields that follow from the path */
export function ipListOf(value: unknown): Result<IpListDocument, readonly Finding[]> {
	const checked = findings(ipListSchema, value);
	if (!checked.ok) return checked;
	const ranges = rangesIn(checked.value.entries, "entries");
	return ranges.ok ? ok({ ...checked.value, entries: ranges.value.map(rangeText) }) : ranges;
}

/** With entries as they are stored; no entry may be both added and removed. */
export function ipListChangeOf(value: unknown): Result<IpListChange, readonly Finding[]> {
	const checked = findings(ipListChangeSchema, value);
	if (!checked.ok) return checked;
	const [add, remove] = [
		rangesIn(checked.value.add, "add"),
		rangesIn(checked.value.remove, "remove"),
	];
	if (!add.ok || !remove.ok) {
		return fail([...(add.ok ? [] : add.error), ...(remove.ok ? [] : remove.error)]);
	}
	const added = new Set(add.value.map(rangeText));
	const removed = remove.value.map(rangeText);
	const both = removed.find((text) => added.has(text));
	if (both === undefined) return ok({ add: [...added], remove: removed });
	const message = `"${both}" stands in "add" too; say one of the two`;
	return fail([{ path: ["remove"], code: "contradiction", message }]);
}

/** Entries stand in the store as one text, which JSON holds as it is. */
export const entriesText = (list: readonly string[]): string => list.join(" ");
export const entriesIn = (text: string): readonly string[] => (text === "" ? [] : text.split(" "));

/** Entries as they are stored, with some more and without some. */
export function changedEntries(
	current: readonly string[],
	{ add, remove }: IpListChange,
): readonly string[] {
	const all = new Set(current);
	for (const text of remove) all.delete(text);
	for (const text of add) all.add(text);
	const ranges: AddressRange[] = [];
	for (const text of all) {
		const range = addressRangeOf(text);
		if (range.ok) ranges.push(range.value);
	}
	return ranges.sort(orderOfRanges).map(rangeText);
}
