/** What a cluster gets of a resource: the manifest after all overrides that its binding names. */
import type { BindingSpec, OverrideRule, OverrideSnapshot } from '@flotilla/api';
import { applyJsonPatch, isJsonObject, PatchError, quote, type JsonObject, type ObjectKey } from '@flotilla/kube';
import { selectedIdentities } from './matching-overrides.ts';
import { withVariables, VariableError } from './reserved-variables.ts';
import {
  identityOf,
  identityText,
  namespaceIdentity,
  type IsClusterScoped,
  type ResourceIdentity,
} from './resource-identity.ts';
import { clustersOf, RuleError, type LabelledCluster } from './rule-clusters.ts';

/** Finds override snapshots by name. */
export interface OverrideReader {
  cluster(key: ObjectKey): Readonly<OverrideSnapshot> | undefined;
  namespaced(key: ObjectKey): Readonly<OverrideSnapshot> | undefined;
}

/** The overrides that a binding names, by the resources that they select, in the order of the binding. */
export interface NamedOverrides {
  readonly cluster: OverridesByIdentity;
  readonly namespaced: OverridesByIdentity;
}

type OverridesByIdentity = ReadonlyMap<string, readonly Readonly<OverrideSnapshot>[]>;

/** A problem is a user error: the sentence goes into the condition Overridden. */
export type Result<T> = { readonly value: T; readonly problem?: undefined } | { readonly problem: string };

type NamedInBinding = Pick<BindingSpec, 'clusterResourceOverrideSnapshots' | 'resourceOverrideSnapshots'>;

/** Reads what the binding names, whether it is still the latest or not. */
export function namedOverrides(binding: NamedInBinding, read: OverrideReader): Result<NamedOverrides> {
  const cluster: Readonly<OverrideSnapshot>[] = [];
  for (const name of binding.clusterResourceOverrideSnapshots ?? []) {
    const snapshot = read.cluster({ name });
    if (snapshot === undefined) return { problem: `clusterResourceOverrideSnapshot ${name} is not found` };
    cluster.push(snapshot);
  }
  const namespaced: Readonly<OverrideSnapshot>[] = [];
  for (const { name, namespace } of binding.resourceOverrideSnapshots ?? []) {
    const snapshot = read.namespaced({ namespace, name });
    if (snapshot === undefined) return { problem: `resourceOverrideSnapshot {${name} ${namespace}} is not found` };
    namespaced.push(snapshot);
  }
  return { value: { cluster: byIdentity(cluster), namespaced: byIdentity(namespaced) } };
}

export function areNone({ cluster, namespaced }: NamedOverrides): boolean {
  return cluster.size === 0 && namespaced.size === 0;
}

function byIdentity(snapshots: readonly Readonly<OverrideSnapshot>[]): OverridesByIdentity {
  const found = new Map<string, Readonly<OverrideSnapshot>[]>();
  for (const snapshot of snapshots) {
    // A snapshot that selects a resource twice applies twice, as in KubeFleet.
    for (const identity of selectedIdentities(snapshot)) {
      const text = identityText(identity);
      const others = found.get(text);
      if (others === undefined) found.set(text, [snapshot]);
      else others.push(snapshot);
    }
  }
  return found;
}

/**
 * The manifest for the cluster; undefined if an override deletes it. ClusterResourceOverrides come first, so that ResourceOverrides
 * win. One that selects a Namespace changes every object in it. The given manifest stays as it is.
 */
export function overriddenManifest(
  manifest: JsonObject,
  cluster: LabelledCluster,
  overrides: NamedOverrides,
  isClusterScoped: IsClusterScoped,
): Result<JsonObject | undefined> {
  const identity = identityOf(manifest);
  const isWide = isClusterScoped(identity);
  const wide = isWide ? { ...identity, namespace: '' } : namespaceIdentity(identity.namespace);
  const applicable = [
    ...applicableAmong(overrides.cluster, wide, 'ClusterResourceOverrideSnapshot'),
    ...(isWide ? [] : applicableAmong(overrides.namespaced, identity, 'ResourceOverrideSnapshot')),
  ];
  let current: JsonObject | undefined = manifest;
  for (const { kind, snapshot } of applicable) {
    try {
      current = withRules(current, cluster, snapshot.spec.overrideSpec.policy?.overrideRules ?? []);
    } catch (error) {
      if (!(error instanceof PatchError || error instanceof RuleError || error instanceof VariableError)) throw error;
      const name = quote(snapshot.metadata.name ?? '');
      return { problem: `${kind} ${name} failed to apply on ${targetText(identity)}: ${error.message}` };
    }
  }
  return { value: current };
}

interface ApplicableOverride {
  readonly kind: string;
  readonly snapshot: Readonly<OverrideSnapshot>;
}

function applicableAmong(
  overrides: OverridesByIdentity,
  identity: ResourceIdentity,
  kind: string,
): ApplicableOverride[] {
  return (overrides.get(identityText(identity)) ?? []).map((snapshot) => ({ kind, snapshot }));
}

/** The rules in order. Delete ends them; later overrides change nothing of a deleted resource. */
function withRules(
  manifest: JsonObject | undefined,
  cluster: LabelledCluster,
  rules: readonly OverrideRule[],
): JsonObject | undefined {
  let current = manifest;
  for (const rule of rules) {
    if (!clustersOf(rule)(cluster)) continue;
    if (rule.overrideType === 'Delete') return undefined;
    current = patched(current, cluster, rule);
  }
  return current;
}

/** The patches of a rule are one document: either all apply or none. */
function patched(
  manifest: JsonObject | undefined,
  cluster: LabelledCluster,
  { jsonPatchOverrides = [] }: OverrideRule,
): JsonObject | undefined {
  const operations = jsonPatchOverrides.map(({ op, path, value }) => ({
    op,
    path,
    value: withVariables(value ?? null, cluster),
  }));
  if (manifest === undefined || operations.length === 0) return manifest;
  const result = applyJsonPatch(manifest, operations, { mayReplaceCreate: false });
  if (!isJsonObject(result)) throw new PatchError('inapplicable', 'the patched resource is not an object');
  return result;
}

/** `Deployment "web" in namespace "shop"`. */
export function targetText({ kind, namespace, name }: ResourceIdentity): string {
  const target = `${kind === '' ? 'Unknown' : kind} ${quote(name)}`;
  return namespace === '' ? target : `${target} in namespace ${quote(namespace)}`;
}
