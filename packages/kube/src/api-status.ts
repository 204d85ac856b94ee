import type { JsonObject } from './json/value.ts';

/** metav1.Status, with its fields in wire order. */
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

/** An error that the client receives as a Status. */
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

  /** The `Retry-After` header; 0 if there is none. */
  get retryAfterSeconds(): number {
    return this.status.details?.retryAfterSeconds ?? 0;
  }
}

export function isNotFound(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 404;
}

export function isForbidden(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 403;
}

export function isAlreadyExists(error: unknown): error is ApiError {
  return error instanceof ApiError && error.reason === 'AlreadyExists';
}

/** The write had an old resourceVersion, or an apply conflicts with other managers. */
export function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 409 && error.reason !== 'AlreadyExists';
}

/** The revision or continue token is older than what the server keeps. */
export function isExpired(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 410;
}

/** For reads and deletes of objects that may be missing: `client.get(kind, key).catch(ignoreNotFound)`. */
export function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

/** For creates that another client may have done first. */
export function ignoreAlreadyExists(error: unknown): undefined {
  if (!isAlreadyExists(error)) throw error;
}

export interface Failure {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: StatusDetails;
}

/** Omits empty strings and zero, as Go does. Keeps empty `details`, which is a pointer in Go. */
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
