/** Checks of the security profiles that pods choose. */
import { compareBytes, quote } from '@flotilla/kube';
import {
  allContainers,
  containersWhere,
  isWindows,
  securityOf,
  exceptFor,
  type Check,
  type Find,
  type PodLike,
  type SecurityFields,
  type Violation,
} from './check.ts';
import { formatContainers, plural, quoted, formatSetters, sorted } from './format.ts';

export const appArmorProfile: Check = { id: 'appArmorProfile', versions: [{ since: 0, find: findAppArmor }] };

export const knownSeccompProfile: Check = {
  id: 'seccompProfile_baseline',
  versions: [
    { since: 0, find: findSeccompAnnotations },
    { since: 19, find: findForbiddenSeccomp },
  ],
};

export const someSeccompProfile: Check = {
  id: 'seccompProfile_restricted',
  versions: [
    { since: 19, find: findNoSeccomp, replaces: 'seccompProfile_baseline' },
    { since: 25, find: exceptFor(isWindows, findNoSeccomp), replaces: 'seccompProfile_baseline' },
  ],
};

const types = ['container_t', 'container_init_t', 'container_kvm_t'];

export const seLinuxOptions: Check = {
  id: 'seLinuxOptions',
  versions: [
    { since: 0, find: findSeLinux(new Set(types)) },
    { since: 31, find: findSeLinux(new Set([...types, 'container_engine_t'])) },
  ],
};

type ProfileField = 'appArmorProfile' | 'seccompProfile';

/** Whether a profile is set that is neither the runtime's default nor one installed on the node. */
function isForbidden(security: SecurityFields, field: ProfileField): boolean {
  const profile = security[field];
  return profile !== undefined && profile.type !== 'RuntimeDefault' && profile.type !== 'Localhost';
}

/** Which containers set such a profile, and its values. */
function forbiddenProfiles(pod: PodLike, field: ProfileField): { readonly setters: string; readonly values: string[] } {
  const all = [securityOf(pod.spec), ...allContainers(pod).map(securityOf)];
  const values = all.filter((one) => isForbidden(one, field)).map((one) => one[field]?.type ?? '');
  const containers = containersWhere(pod, (one) => isForbidden(one, field));
  return { setters: formatSetters(isForbidden(securityOf(pod.spec), field), containers), values: sorted(values) };
}

const appArmorAnnotation = 'container.apparmor.security.beta.kubernetes.io/';

function findAppArmor(pod: PodLike): Violation | undefined {
  const { setters, values } = forbiddenProfiles(pod, 'appArmorProfile');
  const annotations = Object.entries(pod.metadata.annotations ?? {})
    .filter(([key, value]) => key.startsWith(appArmorAnnotation) && !isAppArmorValue(value))
    .map(([key, value]) => `${key}=${quote(value)}`)
    .sort(compareBytes);
  const annotated = annotations.length > 0 ? [plural(annotations.length, 'annotation')] : [];
  const all = [...(setters === '' ? [] : [setters]), ...annotated].join(' and ');
  if (all === '') return undefined;
  const forbidden = [...values, ...annotations];
  return {
    reason: plural(forbidden.length, 'forbidden AppArmor profile'),
    detail: `${all} must not set AppArmor profile type to ${quoted(forbidden)}`,
  };
}

function isAppArmorValue(value: string): boolean {
  return value === '' || value === 'runtime/default' || value.startsWith('localhost/');
}

const seccompPodAnnotation = 'seccomp.security.alpha.kubernetes.io/pod';
const seccompContainerAnnotation = 'container.seccomp.security.alpha.kubernetes.io/';

function findSeccompAnnotations(pod: PodLike): Violation | undefined {
  const { annotations = {} } = pod.metadata;
  const keys = [seccompPodAnnotation, ...allContainers(pod).map(({ name }) => seccompContainerAnnotation + name)];
  const forbidden = keys.flatMap((key) => {
    const value = Object.hasOwn(annotations, key) ? (annotations[key] ?? '') : undefined;
    return value === undefined || isSeccompValue(value) ? [] : [`${key}=${quote(value)}`];
  });
  if (forbidden.length === 0) return undefined;
  const all = sorted(forbidden);
  return { reason: 'seccompProfile', detail: `forbidden ${plural(all.length, 'annotation')} ${all.join(', ')}` };
}

function isSeccompValue(value: string): boolean {
  return value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/');
}

function findForbiddenSeccomp(pod: PodLike): Violation | undefined {
  const { setters, values } = forbiddenProfiles(pod, 'seccompProfile');
  if (setters === '') return undefined;
  const detail = `${setters} must not set securityContext.seccompProfile.type to ${quoted(values)}`;
  return { reason: 'seccompProfile', detail };
}

function findNoSeccomp(pod: PodLike): Violation | undefined {
  const forbidden = findForbiddenSeccomp(pod);
  if (forbidden || securityOf(pod.spec).seccompProfile !== undefined) return forbidden;
  const unset = containersWhere(pod, ({ seccompProfile }) => seccompProfile === undefined);
  if (unset.length === 0) return undefined;
  const subject = `pod or ${formatContainers(unset)}`;
  return {
    reason: 'seccompProfile',
    detail: `${subject} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
}

function findSeLinux(allowed: ReadonlySet<string>): Find {
  const isForbiddenType = ({ seLinuxOptions: { type = '' } = {} }: SecurityFields): boolean =>
    type !== '' && !allowed.has(type);
  const isForbiddenValue = (one: SecurityFields): boolean =>
    isForbiddenType(one) || Boolean(one.seLinuxOptions?.user) || Boolean(one.seLinuxOptions?.role);
  return (pod) => {
    const setters = formatSetters(isForbiddenValue(securityOf(pod.spec)), containersWhere(pod, isForbiddenValue));
    if (setters === '') return undefined;
    const all = [securityOf(pod.spec), ...allContainers(pod).map(securityOf)];
    const forbidden = sorted(all.filter(isForbiddenType).map((one) => one.seLinuxOptions?.type ?? ''));
    const details = forbidden.length > 0 ? [`${plural(forbidden.length, 'type')} ${quoted(forbidden)}`] : [];
    if (all.some((one) => one.seLinuxOptions?.user)) details.push('user may not be set');
    if (all.some((one) => one.seLinuxOptions?.role)) details.push('role may not be set');
    const detail = `${setters} set forbidden securityContext.seLinuxOptions: ${details.join('; ')}`;
    return { reason: 'seLinuxOptions', detail };
  };
}
