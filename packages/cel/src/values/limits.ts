/** Sizes beyond which nothing is built: what is larger could not be read within the cost limits of Kubernetes. */

/** In UTF-16 units. */
export const MAX_STRING_LENGTH = 2 ** 24;

export const MAX_LIST_SIZE = 2 ** 21;
