import {
  dns1123SubdomainProblems,
  invalid,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  parseQuantity,
  pushAll,
  required,
  validateLabelSelector,
  type FieldError,
  type LabelSelectorObject,
} from '@flotilla/kube';
import { invalids } from '../field-checks.ts';
import { validatePositive, type ResourceList } from '../core/resource-quantity.ts';
import { checkAccessModes, checkVolumeMode } from './volume-common.ts';

export interface ClaimSpec {
  accessModes?: string[];
  selector?: LabelSelectorObject;
  resources?: { limits?: Record<string, string>; requests?: Record<string, string> };
  volumeName?: string;
  storageClassName?: string;
  volumeMode?: string;
  dataSource?: DataSource;
  dataSourceRef?: DataSource & { namespace?: string };
  volumeAttributesClassName?: string;
}

export interface DataSource {
  /** Always written; null means the core group. */
  apiGroup?: string | null;
  kind: string;
  name: string;
}

/** `withApiGroups`: false if the old claim had an API group of any form, which stays valid. */
export function checkClaimSpec(errors: FieldError[], path: string, spec: ClaimSpec, withApiGroups = true): void {
  const { accessModes = [], storageClassName = '', volumeAttributesClassName = '' } = spec;
  if (accessModes.length === 0) errors.push(required(`${path}.accessModes`, 'at least 1 access mode is required'));
  pushAll(errors, validateLabelSelector(spec.selector, `${path}.selector`));
  checkAccessModes(errors, `${path}.accessModes`, accessModes);
  checkStorage(errors, `${path}.resources[storage]`, spec.resources?.requests ?? {});
  checkClassName(errors, `${path}.storageClassName`, storageClassName);
  if (spec.volumeMode !== undefined) checkVolumeMode(errors, `${path}.volumeMode`, spec.volumeMode);
  checkDataSources(errors, path, spec, withApiGroups);
  checkClassName(errors, `${path}.volumeAttributesClassName`, volumeAttributesClassName);
}

export function checkClassName(errors: FieldError[], path: string, name: string): void {
  if (name !== '') pushAll(errors, invalids(path, name, nameIsDnsSubdomain(name, false)));
}

function checkStorage(errors: FieldError[], path: string, requests: ResourceList): void {
  const { storage } = requests;
  if (storage === undefined) errors.push(required(path));
  else pushAll(errors, validatePositive(path, parseQuantity(storage)));
}

function checkDataSources(errors: FieldError[], path: string, spec: ClaimSpec, withApiGroups: boolean): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource !== undefined) checkDataSource(errors, `${path}.dataSource`, dataSource, withApiGroups);
  if (dataSourceRef === undefined) return;
  checkDataSource(errors, `${path}.dataSourceRef`, dataSourceRef, withApiGroups);
  const { namespace = '' } = dataSourceRef;
  if (namespace !== '') {
    pushAll(errors, invalids(`${path}.dataSourceRef.namespace`, namespace, nameIsDnsLabel(namespace, false)));
  }
  if (dataSource === undefined) return;
  // Kubernetes prints a field path as the value here, which has no visible fields.
  if (namespace !== '') {
    errors.push(invalid(path, {}, 'may not be specified when dataSourceRef.namespace is specified'));
  } else if (!isSameSource(dataSource, dataSourceRef)) {
    errors.push(invalid(path, {}, 'must match dataSourceRef'));
  }
}

function checkDataSource(errors: FieldError[], path: string, source: DataSource, withApiGroups: boolean): void {
  const { kind, name } = source;
  const apiGroup = source.apiGroup ?? '';
  if (name === '') errors.push(required(`${path}.name`));
  if (kind === '') errors.push(required(`${path}.kind`));
  if (apiGroup === '' && kind !== 'PersistentVolumeClaim') {
    errors.push(invalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
  }
  if (apiGroup !== '' && withApiGroups) {
    pushAll(errors, invalids(`${path}.apiGroup`, apiGroup, dns1123SubdomainProblems(apiGroup)));
  }
}

function isSameSource(a: DataSource, b: DataSource): boolean {
  return (a.apiGroup ?? null) === (b.apiGroup ?? null) && a.kind === b.kind && a.name === b.name;
}
