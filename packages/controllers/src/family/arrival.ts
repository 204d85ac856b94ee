/**
 * Some objects are decided about once, from what is there when they arrive. Objects that were created just before them may take this
 * long to arrive: each kind has a watch of its own.
 */
export const arrivalMs = 100;
