import type { ContainerFields, PodSpecFields } from '@flotilla/builtins';
import type { ObjectMeta } from '@flotilla/kube';

/** A pod, or a pod template. */
export interface PodLike {
  readonly metadata: Pick<ObjectMeta, 'annotations'>;
  readonly spec: PodSpecFields;
}

/** What is wrong: a short reason, and which containers cause it. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** One rule of a level. The newest version that is not newer than the policy's version applies. */
export interface Check {
  readonly id: string;
  readonly versions: readonly CheckVersion[];
}

export interface CheckVersion {
  /** The minor version of Kubernetes that introduced it. */
  readonly since: number;
  readonly find: Find;
  /** A weaker check of the baseline level that this one makes redundant. */
  readonly replaces?: string;
}

export type Find = (pod: PodLike) => Violation | undefined;

/** Fields that only these checks read. */
export interface SecurityFields {
  readonly allowPrivilegeEscalation?: boolean;
  readonly capabilities?: { readonly add?: readonly string[]; readonly drop?: readonly string[] };
  readonly privileged?: boolean;
  readonly procMount?: string;
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number | bigint;
  readonly seLinuxOptions?: { readonly type?: string; readonly user?: string; readonly role?: string };
  readonly seccompProfile?: { readonly type?: string };
  readonly appArmorProfile?: { readonly type?: string };
  readonly windowsOptions?: { readonly hostProcess?: boolean };
}

export function allContainers({ spec }: PodLike): ContainerFields[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
}

export function securityOf({ securityContext }: { readonly securityContext?: object }): SecurityFields {
  return securityContext ?? {};
}

/** Names of the containers whose security context matches. */
export function containersWhere(pod: PodLike, matches: (security: SecurityFields) => boolean): string[] {
  return allContainers(pod)
    .filter((container) => matches(securityOf(container)))
    .map(({ name }) => name);
}

export function isWindows({ spec }: PodLike): boolean {
  return spec.os?.name === 'windows';
}

/** Root in a user namespace has no rights on the host. */
export function hasUserNamespace({ spec }: PodLike): boolean {
  return spec.hostUsers === false;
}

export function exceptFor(isExempt: (pod: PodLike) => boolean, find: Find): Find {
  return (pod) => (isExempt(pod) ? undefined : find(pod));
}
