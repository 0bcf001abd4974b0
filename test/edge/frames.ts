/** PROXY protocol frames as latin1 strings, good and bad ones. */

const SIGNATURE = "\r\n\r\n\0\r\nQUIT\n";

const number16 = (value: number): string => String.fromCharCode((value >> 8) & 0xff, value & 0xff);

/** @param command 0: LOCAL, 1: PROXY @param family 0x11: TCP over IPv4, 0x21: over IPv6 */
export const frame = (
	payload: string,
	{ version = 2, command = 1, family = 0x11, length = payload.length } = {},
): string =>
	SIGNATURE + String.fromCharCode((version << 4) | command, family) + number16(length) + payload;

const bytesOf4 = (address: string): string =>
	String.fromCharCode(...address.split(".").map(Number));

/** all eight groups written out */
const bytesOf6 = (address: string): string =>
	address
		.split(":")
		.map((group) => number16(Number.parseInt(group, 16)))
		.join("");

export const tlv = (type: number, value: string): string =>
	String.fromCharCode(type) + number16(value.length) + value;

/** Version 2, as a proxy for this client sends it. */
export const frameOf = (address: string, port = 1000, tlvs = ""): string =>
	address.includes(":")
		? frame(
				bytesOf6(address) + bytesOf6("0:0:0:0:0:0:0:1") + number16(port) + number16(80) + tlvs,
				{ family: 0x21 },
			)
		: frame(bytesOf4(address) + bytesOf4("127.0.0.1") + number16(port) + number16(80) + tlvs);

export const LOCAL = frame("", { command: 0, family: 0 });

/** Version 1. */
export const lineOf = (address: string, port = 1000): string =>
	address.includes(":")
		? `PROXY TCP6 ${address} ::1 ${port} 80\r\n`
		: `PROXY TCP4 ${address} 127.0.0.1 ${port} 80\r\n`;
