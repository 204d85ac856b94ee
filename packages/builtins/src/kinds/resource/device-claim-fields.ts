import type { DeviceConfiguration } from './device-configuration.ts';
import type { DeviceSelector } from './device-selector.ts';
import type { DeviceToleration } from './device-taint.ts';

/** What a ResourceClaim asks for, by itself or from a template. */
export interface ResourceClaimSpec {
  readonly devices?: DeviceClaim;
}

export interface DeviceClaim {
  requests?: readonly DeviceRequest[] | null;
  readonly constraints?: readonly DeviceConstraint[];
  readonly config?: readonly ClaimConfiguration[];
}

/** One request, or the first of several that can be met. */
export interface DeviceRequest {
  readonly name?: string;
  readonly exactly?: ExactRequest;
  readonly firstAvailable?: readonly SubRequest[];
}

export interface ExactRequest {
  readonly deviceClassName?: string;
  readonly selectors?: readonly DeviceSelector[];
  allocationMode?: string;
  count?: number | bigint;
  readonly adminAccess?: boolean;
  readonly tolerations?: readonly DeviceToleration[];
  readonly capacity?: { readonly requests?: Readonly<Record<string, string>> };
}

export interface SubRequest extends ExactRequest {
  readonly name?: string;
}

export interface DeviceConstraint {
  readonly requests?: readonly string[];
  readonly matchAttribute?: string;
  readonly distinctAttribute?: string;
}

export interface ClaimConfiguration extends DeviceConfiguration {
  readonly requests?: readonly string[];
}

/** What is stored knows no empty list of requests. */
export function storedClaim({ devices }: ResourceClaimSpec): void {
  if (devices?.requests?.length === 0) devices.requests = null;
}

export function setClaimDefaults({ devices }: ResourceClaimSpec): void {
  for (const { exactly, firstAvailable = [] } of devices?.requests ?? []) {
    if (exactly !== undefined) setRequestDefaults(exactly);
    firstAvailable.forEach(setRequestDefaults);
  }
}

function setRequestDefaults(request: ExactRequest): void {
  request.allocationMode ||= 'ExactCount';
  if (request.allocationMode === 'ExactCount') request.count ||= 1;
  for (const toleration of request.tolerations ?? []) toleration.operator ||= 'Equal';
}
