/** Values of the library, and those the official cases expect, in one comparable form. */
import { isCelList, isCelMap, isCelType, isCelUint } from "@bufbuild/cel";
import type { Value } from "@bufbuild/cel-spec/cel/expr/value_pb.js";
import { createRegistry, isMessage } from "@bufbuild/protobuf";
import { isReflectMessage } from "@bufbuild/protobuf/reflect";
import { anyUnpack, DurationSchema, TimestampSchema } from "@bufbuild/protobuf/wkt";

const registry = createRegistry(TimestampSchema, DurationSchema);

/** e.g. `[int 1, {string "a": double 2}]`; entries of maps in one order. */
export function described(value: unknown): string {
	if (value === null) return "null";
	if (typeof value === "bigint") return `int ${value}`;
	if (typeof value === "number") return `double ${Object.is(value, -0) ? "-0" : value}`;
	if (typeof value === "string") return `string ${JSON.stringify(value)}`;
	if (typeof value === "boolean") return `bool ${value}`;
	if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString("hex")}`;
	if (isCelUint(value)) return `uint ${value.value}`;
	if (isCelList(value)) return `[${[...value].map(described).join(", ")}]`;
	if (isCelMap(value)) {
		return mapText([...value].map(([key, each]) => `${described(key)}: ${described(each)}`));
	}
	if (isReflectMessage(value)) return described(value.message);
	if (isMessage(value, TimestampSchema)) return `timestamp ${value.seconds}.${value.nanos}`;
	if (isMessage(value, DurationSchema)) return `duration ${value.seconds}.${value.nanos}`;
	if (isCelType(value)) return `type ${value.name}`;
	return "no value";
}

export function describedExpected({ kind }: Value): string {
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
			return mapText(
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

const mapText = (entries: readonly string[]): string => `{${entries.toSorted().join(", ")}}`;
