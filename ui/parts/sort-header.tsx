/** The head of a column that its table can be sorted by. Used by routes.tsx. */
import { Arrow } from "./marks.tsx";

export interface Sorting<Key extends string> {
	readonly key: Key;
	readonly order: "asc" | "desc";
}

interface Props<Key extends string> {
	readonly name: Key;
	readonly label: string;
	readonly class?: string;
	readonly sorting: Sorting<Key>;
	/** what a first click sorts by */
	readonly first?: "asc" | "desc";
	sort(sorting: Sorting<Key>): void;
}

export function SortHeader<Key extends string>(props: Props<Key>) {
	const { name, label, sorting, first = "desc", sort } = props;
	const chosen = sorting.key === name;
	const next = chosen ? (sorting.order === "asc" ? "desc" : "asc") : first;
	const state = chosen ? (sorting.order === "asc" ? "ascending" : "descending") : "none";
	return (
		<th scope="col" class={props.class} aria-sort={state}>
			<button type="button" class="sort" onClick={() => sort({ key: name, order: next })}>
				{label}
				{chosen && <Arrow up={sorting.order === "asc"} />}
			</button>
		</th>
	);
}
