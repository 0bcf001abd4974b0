/**
 * The errors that undici reports of an attempt: whose fault they are, and how logs describe them. Used by the other
 * files of this folder.
 */
import { addon } from "../../native-addon.ts";

/** Failures that both implementations know, in the native client's words. */
export const FAILURE_TEXTS = addon.failureTexts;

/** The parser takes such a 101 for an answer to a request that asked for no upgrade. */
export const NO_UPGRADE_FIELDS = "its 101 has no upgrade field, or no connection: upgrade";

/** The call was given up by its owner; thrown and passed on, never reported. */
export const ABORTED = new Error("the call was aborted");

/** The request cannot be written as HTTP/1.1, or its body is not as long as announced. */
const UNSENDABLE: ReadonlySet<string> = new Set([
	"UND_ERR_INVALID_ARG",
	"UND_ERR_NOT_SUPPORTED",
	"UND_ERR_REQ_CONTENT_LENGTH_MISMATCH",
]);

const codeOf = (error: Error & { readonly code?: unknown }): string =>
	typeof error.code === "string" ? error.code : "";

/** The request's fault, not the backend's. */
export const isUnsendable = (error: Error): boolean => UNSENDABLE.has(codeOf(error));

/** Node's collective connect error, one for each address of a name, has no message of its own. */
export const describeError = (error: Error): string => {
	if (error instanceof AggregateError) {
		return error.errors
			.map((each: unknown) => (each instanceof Error ? each.message : ""))
			.join(", ");
	}
	return error.message === "" ? codeOf(error) : error.message;
};
