/** Checks of the kernel interfaces and volumes that pods use. */
import {
  allContainers,
  containersWhere,
  hasUserNamespace,
  securityOf,
  exceptFor,
  type Check,
  type Find,
  type PodLike,
  type SecurityFields,
  type Violation,
} from './check.ts';
import { formatContainers, plural, quoted, sorted } from './format.ts';

export const maskedProc: Check = {
  id: 'procMount',
  versions: [
    { since: 0, find: findProcMount },
    { since: 35, find: exceptFor(hasUserNamespace, findProcMount) },
  ],
};

export const alwaysMaskedProc: Check = {
  id: 'procMount_restricted',
  versions: [{ since: 35, find: findProcMount, replaces: 'procMount' }],
};

const safeSysctls = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];
const safeSince27 = [...safeSysctls, 'net.ipv4.ip_local_reserved_ports'];
const safeSince29 = [
  ...safeSince27,
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
];
const safeSince32 = [...safeSince29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'];

export const sysctls: Check = {
  id: 'sysctls',
  versions: [
    { since: 0, find: findSysctls(new Set(safeSysctls)) },
    { since: 27, find: findSysctls(new Set(safeSince27)) },
    { since: 29, find: findSysctls(new Set(safeSince29)) },
    { since: 32, find: findSysctls(new Set(safeSince32)) },
  ],
};

export const restrictedVolumes: Check = {
  id: 'restrictedVolumes',
  versions: [{ since: 0, find: findVolumes, replaces: 'hostPathVolumes' }],
};

function findProcMount(pod: PodLike): Violation | undefined {
  const isForbidden = ({ procMount }: SecurityFields): boolean => procMount !== undefined && procMount !== 'Default';
  const containers = containersWhere(pod, isForbidden);
  if (containers.length === 0) return undefined;
  const types = allContainers(pod).map(securityOf).filter(isForbidden);
  const values = quoted(sorted(types.map(({ procMount = '' }) => procMount)));
  const detail = `${formatContainers(containers)} must not set securityContext.procMount to ${values}`;
  return { reason: 'procMount', detail };
}

function findSysctls(safe: ReadonlySet<string>): Find {
  return ({ spec }) => {
    const unsafe = (spec.securityContext?.sysctls ?? []).map(({ name }) => name).filter((name) => !safe.has(name));
    return unsafe.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: unsafe.join(', ') };
  };
}

const allowedVolumes: ReadonlySet<string> = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);

function findVolumes({ spec }: PodLike): Violation | undefined {
  const forbidden = (spec.volumes ?? [])
    .map((volume) => ({ name: volume.name, type: Object.keys(volume).find((field) => field !== 'name') ?? 'unknown' }))
    .filter(({ type }) => !allowedVolumes.has(type));
  if (forbidden.length === 0) return undefined;
  const types = sorted(forbidden.map(({ type }) => type));
  const names = `${plural(forbidden.length, 'volume')} ${quoted(forbidden.map(({ name }) => name))}`;
  const what = `${plural(types.length, 'restricted volume type')} ${quoted(types)}`;
  return { reason: 'restricted volume types', detail: `${names} ${plural(forbidden.length, 'uses', 'use')} ${what}` };
}
