import {
  byteLength,
  duplicate,
  invalid,
  nameIsDnsSubdomain,
  qualifiedNameProblems,
  required,
  type FieldError,
  type KubeObject,
} from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { invalids, repeatsIn } from '../field-checks.ts';
import { sameFields } from '../same-fields.ts';
import { validateDriverName } from './driver-name.ts';

interface CsiNodeDriver {
  readonly name?: string;
  readonly nodeID?: string;
  readonly topologyKeys?: readonly string[] | null;
  readonly allocatable?: { readonly count?: number };
}

const maxNodeIdBytes = 256;

export const csiNodeKind: KindBehavior = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSINode',
  nameRule: nameIsDnsSubdomain,
  requiresResourceVersion: true,
  returnsDeletedObject: true,
  validate: (object) => validateDrivers(driversOf(object)),
  validateUpdate(object, old) {
    return [...validateDrivers(driversOf(object)), ...validateSameDrivers(driversOf(object), driversOf(old))];
  },
  columns: {
    definitions: [nameColumn, column('Drivers', 'integer', 'How many drivers the node has.'), ageColumn],
    cells: (object, now) => [object.metadata.name ?? '', driversOf(object).length, age(object, now)],
  },
};

function driversOf(object: KubeObject): readonly CsiNodeDriver[] {
  const { spec } = object as KubeObject & { readonly spec?: { readonly drivers?: readonly CsiNodeDriver[] | null } };
  return spec?.drivers ?? [];
}

function validateDrivers(drivers: readonly CsiNodeDriver[]): FieldError[] {
  const names = drivers.map(({ name = '' }) => name);
  const repeats = repeatsIn(names);
  return drivers.flatMap((driver, index) => {
    const path = `spec.drivers[${index}]`;
    const name = names[index] ?? '';
    return [
      ...validateDriverName(name, `${path}.name`),
      ...validateNodeId(driver.nodeID ?? '', `${path}.nodeID`),
      ...validateCount(driver.allocatable?.count ?? 0, `${path}.allocatable.count`),
      ...(repeats.has(index) ? [duplicate(`${path}.name`, name)] : []),
      ...validateTopologyKeys(driver.topologyKeys ?? [], path),
    ];
  });
}

function validateNodeId(id: string, field: string): FieldError[] {
  if (id === '') return [required(field)];
  return byteLength(id) > maxNodeIdBytes ? [invalid(field, id, `must be ${maxNodeIdBytes} characters or less`)] : [];
}

function validateCount(count: number, field: string): FieldError[] {
  return count < 0 ? [invalid(field, count, 'must be greater than or equal to 0')] : [];
}

function validateTopologyKeys(keys: readonly string[], path: string): FieldError[] {
  const repeats = repeatsIn(keys);
  return keys.flatMap((key, index) => [
    ...(key === '' ? [required(path)] : []),
    ...(repeats.has(index) ? [duplicate(path, key)] : []),
    ...invalids(path, key, qualifiedNameProblems(key)),
  ]);
}

/** A registered driver is immutable, except for its volume limit. */
function validateSameDrivers(drivers: readonly CsiNodeDriver[], before: readonly CsiNodeDriver[]): FieldError[] {
  const byName = Map.groupBy(drivers, ({ name }) => name);
  const changed = before.flatMap((old) =>
    (byName.get(old.name) ?? []).filter((driver) => !sameFields(identityOf(driver), identityOf(old))),
  );
  return changed.map((driver) => invalid('spec.drivers', identityOf(driver), 'field is immutable'));
}

/** Without the count, as Go prints the struct in an error. */
function identityOf({ name = '', nodeID = '', topologyKeys }: CsiNodeDriver) {
  return { Name: name, NodeID: nodeID, TopologyKeys: topologyKeys ? [...topologyKeys] : null, Allocatable: null };
}
