import type { JsonObject } from './json/value.ts';

/** metav1.Status: how a server says what went wrong, field by field in wire order. */
export interface ApiStatus extends JsonObject {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: JsonObject;
  status: 'Success' | 'Failure';
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code: number;
}

export interface StatusDetails extends JsonObject {
  name?: string;
  group?: string;
  /** The resource (plural) for most failures, the kind for `Invalid`. */
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

export interface StatusCause extends JsonObject {
  reason?: string;
  message?: string;
  field?: string;
}

/** A failure that the client is told about as a Status. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: ApiStatus;

  constructor(status: ApiStatus, options?: ErrorOptions) {
    super(status.message ?? '', options);
    this.status = status;
  }

  get code(): number {
    return this.status.code;
  }

  get reason(): string {
    return this.status.reason ?? '';
  }

  /** What the `Retry-After` header says; 0 when there is none. */
  get retryAfterSeconds(): number {
    return this.status.details?.retryAfterSeconds ?? 0;
  }
}

export interface Failure {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: StatusDetails;
}

/** Empty strings and zero are left out, as Go leaves them out; empty `details` stay, because Go has a pointer there. */
export function failure({ code, reason, message, details }: Failure): ApiStatus {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    ...(message === '' ? {} : { message }),
    ...(reason === '' ? {} : { reason }),
    ...(details === undefined ? {} : { details: withoutEmpty(details) }),
    code,
  };
}

function withoutEmpty({ name, group, kind, uid, causes, retryAfterSeconds }: StatusDetails): StatusDetails {
  return {
    ...(name ? { name } : {}),
    ...(group ? { group } : {}),
    ...(kind ? { kind } : {}),
    ...(uid ? { uid } : {}),
    ...(causes !== undefined && causes.length > 0 ? { causes } : {}),
    ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
  };
}
