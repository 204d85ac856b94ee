import {
  invalid,
  nameIsDnsSubdomain,
  pushAll,
  required,
  type FieldError,
  type JsonObject,
  type KubeObject,
} from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { bumpGenerationOnSpec, startGeneration } from '../prepare-update.ts';
import { invalids } from '../field-checks.ts';
import { validateDriverName } from '../storage/driver-name.ts';
import { validatePoolName, validateSet } from './device-names.ts';
import { validateDevice, type Device } from './slice-device.ts';

interface ResourceSliceSpec {
  readonly driver?: string;
  readonly pool?: ResourcePool;
  readonly nodeName?: string;
  readonly nodeSelector?: JsonObject;
  readonly allNodes?: boolean;
  readonly perDeviceNodeSelection?: boolean;
  readonly devices?: readonly Device[];
}

interface ResourcePool {
  readonly name?: string;
  readonly generation?: number | bigint;
  readonly resourceSliceCount?: number | bigint;
}

const maxDevices = 128;
const maxTaintedDevices = 64;

export const resourceSliceKind: KindBehavior = {
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'ResourceSlice',
  nameRule: nameIsDnsSubdomain,
  returnsDeletedObject: true,
  prepareForCreate(object, { now }) {
    startGeneration(object);
    stampTaints(specOf(object), now);
  },
  prepareForUpdate(object, old, { now }) {
    stampTaints(specOf(object), now);
    bumpGenerationOnSpec(object, old);
  },
  validate: (object) => validateSpec(specOf(object)),
  validateUpdate: (object, old) => validateSpec(specOf(object), specOf(old)),
  fieldLabels: ['spec.nodeName', 'spec.driver'],
  unsupportedLabel: (label) => `field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${label}`,
  selectableFields(object) {
    const { nodeName = '', driver = '' } = specOf(object);
    return { 'spec.nodeName': nodeName, 'spec.driver': driver };
  },
  columns: {
    definitions: [
      nameColumn,
      column('Node', 'string', 'The node that has the devices.'),
      column('Driver', 'string', 'The driver that manages the devices.'),
      column('Pool', 'string', 'The pool that the devices belong to.'),
      ageColumn,
    ],
    cells(object, now) {
      const { nodeName = '', driver = '', pool = {} } = specOf(object);
      return [object.metadata.name ?? '', nodeName, driver, pool.name ?? '', age(object, now)];
    },
  },
};

function specOf(object: KubeObject): ResourceSliceSpec {
  return (object as KubeObject & { readonly spec?: ResourceSliceSpec }).spec ?? {};
}

/** A taint without a time was added now. */
function stampTaints({ devices = [] }: ResourceSliceSpec, now: Date): void {
  const stamp = `${now.toISOString().slice(0, 19)}Z`;
  for (const taint of devices.flatMap((device) => device.taints ?? [])) taint.timeAdded ??= stamp;
}

function validateSpec(spec: ResourceSliceSpec, before?: ResourceSliceSpec): FieldError[] {
  const { driver = '', pool = {}, devices = [] } = spec;
  const max = devices.some(({ taints = [] }) => taints.length > 0) ? maxTaintedDevices : maxDevices;
  const check = (device: Device, path: string) => validateDevice(device, spec.perDeviceNodeSelection ?? false, path);
  return [
    ...validateDriverName(driver, 'spec.driver'),
    ...validatePool(pool),
    ...(before === undefined ? [] : validateImmutable(spec, before)),
    ...validateNodes(spec),
    ...validateSet(devices, max, check, ({ name = '' }) => name, 'spec.devices'),
  ];
}

function validatePool({ name = '', generation = 0, resourceSliceCount = 0 }: ResourcePool): FieldError[] {
  const errors = validatePoolName(name, 'spec.pool.name');
  if (resourceSliceCount <= 0) {
    errors.push(invalid('spec.pool.resourceSliceCount', resourceSliceCount, 'must be greater than zero'));
  }
  if (generation < 0) {
    errors.push(invalid('spec.pool.generation', generation, 'must be greater than or equal to zero'));
  }
  return errors;
}

function validateImmutable(spec: ResourceSliceSpec, before: ResourceSliceSpec): FieldError[] {
  const fields = [
    ['spec.pool.name', spec.pool?.name, before.pool?.name],
    ['spec.driver', spec.driver, before.driver],
    ['spec.nodeName', spec.nodeName, before.nodeName],
  ] as const;
  const changed = fields.filter(([, value, old]) => value !== old);
  return changed.map(([field, value]) => invalid(field, value ?? null, 'field is immutable'));
}

/** A slice is for one node, for some, for all, or each device chooses. */
function validateNodes(spec: ResourceSliceSpec): FieldError[] {
  const { nodeName, nodeSelector, allNodes, perDeviceNodeSelection } = spec;
  const errors: FieldError[] = [];
  if (nodeName === '') {
    errors.push(invalid('spec.nodeName', nodeName, 'must be either unset or set to a non-empty string'));
  } else if (nodeName !== undefined) {
    pushAll(errors, invalids('spec.nodeName', nodeName, nameIsDnsSubdomain(nodeName, false)));
  }
  const unsetOrTrue = 'must be either unset or set to true';
  if (allNodes === false) errors.push(invalid('spec.allNodes', false, unsetOrTrue));
  if (perDeviceNodeSelection === false) errors.push(invalid('spec.perDeviceNodeSelection', false, unsetOrTrue));
  const choices = Object.entries({ nodeName, nodeSelector, allNodes, perDeviceNodeSelection });
  const given = choices.filter(([, value]) => value).map(([field]) => `\`${field}\``);
  if (given.length === 1) return errors;
  const detail = `exactly one of ${choices.map(([field]) => `\`${field}\``).join(', ')} is required`;
  if (given.length === 0) return [...errors, required('spec', detail)];
  return [...errors, invalid('spec', `{${given.join(', ')}}`, `${detail}, but multiple fields are set`)];
}
