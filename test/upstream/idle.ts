/** What an upstream and a call say that are made up by a test and hold nothing. */
export const NO_LOAD = {
	...{ bodyBytes: 0, pressed: 0, occupancy: 0 },
	takeStates: () => ({ waiting: 0, addresses: [] }),
} as const;
export const NO_CALL = { heldBytes: 0, holdsPlace: false } as const;
