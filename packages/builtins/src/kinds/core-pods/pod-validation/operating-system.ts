/** Fields that are valid on one operating system only. */
import { forbidden, notSupported, required, type FieldError } from '@flotilla/kube';
import { visitContainers, type PodSpecFields } from '../pod-fields.ts';

const linuxPodFields = [
  ['securityContext', 'appArmorProfile'],
  ['securityContext', 'seLinuxOptions'],
  ['hostUsers'],
  ['hostPID'],
  ['hostIPC'],
  ['securityContext', 'seccompProfile'],
  ['securityContext', 'fsGroup'],
  ['securityContext', 'fsGroupChangePolicy'],
  ['securityContext', 'sysctls'],
  ['shareProcessNamespace'],
  ['securityContext', 'runAsUser'],
  ['securityContext', 'runAsGroup'],
  ['securityContext', 'supplementalGroups'],
  ['securityContext', 'supplementalGroupsPolicy'],
  ['securityContext', 'seLinuxChangePolicy'],
] as const;

const linuxContainerFields = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
];

export function checkOperatingSystem(errors: FieldError[], path: string, spec: PodSpecFields): void {
  const name = spec.os?.name;
  if (spec.os === undefined) return;
  if (!name) errors.push(required(`${path}.os.name`));
  else if (name === 'linux') checkLinux(errors, path, spec);
  else if (name === 'windows') checkWindows(errors, path, spec);
  else errors.push(notSupported(`${path}.os`, name, ['linux', 'windows']));
}

function checkLinux(errors: FieldError[], path: string, spec: PodSpecFields): void {
  const detail = 'windows options cannot be set for a linux pod';
  if (spec.securityContext?.windowsOptions !== undefined) {
    errors.push(forbidden(`${path}.securityContext.windowsOptions`, detail));
  }
  visitContainers(spec, path, ({ securityContext }, at) => {
    if (securityContext?.windowsOptions === undefined) return;
    errors.push(forbidden(`${at}.securityContext.windowsOptions`, detail));
  });
}

function checkWindows(errors: FieldError[], path: string, spec: PodSpecFields): void {
  const detail = 'cannot be set for a windows pod';
  for (const [first, second] of linuxPodFields) {
    const value = second === undefined ? spec[first] : spec.securityContext?.[second];
    // These two are plain booleans in Go: false equals absent.
    const isSet = first === 'hostPID' || first === 'hostIPC' ? value === true : value !== undefined;
    if (isSet) errors.push(forbidden(`${path}.${second === undefined ? first : `${first}.${second}`}`, detail));
  }
  visitContainers(spec, path, ({ securityContext }, at) => {
    for (const field of linuxContainerFields) {
      if (securityContext?.[field] === undefined) continue;
      errors.push(forbidden(`${at}.securityContext.${field}`, detail));
    }
  });
}
