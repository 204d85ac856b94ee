import { discover, type DiscoveredKind, type ListOptions } from '@flotilla/client';
import { isNotFound, type KubeObject } from '@flotilla/kube';
import type { Session } from '../session/session.ts';
import { UserError } from '../user-error.ts';
import { namedObjects, type NamedObjects } from './named-kinds.ts';

/** Which objects of a kind are meant. */
export interface SelectionFlags {
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  readonly selector?: string;
  readonly fieldSelector?: string;
  readonly ignoreNotFound?: boolean;
}

export interface SelectedObject {
  readonly kind: DiscoveredKind;
  readonly object: KubeObject;
}

/** The kinds and names in the arguments of a command. */
export async function namedIn(
  { hub }: Session,
  args: readonly string[],
  { allNamespaces, selector, fieldSelector }: SelectionFlags,
): Promise<NamedObjects[]> {
  const named = namedObjects(args, (await discover(hub).all()).kinds);
  const hasNames = named.some(({ names }) => names !== undefined);
  if (hasNames && (selector !== undefined || fieldSelector !== undefined)) {
    throw new UserError('names and selectors exclude each other; leave out one of them.');
  }
  if (hasNames && allNamespaces) throw new UserError('a name is in one namespace; leave out -A.');
  return named;
}

/** How to list the objects of a kind. */
export function listOptions(session: Session, kind: DiscoveredKind, flags: SelectionFlags): ListOptions {
  const { selector, fieldSelector } = flags;
  const namespace = namespaceFor(session, kind, flags);
  return {
    signal: session.signal,
    ...(namespace !== undefined && { namespace }),
    ...(selector !== undefined && { labelSelector: selector }),
    ...(fieldSelector !== undefined && { fieldSelector }),
  };
}

/** Undefined for all namespaces, and for kinds that have none. */
export function namespaceFor(
  { namespace: ofContext }: Session,
  { namespaced }: DiscoveredKind,
  { namespace, allNamespaces }: SelectionFlags,
): string | undefined {
  return namespaced && !allNamespaces ? (namespace ?? ofContext) : undefined;
}

/** Reads objects one after the other. With `ignoreNotFound` missing ones are skipped. */
export async function* readSelected(
  session: Session,
  { kind, names }: NamedObjects,
  flags: SelectionFlags,
  metadataOnly = false,
): AsyncGenerator<SelectedObject, void> {
  const { hub, signal } = session;
  if (names === undefined) {
    const options = { ...listOptions(session, kind, flags), metadataOnly };
    for await (const object of hub.each(kind, options)) yield { kind, object };
    return;
  }
  const namespace = namespaceFor(session, kind, flags);
  for (const name of names) {
    const object = await hub.get(kind, { namespace, name }, { signal }).catch((error: unknown) => {
      if (!(flags.ignoreNotFound && isNotFound(error))) throw error;
    });
    if (object !== undefined) yield { kind, object };
  }
}
