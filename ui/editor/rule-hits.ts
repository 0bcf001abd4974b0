/**
 * How often each rule has matched, in a column beside the text. The counts stay with the rules that they belong to while the
 * text is changed; a rule that is not saved yet has none. Used by policy-editor.ts.
 */
import { type Extension, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { type EditorView, GutterMarker, gutter } from "@codemirror/view";
import type { RuleHits } from "../../src/management/live/shapes.ts";
import { count } from "../text/format.ts";
import { type RulePlace, rulePlaces } from "./places.ts";

/** The text is the saved one: its rules are those that are counted. */
const saved = StateEffect.define<null>();
const counted = StateEffect.define<ReadonlyMap<string, RuleHits>>();

interface Held {
	readonly places: readonly RulePlace[];
	readonly hits: ReadonlyMap<string, RuleHits>;
}

const idOf = ({ phase, index }: Pick<RuleHits, "phase" | "index">): string => `${phase}/${index}`;

class HitsMarker extends GutterMarker {
	readonly text: string;

	constructor(text: string) {
		super();
		this.text = text;
	}

	override eq(other: HitsMarker): boolean {
		return other.text === this.text;
	}

	override toDOM(): Node {
		return document.createTextNode(this.text);
	}
}

const field = StateField.define<Held>({
	create: (state) => ({ places: rulePlaces(state), hits: new Map() }),
	update(held, transaction) {
		let { places, hits } = held;
		if (transaction.docChanged) {
			places = places.map((each) => ({ ...each, from: transaction.changes.mapPos(each.from, 1) }));
		}
		for (const effect of transaction.effects) {
			if (effect.is(saved)) places = rulePlaces(transaction.state);
			if (effect.is(counted)) hits = effect.value;
		}
		return places === held.places && hits === held.hits ? held : { places, hits };
	},
});

function markers(view: EditorView): RangeSet<GutterMarker> {
	const { places, hits } = view.state.field(field);
	const ranges = places.flatMap((place) => {
		const hit = hits.get(idOf(place));
		if (hit === undefined) return [];
		const line = view.state.doc.lineAt(Math.min(place.from, view.state.doc.length)).from;
		return [new HitsMarker(count(hit.matches)).range(line)];
	});
	return RangeSet.of(ranges, true);
}

export const ruleHits = (): Extension => [
	field,
	gutter({
		class: "cm-hits",
		markers,
		lineMarkerChange: (update) => update.startState.field(field) !== update.state.field(field),
		initialSpacer: () => new HitsMarker("0,000"),
	}),
];

export function showHits(view: EditorView, rules: readonly RuleHits[]): void {
	view.dispatch({ effects: counted.of(new Map(rules.map((each) => [idOf(each), each]))) });
}

export const textIsSaved = (view: EditorView): void => view.dispatch({ effects: saved.of(null) });

/** Where a saved rule stands now. */
export function placeOfRule(
	view: EditorView,
	rule: Pick<RuleHits, "phase" | "index">,
): number | undefined {
	return view.state.field(field).places.find((each) => idOf(each) === idOf(rule))?.from;
}
