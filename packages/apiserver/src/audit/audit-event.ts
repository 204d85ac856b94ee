import { formatMicroTime, quote, stringifyJson, type ApiStatus, type JsonObject, type User } from '@flotilla/kube';
import type { AuditLevel } from './audit-level.ts';
import type { AuditStage } from './audit-stage.ts';
import type { AuditedObject } from './policy/rule-matches.ts';

/** The object of a request, as far as it is known at the stage of the event. */
export type ObjectReference = AuditedObject & { readonly uid: string; readonly resourceVersion: string };

/** One event of audit.k8s.io/v1. */
export interface AuditEvent {
  readonly level: AuditLevel;
  readonly auditId: string;
  readonly stage: AuditStage;
  readonly requestUri: string;
  readonly verb: string;
  readonly user: User | undefined;
  readonly impersonatedUser?: User | undefined;
  /** Which constrained kind of impersonation allowed it. */
  readonly impersonationConstraint?: string | undefined;
  readonly sourceIps: readonly string[];
  readonly userAgent: string;
  readonly object?: ObjectReference | undefined;
  readonly responseStatus?: ResponseStatus | undefined;
  /** JSON texts. */
  readonly requestObject?: string | undefined;
  readonly responseObject?: string | undefined;
  readonly received: Date;
  readonly stageTime: Date;
  readonly annotations: ReadonlyMap<string, string>;
}

export type ResponseStatus = Partial<Pick<ApiStatus, 'status' | 'message' | 'reason' | 'details'>> & {
  readonly code: number;
};

/** Kubernetes' mark of an event whose bodies were too large. */
export const truncatedKey = 'audit.k8s.io/truncated';

/** The event as JSON in Go's order of fields, without a newline. */
export function eventJson(event: AuditEvent): string {
  const { object, responseStatus: status, requestObject, responseObject, annotations } = event;
  const before = stringifyJson({
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: event.level,
    auditID: event.auditId,
    stage: event.stage,
    requestURI: event.requestUri,
    verb: event.verb,
    user: userInfo(event.user),
    ...(event.impersonatedUser && { impersonatedUser: userInfo(event.impersonatedUser) }),
    ...(event.impersonationConstraint !== undefined && {
      authenticationMetadata: { impersonationConstraint: event.impersonationConstraint },
    }),
    ...(event.sourceIps.length > 0 && { sourceIPs: [...event.sourceIps] }),
    ...(event.userAgent !== '' && { userAgent: event.userAgent }),
    ...(object && { objectRef: reference(object) }),
    ...(status && { responseStatus: { metadata: {}, ...status } }),
  });
  const after = stringifyJson({
    requestReceivedTimestamp: formatMicroTime(event.received),
    stageTimestamp: formatMicroTime(event.stageTime),
    ...(annotations.size > 0 && { annotations: Object.fromEntries([...annotations].toSorted(byKey)) }),
  });
  // Bodies are JSON already; parsing them again would cost more than all else.
  const bodies =
    (requestObject === undefined ? '' : `,"requestObject":${requestObject}`) +
    (responseObject === undefined ? '' : `,"responseObject":${responseObject}`);
  return `${before.slice(0, -1)}${bodies},${after.slice(1)}`;
}

function byKey([one]: [string, string], [other]: [string, string]): number {
  return one < other ? -1 : 1;
}

function userInfo(user: User | undefined): JsonObject {
  if (user === undefined) return {};
  const { name, uid = '', groups, extra = {} } = user;
  return {
    username: name,
    ...(uid !== '' && { uid }),
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(Object.keys(extra).length > 0 && { extra: extra as unknown as JsonObject }),
  };
}

function reference(object: ObjectReference): JsonObject {
  const { resource, namespace, name, uid, group, version, resourceVersion, subresource } = object;
  const fields = { resource, namespace, name, uid, apiGroup: group, apiVersion: version, resourceVersion, subresource };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

/** The event in one line of text, as `--audit-log-format legacy` prints it. */
export function eventText(event: AuditEvent): string {
  const { user, impersonatedUser, object, responseStatus } = event;
  const fields: readonly (readonly [string, string])[] = [
    ['id', event.auditId],
    ['stage', event.stage],
    ['ip', event.sourceIps[0] ?? '<unknown>'],
    ['method', event.verb],
    ['user', user?.name || '<none>'],
    ['groups', user?.name ? groupsText(user) || '<none>' : '<none>'],
    ['as', impersonatedUser?.name ?? '<self>'],
    ['asgroups', impersonatedUser ? groupsText(impersonatedUser) : '<lookup>'],
    ['user-agent', event.userAgent],
    ['namespace', object?.namespace || '<none>'],
    ['uri', event.requestUri],
    ['response', responseStatus ? String(responseStatus.code) : '<deferred>'],
  ];
  const printed = fields.map(([name, value]) => `${name}=${quote(value)}`).join(' ');
  return `${formatMicroTime(event.received)} AUDIT: ${printed}`;
}

function groupsText({ groups }: User): string {
  return groups.map(quote).join(',');
}
