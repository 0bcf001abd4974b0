/**
 * JA4 of a ClientHello as its definition says it, in the plainest way: a second implementation, which shares nothing
 * with weir's. Used by `client-hello.test.ts`.
 */
import { createHash } from "node:crypto";

const isGrease = (value: number): boolean =>
	(value & 0x0f0f) === 0x0a0a && value >> 8 === (value & 0xff);
const hex = (value: number): string => value.toString(16).padStart(4, "0");
const twelve = (text: string): string =>
	text === "" ? "000000000000" : createHash("sha256").update(text).digest("hex").slice(0, 12);
const VERSIONS: Readonly<Record<number, string>> = { 772: "13", 771: "12", 770: "11", 769: "10" };

function numbersOf(list: Buffer): number[] {
	const found: number[] = [];
	for (let at = 0; at < list.length; at += 2) found.push(list.readUInt16BE(at));
	return found.filter((value) => !isGrease(value));
}

/** The content of handshake records, one behind the other. */
export function handshakeOf(stream: Buffer): Buffer {
	const parts: Buffer[] = [];
	for (let at = 0; at + 5 <= stream.length && stream[at] === 22; ) {
		const length = stream.readUInt16BE(at + 3);
		parts.push(stream.subarray(at + 5, at + 5 + length));
		at += 5 + length;
	}
	return Buffer.concat(parts);
}

/** @param message from its type on, whole */
export function ja4(message: Buffer): string {
	let at = 4 + 2 + 32;
	const block = (width: 1 | 2): Buffer => {
		const length = message.readUIntBE(at, width);
		at += width + length;
		return message.subarray(at - length, at);
	};
	let version = message.readUInt16BE(4);
	block(1);
	const suites = numbersOf(block(2));
	block(1);
	const end = at + 2 + message.readUInt16BE(at);
	at += 2;
	const types: number[] = [];
	let signatures: number[] = [];
	let protocol = "00";
	while (at < end) {
		const type = message.readUInt16BE(at);
		at += 2;
		const content = block(2);
		if (!isGrease(type)) types.push(type);
		if (type === 0x2b) version = Math.max(...numbersOf(content.subarray(1)));
		if (type === 0x0d) signatures = numbersOf(content.subarray(2));
		if (type === 0x10) {
			const first = content.toString("latin1", 3, 3 + (content[2] ?? 0));
			protocol = `${first[0]}${first.at(-1)}`;
		}
	}
	const count = (list: readonly number[]): string =>
		String(Math.min(list.length, 99)).padStart(2, "0");
	const sorted = (list: readonly number[]): string => list.map(hex).sort().join(",");
	const others = types.filter((type) => type !== 0 && type !== 0x10);
	const last = sorted(others) + (signatures.length > 0 ? `_${signatures.map(hex).join(",")}` : "");
	const name = types.includes(0) ? "d" : "i";
	return `t${VERSIONS[version]}${name}${count(suites)}${count(types)}${protocol}_${twelve(sorted(suites))}_${twelve(last)}`;
}
