/** Every error of a Kubernetes API server, by name: `throw apiErrors.notFound(pods, 'web')`. */
import { ApiError, failure, type Failure, type StatusCause, type StatusDetails } from './api-status.ts';
import { quote } from './go/format.ts';
import { qualified } from './object.ts';
import { andMoreErrors, cutText, firstErrors, maxMessage, maxErrorText } from './error-limits.ts';
import { fieldErrorText, type FieldError } from './validation/field-error.ts';

interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

export const apiErrors = {
  notFound(resource: GroupResource, name: string): ApiError {
    const message = `${named(resource, name)} not found`;
    return fail({ code: 404, reason: 'NotFound', message, details: detailsOf(resource, name) });
  },

  alreadyExists(resource: GroupResource, name: string): ApiError {
    const message = `${named(resource, name)} already exists`;
    return fail({ code: 409, reason: 'AlreadyExists', message, details: detailsOf(resource, name) });
  },

  /** A create met an object of that name which is being deleted. */
  beingDeleted(resource: GroupResource, name: string): ApiError {
    const message = `object is being deleted: ${named(resource, name)} already exists`;
    return fail({ code: 409, reason: 'AlreadyExists', message, details: detailsOf(resource, name) });
  },

  /** Every generated name was taken. */
  generateNameConflict(resource: GroupResource, name: string): ApiError {
    const message = `${named(resource, name)} already exists, the server was not able to generate a unique name for the object`;
    const details = { ...detailsOf(resource, name), retryAfterSeconds: 1 };
    return fail({ code: 409, reason: 'AlreadyExists', message, details });
  },

  conflict(resource: GroupResource, name: string, why: string): ApiError {
    const message = `Operation cannot be fulfilled on ${named(resource, name)}: ${why}`;
    return fail({ code: 409, reason: 'Conflict', message, details: detailsOf(resource, name) });
  },

  /** The write had an old resourceVersion. */
  objectModified(resource: GroupResource, name: string): ApiError {
    return apiErrors.conflict(
      resource,
      name,
      'the object has been modified; please apply your changes to the latest version and try again',
    );
  },

  /** Server-side apply would take fields from other managers. */
  applyConflict(message: string, causes: StatusCause[]): ApiError {
    return fail({ code: 409, reason: 'Conflict', message, details: { causes } });
  },

  /** `message` contains each text once, `causes` contains all. Both are limited to the first errors. */
  invalid({ kind, group }: GroupKind, name: string, found: readonly FieldError[]): ApiError {
    const errors = firstErrors(found).map(cutBody);
    const causes = errors.map(({ type, field, body }) => causeOf(type, body, field));
    const intro = `${qualified(kind, group)} ${quote(name)} is invalid`;
    const messages = errors.map(fieldErrorText);
    if (errors.length < found.length) messages.push(andMoreErrors(found.length - errors.length));
    const message = messages.length === 0 ? intro : `${intro}: ${aggregate(messages)}`;
    return fail({ code: 422, reason: 'Invalid', message, details: { name, group, kind, causes } });
  },

  badRequest(message: string): ApiError {
    return fail({ code: 400, reason: 'BadRequest', message });
  },

  unauthorized(message = 'Unauthorized'): ApiError {
    return fail({ code: 401, reason: 'Unauthorized', message });
  },

  /** `resource` is empty for a path that is no resource. */
  forbidden(resource: GroupResource, name: string, why: string): ApiError {
    const subject = name === '' ? qualified(resource.resource, resource.group) : named(resource, name);
    const message = subject === '' ? `forbidden: ${why}` : `${subject} is forbidden: ${why}`;
    return fail({ code: 403, reason: 'Forbidden', message, details: detailsOf(resource, name) });
  },

  methodNotSupported({ resource, group }: GroupResource, action: string): ApiError {
    const message = `${action} is not supported on resources of kind ${quote(qualified(resource, group))}`;
    return fail({ code: 405, reason: 'MethodNotAllowed', message, details: { group, kind: resource } });
  },

  notAcceptable(accepted: readonly string[]): ApiError {
    const message = `only the following media types are accepted: ${accepted.join(', ')}`;
    return fail({ code: 406, reason: 'NotAcceptable', message });
  },

  /** The path has none of the requested media types. */
  noRepresentation(available: readonly string[]): ApiError {
    const message = `406: Not Acceptable\n\nAvailable representations: ${available.join(', ')}`;
    return fail({ code: 406, reason: 'NotAcceptable', message, details: {} });
  },

  /** The response cannot have the requested form. */
  wrongTransformation(message: string): ApiError {
    return fail({ code: 406, reason: 'NotAcceptable', message });
  },

  unsupportedMediaType(accepted: readonly string[]): ApiError {
    const intro = 'the body of the request was in an unknown format - accepted media types include';
    return fail({ code: 415, reason: 'UnsupportedMediaType', message: `${intro}: ${accepted.join(', ')}` });
  },

  /** The router accepts no body of this type. */
  unsupportedAtPath(): ApiError {
    const message = '415: Unsupported Media Type';
    return fail({ code: 415, reason: 'UnsupportedMediaType', message, details: {} });
  },

  requestEntityTooLarge(why: string): ApiError {
    return fail({ code: 413, reason: 'RequestEntityTooLarge', message: `Request entity too large: ${why}` });
  },

  expired(message: string): ApiError {
    return fail({ code: 410, reason: 'Expired', message });
  },

  gone(message: string): ApiError {
    return fail({ code: 410, reason: 'Gone', message });
  },

  timeout(why: string, retryAfterSeconds = 0): ApiError {
    return fail({ code: 504, reason: 'Timeout', message: `Timeout: ${why}`, details: { retryAfterSeconds } });
  },

  tooLargeResourceVersion(asked: number | bigint, current: number | bigint, retryAfterSeconds = 1): ApiError {
    const causes = [causeOf('ResourceVersionTooLarge', 'Too large resource version')];
    const message = `Timeout: Too large resource version: ${asked}, current: ${current}`;
    return fail({ code: 504, reason: 'Timeout', message, details: { causes, retryAfterSeconds } });
  },

  tooManyRequests(message: string, retryAfterSeconds = 0): ApiError {
    return fail({ code: 429, reason: 'TooManyRequests', message, details: { retryAfterSeconds } });
  },

  internalError(why: string, options?: ErrorOptions): ApiError {
    const message = `Internal error occurred: ${why}`;
    return fail({ code: 500, reason: 'InternalError', message, details: { causes: [causeOf('', why)] } }, options);
  },

  /** A storage error without a reason: a 500 with its text. */
  unknown(message: string, options?: ErrorOptions): ApiError {
    return fail({ code: 500, reason: '', message }, options);
  },

  serverTimeout(resource: GroupResource, operation: string, retryAfterSeconds = 0): ApiError {
    const subject = qualified(resource.resource, resource.group);
    const message = `The ${operation} operation against ${subject} could not be completed at this time, please try again.`;
    const details = { ...detailsOf(resource, operation), retryAfterSeconds };
    return fail({ code: 500, reason: 'ServerTimeout', message, details });
  },

  serviceUnavailable(message: string): ApiError {
    return fail({ code: 503, reason: 'ServiceUnavailable', message });
  },

  /** No such path under a served prefix. */
  unknownPath(): ApiError {
    return generic(404, 'NotFound', 'the server could not find the requested resource');
  },

  /** The path exists, but not for this HTTP method. */
  methodNotAllowed(): ApiError {
    return generic(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource');
  },

  /** The request is valid, but does not apply to this object: a JSON patch with a missing path. */
  rejected(): ApiError {
    return generic(422, 'Invalid', 'the server rejected our request due to an error in our request');
  },
} as const;

function cutBody(error: FieldError): FieldError {
  return error.body.length > maxErrorText ? { ...error, body: cutText(error.body, maxErrorText) } : error;
}

/** One text as it is, several in brackets, duplicates once. */
export function aggregate(messages: readonly string[]): string {
  const distinct = [...new Set(messages)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}

function fail(what: Failure, options?: ErrorOptions): ApiError {
  const { message } = what;
  return new ApiError(
    failure(message.length > maxMessage ? { ...what, message: cutText(message, maxMessage) } : what),
    options,
  );
}

function generic(code: number, reason: string, message: string): ApiError {
  return fail({ code, reason, message, details: {} });
}

function named({ resource, group }: GroupResource, name: string): string {
  return `${qualified(resource, group)} ${quote(name)}`;
}

function detailsOf({ resource, group }: GroupResource, name: string): StatusDetails {
  return { name, group, kind: resource };
}

function causeOf(reason: string, message: string, field = ''): StatusCause {
  return {
    ...(reason === '' ? {} : { reason }),
    ...(message === '' ? {} : { message }),
    ...(field === '' ? {} : { field }),
  };
}
