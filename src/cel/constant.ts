/**
 * Objects made when an expression is compiled and used each time it is evaluated: compiled patterns,
 * parsed address ranges. The planned expression names them like variables, so they wear the library's
 * mark of a map; no expression can get hold of one.
 */
const MAP_MARK = Symbol.for("@bufbuild/cel/map");

export class Constant<T> {
	readonly [MAP_MARK] = {};
	readonly size = 0;
	readonly value: T;

	constructor(value: T) {
		this.value = value;
	}
}
