/** Sizes beyond which nothing is built: what is larger could not be read within the cost limits of Kubernetes. */

/** In UTF-16 units. */
export const maxStringLength = 2 ** 24;

export const maxListSize = 2 ** 21;
