/** Where rules and cursors stand in a document, also in one that is being written. */
import { json } from "@codemirror/lang-json";
import { EditorState } from "@codemirror/state";
import { expect, it } from "vitest";
import { rulePlaces, spotAt } from "../../../ui/editor/places.ts";

/** `|` is the cursor. */
function at(marked: string) {
	const position = marked.indexOf("|");
	const state = EditorState.create({ doc: marked.replace("|", ""), extensions: [json()] });
	const { path, kind, from, to } = spotAt(state, position);
	return { path: path.join("/"), kind, text: state.sliceDoc(from, to) };
}

it("finds the rules of both phases", () => {
	const doc = '{"enabled": true,\n"inbound": [ {}, {"name": "x"} ],\n"outbound": [{}]}';
	const places = rulePlaces(EditorState.create({ doc, extensions: [json()] }));
	expect(places.map(({ phase, index, from }) => [phase, index, doc.slice(from, from + 3)])).toEqual(
		[
			["inbound", 0, "{},"],
			["inbound", 1, '{"n'],
			["outbound", 0, "{}]"],
		],
	);
	expect(rulePlaces(EditorState.create({ doc: '{"inbound": 1', extensions: [json()] }))).toEqual(
		[],
	);
});

it("knows which text the cursor is in", () => {
	const action = '{"inbound":[{"actions":[{"type":"de|ny"}]}]}';
	expect(at(action)).toEqual({ path: "inbound/0/actions/0/type", kind: "string", text: "deny" });
	expect(at('{"inbound":[{},{"expressions":["a","req.|"]}]}')).toEqual({
		path: "inbound/1/expressions/1",
		kind: "string",
		text: "req.",
	});
	expect(at('{"inbound":[{"na|"}]}')).toEqual({ path: "inbound/0", kind: "name", text: "na" });
});

it("knows it in what is not complete yet, too", () => {
	expect(at('{"inbound":[{"expressions":["req.|"')).toMatchObject({
		path: "inbound/0/expressions/0",
		kind: "string",
	});
	expect(at('{"inbound":[{"actions":[|')).toMatchObject({
		path: "inbound/0/actions",
		kind: "between",
	});
	expect(at("|")).toMatchObject({ path: "", kind: "between" });
	expect(at('{"inbound": "x"|}')).toMatchObject({ kind: "between" });
});
