/**
 * Finds the longest prefix of a path among any number of prefixes, in time that depends on the path alone. It is a
 * radix tree with one child per next character. `route-table.ts` keeps one per edge.
 */
interface Node<T> {
	/** characters between the parent and this node */
	label: string;
	value: T | undefined;
	children: Map<number, Node<T>> | undefined;
}

const commonLength = (a: string, b: string): number => {
	const end = Math.min(a.length, b.length);
	let length = 0;
	while (length < end && a.charCodeAt(length) === b.charCodeAt(length)) length++;
	return length;
};

export class PrefixTree<T> {
	readonly #root: Node<T> = { label: "", value: undefined, children: undefined };

	/** Hot. @returns the value of the longest prefix of `path`, or undefined */
	longest(path: string): T | undefined {
		let node = this.#root;
		let best = node.value;
		let position = 0;
		while (node.children !== undefined && position < path.length) {
			const child = node.children.get(path.charCodeAt(position));
			if (child === undefined || !path.startsWith(child.label, position)) break;
			position += child.label.length;
			node = child;
			best = node.value ?? best;
		}
		return best;
	}

	/** @returns true if the prefix is there and no other one begins with it */
	isLast(prefix: string): boolean {
		let node: Node<T> | undefined = this.#root;
		let position = 0;
		while (node !== undefined && position < prefix.length) {
			node = node.children?.get(prefix.charCodeAt(position));
			if (node === undefined || !prefix.startsWith(node.label, position)) return false;
			position += node.label.length;
		}
		return node?.value !== undefined && node.children === undefined;
	}

	get(prefix: string): T | undefined {
		let node: Node<T> | undefined = this.#root;
		let position = 0;
		while (node !== undefined && position < prefix.length) {
			const child: Node<T> | undefined = node.children?.get(prefix.charCodeAt(position));
			if (child === undefined || !prefix.startsWith(child.label, position)) return undefined;
			position += child.label.length;
			node = child;
		}
		return node?.value;
	}

	set(prefix: string, value: T): void {
		let node = this.#root;
		let position = 0;
		while (position < prefix.length) {
			const key = prefix.charCodeAt(position);
			node.children ??= new Map();
			const child = node.children.get(key);
			const rest = prefix.slice(position);
			if (child === undefined) {
				node.children.set(key, { label: rest, value, children: undefined });
				return;
			}
			const shared = commonLength(child.label, rest);
			if (shared < child.label.length) {
				const upper: Node<T> = {
					label: rest.slice(0, shared),
					value: undefined,
					children: new Map([[child.label.charCodeAt(shared), child]]),
				};
				child.label = child.label.slice(shared);
				node.children.set(key, upper);
				node = upper;
			} else {
				node = child;
			}
			position += shared;
		}
		node.value = value;
	}

	/** Removes the prefix and the nodes that nothing needs any more. */
	delete(prefix: string): void {
		this.#deleteBelow(this.#root, prefix, 0);
	}

	#deleteBelow(node: Node<T>, prefix: string, position: number): void {
		if (position === prefix.length) {
			node.value = undefined;
			return;
		}
		const key = prefix.charCodeAt(position);
		const child = node.children?.get(key);
		if (child === undefined || !prefix.startsWith(child.label, position)) return;
		this.#deleteBelow(child, prefix, position + child.label.length);
		if (child.value !== undefined) return;
		const only = child.children?.size === 1 ? [...child.children.values()][0] : undefined;
		if (only !== undefined) {
			only.label = child.label + only.label;
			node.children?.set(key, only);
		} else if (child.children === undefined || child.children.size === 0) {
			node.children?.delete(key);
			if (node.children?.size === 0) node.children = undefined;
		}
	}
}
