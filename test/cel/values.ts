/** Values of the project, of the library and of the official cases, in one comparable form. */
import { isCelList, isCelMap, isCelType, isCelUint } from "@bufbuild/cel";
import type { Value as OfficialValue } from "@bufbuild/cel-spec/cel/expr/value_pb.js";
import { createRegistry, isMessage } from "@bufbuild/protobuf";
import { isReflectMessage } from "@bufbuild/protobuf/reflect";
import { anyUnpack, DurationSchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import {
	Duration,
	Optional,
	Timestamp,
	TypeValue,
	Uint,
	ValueMap,
} from "../../src/cel/values/value.ts";
import { isOptional } from "./oracle/optional.ts";

const registry = createRegistry(TimestampSchema, DurationSchema);

/** e.g. `[int 1, {string "a": double 2}]`; entries of maps in one order. Any of the project's or the library's values. */
export function described(value: unknown): string {
	if (value === null) return "null";
	if (typeof value === "bigint") return `int ${value}`;
	if (typeof value === "number") return `double ${Object.is(value, -0) ? "-0" : value}`;
	if (typeof value === "string") return `string ${JSON.stringify(value)}`;
	if (typeof value === "boolean") return `bool ${value}`;
	if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString("hex")}`;
	return describedOurs(value) ?? describedLibrary(value) ?? "no value";
}

function describedOurs(value: unknown): string | undefined {
	if (Array.isArray(value)) return listText(value);
	if (value instanceof Uint) return `uint ${value.value}`;
	if (value instanceof ValueMap) {
		return mapText(value.keys().map((key) => [key, value.get(key)] as const));
	}
	if (value instanceof Timestamp) return `timestamp ${value.seconds}.${value.nanos}`;
	if (value instanceof Duration) return `duration ${value.seconds}.${value.nanos}`;
	if (value instanceof TypeValue) return `type ${value.name}`;
	return value instanceof Optional ? optionalText(value.value) : undefined;
}

function describedLibrary(value: unknown): string | undefined {
	if (isOptional(value)) return optionalText(value.value);
	if (isCelUint(value)) return `uint ${value.value}`;
	if (isCelList(value)) return listText([...value]);
	if (isCelMap(value)) return mapText([...value]);
	if (isReflectMessage(value)) return described(value.message);
	if (isMessage(value, TimestampSchema)) return `timestamp ${value.seconds}.${value.nanos}`;
	if (isMessage(value, DurationSchema)) return `duration ${value.seconds}.${value.nanos}`;
	return isCelType(value) ? `type ${value.name}` : undefined;
}

export function describedExpected({ kind }: OfficialValue): string {
	switch (kind.case) {
		case "uint64Value":
			return `uint ${kind.value}`;
		case "nullValue":
			return "null";
		case "typeValue":
			return `type ${kind.value}`;
		case "listValue":
			return `[${kind.value.values.map(describedExpected).join(", ")}]`;
		case "mapValue":
			return sortedText(
				kind.value.entries.map(({ key, value }) =>
					key && value ? `${describedExpected(key)}: ${describedExpected(value)}` : "",
				),
			);
		case "objectValue":
			return described(anyUnpack(kind.value, registry));
		default:
			return described(kind.value);
	}
}

const listText = (elements: readonly unknown[]): string =>
	`[${elements.map(described).join(", ")}]`;

const mapText = (entries: readonly (readonly [key: unknown, value: unknown])[]): string =>
	sortedText(entries.map(([key, value]) => `${described(key)}: ${described(value)}`));

const sortedText = (entries: readonly string[]): string => `{${entries.toSorted().join(", ")}}`;

const optionalText = (value: unknown): string =>
	value === undefined ? "optional none" : `optional of ${described(value)}`;
