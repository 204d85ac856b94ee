import {
  dns1123LabelProblems,
  forbidden,
  invalid,
  notSupported,
  pushAll,
  required,
  type FieldError,
  type JsonObject,
} from '@flotilla/kube';
import { invalids } from '../field-checks.ts';
import { sameFields } from '../same-fields.ts';
import { validateDriverName } from '../storage/driver-name.ts';
import { validateItems, validatePoolName, validateSet } from './device-names.ts';
import { validateRequestReference, validateRequestReferences } from './device-claim-validation.ts';
import { validateConfiguration, type DeviceConfiguration } from './device-claim-fields.ts';

export interface ClaimStatus {
  readonly allocation?: Allocation;
  readonly reservedFor?: readonly Consumer[];
}

interface Allocation {
  readonly devices?: {
    readonly results?: readonly AllocatedDevice[];
    readonly config?: readonly AllocatedConfiguration[];
  };
  readonly nodeSelector?: JsonObject;
  readonly allocationTimestamp?: string;
}

interface AllocatedDevice {
  readonly request?: string;
  readonly driver?: string;
  readonly pool?: string;
  readonly device?: string;
}

interface AllocatedConfiguration extends DeviceConfiguration {
  readonly source?: string;
  readonly requests?: readonly string[];
}

interface Consumer {
  readonly resource?: string;
  readonly name?: string;
  readonly uid?: string;
}

interface ClaimContext {
  readonly names: ReadonlySet<string>;
  readonly isDeleting: boolean;
}

const maxConsumers = 256;
const maxResults = 32;
const maxConfigurations = 64;
const sources = ['FromClaim', 'FromClass'];

export function validateClaimStatus(status: ClaimStatus, before: ClaimStatus, context: ClaimContext): FieldError[] {
  const { reservedFor = [] } = status;
  return [
    ...validateSet(reservedFor, maxConsumers, validateConsumer, ({ uid = '' }) => uid, 'status.reservedFor'),
    ...validateReservation(status, before, context),
    ...validateAllocation(status, before, context),
  ];
}

function validateConsumer({ resource = '', name = '', uid = '' }: Consumer, path: string): FieldError[] {
  const empty = Object.entries({ resource, name, uid }).filter(([, value]) => value === '');
  return empty.map(([field]) => required(`${path}.${field}`));
}

function validateReservation(
  status: ClaimStatus,
  before: ClaimStatus,
  { isDeleting: isGoing }: ClaimContext,
): FieldError[] {
  const { allocation, reservedFor = [] } = status;
  if (reservedFor.length === 0) return [];
  if (allocation === undefined) {
    return [forbidden('status.reservedFor', 'may not be specified when `allocated` is not set')];
  }
  const isKnown = (consumer: Consumer) => (before.reservedFor ?? []).some((one) => sameFields(one, consumer));
  if (!isGoing || reservedFor.every(isKnown)) return [];
  const detail = 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set';
  return [forbidden('status.reservedFor', detail)];
}

function validateAllocation({ allocation }: ClaimStatus, before: ClaimStatus, { names }: ClaimContext): FieldError[] {
  if (allocation === undefined) return [];
  if (before.allocation !== undefined) {
    if (sameFields(allocation, before.allocation)) return [];
    return [invalid('status.allocation', allocationInGo(allocation), 'field is immutable')];
  }
  const { results = [], config = [] } = allocation.devices ?? {};
  const path = 'status.allocation.devices';
  return [
    ...validateItems(results, maxResults, (one, field) => validateResult(one, names, field), `${path}.results`),
    ...validateItems(config, maxConfigurations, (one, field) => validateConfig(one, names, field), `${path}.config`),
  ];
}

function validateResult(result: AllocatedDevice, names: ReadonlySet<string>, path: string): FieldError[] {
  const { request = '', driver = '', pool = '', device = '' } = result;
  return [
    ...validateRequestReference(request, names, `${path}.request`),
    ...validateDriverName(driver, `${path}.driver`),
    ...validatePoolName(pool, `${path}.pool`),
    ...invalids(`${path}.device`, device, dns1123LabelProblems(device)),
  ];
}

function validateConfig(config: AllocatedConfiguration, names: ReadonlySet<string>, path: string): FieldError[] {
  const { source = '' } = config;
  const errors = source === '' ? [required(`${path}.source`)] : [];
  if (source !== '' && !sources.includes(source)) errors.push(notSupported(`${path}.source`, source, sources));
  pushAll(errors, validateRequestReferences(config.requests, names, `${path}.requests`));
  return [...errors, ...validateConfiguration(config, path)];
}

/** The allocation as Go prints the struct in an error. */
function allocationInGo({ devices, nodeSelector, allocationTimestamp }: Allocation): JsonObject {
  return {
    Devices: {
      Results: devices?.results === undefined ? null : devices.results.map(resultInGo),
      Config: devices?.config === undefined ? null : devices.config.map(configInGo),
    },
    NodeSelector: nodeSelector ?? null,
    AllocationTimestamp: allocationTimestamp ?? null,
  };
}

function resultInGo({ request = '', driver = '', pool = '', device = '' }: AllocatedDevice): JsonObject {
  return {
    Request: request,
    Driver: driver,
    Pool: pool,
    Device: device,
    AdminAccess: null,
    Tolerations: null,
    BindingConditions: null,
    BindingFailureConditions: null,
    ShareID: null,
    ConsumedCapacity: null,
  };
}

function configInGo({ source = '', requests, opaque }: AllocatedConfiguration): JsonObject {
  return {
    Source: source,
    Requests: requests === undefined ? null : [...requests],
    Opaque: opaque === undefined ? null : { Driver: opaque.driver ?? '', Parameters: opaque.parameters ?? null },
  };
}
