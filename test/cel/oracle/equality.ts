/**
 * Equality as the specification has it. The library's own takes a header map's answer for a missing name
 * for an entry, and knows no optionals.
 */
import { type CelValue, isCelList, isCelMap, isCelType, isCelUint } from "@bufbuild/cel";
import { isReflectMessage, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { isOptional } from "./optional.ts";

export function equal(left: CelValue, right: CelValue): boolean {
	if (isOptional(left) || isOptional(right)) return sameOptional(left, right);
	if (isNumeric(left) && isNumeric(right)) {
		// exact between a bigint and a number
		// biome-ignore lint/suspicious/noDoubleEquals: the only operator that compares the two kinds
		return numberOf(left) == numberOf(right);
	}
	if (left instanceof Uint8Array) {
		return right instanceof Uint8Array && Buffer.compare(left, right) === 0;
	}
	if (isCelList(left)) {
		if (!isCelList(right) || left.size !== right.size) return false;
		const others = [...right];
		return [...left].every((each, at) => equal(each, others[at] as CelValue));
	}
	if (isCelMap(left)) {
		return (
			isCelMap(right) &&
			left.size === right.size &&
			[...left].every(([key, value]) => {
				const found = [...right].find(([other]) => equal(key, other));
				return found !== undefined && equal(value, found[1]);
			})
		);
	}
	if (isReflectMessage(left)) return isReflectMessage(right) && sameMoment(left, right);
	if (isCelType(left)) return isCelType(right) && left.name === right.name;
	return left === right;
}

function sameOptional(left: CelValue, right: CelValue): boolean {
	if (!isOptional(left) || !isOptional(right)) return false;
	if (left.value === undefined || right.value === undefined) return left.value === right.value;
	return equal(left.value, right.value);
}

type Numeric = number | bigint | Extract<CelValue, { readonly value: bigint }>;

const isNumeric = (value: CelValue): value is Numeric =>
	typeof value === "number" || typeof value === "bigint" || isCelUint(value);

const numberOf = (value: Numeric): number | bigint =>
	typeof value === "object" ? value.value : value;

/** Timestamps and durations, the only messages there are. */
function sameMoment(left: ReflectMessage, right: ReflectMessage): boolean {
	const [a, b] = [left.message, right.message] as const;
	return (
		left.desc.typeName === right.desc.typeName &&
		"seconds" in a &&
		"seconds" in b &&
		"nanos" in a &&
		"nanos" in b &&
		a.seconds === b.seconds &&
		a.nanos === b.nanos
	);
}
