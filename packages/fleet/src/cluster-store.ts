/** Prefix of the store names of embedded clusters. */
const prefix = 'cluster ';

export function clusterStore(name: string): string {
  return `${prefix}${name}`;
}

/** The names of the embedded clusters among the given stores. */
export function clustersIn(stores: Iterable<string>): string[] {
  return [...stores].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
}
