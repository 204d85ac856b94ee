/**
 * What depends on one thing alone is made once for all who have that thing, and goes with it. Further arguments say how it is
 * made, and those of the first call count.
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
