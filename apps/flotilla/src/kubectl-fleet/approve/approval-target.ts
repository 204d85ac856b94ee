/** Which approval requests the words and flags of the command mean. */
import { clusterFamily, families, namespacedFamily, type PlacementFamily } from '@flotilla/api';
import { UserError } from '../../user-error.ts';

export interface ApprovalTarget {
  readonly families: readonly PlacementFamily[];
  /** Undefined: list what is waiting. */
  readonly name: string | undefined;
}

interface Flags {
  readonly name?: string;
  readonly namespace?: string;
}

const kinds: ReadonlyMap<string, PlacementFamily> = new Map([
  ['clusterapprovalrequest', clusterFamily],
  ['clusterapprovalrequests', clusterFamily],
  ['careq', clusterFamily],
  ['approvalrequest', namespacedFamily],
  ['approvalrequests', namespacedFamily],
  ['areq', namespacedFamily],
]);

/** `[KIND] [NAME]`, `KIND/NAME`, or KubeFleet's `KIND --name NAME`. Without a kind, the namespace decides. Throws a UserError. */
export function approvalTarget(words: readonly string[], { name: named, namespace }: Flags): ApprovalTarget {
  const [first, second] = words.flatMap((word) => word.split('/', 2));
  const family = first === undefined ? undefined : kinds.get(first.toLowerCase());
  const isName = first !== undefined && family === undefined;
  if (isName && (second ?? named) !== undefined) throw new UserError(`unsupported resource kind "${first}"`);
  if (second !== undefined && named !== undefined) throw new UserError('the name is given twice; leave out --name.');
  const name = named ?? (isName ? first : second);
  if (name === '') throw new UserError('resource name is required');
  if (family === clusterFamily && namespace !== undefined) {
    throw new UserError('clusterapprovalrequest is cluster-scoped and does not accept a namespace');
  }
  if (family === namespacedFamily && name !== undefined && namespace === undefined) {
    throw new UserError('namespace is required for approvalrequest (use --namespace or -n flag)');
  }
  if (family !== undefined) return { families: [family], name };
  if (namespace !== undefined) return { families: [namespacedFamily], name };
  return { families: name === undefined ? families : [clusterFamily], name };
}
