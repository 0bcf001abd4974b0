/**
 * How the benches measure and compare. A machine may run at two speeds, a factor of two apart, for minutes at a time,
 * and has other work: a median of a few long measurements is of one speed or of the other. So all that is compared is
 * measured in many short slices, taking turns; a figure is the quartile on the quick side, and a ratio of two figures
 * stands beside the median ratio of neighbouring slices. Where these two don't agree, nothing is known. Pure but for
 * `timeInTurns`.
 */

/** At least so many slices make a figure that may be compared. */
export const SLICES = 9;
/** Ratio of the quartiles and paired ratio, the larger by the smaller: further apart, and neither is believed. */
const AGREEMENT = 1.05;

/**
 * @param {readonly number[]} numbers @param {number} share from 0, the least, to 1, the most
 * @returns {number} NaN of none
 */
export const quantile = (numbers, share) =>
	numbers.toSorted((one, other) => one - other)[
		Math.min(numbers.length - 1, Math.floor(numbers.length * share))
	] ?? Number.NaN;

/** @param {readonly number[]} numbers @returns {number} NaN of none */
export const median = (numbers) => {
	const sorted = numbers.toSorted((one, other) => one - other);
	const middle = Math.floor(sorted.length / 2);
	const [below = Number.NaN, above = Number.NaN] = sorted.slice(middle - 1, middle + 1);
	return sorted.length % 2 === 1 ? (sorted[middle] ?? Number.NaN) : (below + above) / 2;
};

/** The figure of what is better small: times. @param {readonly number[]} numbers */
export const lowerQuartile = (numbers) => quantile(numbers, 0.25);

/** The figure of what is better large: requests a second. @param {readonly number[]} numbers */
export const upperQuartile = (numbers) => -lowerQuartile(numbers.map((number) => -number));

/**
 * What was measured of one contender, by number of the slice; undefined where it took no part.
 * @typedef {readonly (number | undefined)[]} Slices
 * @typedef {{ ratio: number, paired: number, known: boolean }} Comparison
 */

/** @param {Slices} slices @returns {number[]} */
export const taken = (slices) => slices.filter((each) => each !== undefined);

/**
 * One contender by another. A slice is paired with the other's of the same number, which ran next to it.
 * @param {Slices} ours @param {Slices} theirs @param {(numbers: readonly number[]) => number} figure
 * @returns {Comparison | undefined} undefined if they have no slice in common
 */
export const compare = (ours, theirs, figure = lowerQuartile) => {
	const pairs = ours.flatMap((our, slice) => {
		const their = theirs[slice];
		return our === undefined || their === undefined ? [] : [our / their];
	});
	if (pairs.length === 0) return undefined;
	const ratio = figure(taken(ours)) / figure(taken(theirs));
	const paired = median(pairs);
	const apart = Math.max(ratio / paired, paired / ratio);
	return { ratio, paired, known: pairs.length >= SLICES && apart <= AGREEMENT };
};

/** What a table says of a comparison, under a heading that ends in "(paired)". @param {Comparison | undefined} comparison */
export const ratioText = (comparison, digits = 2) => {
	if (comparison === undefined) return "–";
	const { ratio, paired, known } = comparison;
	const figures = `${ratio.toFixed(digits)} (${paired.toFixed(digits)})`;
	return known ? figures : `${figures} not known`;
};

/** Said of every table with such ratios. */
export const HOW_MEASURED = `lower quartile of the slices, upper where more is better; in parentheses the median ratio of neighbouring slices; "not known": these two differ by more than ${Math.round((AGREEMENT - 1) * 100)} %, or there are fewer than ${SLICES} slices`;

/**
 * Who goes first changes from slice to slice. @template T
 * @param {readonly T[]} contenders @param {number} slice @returns {T[]}
 */
export const inOrder = (contenders, slice) => {
	const from = slice % Math.max(contenders.length, 1);
	return [...contenders.slice(from), ...contenders.slice(0, from)];
};

/**
 * @template T
 * @param {readonly T[]} contenders @param {number} slices @param {(contender: T, slice: number) => number | Promise<number>} measure
 * @returns {Promise<number[][]>} of each contender its slices
 */
export const inTurns = async (contenders, slices, measure) => {
	/** @type {Map<T, number[]>} */
	const measured = new Map(contenders.map((contender) => [contender, []]));
	for (let slice = 0; slice < slices; slice += 1) {
		for (const contender of inOrder(contenders, slice)) {
			measured.get(contender)?.push(await measure(contender, slice));
		}
	}
	return [...measured.values()];
};

/** Of this process: what others do on the machine isn't counted. Nanoseconds. */
const processorTime = () => {
	const { user, system } = process.cpuUsage();
	return (user + system) * 1000;
};

/** @param {Task} task @param {number} forMs */
const nanosecondsOf = ({ run, calls }, forMs) => {
	const [end, begin] = [performance.now() + forMs, processorTime()];
	let runs = 0;
	do {
		run();
		runs += 1;
	} while (performance.now() < end);
	return (processorTime() - begin) / (runs * calls);
};

/**
 * `calls`: how many are made by one `run`, enough for a clock to be read between two runs.
 * @typedef {{ run: () => unknown, calls: number }} Task
 */

/**
 * Functions of this process.
 * @param {readonly Task[]} tasks @param {{ sliceMs: number, warmUpMs: number, slices?: number }} times
 * @returns {Promise<number[][]>} of each task its slices, in nanoseconds of processor time for a call
 */
export const timeInTurns = (tasks, { sliceMs, warmUpMs, slices = SLICES }) => {
	for (const task of tasks) nanosecondsOf(task, warmUpMs);
	return inTurns(tasks, slices, (task) => nanosecondsOf(task, sliceMs));
};
