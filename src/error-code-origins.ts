/** Which of the codes in `error-codes.ts` are the management API's, and which the data path's. */
import { ERROR_CODES, type Origin } from "./error-codes.ts";

type CodesOf<By extends Origin> = {
	[Code in keyof typeof ERROR_CODES]: (typeof ERROR_CODES)[Code]["origin"] extends By | "both"
		? Code
		: never;
}[keyof typeof ERROR_CODES];

/** The codes that one of the two answers with, in the order of the table. */
export const codesOf = <By extends "api" | "edge">(by: By): readonly CodesOf<By>[] =>
	Object.entries(ERROR_CODES)
		.filter(([, { origin }]) => origin === by || origin === "both")
		.map(([code]) => code as CodesOf<By>);

/** Codes of the management API. */
export type ErrorCode = CodesOf<"api">;
/** Codes of the data path. */
export type EdgeErrorCode = CodesOf<"edge">;
