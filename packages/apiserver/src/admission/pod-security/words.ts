/** How Kubernetes words what it finds in pods. */
import { compareBytes } from '@flotilla/kube';

export function quoted(items: readonly string[]): string {
  return items.map((item) => `"${item}"`).join(', ');
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many;
}

/** `container "a"`, `containers "a", "b"`. */
export function containersInWords(names: readonly string[]): string {
  return `${plural(names.length, 'container')} ${quoted(names)}`;
}

/** `pod and containers "a", "b"`. */
export function settersInWords(isPod: boolean, containers: readonly string[]): string {
  const setters = [...(isPod ? ['pod'] : []), ...(containers.length > 0 ? [containersInWords(containers)] : [])];
  return setters.join(' and ');
}

/** Each once, in order. */
export function sorted(items: Iterable<string>): string[] {
  return [...new Set(items)].sort(compareBytes);
}
