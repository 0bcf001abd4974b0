/**
 * Recognises a backend that leads back to weir (contract 6): each weir that a request passes adds its name to `via`
 * (RFC 9110 7.6.3). Several weirs in a row are normal, so a request may have passed a few. `pipeline.ts` asks for
 * requests with `via`.
 */
import { LIMITS } from "../../limits/limits.ts";

/** The name that weir has in `via`. */
export const PSEUDONYM = "weir";

/** `1.1 weir`, `HTTP/1.1 weir (a comment)` */
const namesWeir = (element: string): boolean => element.trim().split(/[ \t]+/)[1] === PSEUDONYM;

/** @param via the lines of that name @returns true if the request has passed weir too often */
export function isLoop(via: readonly string[]): boolean {
	let hops = 0;
	for (const line of via) {
		for (const element of line.split(",")) if (namesWeir(element)) hops += 1;
	}
	return hops >= LIMITS.hops;
}
