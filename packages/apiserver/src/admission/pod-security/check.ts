import type { ContainerFields, PodSpecFields } from '@flotilla/builtins';
import type { ObjectMeta } from '@flotilla/kube';

/** A pod, or what a workload makes pods from. */
export interface PodLike {
  readonly metadata: Pick<ObjectMeta, 'annotations'>;
  readonly spec: PodSpecFields;
}

/** What is wrong: shortly, and who did it how. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** One rule of a level. Rules change over versions: the last one that is not newer than the version asked for counts. */
export interface Check {
  readonly id: string;
  readonly versions: readonly CheckVersion[];
}

export interface CheckVersion {
  /** The minor version of Kubernetes that brought it. */
  readonly since: number;
  readonly find: Find;
  /** A weaker check of the level below that need not run beside this one. */
  readonly replaces?: string;
}

export type Find = (pod: PodLike) => Violation | undefined;

/** Fields that the checks look at beyond those that others do. */
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

/** Names of the containers whose security context is so. */
export function containersWhere(pod: PodLike, isSo: (security: SecurityFields) => boolean): string[] {
  return allContainers(pod)
    .filter((container) => isSo(securityOf(container)))
    .map(({ name }) => name);
}

export function isWindows({ spec }: PodLike): boolean {
  return spec.os?.name === 'windows';
}

/** Root in a user namespace of its own is nobody outside. */
export function hasOwnUsers({ spec }: PodLike): boolean {
  return spec.hostUsers === false;
}

export function unless(isExempt: (pod: PodLike) => boolean, find: Find): Find {
  return (pod) => (isExempt(pod) ? undefined : find(pod));
}
