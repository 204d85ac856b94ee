/** Names and labels of Works. Members derive the names of their AppliedWorks from them, so all hubs must use the same. */
import { createHash } from 'node:crypto';
import {
  bindingLabel,
  memberNamespace,
  placementLabel,
  placementNamespaceLabel,
  snapshotSubindexAnnotation,
  type Binding,
  type ResourceSnapshot,
} from '@flotilla/api';
import type { KubeObject, ObjectKey } from '@flotilla/kube';
import type { Labelled } from '@flotilla/runtime';
import { placementOf } from '../family/placement-key.ts';

/** The beginning of the names of all Works of a placement. A dot in a name makes it ambiguous: `a.b` may be `b` in `a`. */
export function baseNameOf({ namespace = '', name }: ObjectKey): string {
  return namespace === '' ? name : `${namespace}.${name}`;
}

/** The Work for the plain manifests of a snapshot, whatever its index; undefined if its label or its sub-index is invalid. */
export function workNameOf(snapshot: Readonly<ResourceSnapshot>): string | undefined {
  const placement = placementOf(snapshot);
  if (placement === undefined) return undefined;
  const { annotations = {} } = snapshot.metadata;
  if (!Object.hasOwn(annotations, snapshotSubindexAnnotation)) return `${baseNameOf(placement)}-work`;
  const subindex = annotations[snapshotSubindexAnnotation] ?? '';
  return /^\d{1,9}$/.test(subindex) ? `${baseNameOf(placement)}-${Number(subindex)}` : undefined;
}

export interface EnvelopeIdentity {
  readonly type: string;
  /** Empty for a ClusterResourceEnvelope. */
  readonly namespace: string;
  readonly name: string;
}

/** The Work for one envelope of a snapshot; `prefix` is the name of the Work for the plain manifests. */
export function envelopeWorkName(prefix: string, { type, namespace, name }: EnvelopeIdentity): string {
  const hash = createHash('sha256').update(`${type}/${namespace}/${name}`).digest('hex').slice(0, 16);
  return `${prefix}-${type === 'ConfigMap' ? 'configmap' : 'envelope'}-${hash}`;
}

/** The binding of a Work; undefined if its label is missing. */
export function bindingOf({ metadata: { labels = {} } }: Labelled): ObjectKey | undefined {
  const name = Object.hasOwn(labels, bindingLabel) ? labels[bindingLabel] : undefined;
  if (name === undefined) return undefined;
  const namespace = Object.hasOwn(labels, placementNamespaceLabel) ? labels[placementNamespaceLabel] : undefined;
  return namespace === undefined || namespace === '' ? { name } : { namespace, name };
}

/** The placement of a Work; undefined if its label is missing. */
export function placementOfWork({ metadata: { labels = {} } }: Readonly<KubeObject>): ObjectKey | undefined {
  const name = Object.hasOwn(labels, placementLabel) ? labels[placementLabel] : undefined;
  if (name === undefined) return undefined;
  const namespace = Object.hasOwn(labels, placementNamespaceLabel) ? labels[placementNamespaceLabel] : undefined;
  return { namespace, name };
}

const memberPrefix = memberNamespace('');

/** The member of a namespace; undefined for other namespaces. */
export function memberIn(namespace: string | undefined): string | undefined {
  return namespace?.startsWith(memberPrefix) ? namespace.slice(memberPrefix.length) : undefined;
}

export function workNamespaceOf({ spec }: Readonly<Binding>): string {
  return memberNamespace(spec.targetCluster);
}
