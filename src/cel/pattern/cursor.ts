/** A place in the source of a pattern, which reading moves on. Used by `syntax.ts` and `escapes.ts`. */

export class PatternCursor {
	readonly source: string;
	index = 0;

	constructor(source: string) {
		this.source = source;
	}

	get atEnd(): boolean {
		return this.index >= this.source.length;
	}

	at(text: string): boolean {
		return this.source.startsWith(text, this.index);
	}

	/** Moves behind `text` if it is next. */
	take(text: string): boolean {
		if (!this.at(text)) return false;
		this.index += text.length;
		return true;
	}

	/** Moves behind the match of a sticky pattern at this place. */
	match(sticky: RegExp): RegExpExecArray | undefined {
		sticky.lastIndex = this.index;
		const found = sticky.exec(this.source);
		if (found === null) return undefined;
		this.index += found[0].length;
		return found;
	}

	/** The next code point; only where the source has not ended. */
	next(): number {
		const codePoint = this.source.codePointAt(this.index) ?? 0;
		this.index += codePoint > 0xffff ? 2 : 1;
		return codePoint;
	}
}
