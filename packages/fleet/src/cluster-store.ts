/** What the stores of embedded clusters are called, beside the hub's own. */
const prefix = 'cluster ';

export function clusterStore(name: string): string {
  return `${prefix}${name}`;
}

/** Names of the clusters among stores. */
export function clustersIn(stores: Iterable<string>): string[] {
  return [...stores].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
}
