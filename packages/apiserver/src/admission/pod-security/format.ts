/** Formats parts of the messages of Kubernetes. */
import { compareBytes } from '@flotilla/kube';

export function quoted(items: readonly string[]): string {
  return items.map((item) => `"${item}"`).join(', ');
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many;
}

/** `container "a"`, `containers "a", "b"`. */
export function formatContainers(names: readonly string[]): string {
  return `${plural(names.length, 'container')} ${quoted(names)}`;
}

/** `pod and containers "a", "b"`. */
export function formatSetters(isPod: boolean, containers: readonly string[]): string {
  const setters = [...(isPod ? ['pod'] : []), ...(containers.length > 0 ? [formatContainers(containers)] : [])];
  return setters.join(' and ');
}

/** Sorted, without duplicates. */
export function sorted(items: Iterable<string>): string[] {
  return [...new Set(items)].sort(compareBytes);
}
