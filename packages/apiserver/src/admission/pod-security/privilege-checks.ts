/** Checks of the privileges of pods. */
import {
  allContainers,
  containersWhere,
  hasUserNamespace,
  isWindows,
  securityOf,
  exceptFor,
  type Check,
  type PodLike,
  type Violation,
} from './check.ts';
import { formatContainers, quoted, formatSetters, sorted } from './format.ts';

export const privileged: Check = { id: 'privileged', versions: [{ since: 0, find: findPrivileged }] };

export const allowPrivilegeEscalation: Check = {
  id: 'allowPrivilegeEscalation',
  versions: [
    { since: 8, find: findEscalation },
    { since: 25, find: exceptFor(isWindows, findEscalation) },
  ],
};

export const defaultCapabilities: Check = {
  id: 'capabilities_baseline',
  versions: [{ since: 0, find: findForbiddenCapabilities }],
};

export const noCapabilities: Check = {
  id: 'capabilities_restricted',
  versions: [
    { since: 22, find: findCapabilities, replaces: 'capabilities_baseline' },
    { since: 25, find: exceptFor(isWindows, findCapabilities), replaces: 'capabilities_baseline' },
  ],
};

export const runAsNonRoot: Check = {
  id: 'runAsNonRoot',
  versions: [
    { since: 0, find: findRoot },
    { since: 35, find: exceptFor(hasUserNamespace, findRoot) },
  ],
};

export const runAsUser: Check = {
  id: 'runAsUser',
  versions: [
    { since: 23, find: findRootUser },
    { since: 35, find: exceptFor(hasUserNamespace, findRootUser) },
  ],
};

function findPrivileged(pod: PodLike): Violation | undefined {
  const containers = containersWhere(pod, (security) => security.privileged === true);
  if (containers.length === 0) return undefined;
  const detail = `${formatContainers(containers)} must not set securityContext.privileged=true`;
  return { reason: 'privileged', detail };
}

function findEscalation(pod: PodLike): Violation | undefined {
  const containers = containersWhere(pod, (security) => security.allowPrivilegeEscalation !== false);
  if (containers.length === 0) return undefined;
  const detail = `${formatContainers(containers)} must set securityContext.allowPrivilegeEscalation=false`;
  return { reason: 'allowPrivilegeEscalation != false', detail };
}

const allowedCapabilities: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

function findForbiddenCapabilities(pod: PodLike): Violation | undefined {
  const detail = formatAdded(pod, (capability) => allowedCapabilities.has(capability));
  return detail === undefined ? undefined : { reason: 'non-default capabilities', detail };
}

function findCapabilities(pod: PodLike): Violation | undefined {
  const notDropping = containersWhere(pod, ({ capabilities }) => !capabilities?.drop?.includes('ALL'));
  const details: string[] = [];
  if (notDropping.length > 0) {
    details.push(`${formatContainers(notDropping)} must set securityContext.capabilities.drop=["ALL"]`);
  }
  const added = formatAdded(pod, (capability) => capability === 'NET_BIND_SERVICE');
  if (added !== undefined) details.push(added);
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') };
}

function formatAdded(pod: PodLike, isAllowed: (capability: string) => boolean): string | undefined {
  const forbiddenIn = (capabilities: readonly string[] = []): string[] =>
    capabilities.filter((capability) => !isAllowed(capability));
  const containers = containersWhere(pod, ({ capabilities }) => forbiddenIn(capabilities?.add).length > 0);
  if (containers.length === 0) return undefined;
  const added = allContainers(pod).flatMap((container) => forbiddenIn(securityOf(container).capabilities?.add));
  const what = quoted(sorted(added));
  return `${formatContainers(containers)} must not include ${what} in securityContext.capabilities.add`;
}

function findRoot(pod: PodLike): Violation | undefined {
  const reason = 'runAsNonRoot != true';
  const { runAsNonRoot: ofPod } = securityOf(pod.spec);
  const asking = containersWhere(pod, (security) => security.runAsNonRoot === false);
  const setters = formatSetters(ofPod === false, asking);
  if (setters !== '') return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` };
  const unset = ofPod === true ? [] : containersWhere(pod, (security) => security.runAsNonRoot === undefined);
  if (unset.length === 0) return undefined;
  return { reason, detail: `pod or ${formatContainers(unset)} must set securityContext.runAsNonRoot=true` };
}

function findRootUser(pod: PodLike): Violation | undefined {
  const isZero = (user: number | bigint | undefined): boolean => user !== undefined && Number(user) === 0;
  const containers = containersWhere(pod, (security) => isZero(security.runAsUser));
  const setters = formatSetters(isZero(securityOf(pod.spec).runAsUser), containers);
  return setters === '' ? undefined : { reason: 'runAsUser=0', detail: `${setters} must not set runAsUser=0` };
}
