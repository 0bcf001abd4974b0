/**
 * How weir speaks TLS to a backend, as a route's document says it (contract 6). Certificates and keys are named by
 * files on weir's machine, so that no secret passes through the management API or lies in the store. A part of
 * `resources.ts`; `upstream/undici/backend-tls.ts` reads the files.
 */
import { z } from "zod";
import { parseAuthority } from "../http/target.ts";
import { LIMITS } from "../limits/limits.ts";

/** Undefined if `text` is an absolute path. */
function pathMistake(text: string): string | undefined {
	if (text.startsWith("-----BEGIN")) {
		return "takes the path of a file on weir's machine, not the text of the file";
	}
	if (!text.startsWith("/") || text.includes("\0")) {
		return "must be the absolute path of a file on weir's machine";
	}
	return undefined;
}

const file = (what: string) =>
	z
		.string()
		.max(LIMITS.filePathCharacters)
		.refine((text) => pathMistake(text) === undefined, {
			error: ({ input }) => pathMistake(String(input)) ?? "",
			params: { code: "invalid_path" },
		})
		.describe(`${what}: absolute path of a PEM file on weir's machine.`)
		.optional();

const ADDRESS = /^[\d.]+$|:/;

/** A certificate's name; SNI has no addresses and no ports. */
const isName = (text: string): boolean =>
	parseAuthority(text)?.port === undefined &&
	parseAuthority(text) !== undefined &&
	!ADDRESS.test(text);

/** One without the other is no identity. */
const PAIR = [
	["client_cert", "client_key"],
	["client_key", "client_cert"],
] as const;

export const backendTlsSchema = z
	.strictObject({
		ca: file("Authorities that may have issued the backend's certificate, instead of Node's list"),
		server_name: z
			.string()
			.refine(isName, {
				error: "is no host name; an address or a port is not allowed",
				params: { code: "invalid_host" },
			})
			.describe("Name for SNI that the certificate must carry, instead of the URL's host.")
			.optional(),
		verify: z
			.boolean()
			.describe("false: any certificate will do, so anybody in between can read and change all.")
			.optional(),
		client_cert: file("Certificate by which weir identifies itself, with its chain"),
		client_key: file("Key of `client_cert`"),
	})
	.superRefine((tls, context) => {
		for (const [given, missing] of PAIR) {
			if (tls[given] === undefined || tls[missing] !== undefined) continue;
			context.addIssue({
				code: "custom",
				path: [given],
				message: `needs "${missing}" beside it`,
				params: { code: "incomplete_pair" },
			});
		}
	});

export type BackendTls = z.infer<typeof backendTlsSchema>;

/** `tls` of a backend without TLS would do nothing. @returns undefined if it has one */
export const uselessTls = (urls: readonly string[]): string | undefined =>
	urls.some((url) => /^https:/i.test(url))
		? undefined
		: 'is for "https://" urls, and there is none';
