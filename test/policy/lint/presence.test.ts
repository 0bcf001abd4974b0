/** What must be there if an expression is true, and if it is false. */
import { expect, test } from "vitest";
import { presenceOf } from "../../../src/policy/lint/presence.ts";
import { checked } from "./support.ts";

const presence = (source: string): string => {
	const { ifTrue, ifFalse } = presenceOf(checked(source), new Map());
	const short = (keys: ReadonlySet<string>) =>
		[...keys]
			.map((key) => key.replace("req.headers ", ""))
			.sort()
			.join();
	return `${short(ifTrue)}|${short(ifFalse)}`;
};

test.each([
	["'x' in req.headers", "x|"],
	["has(req.headers.x)", "x|"],
	["!('x' in req.headers)", "|x"],
	["'a' in req.headers['x']", "x|"],
	["req.headers['x'].exists(v, v == 'a')", "x|"],
	["req.headers['x'].exists_one(v, v == 'a')", "x|"],
	["req.headers['x'].all(v, v == 'a')", "|"],
	["size(req.headers['x']) > 0", "x|"],
	["req.headers['x'].size() >= 1", "x|"],
	["0 < size(req.headers['x'])", "x|"],
	["size(req.headers['x']) == 2", "x|"],
	["size(req.headers['x']) != 0", "x|"],
	["size(req.headers['x']) == 0", "|x"],
	["size(req.headers['x']) < 1", "|x"],
	["size(req.headers['x']) != 2", "|x"],
	["size(req.headers['x']) >= 0", "|"],
	["req.headers['x'] != []", "x|"],
	["[] == req.headers['x']", "|x"],
	["size(req.headers['x'].filter(v, v == 'a')) > 0", "x|"],
	["req.headers['x'].filter(v, v == 'a') != []", "x|"],
	["req.user_agent != ''", "user-agent|"],
	["req.user_agent == ''", "|user-agent"],
	["req.user_agent == 'curl'", "user-agent|"],
	["req.user_agent != 'curl'", "|user-agent"],
	["req.method == 'GET'", "|"],
	["'x' in req.headers && 'y' in req.headers", "x,y|"],
	["'x' in req.headers || 'y' in req.headers", "|"],
	["!('x' in req.headers) || !('y' in req.headers)", "|x,y"],
	["!('x' in req.headers && 'y' in req.headers)", "|x,y"],
	["('x' in req.headers && 'y' in req.headers) || 'y' in req.headers", "y|"],
	["'x' in req.headers ? true : false", "|"],
	["size([1]) > 0", "|"],
])("%s: %s", (source, expected) => {
	expect(presence(source)).toBe(expected);
});
