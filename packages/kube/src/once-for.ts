/**
 * Caches a result by an object, and frees it with the object. Only the first call's further arguments are used.
 */
export function onceFor<Key extends WeakKey, Made, How extends readonly unknown[] = []>(
  make: (key: Key, ...how: How) => Made,
): (key: Key, ...how: How) => Made {
  const known = new WeakMap<Key, { readonly made: Made }>();
  return (key, ...how) => {
    let entry = known.get(key);
    if (!entry) known.set(key, (entry = { made: make(key, ...how) }));
    return entry.made;
  };
}
