/**
 * A check or default of the fleet's own kinds (design D13). It is pure: what it has to read, it asks for. A server of ours runs it as
 * an admission plugin, and another Kubernetes calls it as a webhook.
 */
import type { Attributes } from '@flotilla/apiserver';
import type { GroupVersionKind, Kind, KubeObject, ObjectKey, User } from '@flotilla/kube';

export interface FleetRequest extends Pick<
  Attributes,
  'operation' | 'subresource' | 'namespace' | 'name' | 'object' | 'oldObject' | 'user'
> {
  readonly resource: Pick<Kind, 'group' | 'plural'>;
  /** The kind that the caller sent, if the object may be converted from it. */
  readonly requestKind?: GroupVersionKind | undefined;
}

/** What a check does with a request. Undefined: nothing. */
export type Outcome = Refusal | Change | Question | undefined;

export interface Refusal {
  readonly refusal: string;
  /** Default: 403. */
  readonly code?: 400 | 403;
}

export interface Change {
  /** The fields of the object to replace. */
  readonly change: Partial<KubeObject>;
}

/** The outcome depends on objects of the server. */
export interface Question {
  readonly reads: readonly Read[];
  /** `found` has an answer for each read. */
  readonly decideWith: (found: readonly Found[]) => Refusal | Change | undefined;
}

export type Read =
  | { readonly read: 'object'; readonly kind: Kind; readonly key: ObjectKey }
  /** All objects of a namespace, or of a cluster-scoped kind. */
  | { readonly read: 'objects'; readonly kind: Kind; readonly namespace: string }
  | { readonly read: 'served kind'; readonly gvk: GroupVersionKind }
  | { readonly read: 'right'; readonly user: User; readonly right: Right };

/** At the cluster scope. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
}

export interface Found {
  readonly objects: readonly KubeObject[];
  readonly kind?: Pick<Kind, 'namespaced'> | undefined;
  /** Of a right: whether the user has it. */
  readonly isAllowed?: boolean;
}

/** Requests that a check is for. */
export interface CheckedKind {
  /** `*` as group and plural: any. */
  readonly kind: Pick<Kind, 'group' | 'plural' | 'namespaced'>;
  /** Empty: the object itself. `*`: that, and all of them. */
  readonly subresources: readonly string[];
  readonly operations: readonly ('CREATE' | 'UPDATE' | 'DELETE')[];
}

export const anyName = '*';

export interface FleetCheck {
  /** The name of the webhook, which refusals contain. */
  readonly webhook: string;
  /** A default runs before validation and may change the object. A check runs after it and may refuse. */
  readonly phase: 'default' | 'check';
  /** A guard is for members: requests of the hub and of administrators pass. */
  readonly isGuard: boolean;
  /** Whether requests pass that a webhook does not answer in time. KubeFleet's guard rail does so. Default: false. */
  readonly failsOpen?: boolean;
  /** The namespaces that it is for. Default: all. */
  readonly isForNamespace?: (namespace: string) => boolean;
  readonly kinds: readonly CheckedKind[];
  /** In CEL: whether a webhook has to be called at all. */
  readonly condition: string;
  readonly decide: (request: FleetRequest, now: Date) => Outcome;
}

export function isChecked({ kinds, isForNamespace }: FleetCheck, request: FleetRequest): boolean {
  if (isForNamespace?.(request.namespace) === false) return false;
  const { resource, subresource, operation } = request;
  return kinds.some(
    ({ kind, subresources, operations }) =>
      (kind.plural === resource.plural || kind.plural === anyName) &&
      (kind.group === resource.group || kind.group === anyName) &&
      (subresources.includes(subresource) || subresources.includes(anyName)) &&
      operations.some((one) => one === operation),
  );
}
