import type { DiscoveredKind } from '@flotilla/client';
import type { JsonValue, KubeObject } from '@flotilla/kube';
import { printable } from '../terminal/terminal.ts';
import { objectText } from './named-kinds.ts';

/** What keeps a deleted object from going. */
export function waitingText(kind: DiscoveredKind, object: Readonly<KubeObject>): string {
  const { name = '', finalizers = [] } = object.metadata;
  const [type = ''] = objectText(kind, '').split('/');
  const holders = [...finalizers, ...finalizersIn(object['spec'])];
  const parts = [
    `Waiting until ${type} "${name}" is gone`,
    ...(holders.length === 0 ? [] : [`finalizers ${holders.join(', ')} are left`]),
    ...remainingIn(object['status']),
  ];
  return printable(`${parts.join('; ')}.`);
}

/** A Namespace has its own. */
function finalizersIn(spec: JsonValue | undefined): string[] {
  const { finalizers } = Object(spec) as { readonly finalizers?: unknown };
  return Array.isArray(finalizers) ? finalizers.map(String) : [];
}

/** What a Namespace says about the objects in it. */
function remainingIn(status: JsonValue | undefined): string[] {
  const { conditions } = Object(status) as { readonly conditions?: unknown };
  if (!Array.isArray(conditions)) return [];
  return conditions
    .map((condition: unknown) => Object(condition) as Partial<Record<string, unknown>>)
    .filter(
      ({ type, status: value }) => value === 'True' && /^Namespace(?:Content|Finalizers)Remaining$/.test(String(type)),
    )
    .map(({ message }) => String(message));
}
