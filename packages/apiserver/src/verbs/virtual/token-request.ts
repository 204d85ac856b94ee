/** `serviceaccounts/NAME/token`: signs a token of a service account. */
import {
  apiErrors,
  formatTime,
  invalid,
  managerName,
  updateManagedFields,
  wireTime,
  type ApiResponse,
  type FieldError,
  type KubeObject,
} from '@flotilla/kube';
import { writeOptions, type WriteOptions } from '../../request/write-options.ts';
import type { Codec } from '../../resources/resource.ts';
import type { Call } from '../../call/call.ts';
import { expectedAction, readAction } from './pods/pod-actions.ts';
import type { ExpectedKind } from '../body/read-object.ts';
import { objectRepresentation, objectResponse } from '../../representation/represent.ts';
import { boundObject, type ObjectReference } from '../../access/authentication/bound-object.ts';
import { tokenClaims, type RequestedToken } from '../../access/authentication/new-token.ts';

const kind = { group: 'authentication.k8s.io', kind: 'TokenRequest' };

interface TokenRequest extends KubeObject {
  spec: { audiences?: string[] | null; expirationSeconds?: number; boundObjectRef?: ObjectReference | null };
}

let expected: ExpectedKind | undefined;

const defaultSeconds = 3600;
const minSeconds = 600;
const maxSeconds = 2 ** 32;

function setDefaults(object: KubeObject): void {
  const request = object as TokenRequest;
  request.spec ??= {};
  request.spec.expirationSeconds ??= defaultSeconds;
}

export async function requestToken(call: Call): Promise<ApiResponse> {
  const { info, server } = call;
  if (info.verb !== 'create') throw apiErrors.methodNotAllowed();
  expected ??= { ...expectedAction(kind.group, 'v1', kind.kind), setDefaults };
  const { codec } = expected;
  const representation = objectRepresentation(call, codec);
  const options = writeOptions('CreateOptions', info.query);
  const now = server.now();
  const request = await readAction<TokenRequest>(call, expected, options, (body) => {
    // Before defaults, which no manager sets.
    setManagedFields(call, body, codec, options, now);
    complete(call, body, now);
  });
  const requested = tokenOf(call, request);
  const { accounts } = server.tokens;
  const id = server.uid();
  const token = accounts.sign(tokenClaims(requested, accounts.audiences, now, id));
  call.audit?.annotate('authentication.kubernetes.io/issued-credential-id', `JTI=${id}`);
  const answer = codec.inWireOrder(responseOf(request, requested, token, now));
  return objectResponse(call, 201, answer, representation, { ...kind, codec });
}

/** The response has managedFields, as if the request were stored. */
function setManagedFields(call: Call, request: TokenRequest, codec: Codec, options: WriteOptions, now: Date): void {
  const { apiVersion } = request;
  const managedFields = updateManagedFields({
    kind: { apiVersion, kind: kind.kind, subresource: 'token', blank: codec.blank, typeOf: codec.mergeType },
    live: undefined,
    object: request,
    manager: managerName(options.fieldManager, call.request.headers['user-agent'] ?? ''),
    now,
  });
  if (managedFields) request.metadata.managedFields = managedFields;
}

/** Validating admission sees the account and the audiences of the token. Throws if the request is invalid. */
function complete(call: Call, request: TokenRequest, now: Date): void {
  const { info, server } = call;
  const uid = accountUid(call, request);
  const { audiences, expirationSeconds = defaultSeconds } = request.spec;
  const errors = expirationErrors(expirationSeconds);
  if (errors.length > 0) throw apiErrors.invalid(kind, '', errors);
  if (!audiences?.length) request.spec.audiences = [...server.tokens.accounts.audiences];
  const { name, namespace } = info;
  request.metadata = { ...request.metadata, name, namespace, uid, creationTimestamp: wireTime(now) };
}

/** The token to sign. The account may have been deleted while a webhook was called. */
function tokenOf(call: Call, request: TokenRequest): RequestedToken {
  const { info, server } = call;
  const uid = accountUid(call, request);
  const { audiences, expirationSeconds = defaultSeconds, boundObjectRef } = request.spec;
  return {
    account: { name: info.name, uid },
    namespace: info.namespace,
    audiences: audiences?.length ? audiences : server.tokens.accounts.audiences,
    bound: boundObjectRef ? boundObject(call, boundObjectRef) : {},
    seconds: limitExpiration(call, expirationSeconds),
  };
}

function responseOf(request: TokenRequest, requested: RequestedToken, token: string, now: Date): TokenRequest {
  const { account, namespace, audiences, seconds } = requested;
  const expires = new Date(now.getTime() + seconds * 1000);
  return {
    ...request,
    metadata: { ...request.metadata, ...account, namespace, creationTimestamp: wireTime(now) },
    spec: {
      audiences: [...audiences],
      expirationSeconds: seconds,
      boundObjectRef: request.spec.boundObjectRef ?? null,
    },
    status: { token, expirationTimestamp: formatTime(expires) },
  };
}

/** The account's uid. Name and uid in the body must match the account. */
function accountUid({ info, server }: Call, { metadata }: TokenRequest): string {
  const { namespace, name } = info;
  if (metadata.name && metadata.name !== name) {
    const why = 'must match the service account name if specified';
    throw apiErrors.invalid(kind, name, [invalid('metadata.name', metadata.name, why)]);
  }
  const entry = server.store.get({ collection: 'serviceaccounts', name: `${namespace}/${name}` });
  if (!entry) throw apiErrors.notFound({ resource: 'serviceaccounts', group: '' }, name);
  const { uid } = entry.header;
  if (metadata.uid && metadata.uid !== uid) {
    const why = `the UID in the token request (${metadata.uid}) does not match the UID of the service account (${uid})`;
    throw apiErrors.conflict({ resource: kind.kind, group: kind.group }, name, why);
  }
  return uid;
}

function expirationErrors(seconds: number): FieldError[] {
  const field = 'spec.expirationSeconds';
  if (seconds < minSeconds) return [invalid(field, seconds, 'may not specify a duration less than 10 minutes')];
  if (seconds > maxSeconds) return [invalid(field, seconds, 'may not specify a duration larger than 2^32 seconds')];
  return [];
}

function limitExpiration({ server, warnings }: Call, seconds: number): number {
  const { maxExpirationSeconds: max } = server.tokens.accounts;
  if (max === undefined || seconds <= max) return seconds;
  warnings.push(`requested expiration of ${seconds} seconds shortened to ${max} seconds`);
  return max;
}
