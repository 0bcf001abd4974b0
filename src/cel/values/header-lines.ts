/**
 * Header lines of one message, as the edge has them and as the values of variables are made of them. Names are
 * given in lower case.
 */
export interface HeaderLines {
	/** Values of all lines named `name` (lower case), in order of arrival; a shared empty array if there is none. */
	lines(name: string): readonly string[];
	/** Distinct lower-case names in order of first appearance. */
	names(): readonly string[];
}
