import { compareBytes } from '../go-format.ts';
import { union } from './field-set.ts';
import { identifierOf, secondsOf, type Manager, type Managers } from './managers.ts';

const maxUpdaters = 10;
const ancientManager = 'ancient-changes';

/**
 * Objects that many clients write would collect managers without end. Beyond ten updaters, the oldest of a version are
 * joined into one that only says that it was long ago.
 */
export function capManagers(managers: Managers): Managers {
  if (managers.size <= maxUpdaters) return managers;
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update');
  if (updaters.length <= maxUpdaters) return managers;
  const capped = new Map(managers);
  const oldestOfVersion = new Map<string, string>();
  let count = updaters.length;
  for (const [identifier, manager] of updaters.sort(oldestFirst)) {
    if (count <= maxUpdaters) break;
    const oldest = oldestOfVersion.get(manager.apiVersion);
    if (oldest === undefined) {
      oldestOfVersion.set(manager.apiVersion, identifier);
      continue;
    }
    joinAncient(capped, oldest, identifier, manager);
    count--;
  }
  return capped;
}

function joinAncient(managers: Map<string, Manager>, oldest: string, identifier: string, manager: Manager): void {
  const { apiVersion, time } = manager;
  const bucket = { name: ancientManager, operation: 'Update', subresource: '', apiVersion, time } as const;
  const ancient = identifierOf(bucket);
  const first = managers.get(ancient) ?? managers.get(oldest);
  if (!managers.has(ancient)) managers.delete(oldest);
  managers.set(ancient, { ...bucket, fields: union(manager.fields, first?.fields ?? []) });
  managers.delete(identifier);
}

function oldestFirst([a, { time: aTime }]: [string, Manager], [b, { time: bTime }]: [string, Manager]): number {
  return secondsOf(aTime) - secondsOf(bTime) || compareBytes(a, b);
}
