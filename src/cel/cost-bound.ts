/**
 * Upper bounds of times and sizes while they depend on what a loop has in hand: sums of products of
 * `Quantity`s, with coefficients that are not negative. When the loop is left its quantities are summed up, so
 * that many elements which are long together cost what they cost, and not as if each were the longest.
 * The algebra of `cost.ts`; every operation may give more than the truth, never less.
 */

/** A size of a loop's element, e.g. its characters. */
export interface Quantity {
	readonly order: number;
	/** of the largest element, in quantities of outer loops */
	readonly max: Bound;
	/** of all elements together */
	readonly total: Bound;
	/** `max` where everything is as large as it can be */
	readonly most: number;
}

interface Term {
	readonly coefficient: number;
	/** ascending by `order`; a square has its quantity twice */
	readonly quantities: readonly Quantity[];
}

export type Bound = readonly Term[];

/** beyond which a bound becomes a plain number */
const TERMS_MAX = 24;
const DEGREE_MAX = 4;
/** large enough for every time, small enough for products to be finite */
const ENDLESS = 1e60;

export const constant = (value: number): Bound =>
	value === 0 ? [] : [{ coefficient: Math.min(value, ENDLESS), quantities: [] }];

export const ZERO: Bound = [];
export const ONE: Bound = constant(1);

let quantities = 0;

export function quantity(max: Bound, total: Bound): Quantity {
	quantities++;
	return { order: quantities, max, total, most: largest(max) };
}

export const boundOf = (of: Quantity): Bound => [{ coefficient: 1, quantities: [of] }];

/** The bound where everything is as large as it can be. */
export function largest(bound: Bound): number {
	let value = 0;
	for (const { coefficient, quantities } of bound) {
		value += quantities.reduce((product, { most }) => product * most, coefficient);
	}
	return Math.min(value, ENDLESS);
}

export const isConstant = (bound: Bound): boolean =>
	bound.every(({ quantities }) => quantities.length === 0);

export const sum = (...bounds: readonly Bound[]): Bound =>
	collected(bounds.flat(), (left, right) => left + right);

/** At least each of the two: term by term, since no quantity is negative. */
export function either(left: Bound, right: Bound): Bound {
	if (isConstant(left) && isConstant(right)) return largest(left) < largest(right) ? right : left;
	return collected([...left, ...right], Math.max);
}

/** The one that is smaller at its largest; both are bounds of the same. */
export function smaller(left: Bound, right: Bound): Bound {
	const [a, b] = [largest(left), largest(right)];
	if (a === b) return isConstant(left) ? right : left;
	return a < b ? left : right;
}

export const scaled = (bound: Bound, factor: number): Bound =>
	factor === 0
		? ZERO
		: bound.map(({ coefficient, quantities }) => ({
				coefficient: Math.min(coefficient * factor, ENDLESS),
				quantities,
			}));

export function product(left: Bound, right: Bound): Bound {
	const terms = left.flatMap((one) =>
		right.map((other) => ({
			coefficient: Math.min(one.coefficient * other.coefficient, ENDLESS),
			quantities: [...one.quantities, ...other.quantities].sort((a, b) => a.order - b.order),
		})),
	);
	return collected(terms, (a, b) => a + b);
}

/** Terms of the same quantities joined; a plain number if there are too many. */
function collected(terms: Bound, join: (left: number, right: number) => number): Bound {
	const byQuantities = new Map<string, Term>();
	for (const term of terms) {
		const key = term.quantities.map(({ order }) => order).join();
		const known = byQuantities.get(key);
		const coefficient = Math.min(join(term.coefficient, known?.coefficient ?? 0), ENDLESS);
		byQuantities.set(key, { coefficient, quantities: term.quantities });
	}
	const joined = [...byQuantities.values()];
	const isTooMuch =
		joined.length > TERMS_MAX || joined.some(({ quantities }) => quantities.length > DEGREE_MAX);
	return isTooMuch ? constant(largest(joined)) : joined;
}

/** @param inner the quantities of a loop @returns what is at least the bound for each of its elements */
export const forLargest = (bound: Bound, inner: ReadonlySet<Quantity>): Bound =>
	sum(...bound.map((term) => withMaxima(term, term.quantities, inner)));

/** @param turns of the loop @returns what is at least the sum of the bound over all its elements */
export const summedUp = (bound: Bound, inner: ReadonlySet<Quantity>, turns: Bound): Bound =>
	sum(...bound.map((term) => summedTerm(term, inner, turns)));

/** One quantity of each product can be summed up, with the others at their largest: the best of these. */
function summedTerm(term: Term, inner: ReadonlySet<Quantity>, turns: Bound): Bound {
	let best = product(withMaxima(term, term.quantities, inner), turns);
	for (const [at, each] of term.quantities.entries()) {
		if (!inner.has(each)) continue;
		const others = term.quantities.filter((_, place) => place !== at);
		best = smaller(product(withMaxima(term, others, inner), each.total), best);
	}
	return best;
}

function withMaxima(
	{ coefficient }: Term,
	quantities: readonly Quantity[],
	inner: ReadonlySet<Quantity>,
): Bound {
	let bound = constant(coefficient);
	for (const each of quantities) bound = product(bound, inner.has(each) ? each.max : boundOf(each));
	return bound;
}
