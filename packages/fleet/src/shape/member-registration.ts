/**
 * The MemberCluster of a member, as its shape wants it. What the shape wanted last is kept in an annotation, as `kubectl
 * apply` does, so that only what changed in the shape changes in the object. An object without it has the default shape.
 */
import { clusterApi, memberClusters, type MemberCluster, type Taint } from '@flotilla/api';
import {
  apiVersionOf,
  isJsonObject,
  jsonEquals,
  JsonError,
  parseJson,
  stringifyJson,
  type JsonObject,
} from '@flotilla/kube';
import type { MemberShape } from '../file/fleet-shape.ts';
import { accountNamed, memberAccount } from '../member-credentials.ts';

export const appliedAnnotation = 'flotilla.dev/applied-shape';

/** What a shape says about the MemberCluster. */
export interface Registration {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly heartbeatPeriodSeconds: number;
  readonly serviceAccount: string;
}

export function registrationOf(shape: MemberShape): Registration {
  const { labels, annotations, taints, heartbeatSeconds: heartbeatPeriodSeconds, serviceAccount } = shape;
  return { labels, annotations, taints, heartbeatPeriodSeconds, serviceAccount };
}

export function newMemberCluster(name: string, wanted: Registration): MemberCluster {
  const metadata = { name, labels: { ...wanted.labels }, annotations: { ...wanted.annotations } };
  const { heartbeatPeriodSeconds } = wanted;
  const spec = {
    identity: accountNamed(wanted.serviceAccount),
    heartbeatPeriodSeconds,
    ...(wanted.taints.length > 0 && { taints: [...wanted.taints] }),
  };
  const member: MemberCluster = { apiVersion: apiVersionOf(clusterApi), kind: memberClusters.kind, metadata, spec };
  return withApplied(member, wanted);
}

/** The object with what changed in the shape. Undefined if nothing did. */
export function changedMemberCluster(live: Readonly<MemberCluster>, wanted: Registration): MemberCluster | undefined {
  const name = live.metadata.name ?? '';
  const applied = appliedTo(live);
  if (jsonEquals(sparse(name, applied), sparse(name, wanted))) return undefined;
  const { labels, annotations } = live.metadata;
  const changed: MemberCluster = {
    ...live,
    metadata: {
      ...live.metadata,
      labels: merged(labels ?? {}, applied.labels, wanted.labels),
      annotations: merged(annotations ?? {}, applied.annotations, wanted.annotations),
    },
    spec: {
      ...live.spec,
      taints: mergedTaints(live.spec.taints ?? [], applied.taints, wanted.taints),
      ...(applied.heartbeatPeriodSeconds !== wanted.heartbeatPeriodSeconds && {
        heartbeatPeriodSeconds: wanted.heartbeatPeriodSeconds,
      }),
      ...(applied.serviceAccount !== wanted.serviceAccount && { identity: accountNamed(wanted.serviceAccount) }),
    },
  };
  return withApplied(changed, wanted);
}

/** What the shape wanted when it was last applied. An annotation that a user has broken counts as none. */
function appliedTo({ metadata }: Readonly<MemberCluster>): Registration {
  const defaults: Registration = {
    labels: {},
    annotations: {},
    taints: [],
    heartbeatPeriodSeconds: defaultHeartbeatSeconds,
    serviceAccount: memberAccount(metadata.name ?? '').name,
  };
  const text = metadata.annotations?.[appliedAnnotation];
  return text === undefined ? defaults : { ...defaults, ...parsed(text) };
}

const defaultHeartbeatSeconds = 60;

function parsed(text: string): Partial<Registration> {
  try {
    const { value } = parseJson(text);
    if (isJsonObject(value) && isRegistration(value)) return value;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
  }
  return {};
}

function isRegistration(value: JsonObject): value is JsonObject & Partial<Registration> {
  const { labels = {}, annotations = {}, taints = [], serviceAccount = '' } = value;
  return (
    typeof serviceAccount === 'string' &&
    isJsonObject(labels) &&
    isJsonObject(annotations) &&
    Array.isArray(taints) &&
    taints.every(isTaint)
  );
}

function isTaint(value: unknown): boolean {
  return isJsonObject(value as JsonObject) && typeof (value as JsonObject)['key'] === 'string';
}

/** Default members have no annotation. */
function withApplied(member: MemberCluster, wanted: Registration): MemberCluster {
  const { [appliedAnnotation]: _before, ...annotations } = member.metadata.annotations ?? {};
  const applied = sparse(member.metadata.name ?? '', wanted);
  if (Object.keys(applied).length > 0) annotations[appliedAnnotation] = stringifyJson(applied);
  return { ...member, metadata: { ...member.metadata, annotations } };
}

/** Without what is the default. */
function sparse(name: string, wanted: Registration): JsonObject {
  const { labels, annotations, taints, heartbeatPeriodSeconds, serviceAccount } = wanted;
  return {
    ...(Object.keys(labels).length > 0 && { labels: { ...labels } }),
    ...(Object.keys(annotations).length > 0 && { annotations: { ...annotations } }),
    ...(taints.length > 0 && { taints: taints.map((taint) => ({ ...taint })) }),
    ...(heartbeatPeriodSeconds !== defaultHeartbeatSeconds && { heartbeatPeriodSeconds }),
    ...(serviceAccount !== memberAccount(name).name && { serviceAccount }),
  };
}

type Texts = Readonly<Record<string, string>>;

function merged(live: Texts, applied: Texts, wanted: Texts): Record<string, string> {
  const kept = Object.entries(live).filter(([key]) => !Object.hasOwn(applied, key) || Object.hasOwn(wanted, key));
  const changed = Object.entries(wanted).filter(
    ([key, value]) => !Object.hasOwn(applied, key) || applied[key] !== value,
  );
  return Object.fromEntries([...kept, ...changed]);
}

function mergedTaints(live: readonly Taint[], applied: readonly Taint[], wanted: readonly Taint[]): Taint[] {
  const byKey = (taints: readonly Taint[]): Map<string, Taint> =>
    new Map(taints.map((taint) => [`${taint.key}:${taint.effect}`, taint]));
  const [before, after, result] = [byKey(applied), byKey(wanted), byKey(live)];
  for (const key of before.keys()) if (!after.has(key)) result.delete(key);
  for (const [key, taint] of after)
    if (before.get(key)?.value !== taint.value || !before.has(key)) result.set(key, taint);
  return [...result.values()];
}
