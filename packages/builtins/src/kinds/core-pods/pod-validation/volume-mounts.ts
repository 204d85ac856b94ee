import { forbidden, invalid, notFound, notSupported, required, type FieldError } from '@flotilla/kube';
import type { ContainerFields, VolumeMountFields } from '../container-fields.ts';
import type { VolumeFields } from '../volume-fields.ts';
import { checkDescendingPath, hasBackstep } from './checks.ts';

const propagations = ['Bidirectional', 'HostToContainer', 'None'];
const recursions = ['Disabled', 'Enabled', 'IfPossible'];

/** `volumes`: the pod's valid volumes by name. */
export function checkVolumeMounts(
  errors: FieldError[],
  path: string,
  container: ContainerFields,
  volumes: ReadonlyMap<string, VolumeFields>,
): void {
  const mountPaths = new Set<string>();
  const { volumeMounts = [], volumeDevices = [] } = container;
  const devices = new Map(volumeDevices.map(({ name, devicePath }) => [name, devicePath]));
  // Of several devices with one name only the last counts.
  const devicePaths = new Set(devices.values());
  volumeMounts.forEach((mount, i) => {
    const { name, mountPath } = mount;
    const at = `${path}[${i}]`;
    if (!name) errors.push(required(`${at}.name`));
    if (!volumes.has(name)) errors.push(notFound(`${at}.name`, name));
    if (!mountPath) errors.push(required(`${at}.mountPath`));
    if (mountPaths.has(mountPath)) errors.push(invalid(`${at}.mountPath`, mountPath, 'must be unique'));
    mountPaths.add(mountPath);
    if (devices.has(name)) {
      errors.push(invalid(`${at}.name`, name, 'must not already exist in volumeDevices'));
    }
    if (devicePaths.has(mountPath)) {
      errors.push(invalid(`${at}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices'));
    }
    checkMountDetails(errors, path, at, mount, container);
  });
}

// Kubernetes' path is that of the list, not of the mount, for details of a mount.
function checkMountDetails(
  errors: FieldError[],
  listPath: string,
  path: string,
  mount: VolumeMountFields,
  container: ContainerFields,
): void {
  const { subPath, subPathExpr, mountPropagation } = mount;
  if (subPath) checkDescendingPath(errors, `${listPath}.subPath`, subPath);
  if (subPathExpr) {
    if (subPath) {
      errors.push(invalid(`${path}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive'));
    }
    checkDescendingPath(errors, `${listPath}.subPathExpr`, subPathExpr);
  }
  if (mountPropagation !== undefined) {
    checkPropagation(errors, `${listPath}.mountPropagation`, mountPropagation, container);
  }
  checkRecursiveReadOnly(errors, `${listPath}.recursiveReadOnly`, mount);
}

function checkPropagation(errors: FieldError[], path: string, propagation: string, container: ContainerFields): void {
  if (!propagations.includes(propagation)) errors.push(notSupported(path, propagation, propagations));
  if (propagation === 'Bidirectional' && container.securityContext?.privileged !== true) {
    errors.push(forbidden(path, 'Bidirectional mount propagation is available only to privileged containers'));
  }
}

function checkRecursiveReadOnly(errors: FieldError[], path: string, mount: VolumeMountFields): void {
  const { recursiveReadOnly, readOnly, mountPropagation } = mount;
  if (recursiveReadOnly === undefined || recursiveReadOnly === 'Disabled') return;
  if (!recursions.includes(recursiveReadOnly)) {
    return void errors.push(notSupported(path, recursiveReadOnly, recursions));
  }
  if (readOnly !== true) errors.push(forbidden(path, 'may only be specified when readOnly is true'));
  if (mountPropagation !== undefined && mountPropagation !== 'None') {
    errors.push(forbidden(path, 'may only be specified when mountPropagation is None or not specified'));
  }
}

export function checkVolumeDevices(
  errors: FieldError[],
  path: string,
  { volumeDevices = [], volumeMounts = [] }: ContainerFields,
  volumes: ReadonlyMap<string, VolumeFields>,
): void {
  const mounts = new Map(volumeMounts.map(({ name, mountPath }) => [name, mountPath]));
  const mountPaths = new Set(mounts.values());
  const names = new Set<string>();
  const paths = new Set<string>();
  volumeDevices.forEach(({ name, devicePath }, i) => {
    const at = `${path}[${i}]`;
    const volume = volumes.get(name);
    if (!name) errors.push(required(`${at}.name`));
    if (names.has(name)) errors.push(invalid(`${at}.name`, name, 'must be unique'));
    if (volume === undefined) errors.push(notFound(`${at}.name`, name));
    else if (volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined) {
      const detail = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
      errors.push(invalid(`${at}.name`, name, detail));
    }
    if (!devicePath) errors.push(required(`${at}.devicePath`));
    if (paths.has(devicePath)) errors.push(invalid(`${at}.devicePath`, devicePath, 'must be unique'));
    if (hasBackstep(devicePath)) {
      errors.push(invalid(`${at}.devicePath`, devicePath, "can not contain backsteps ('..')"));
    } else paths.add(devicePath);
    if (mounts.has(name)) {
      errors.push(invalid(`${at}.name`, name, 'must not already exist in volumeMounts'));
    }
    if (mountPaths.has(devicePath)) {
      errors.push(invalid(`${at}.devicePath`, devicePath, 'must not already exist as a path in volumeMounts'));
    }
    if (name) names.add(name);
  });
}
