/**
 * Values as plain data that can be sent to another thread, where classes would arrive without their methods. Used by
 * `attributes-copy.ts` for what actions have left, and by `settle.ts` and `program.ts` for values that a thread finds.
 */
import { MapBuilder, mapFromStrings } from "./entry-map.ts";
import { isList } from "./types.ts";
import {
	Duration,
	Optional,
	type Portable,
	RecordValue,
	Timestamp,
	TypeValue,
	Uint,
	type Value,
	type ValueMap,
} from "./value.ts";

/** @param value nested no deeper than JSON may be */
export function portable(value: Value): Portable {
	if (value === null || typeof value !== "object" || value instanceof Uint8Array) return value;
	if (isList(value)) return value.map(portable);
	if (value instanceof Uint) return { is: "uint", value: value.value };
	if (value instanceof Timestamp) return { is: "timestamp", ...value };
	if (value instanceof Duration) return { is: "duration", ...value };
	if (value instanceof TypeValue) return { is: "type", name: value.name };
	if (value instanceof Optional) {
		return { is: "optional", held: value.value === undefined ? [] : [portable(value.value)] };
	}
	return { is: value instanceof RecordValue ? "record" : "map", entries: portableEntries(value) };
}

const portableEntries = (map: ValueMap): (readonly [Portable, Portable])[] =>
	map.keys().map((key) => [portable(key), portable(map.get(key) ?? null)] as const);

export function fromPortable(sent: Portable): Value {
	if (sent === null || typeof sent !== "object" || sent instanceof Uint8Array) return sent;
	if (isPortableList(sent)) return sent.map(fromPortable);
	switch (sent.is) {
		case "uint":
			return new Uint(sent.value);
		case "timestamp":
			return new Timestamp(sent.seconds, sent.nanos);
		case "duration":
			return new Duration(sent.seconds, sent.nanos);
		case "type":
			return new TypeValue(sent.name);
		case "optional":
			return sent.held[0] === undefined ? Optional.NONE : new Optional(fromPortable(sent.held[0]));
		case "record":
			return new RecordValue(Object.fromEntries(entriesOf(sent.entries)));
		case "map": {
			const entries = entriesOf(sent.entries);
			if (entries.every(([key]) => typeof key === "string"))
				return mapFromStrings(new Map(entries));
			const builder = new MapBuilder();
			for (const [key, value] of entries) builder.put(key, value);
			return builder.build();
		}
	}
}

const isPortableList = (sent: Portable): sent is readonly Portable[] => Array.isArray(sent);

const entriesOf = (entries: readonly (readonly [Portable, Portable])[]): [string, Value][] =>
	entries.map(([key, value]) => [fromPortable(key) as string, fromPortable(value)]);
