/** Registers the members of a shape with their hub. */
import { fleetNamespace, memberClusters, memberNameLabel, type MemberCluster } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { isConflict, secrets } from '@flotilla/kube';
import type { MemberShape } from '../file/fleet-shape.ts';
import { accountNamed, ensureAccount, getOrCreate, MemberHasOtherIdentity } from '../member-credentials.ts';
import { untilReadyToJoin } from '../ready-to-join.ts';
import type { MemberHost } from '../start-member.ts';
import { changedMemberCluster, newMemberCluster, registrationOf } from './member-registration.ts';

/**
 * Creates the MemberCluster, or changes what the shape has changed. Resolves when the member is ready to join: the hub would
 * refuse an agent that starts sooner, and the agent would back off.
 */
export async function register(hub: MemberHost, shape: MemberShape): Promise<void> {
  const client = await hub.client();
  try {
    await Promise.all([ensureIdentity(client, shape), ensureMemberCluster(client, shape, hub.memberFinalizers)]);
    await untilReadyToJoin(client, shape.name);
  } finally {
    await client.close();
  }
}

/** Prepares the hub for a member that starts. */
export function prepareMember(hub: MemberHost, shape: MemberShape): Promise<void> {
  return shape.join === 'itself' ? register(hub, shape) : prepareIdentity(hub, shape);
}

/** For a member whose MemberCluster a user creates. */
async function prepareIdentity(hub: MemberHost, shape: MemberShape): Promise<void> {
  const client = await hub.client();
  await ensureIdentity(client, shape).finally(() => client.close());
}

async function ensureIdentity(client: Client, { serviceAccount, tokenSecret }: MemberShape): Promise<void> {
  await ensureAccount(client, accountNamed(serviceAccount));
  if (tokenSecret === undefined) return;
  const annotations = { 'kubernetes.io/service-account.name': serviceAccount };
  await getOrCreate(client, secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: tokenSecret, namespace: fleetNamespace, annotations },
    type: 'kubernetes.io/service-account-token',
  });
}

async function ensureMemberCluster(client: Client, shape: MemberShape, finalizers: readonly string[]): Promise<void> {
  const wanted = registrationOf(shape);
  const made = claimed(newMemberCluster(shape.name, wanted), finalizers);
  for (;;) {
    const found = await getOrCreate(client, memberClusters, made);
    const changed = changedMemberCluster(found, wanted);
    if (!hasIdentity(changed ?? found, shape)) throw otherIdentity(found);
    if (changed === undefined) return;
    try {
      await client.update(memberClusters, changed);
      return;
    } catch (error) {
      // Its controllers write to it, too.
      if (!isConflict(error)) throw error;
    }
  }
}

/** With the label and the finalizers that the hub's controllers would otherwise add, in writes of their own. */
function claimed(member: MemberCluster, finalizers: readonly string[]): MemberCluster {
  const { name = '', labels } = member.metadata;
  const metadata = { ...member.metadata, labels: { ...labels, [memberNameLabel]: name }, finalizers: [...finalizers] };
  return { ...member, metadata };
}

/** A user may have created the MemberCluster for another agent. */
export function hasIdentity({ spec }: Readonly<MemberCluster>, shape: Pick<MemberShape, 'serviceAccount'>): boolean {
  const { kind, name, namespace } = spec.identity;
  return kind === 'ServiceAccount' && name === shape.serviceAccount && namespace === fleetNamespace;
}

function otherIdentity({ metadata, spec }: MemberCluster): MemberHasOtherIdentity {
  const { kind, name } = spec.identity;
  return new MemberHasOtherIdentity(
    `MemberCluster ${metadata.name} has the identity of ${kind} ${name}; delete it first, or give the member that service account.`,
  );
}
