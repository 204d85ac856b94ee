import type { Client } from '@flotilla/client';
import {
  boundPolicies,
  policyLabels,
  validatingPolicies,
  validatingPolicyBindings,
  type PolicySettings,
} from '@flotilla/controllers';
import { ignoreAlreadyExists, ignoreNotFound, jsonEquals, type Kind, type KubeObject } from '@flotilla/kube';

/** Writes policies and bindings that are missing or different, and deletes those that earlier settings had. */
export async function installPolicies(client: Client, settings: PolicySettings): Promise<void> {
  const bound = boundPolicies(settings);
  const policies = bound.map(({ policy }) => policy);
  const bindings = bound.map(({ binding }) => binding);
  for (const policy of policies) await ensure(client, validatingPolicies, policy);
  for (const binding of bindings) await ensure(client, validatingPolicyBindings, binding);
  // A binding without its policy would be an error of every request that it matches.
  await deleteOthers(client, validatingPolicyBindings, bindings);
  await deleteOthers(client, validatingPolicies, policies);
}

/** What it deleted, as `kind name`. */
export async function uninstallPolicies(client: Client): Promise<string[]> {
  return [
    ...(await deleteOthers(client, validatingPolicyBindings, [])),
    ...(await deleteOthers(client, validatingPolicies, [])),
  ];
}

async function ensure(client: Client, kind: Kind, wanted: KubeObject): Promise<void> {
  const name = wanted.metadata.name ?? '';
  const found = await client.get(kind, { name }).catch(ignoreNotFound);
  if (found === undefined) {
    await client.create(kind, wanted).catch(ignoreAlreadyExists);
    return;
  }
  const labels = { ...found.metadata.labels, ...wanted.metadata.labels };
  const next = { ...found, metadata: { ...found.metadata, labels }, spec: wanted['spec'] ?? null };
  if (!jsonEquals(found, next)) await client.update(kind, next);
}

const labelSelector = Object.entries(policyLabels)
  .map(([key, value]) => `${key}=${value}`)
  .join(',');

async function deleteOthers(client: Client, kind: Kind, wanted: readonly KubeObject[]): Promise<string[]> {
  const { items } = await client.list(kind, { labelSelector });
  const names = items.map(({ metadata }) => metadata.name ?? '');
  const others = names.filter((name) => !wanted.some(({ metadata }) => metadata.name === name));
  for (const name of others) await client.delete(kind, { name }).catch(ignoreNotFound);
  return others.map((name) => `${kind.kind} ${name}`);
}
