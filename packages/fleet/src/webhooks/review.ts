/** AdmissionReview (admission.k8s.io/v1): what a Kubernetes API server asks, and our answer. */
import {
  isJsonObject,
  isMaster,
  jsonEquals,
  stringifyJson,
  textOf,
  type GroupVersionKind,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  type User,
} from '@flotilla/kube';
import {
  isChecked,
  type Change,
  type FleetCheck,
  type FleetRequest,
  type Found,
  type Read,
  type Refusal,
} from '../admission/fleet-check.ts';

export interface ReviewContext {
  readonly find: (read: Read) => Promise<Found>;
  /** The user of the hub's controllers, which guards let pass. */
  readonly hubUser: string;
  readonly now: () => Date;
}

/** A body that is no AdmissionReview. */
export class NotAReview extends Error {
  override readonly name = 'NotAReview';
}

/** Answers an AdmissionReview with the outcome of a check. */
export async function answerReview(check: FleetCheck, body: JsonValue, context: ReviewContext): Promise<JsonObject> {
  const { uid, request } = requestIn(body);
  const outcome = await outcomeOf(check, request, context);
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid, ...responseOf(outcome, request) },
  };
}

async function outcomeOf(
  check: FleetCheck,
  request: FleetRequest,
  { find, hubUser, now }: ReviewContext,
): Promise<Refusal | Change | undefined> {
  if (!isChecked(check, request)) return undefined;
  if (check.isGuard && (request.user.name === hubUser || isMaster(request.user))) return undefined;
  const outcome = check.decide(request, now());
  if (outcome === undefined || !('reads' in outcome)) return outcome;
  return outcome.decideWith(await Promise.all(outcome.reads.map((read) => find(read))));
}

function responseOf(outcome: Refusal | Change | undefined, { object }: FleetRequest): JsonObject {
  if (outcome === undefined) return { allowed: true };
  if ('refusal' in outcome) {
    const { code = 403, refusal: message } = outcome;
    return { allowed: false, status: { code, reason: code === 400 ? 'BadRequest' : 'Forbidden', message } };
  }
  const operations = Object.entries(outcome.change)
    .filter(([name, value = null]) => !jsonEquals(object?.[name] ?? null, value))
    .map(([name, value = null]) => ({ op: 'add', path: `/${name}`, value }));
  if (operations.length === 0) return { allowed: true };
  const patch = Buffer.from(stringifyJson(operations)).toString('base64');
  return { allowed: true, patchType: 'JSONPatch', patch };
}

function requestIn(body: JsonValue): { uid: string; request: FleetRequest } {
  const request = isJsonObject(body) ? body['request'] : undefined;
  if (!isJsonObject(request)) throw new NotAReview('the body is no AdmissionReview with a request');
  const { uid, operation, resource, userInfo } = request;
  if (typeof uid !== 'string' || !isOperation(operation) || !isJsonObject(resource)) {
    throw new NotAReview('the request of the AdmissionReview has no uid, operation or resource');
  }
  return {
    uid,
    request: {
      operation,
      resource: { group: textOf(resource['group']), plural: textOf(resource['resource']) },
      subresource: textOf(request['subResource']),
      namespace: textOf(request['namespace']),
      name: textOf(request['name']),
      requestKind: kindIn(request['requestKind']),
      object: objectIn(request['object']),
      oldObject: objectIn(request['oldObject']),
      user: userIn(isJsonObject(userInfo) ? userInfo : {}),
    },
  };
}

function isOperation(value: JsonValue | undefined): value is FleetRequest['operation'] {
  return value === 'CREATE' || value === 'UPDATE' || value === 'DELETE' || value === 'CONNECT';
}

function kindIn(value: JsonValue | undefined): GroupVersionKind | undefined {
  if (!isJsonObject(value)) return undefined;
  return { group: textOf(value['group']), version: textOf(value['version']), kind: textOf(value['kind']) };
}

function objectIn(value: JsonValue | undefined): KubeObject | undefined {
  if (!isJsonObject(value)) return undefined;
  if (!isJsonObject(value['metadata'])) throw new NotAReview('the object of the AdmissionReview has no metadata');
  return value as unknown as KubeObject;
}

function userIn({ username, uid, groups, extra }: JsonObject): User {
  const attributes = isJsonObject(extra) ? Object.entries(extra).map(([name, values]) => [name, textsIn(values)]) : [];
  return {
    name: textOf(username),
    groups: textsIn(groups),
    ...(typeof uid === 'string' && uid !== '' && { uid }),
    ...(attributes.length > 0 && { extra: Object.fromEntries(attributes) as NonNullable<User['extra']> }),
  };
}

function textsIn(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}
