/** What depends on one thing alone is made once for all who have that thing, and goes with it. */
export function onceFor<Key extends WeakKey, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const known = new WeakMap<Key, { readonly made: Made }>();
  return (key) => {
    let entry = known.get(key);
    if (!entry) known.set(key, (entry = { made: make(key) }));
    return entry.made;
  };
}
